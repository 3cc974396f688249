//! This process as a node: the cluster, and the edges by which others reach it.

use std::net::SocketAddr;
use std::sync::Arc;

use banyan_admission::{Outcasts, Security, Strangers, TlsError, Visits, descriptors};
use banyan_engine::{Playable, Session};
use banyan_games::Kind;
use banyan_jobs::{Evaluators, ModelFiles};
use banyan_katago::CommandLine;
use banyan_web::probes;
use tokio::net::{TcpListener, TcpSocket};

use crate::cluster::{Cluster, Own};
use crate::rpc;
use crate::seats::Serving;
use crate::site::{Pages, Site};
use crate::watched::Watched;

/// Connections of scrapers and probes at a time. Each lasts a few seconds, and the oldest makes room.
const VISITS_MAX: usize = 64;

/// Connections that may wait to be accepted, if the kernel allows as many (`net.core.somaxconn`): whoever comes
/// when the queue is full is not answered, and tries again a second later.
const WAITING_MAX: u32 = 4096;

/// Local threads and where to listen.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Threads of this process that play out; 0 for none.
    pub threads: u32,
    /// Accept workers here.
    pub listen: Option<SocketAddr>,
    /// Tokens and certificates that let a peer in there.
    pub security: Security,
    /// Serve metrics here.
    pub metrics: Option<SocketAddr>,
    /// Serve pages.
    pub pages: Option<Pages>,
    /// The game that workers must know; nothing where any will do.
    pub kind: Option<Kind>,
    /// Let front ends attach as well.
    pub serving: Option<Serving>,
    /// One batch in so many is played again elsewhere and compared; 0 for none.
    pub audit_every: u32,
    /// Evaluators of this process's threads.
    pub evaluators: Evaluators,
    /// Files of models that workers may ask for.
    pub models: ModelFiles,
    /// Command that starts KataGo beside them; nothing for no KataGo.
    pub katago: Option<CommandLine>,
    /// Who is not let in again.
    pub outcasts: Arc<Outcasts>,
}

/// Reasons why a node cannot start.
#[derive(Debug, thiserror::Error)]
pub enum NodeError {
    /// An address cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    /// Certificates that are none.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// No thread or runtime to be had.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
}

/// A cluster with its edges; all of it stops when this is dropped.
#[derive(Debug)]
pub struct Node {
    cluster: Cluster,
    listening: Option<SocketAddr>,
    site: Option<Site>,
    watched: Arc<Watched>,
}

/// Listens; to be called in a runtime.
fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    // A port whose last connections are still closing may be used again at once.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING_MAX)
}

impl Node {
    /// Starts the cluster, then whatever listens.
    ///
    /// # Errors
    /// [`NodeError`] when a file, an address or a thread is not to be had.
    pub fn start(setup: &Setup) -> Result<Node, NodeError> {
        descriptors::raise_limit();
        let locks = setup.security.locks()?;
        let Setup { threads, evaluators, models, katago, outcasts, .. } = setup.clone();
        let own = Own { threads, evaluators, models, katago, outcasts };
        let cluster = Cluster::start(own, setup.audit_every)?;
        let bound = |address| {
            let listener = cluster.wait_for(async { listen(address) });
            listener.map_err(|error| NodeError::Listen(address, error))
        };
        let listener = setup.listen.map(bound).transpose()?;
        let metrics = setup.metrics.map(bound).transpose()?;
        let listening = listener.as_ref().and_then(|listener| listener.local_addr().ok());
        let link = cluster.link();
        let watched = Arc::new(Watched::new(link.clone()));
        if let Some(metrics) = metrics {
            // Loopback needs no lock.
            let is_open = setup.metrics.is_some_and(|address| !address.ip().is_loopback());
            let token = setup.security.token.clone().filter(|_| is_open);
            let most = VISITS_MAX.min(descriptors::strangers_max());
            let visits = Visits::new(metrics, Strangers::new(most, Arc::default()));
            cluster.spawn(probes::serve(visits, watched.clone(), token));
        }
        if let Some(listener) = listener {
            let edge = rpc::Edge::new(link.clone(), setup.kind);
            cluster.spawn(rpc::serve(listener, locks, edge, setup.serving.clone()));
        }
        let open = |pages: &Pages| {
            let (seen, locks) = ((link, watched.clone()), setup.security.locks()?);
            let opened = Site::open(pages, seen, &setup.security, locks);
            opened.map_err(|error| NodeError::Listen(pages.address, error))
        };
        let site = setup.pages.as_ref().map(open).transpose()?;
        if let Some(site) = &site {
            tracing::info!("pages are at {}", site.url());
        }
        Ok(Node { cluster, listening, site, watched })
    }

    /// Has its pages and metrics show another cluster from now on.
    pub fn watch(&self, other: &Cluster) {
        self.watched.turn_to(other.link().clone());
    }

    /// Its cluster.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Lets pages show a session's game, where there are pages.
    pub fn show<G: Playable>(&self, session: &mut Session<G>) {
        if let Some(mirror) = self.site.as_ref().and_then(Site::mirror) {
            session.show_to(mirror);
        }
    }

    /// Returns the address on which it listens, with the port that it was given.
    pub fn listening(&self) -> Option<SocketAddr> {
        self.listening
    }
}

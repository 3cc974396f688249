//! Drives the scheduler: gives it the clock and the links, and does what it says.
//!
//! One thread with one runtime. The rpc edge runs on it too; playouts and the tree never do.
//!
//! Reading order: here for what a cluster is and what can be asked of it, `link` for those who ask,
//! `driver` for the loop around the scheduler.

mod link;

mod driver;

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use banyan_jobs::{Profile, Root, Tally, ToWorker, WorkerId, limits};
use tokio::sync::{mpsc, oneshot};

use self::driver::Driver;
pub use self::link::Link;
use crate::mailbox::Post;
use crate::rpc::{Security, TlsError};
use crate::scheduler::{Auditing, Claim, Event, Room, Settlement};
use crate::serve::Serving;

/// How often the scheduler hears that time has passed.
const TICK: Duration = Duration::from_millis(40);

/// What the driver is asked to do.
pub(crate) enum Command {
    /// Something happened.
    Event(Event),
    /// A remote worker was welcomed; messages for it go there.
    Connected(WorkerId, Profile, mpsc::Sender<ToWorker>),
    /// A session has a new root and a claim; what concerns it goes there.
    Open(Arc<Root>, Claim, Post<ToGrower>),
    /// Publish the view now, then answer.
    Refresh(oneshot::Sender<()>),
    /// Tell the workers, end the loop, answer.
    Stop(std::sync::mpsc::Sender<()>),
}

/// From the cluster to a session's grower.
///
/// The mailbox is unbounded in itself: it holds at most one message for each batch in flight, which
/// `limits::BATCHES_IN_FLIGHT_MAX` bounds, and a few windows.
#[derive(Debug)]
pub enum ToGrower {
    /// Tallies of its batches, and the worker that sent them where its word may be doubted.
    Tallies(Option<WorkerId>, Vec<Tally>),
    /// What this worker sent was lies.
    TakeBack(WorkerId),
    /// What the cluster can do for it.
    Room(Room),
    /// Its search is closed.
    Settled(Settlement),
}

/// Local threads and where to listen.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Threads of this process that play out; 0 for none.
    pub threads: u32,
    /// Accept workers here.
    pub listen: Option<SocketAddr>,
    /// Who may join there.
    pub security: Security,
    /// Serve metrics here.
    pub metrics: Option<SocketAddr>,
    /// The game that workers must know; nothing where any will do.
    pub kind: Option<banyan_games::Kind>,
    /// Let front ends attach as well.
    pub serving: Option<Serving>,
    /// One batch in so many is played again elsewhere and compared; 0 for none.
    pub audit_every: u32,
}

/// Why a cluster cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
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

/// A running cluster; it stops when this is dropped.
#[derive(Debug)]
pub struct Cluster {
    link: Link,
    listening: Option<SocketAddr>,
    runtime: tokio::runtime::Handle,
    thread: Option<JoinHandle<()>>,
}

impl Cluster {
    /// Starts the driver, the local threads and the listener.
    ///
    /// # Errors
    /// [`ClusterError`] when an address or a thread is not to be had.
    pub fn start(setup: &Setup) -> Result<Cluster, ClusterError> {
        let (commands, inbox) = mpsc::channel(limits::EVENTS_WAITING_MAX);
        let link = Link::new(commands);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let locks = setup.security.locks()?;
        let listener = setup.listen.map(|address| listen(&runtime, address)).transpose()?;
        let metrics = setup.metrics.map(|address| listen(&runtime, address)).transpose()?;
        let listening = listener.as_ref().and_then(|listener| listener.local_addr().ok());
        let auditing = Auditing { every: setup.audit_every, salt: rand::random() };
        let mut driver = Driver::new(link.clone(), auditing);
        if setup.threads > 0 {
            driver.start_local(setup.threads)?;
        }
        let (edge_link, kind, serving) = (link.clone(), setup.kind, setup.serving);
        let thread = std::thread::Builder::new().name("cluster".to_owned()).spawn(move || {
            runtime.block_on(async move {
                if let Some(metrics) = metrics {
                    let (view, busy) = (edge_link.view.clone(), edge_link.busy.clone());
                    tokio::spawn(crate::metrics::serve(metrics, view, busy));
                }
                if let Some(listener) = listener {
                    let edge = crate::rpc::Edge::new(edge_link, kind);
                    tokio::spawn(crate::rpc::serve(listener, locks, edge, serving));
                }
                driver.run(inbox).await;
            });
            // Streams of workers must not hold the process back.
            runtime.shutdown_timeout(Duration::from_millis(200));
        })?;
        Ok(Cluster { link, listening, runtime: handle, thread: Some(thread) })
    }

    /// A way to talk to it.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// Runs a task on the cluster's thread, until it is done or the cluster stops.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(task);
    }

    /// Where it listens, with the port that it was given.
    pub fn listening(&self) -> Option<SocketAddr> {
        self.listening
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.link.farewell();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn listen(
    runtime: &tokio::runtime::Runtime,
    address: SocketAddr,
) -> Result<tokio::net::TcpListener, ClusterError> {
    let bind = async { tokio::net::TcpListener::bind(address).await };
    runtime.block_on(bind).map_err(|error| ClusterError::Listen(address, error))
}

//! The pages of this process: a listener of their own, on a thread of their own, so that browsers never
//! hold the cluster's thread up.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use banyan_admission::{Browser, Browsers, Locks, Security, Strangers, descriptors};
use banyan_engine::{Onlooker, Playable};
use banyan_learn::networks::latest_game;
use banyan_learn::rules::lines;
use banyan_web::board::{Mirror, Networks, Screen};
use banyan_web::{Boards, Learning, Lock, ShownBook, WatchedGame};
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::cluster::Link;
use crate::watched::Watched;

/// Pages to be shown, and where.
#[derive(Clone, Debug)]
pub struct Pages {
    /// Address where browsers find it.
    pub address: SocketAddr,
    /// Memory for the trees of games that are played on its boards, bytes; nothing where it shows this
    /// process's own game.
    pub tree_bytes_max: Option<usize>,
    /// A folder of learning.
    pub learning: Option<PathBuf>,
    /// Networks that may be chosen on its boards, one a game.
    pub networks: Networks,
    /// Opening books that can be looked into.
    pub books: Vec<ShownBook>,
}

/// The game of a loop's folder that was finished last, for a page.
fn latest(folder: &Path, seen: Option<&str>) -> Result<Option<WatchedGame>, String> {
    let found = latest_game(folder, seen).map_err(|error| format!("{error:#}"))?;
    Ok(found.map(|game| {
        let winner = match &*game.winner {
            "B" => "Black won",
            "W" => "White won",
            _ => "a draw",
        };
        let player: String = game.player.chars().take(8).collect();
        WatchedGame {
            name: game.shard,
            words: format!("generation {}, played by {player}: {winner}", game.generation),
            rules: game.rules,
            moves: game.moves,
            values: game.values,
        }
    }))
}

/// Pages that are served; no longer when this is dropped.
#[derive(Debug)]
pub struct Site {
    address: SocketAddr,
    scheme: &'static str,
    /// Screen of this process's own game.
    screen: Option<Arc<Screen>>,
    _stop: DropGuard,
}

impl Site {
    /// Opens the listener and begins to answer.
    ///
    /// # Errors
    /// What the operating system says where the address or a thread is not to be had.
    pub(crate) fn open(
        pages: &Pages,
        (link, watched): (&Link, Arc<Watched>),
        security: &Security,
        locks: Locks,
    ) -> std::io::Result<Site> {
        let listener = std::net::TcpListener::bind(pages.address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (boards, screen) = match pages.tree_bytes_max {
            Some(bytes) => {
                let networks = pages.networks.clone();
                (Boards::playing(Arc::new(link.clone()), bytes, networks, lines::built_in), None)
            }
            None => {
                let (boards, screen) = Boards::watching();
                (boards, Some(screen))
            }
        };
        let tls = locks.tls;
        let authority = security.tls.as_ref().and_then(|tls| tls.client_authority.as_ref());
        let asks_certificate = authority.is_some();
        let site = banyan_web::Site {
            cluster: watched,
            boards: Arc::new(boards),
            lock: Arc::new(Lock::new(address, security.token.clone(), asks_certificate)),
            is_tls: tls.is_some(),
            learning: pages.learning.clone().map(|folder| Learning { folder, latest }),
            books: pages.books.clone().into(),
        };
        let scheme = if site.is_tls { "https" } else { "http" };
        let refused = link.seen().refused().clone();
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::Builder::new().name("pages".to_owned()).spawn(move || {
            let serve = async move {
                let strangers = Strangers::new(descriptors::strangers_max(), refused);
                let browsers = TcpListener::from_std(listener)
                    .and_then(|listener| Browsers::new(listener, tls, strangers));
                match browsers {
                    Ok(browsers) => banyan_web::serve(browsers, site, Browser::welcome).await,
                    Err(error) => tracing::error!("pages cannot be served: {error}"),
                }
            };
            runtime.block_on(stopped.run_until_cancelled_owned(serve));
            runtime.shutdown_background();
        })?;
        Ok(Site { address, scheme, screen, _stop: stop.drop_guard() })
    }

    /// Returns the URL under which a browser finds it.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, dialled(self.address))
    }

    /// Somebody who shows a session's game there.
    pub fn mirror<G: Playable>(&self) -> Option<Box<dyn Onlooker<G>>> {
        let screen = self.screen.clone()?;
        Some(Box::new(Mirror::new(screen)))
    }
}

/// What others dial to come to a listening address: this host's name where all of its addresses are listened on.
pub fn dialled(address: SocketAddr) -> String {
    match address.ip().is_unspecified() {
        true => {
            let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
            format!("{name}:{}", address.port())
        }
        false => address.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dialled_is_an_address_that_leads_somewhere() {
        let dialled = |address: &str| dialled(address.parse().expect("an address"));
        assert_eq!(dialled("10.1.2.3:7337"), "10.1.2.3:7337");
        assert_eq!(dialled("[::1]:7337"), "[::1]:7337");
        for all in ["0.0.0.0:7337", "[::]:7337"] {
            let told = dialled(all);
            let host = told.strip_suffix(":7337").expect("the port");
            assert!(!host.is_empty() && host.parse::<std::net::IpAddr>().is_err(), "{told}");
        }
    }
}

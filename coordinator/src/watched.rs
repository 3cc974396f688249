//! The parts of a cluster that can be seen without asking it, for [`banyan_web`].

use std::sync::atomic::Ordering;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use banyan_games::with_game;
use banyan_jobs::{FromWorker, WorkerId};
use banyan_scheduler::Event;
use banyan_web::snapshot::{self, Snapshot};

use crate::cluster::{Command, Link};

/// The cluster's thread publishes how it stands many times a second; one that has not for so long hangs.
const SILENCE_MAX: Duration = Duration::from_secs(5);

/// A cluster, as it can be seen.
#[derive(Debug)]
pub struct Watched(RwLock<Link>);

impl Watched {
    /// Looks at this cluster.
    pub fn new(link: Link) -> Watched {
        Watched(RwLock::new(link))
    }

    /// Looks at this cluster from now on.
    pub fn turn_to(&self, link: Link) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = link;
    }

    fn link(&self) -> Link {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Checks that something can be done about a worker: one that dialled in and is there.
    fn check(&self, worker: WorkerId) -> Result<(), String> {
        let nodes = self.link().seen().nodes();
        match nodes.iter().find(|(id, node)| *id == worker && node.present) {
            None => Err("there is no such worker".to_owned()),
            Some((_, node)) if node.local => {
                Err("these are this process's own threads: --threads says how many".to_owned())
            }
            Some(_) => Ok(()),
        }
    }

    fn order(&self, command: Command) -> Result<(), String> {
        let busy = || "the cluster's thread is busy: try again".to_owned();
        if self.link().offer(command) { Ok(()) } else { Err(busy()) }
    }
}

impl snapshot::Cluster for Watched {
    fn snapshot(&self) -> Snapshot {
        let link = self.link();
        let view = link.seen();
        let whole = view.whole();
        let search = |search: crate::view::Search| snapshot::Search {
            session: search.root.id.session,
            game: with_game!(&search.root.rules, _G, rules => rules.to_string()),
            is_judged: search.root.growing.is_all_judged(),
            claim: search.claim,
            part: search.part,
            open_playouts: search.open_playouts,
        };
        Snapshot {
            nodes: view.nodes().into_iter().map(node).collect(),
            searches: whole.searches.into_iter().map(search).collect(),
            totals: whole.totals,
            joined: view.joined(),
            refused: view.refused().load(Ordering::Relaxed),
            attached: view.attached().load(Ordering::Relaxed),
            liars: view.register().liars() as u64,
            search_cpu: link.busy().search.read(),
            cluster_cpu: link.busy().cluster.read(),
        }
    }

    fn drain(&self, worker: WorkerId) -> Result<(), String> {
        self.check(worker)?;
        // As if it had said so itself: it is told that nothing follows, finishes, and leaves.
        self.order(Command::Event(Event::Said(worker, FromWorker::Draining)))
    }

    fn ban(&self, worker: WorkerId) -> Result<(), String> {
        self.check(worker)?;
        self.order(Command::Ban(worker))
    }

    fn readiness(&self) -> Result<(), String> {
        match self.link().seen().whole().published {
            None => Err("the cluster's thread has not begun".to_owned()),
            Some(at) if at.elapsed() > SILENCE_MAX => Err(format!(
                "the cluster's thread has said nothing for {} s",
                at.elapsed().as_secs()
            )),
            Some(_) => Ok(()),
        }
    }
}

fn node((id, node): (WorkerId, crate::view::Node)) -> snapshot::Node {
    snapshot::Node {
        id,
        name: node.name,
        threads: node.threads,
        playouts: node.playouts,
        rate: node.rate,
        window: node.window,
        in_flight: node.in_flight,
        judges_by: node.judges_by,
        cpu: node.usage.cpu,
        round_trip_p50: node.round_trip.ms_p50 / 1e3,
        round_trip_p99: node.round_trip.ms_p99 / 1e3,
        is_local: node.local,
        is_present: node.present,
        is_trusted: node.trusted,
        is_draining: node.draining,
        quarantined: node.quarantined,
    }
}

//! The link of a search to the cluster that lends its batches to workers.

use std::fmt;
use std::ops::AddAssign;
use std::sync::Arc;
use std::time::Duration;

use crate::answer::Tally;
use crate::ids::{BatchId, SessionId, WorkerId};
use crate::job::Batch;
use crate::root::Root;
use crate::session::Claim;
use crate::totals::Totals;

/// A cluster, as a search sees it: whoever lends its batches to workers.
///
/// Calls wait while the cluster has too much to do, and do nothing once it is gone.
pub trait Lender: fmt::Debug + Send + Sync {
    /// A number for a session that no other session had lately: a late tally must not find another's
    /// batch.
    fn new_session(&self) -> SessionId;

    /// Opens a search: everything its session had before is dead. What concerns it goes to `post`.
    fn open(&self, root: Arc<Root>, claim: Claim, post: Post);

    /// Takes new batches to be lent.
    fn submit(&self, session: SessionId, batches: Vec<Batch>);

    /// Takes back batches that are not needed any more; tallies of them may come all the same.
    fn drop_batches(&self, session: SessionId, batches: Vec<BatchId>);

    /// Closes a search; [`ToSearch::Settled`] follows.
    fn close(&self, session: SessionId);

    /// The workers that are there.
    fn crews(&self) -> Vec<Crew>;

    /// Adds the processor time of the calling thread, which searches, to what is shown of the cluster.
    fn note_search_time(&self);
}

/// A session's letter box: never waits, whoever calls it.
pub type Post = Box<dyn Fn(ToSearch) + Send>;

/// From the cluster to a session's search.
///
/// At most one message waits for each batch in flight, which `limits::BATCHES_IN_FLIGHT_MAX` bounds, and
/// a few windows.
#[derive(Debug)]
pub enum ToSearch {
    /// Tallies of its batches, and the worker that sent them where its word may be doubted.
    Tallies(Option<WorkerId>, Vec<Tally>),
    /// This worker lied.
    TakeBack(WorkerId),
    /// Capacity of the cluster for it.
    Capacity(ClusterCapacity),
    /// Its search is closed.
    Settled(Settlement),
}

/// Capacity of the cluster for a session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClusterCapacity {
    /// Playouts that it can hold.
    pub window: u32,
    /// Playouts per second that it is seen to do; 0 until measured.
    pub rate: f64,
    /// Threads that play out.
    pub threads: u32,
    /// Threads that share the work of one batch, on average: below 2 where no worker spreads batches.
    pub threads_a_batch: u32,
    /// Positions that its evaluators take at once.
    pub judges: u32,
    /// Processor time of a playout, of the thriftiest worker; nothing until measured.
    pub playout_cost: Option<Duration>,
}

/// The end of a search, seen from the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settlement {
    /// Ends of its batches.
    pub totals: Totals,
    /// Playouts merged, by worker.
    pub played: Vec<(WorkerId, u64)>,
}

/// Sums up two searches for one answer.
impl AddAssign for Settlement {
    fn add_assign(&mut self, other: Settlement) {
        self.totals += other.totals;
        for (worker, playouts) in other.played {
            match self.played.iter_mut().find(|(known, _)| *known == worker) {
                Some((_, sum)) => *sum += playouts,
                None => self.played.push((worker, playouts)),
            }
        }
    }
}

/// One worker's threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crew {
    /// Number of threads.
    pub threads: u32,
    /// Tells whether they are this process's own.
    pub is_own: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settlements_are_added_worker_by_worker() {
        let of = |sent, played: &[(u64, u64)]| Settlement {
            totals: Totals { sent, ..Totals::default() },
            played: played.iter().map(|&(id, playouts)| (WorkerId(id), playouts)).collect(),
        };
        let mut sum = of(3, &[(1, 10), (2, 20)]);
        sum += of(4, &[(2, 5), (3, 7)]);
        assert_eq!(sum, of(7, &[(1, 10), (2, 25), (3, 7)]));
    }
}

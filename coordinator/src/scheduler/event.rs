//! What goes into the scheduler and what comes out of it.

use std::sync::Arc;
use std::time::Duration;

use banyan_jobs::{
    Batch, BatchId, FromWorker, Profile, Root, SessionId, Tally, ToWorker, WorkerId,
};

use super::{Claim, Origin, Settlement};

/// What can happen to the scheduler.
#[derive(Clone, Debug)]
pub enum Event {
    /// A worker said hello and was welcomed.
    Joined(WorkerId, Profile, Origin),
    /// A worker's connection is gone.
    Left(WorkerId),
    /// A worker sent something.
    Said(WorkerId, FromWorker),
    /// A session has a new root and a claim to the cluster; all it had before is dead.
    Opened(Arc<Root>, Claim),
    /// A session's grower made batches.
    Submitted(SessionId, Vec<Batch>),
    /// A session does not need these batches any more.
    Dropped(SessionId, Vec<BatchId>),
    /// A session's search is over.
    Closed(SessionId),
    /// Lend to this worker alone from now on, or to all again.
    Restrict(Option<WorkerId>),
    /// This process played a batch that it was asked for by [`Action::Referee`].
    Refereed(Tally),
    /// This process was stopped for so long, and nobody else was.
    Stalled(Duration),
    /// Time passed. Expected every 10 to 50 ms.
    Tick,
}

/// What the scheduler wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Send a message to a worker.
    Send(WorkerId, ToWorker),
    /// Close a worker's connection.
    Dismiss(WorkerId, Dismissal),
    /// Give tallies of a worker to a session's grower.
    Deliver(SessionId, WorkerId, Vec<Tally>),
    /// Tell a session's grower that a worker's tallies were lies.
    TakeBack(SessionId, WorkerId),
    /// Play a batch in this process, whose word counts; [`Event::Refereed`] follows.
    Referee(Arc<Root>, Arc<Batch>),
    /// What the cluster can do for a session has changed.
    Room(SessionId, Room),
    /// A session is closed, and this is what became of its batches.
    Settled(SessionId, Settlement),
}

/// What the cluster can do for a session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Room {
    /// Playouts that it can hold.
    pub window: u32,
    /// Playouts per second that it is seen to do; 0 until measured.
    pub rate: f64,
    /// Threads that play out.
    pub threads: u32,
    /// Processor time of a playout, of the thriftiest worker; nothing until measured.
    pub playout_cost: Option<Duration>,
}

impl Room {
    /// Whether a grower that was told this would do the same by `other`.
    pub(super) fn is_like(&self, other: &Room) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() <= NEWS_MIN * a;
        let cost = |room: &Room| room.playout_cost.map_or(0.0, |cost| cost.as_secs_f64());
        self.threads == other.threads
            && near(f64::from(self.window), f64::from(other.window))
            && near(self.rate, other.rate)
            && near(cost(self), cost(other))
    }
}

/// What differs by less than this share from what was last told is no news.
const NEWS_MIN: f64 = 0.05;

/// Why a worker is sent away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dismissal {
    /// Nothing was heard of it for too long; it may come back.
    Silent,
    /// It did what no honest worker of this build does; the text is for people.
    Misbehaved(String),
    /// Its tallies are not what their batches give, as the coordinator found by playing one itself. It
    /// is not let in again.
    Lied(String),
}

//! Input and output of the scheduler.

use std::sync::Arc;
use std::time::Duration;

use banyan_jobs::{
    Batch, BatchId, Claim, ClusterCapacity, FromWorker, Profile, Root, SessionId, Settlement,
    Tally, ToWorker, WorkerId,
};

use super::Origin;

/// Events that can happen to the scheduler.
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
    /// A session's search made batches.
    Submitted(SessionId, Vec<Batch>),
    /// A session does not need these batches any more.
    Dropped(SessionId, Vec<BatchId>),
    /// A session's search is over.
    Closed(SessionId),
    /// Lend to this worker alone from now on, or to all again.
    Restrict(Option<WorkerId>),
    /// This process played a batch that it was asked for by [`Action::Referee`], in so much time.
    Refereed(Tally, Duration),
    /// It cannot play such a batch.
    CannotReferee(BatchId),
    /// This process was stopped for so long, and nobody else was.
    Stalled(Duration),
    /// Time passed. Expected every 10 to 50 ms.
    Tick,
}

/// Actions that the scheduler wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Send a message to a worker.
    Send(WorkerId, ToWorker),
    /// Close a worker's connection.
    Dismiss(WorkerId, Dismissal),
    /// Give tallies of a worker to a session's search.
    Deliver(SessionId, WorkerId, Vec<Tally>),
    /// Tell a session's search that a worker's tallies were lies.
    TakeBack(SessionId, WorkerId),
    /// Play a batch in this process, whose word counts; [`Event::Refereed`] follows.
    Referee(Arc<Root>, Arc<Batch>),
    /// Say that two workers judge a position differently, and how, and that nobody here can tell which errs.
    Discord([WorkerId; 2], String),
    /// The cluster's capacity for a session has changed.
    Capacity(SessionId, ClusterCapacity),
    /// A session is closed, and this is what became of its batches.
    Settled(SessionId, Settlement),
}

/// Reasons why a worker is sent away.
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

//! Orders to the driver.

use std::sync::Arc;
use std::time::Duration;

use banyan_admission::Identity;
use banyan_jobs::{Claim, Evaluators, ModelFiles, Post, Profile, Root, ToWorker, WorkerId};
use banyan_katago::Model;
use banyan_scheduler::Event;
use tokio::sync::{mpsc, oneshot};

/// Interval at which the scheduler hears that time has passed.
pub(super) const TICK: Duration = Duration::from_millis(40);

/// Tell the workers, end the loop, answer. Apart from the commands, so that it does not wait behind them.
pub(crate) type Stop = std::sync::mpsc::Sender<()>;

/// Orders to the driver.
pub(crate) enum Command {
    /// Something happened.
    Event(Event),
    /// A remote worker was welcomed; messages for it go there. Nobody knows who made-up ones are.
    Connected(WorkerId, Profile, Option<Identity>, mpsc::Sender<ToWorker>),
    /// A session has a new root and a claim; what concerns it goes there.
    Open(Arc<Root>, Claim, Post),
    /// Put a worker out and do not let it in again: the operator will not have it.
    Ban(WorkerId),
    /// These are its own evaluators from now on, and workers may ask for these files, too.
    Models(Evaluators, ModelFiles),
    /// KataGo's process in this one is ready with this network, or down.
    Judge(Option<Model>),
    /// Publish the view now, then answer.
    Refresh(oneshot::Sender<()>),
}

//! Receiver of a link's messages.

use banyan_jobs::{FromWorker, Offer, ToWorker};

/// A workforce for what comes over a link: threads of this process, or a cluster of its own.
pub trait Workforce: Send {
    /// Does what a message says and returns what is to be answered at once; the rest comes by the sink.
    /// Its first is the coordinator's welcome; what ends a conversation is the link's business.
    fn handle(&mut self, message: ToWorker) -> Vec<FromWorker>;

    /// Batches taken in and not yet answered.
    fn held(&self) -> usize;

    /// Drops all roots and their batches: the connection they came by is gone.
    fn forget_all(&mut self);

    /// Returns what it judges by.
    fn offers(&self) -> Vec<Offer>;

    /// Threads that play out, now.
    fn threads(&self) -> u32;
}

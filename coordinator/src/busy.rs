//! Processor time of the coordinator's own threads: it tells whether one of them is the limit of a cluster.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The threads that no second core can help.
#[derive(Debug, Default)]
pub struct Busy {
    /// The search threads', of all sessions together.
    pub search: ThreadClock,
    /// The cluster's.
    pub cluster: ThreadClock,
}

/// Processor time of threads of one kind, nanoseconds: each adds its own, anyone reads.
#[derive(Debug, Default)]
pub struct ThreadClock(AtomicU64);

thread_local! {
    /// Processor time that the thread has added already.
    static ADDED: Cell<u64> = const { Cell::new(0) };
}

impl ThreadClock {
    /// Adds what the calling thread has used since it did so last. A thread adds to one clock alone.
    pub fn publish(&self) {
        let used = clock_gettime(ClockId::ThreadCPUTime);
        let used = used.tv_sec as u64 * 1_000_000_000 + used.tv_nsec as u64;
        self.0.fetch_add(used.saturating_sub(ADDED.replace(used)), Ordering::Relaxed);
    }

    /// Processor time of the threads when they published last.
    pub fn read(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

//! How much processor time the coordinator's own threads use: what tells whether one of them is the
//! limit of a cluster.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The threads that no second core can help.
#[derive(Debug, Default)]
pub struct Busy {
    /// The grower's, of the session that searched last.
    pub grower: ThreadClock,
    /// The cluster's.
    pub cluster: ThreadClock,
}

/// Processor time of one thread, nanoseconds: set by that thread alone, read by anyone.
#[derive(Debug, Default)]
pub struct ThreadClock(AtomicU64);

impl ThreadClock {
    /// Sets it to what the calling thread has used so far.
    pub fn publish(&self) {
        let used = clock_gettime(ClockId::ThreadCPUTime);
        self.0.store(used.tv_sec as u64 * 1_000_000_000 + used.tv_nsec as u64, Ordering::Relaxed);
    }

    /// What the thread had used when it published last.
    pub fn read(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

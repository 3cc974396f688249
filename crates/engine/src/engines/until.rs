//! Conditions that end a search on the opponent's time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use banyan_search::classical::Watch;

/// Conditions that end a search.
#[derive(Clone, Debug)]
pub(super) struct Until {
    /// Set from outside.
    pub stop: Arc<AtomicBool>,
    /// No longer than until then.
    pub deadline: Instant,
    /// After so many positions it is enough.
    pub nodes_max: u64,
}

impl Until {
    /// However many positions there are.
    pub fn stopped_by(stop: Arc<AtomicBool>, deadline: Instant) -> Until {
        Until { stop, deadline, nodes_max: u64::MAX }
    }

    /// Tells whether there is time left.
    pub fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed) && Instant::now() < self.deadline
    }

    /// The same, but no longer than for `time`.
    pub fn sooner(&self, time: Duration) -> Until {
        let deadline = self.deadline.min(Instant::now() + time);
        Until { deadline, ..self.clone() }
    }
}

impl Watch for Until {
    fn goes_on(&mut self, nodes: u64) -> bool {
        nodes < self.nodes_max && Until::goes_on(self)
    }
}

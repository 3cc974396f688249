//! Counts of the uses of rules by the searches that have them.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of a set of rules; written by all who search with them.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    /// Times that each was met.
    hits: Vec<AtomicU64>,
    /// Number of look-ups.
    asked: AtomicU64,
}

impl Usage {
    /// Begins the counts of so many rules that were not used yet.
    pub fn of(rules: usize) -> Usage {
        let hits = (0..rules).map(|_| AtomicU64::new(0)).collect();
        Usage { hits, asked: AtomicU64::new(0) }
    }

    /// Counts a look-up, and the rule that it found; hands that on.
    pub fn count(&self, found: Option<usize>) -> Option<usize> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if let Some(number) = found {
            self.hits[number].fetch_add(1, Ordering::Relaxed);
        }
        found
    }

    /// Returns how often each rule was met so far, in their order.
    pub fn hits(&self) -> Vec<u64> {
        self.hits.iter().map(|hits| hits.load(Ordering::Relaxed)).collect()
    }

    /// Returns the number of look-ups so far.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }
}

//! Batches that nobody needs any more, as all threads of a worker see them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::ids::BatchId;

/// More are not remembered: the oldest have been answered long ago.
const REMEMBERED_MAX: usize = 4096;

/// Batches whose answers are not expected. It changes no answer, only whether there is one.
#[derive(Debug, Default)]
pub struct Dropped {
    /// At most [`REMEMBERED_MAX`].
    batches: Mutex<BTreeSet<BatchId>>,
    /// Whether there ever was one: nearly always not, and then there is no need to look.
    is_used: AtomicBool,
}

impl Dropped {
    /// Notes batches.
    pub fn add(&self, batches: &[BatchId]) {
        let mut held = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
        held.extend(batches);
        while held.len() > REMEMBERED_MAX {
            held.pop_first();
        }
        self.is_used.store(true, Ordering::Relaxed);
    }

    /// Whether a batch is one of them.
    pub fn contains(&self, batch: BatchId) -> bool {
        self.is_used.load(Ordering::Relaxed)
            && self.batches.lock().unwrap_or_else(PoisonError::into_inner).contains(&batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_batches_are_remembered_and_memory_is_bounded() {
        let dropped = Dropped::default();
        assert!(!dropped.contains(BatchId(1)));
        let all: Vec<BatchId> = (0..2 * REMEMBERED_MAX as u64).map(BatchId).collect();
        dropped.add(&all);
        assert!(dropped.contains(*all.last().expect("some")) && !dropped.contains(all[0]));
        assert_eq!(dropped.batches.lock().expect("whole").len(), REMEMBERED_MAX);
    }
}

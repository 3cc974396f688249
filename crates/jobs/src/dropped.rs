//! Batches that nobody needs any more, as all threads of a worker see them.

use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ids::BatchId;

/// More are not remembered: the oldest have been answered long ago.
const REMEMBERED_MAX: usize = 4096;

/// Batches whose answers are not expected. It changes no answer, only whether there is one.
#[derive(Debug, Default)]
pub struct Dropped {
    batches: Mutex<Remembered>,
    /// Tells whether there ever was one: nearly always not, and then there is no need to look.
    is_used: AtomicBool,
}

/// At most [`REMEMBERED_MAX`].
#[derive(Debug, Default)]
struct Remembered {
    batches: HashSet<BatchId>,
    /// The same, the oldest first.
    order: VecDeque<BatchId>,
}

impl Dropped {
    /// Notes batches.
    pub fn add(&self, batches: &[BatchId]) {
        let mut held = self.remembered();
        for &batch in batches {
            if held.batches.insert(batch) {
                held.order.push_back(batch);
            }
        }
        while held.order.len() > REMEMBERED_MAX
            && let Some(oldest) = held.order.pop_front()
        {
            held.batches.remove(&oldest);
        }
        self.is_used.store(true, Ordering::Relaxed);
    }

    /// Forgets all: other batches may have the same names from now on.
    pub fn clear(&self) {
        *self.remembered() = Remembered::default();
        self.is_used.store(false, Ordering::Relaxed);
    }

    fn remembered(&self) -> MutexGuard<'_, Remembered> {
        self.batches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells whether a batch is one of them.
    pub fn contains(&self, batch: BatchId) -> bool {
        self.is_used.load(Ordering::Relaxed) && self.remembered().batches.contains(&batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_batches_are_remembered_and_memory_is_bounded() {
        let dropped = Dropped::default();
        assert!(!dropped.contains(BatchId(1)));
        // Names of a later session may be the smaller ones.
        let all: Vec<BatchId> = (0..2 * REMEMBERED_MAX as u64).rev().map(BatchId).collect();
        dropped.add(&all);
        assert!(dropped.contains(*all.last().expect("some")) && !dropped.contains(all[0]));
        assert_eq!(dropped.remembered().batches.len(), REMEMBERED_MAX);
        dropped.clear();
        assert!(!dropped.contains(*all.last().expect("some")));
    }
}

//! The solver's memory of boards: bounds and a best move, in bounded memory.

use super::board::SCORE_MAX;
use crate::bounds::Bounds;

/// Bounds on a board's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    hash: u64,
    pub lower: i8,
    pub upper: i8,
    /// The point of the best move, or of one that was good enough; 64 for none.
    pub best: u8,
    /// Work put into it, as a power of two; 0 marks a free place.
    effort: u8,
}

/// A board's score by a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    /// Fail-soft.
    pub value: i32,
    /// The point of the best move; [`NONE`] where there is none.
    pub best: u8,
}

/// No move.
pub(super) const NONE: u8 = 64;

impl Entry {
    const FREE: Entry =
        Entry { hash: 0, lower: -SCORE_MAX as i8, upper: SCORE_MAX as i8, best: NONE, effort: 0 };
}

/// Entries by hash, four to a bucket. Where there is no room the one with least work goes.
#[derive(Clone, Debug)]
pub(super) struct Table {
    buckets: Vec<[Entry; BUCKET]>,
}

const BUCKET: usize = 4;

impl Table {
    /// A table of at most `bytes` bytes, or of one bucket.
    pub fn new(bytes: usize) -> Table {
        let buckets = (bytes / size_of::<[Entry; BUCKET]>()).max(1);
        Table { buckets: vec![[Entry::FREE; BUCKET]; 1 << buckets.ilog2()] }
    }

    pub fn clear(&mut self) {
        self.buckets.fill([Entry::FREE; BUCKET]);
    }

    fn bucket(&self, hash: u64) -> usize {
        hash as usize & (self.buckets.len() - 1)
    }

    #[inline]
    pub fn get(&self, hash: u64) -> Option<&Entry> {
        let mut bucket = self.buckets[self.bucket(hash)].iter();
        bucket.find(|entry| entry.hash == hash && entry.effort != 0)
    }

    /// Keeps what was found within `bounds` by looking at `nodes` boards.
    pub fn put(&mut self, hash: u64, bounds: Bounds, found: Scored, nodes: u64) {
        let Scored { value, best } = found;
        let bucket = self.bucket(hash);
        let bucket = &mut self.buckets[bucket];
        let effort = 64 - nodes.leading_zeros() as u8;
        let same = bucket.iter().position(|entry| entry.hash == hash && entry.effort != 0);
        let place = same.unwrap_or_else(|| {
            // What was written long ago fades away: each time it is passed over it seems less work.
            let place = (0..BUCKET).min_by_key(|&place| bucket[place].effort).unwrap_or(0);
            let held = bucket.iter_mut().filter(|entry| entry.effort > 1);
            held.for_each(|entry| entry.effort -= 1);
            bucket[place] = Entry { hash, ..Entry::FREE };
            place
        });
        let entry = &mut bucket[place];
        entry.effort = entry.effort.max(effort).max(1);
        if value > bounds.alpha {
            (entry.lower, entry.best) = (entry.lower.max(value as i8), best);
        }
        if value < bounds.beta {
            entry.upper = entry.upper.min(value as i8);
        }
        if entry.best == NONE {
            entry.best = best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_close_in_and_the_least_work_goes_first() {
        let mut table = Table::new(size_of::<[Entry; BUCKET]>());
        let scored = |value, best| Scored { value, best };
        table.put(1, Bounds::below(1), scored(8, 10), 1 << 20);
        table.put(1, Bounds::below(16), scored(12, 20), 1 << 10);
        let entry = table.get(1).expect("kept");
        assert_eq!((entry.lower, entry.upper, entry.best), (8, 12, 10));
        for hash in 2..=4 {
            table.put(hash, Bounds::below(1), scored(2, 0), 1 << (20 - 2 * hash));
        }
        table.put(5, Bounds::below(1), scored(2, 0), 1);
        assert!(table.get(4).is_none() && table.get(5).is_some() && table.get(1).is_some());
    }
}

//! The solver's memory of boards: bounds and a best move, in bounded memory.

use super::board::SCORE_MAX;
use crate::bounds::Bounds;
use crate::helped::{BUCKET, Slots};

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

    fn of([hash, packed]: Words) -> Entry {
        let [lower, upper, best, effort, ..] = packed.to_le_bytes();
        Entry { hash, lower: lower as i8, upper: upper as i8, best, effort }
    }

    fn words(self) -> Words {
        let Entry { hash, lower, upper, best, effort } = self;
        [hash, u64::from_le_bytes([lower as u8, upper as u8, best, effort, 0, 0, 0, 0])]
    }
}

/// An entry as it is kept. A free place is all zeros.
type Words = [u64; 2];

/// Entries by hash, four to a bucket, which several threads may read and write at once. Where there is no room the
/// one with least work goes.
#[derive(Debug)]
pub(super) struct Table {
    slots: Slots<2>,
}

impl Table {
    /// A table of at most `bytes` bytes, or of one bucket.
    pub fn new(bytes: usize) -> Table {
        Table { slots: Slots::new(bytes) }
    }

    pub fn clear(&mut self) {
        self.slots.clear();
    }

    #[inline]
    pub fn get(&self, hash: u64) -> Option<Entry> {
        self.slots.find(hash, |&words| Entry::of(words).effort != 0).map(Entry::of)
    }

    /// Keeps what was found within `bounds` by looking at `nodes` boards.
    pub fn put(&self, hash: u64, bounds: Bounds, found: Scored, nodes: u64) {
        let Scored { value, best } = found;
        let bucket = self.slots.read(hash).map(Entry::of);
        let effort = 64 - nodes.leading_zeros() as u8;
        let same = bucket.iter().position(|entry| entry.hash == hash && entry.effort != 0);
        let place = same.unwrap_or_else(|| {
            // What was written long ago fades away: each time it is passed over it seems less work.
            let least = (0..BUCKET).min_by_key(|&place| bucket[place].effort).unwrap_or(0);
            for (place, &held) in bucket.iter().enumerate() {
                if place != least && held.effort > 1 {
                    let faded = Entry { effort: held.effort - 1, ..held };
                    self.slots.write(hash, place, faded.words());
                }
            }
            least
        });
        let mut entry = match same {
            Some(place) => bucket[place],
            None => Entry { hash, ..Entry::FREE },
        };
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
        self.slots.write(hash, place, entry.words());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_close_in_and_the_least_work_goes_first() {
        let table = Table::new(size_of::<[Words; BUCKET]>());
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

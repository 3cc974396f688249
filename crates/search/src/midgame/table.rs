//! The memory of boards: bounds, how deep and how surely they were searched, and a best move.

use crate::bounds::Bounds;
use crate::helped::{BUCKET, Slots};

/// No move.
pub(super) const NONE: u8 = 64;

/// Effort spent on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Effort {
    /// Plies.
    pub depth: u8,
    /// The number of the [`super::Trust`].
    pub trust: u8,
}

/// Knowledge of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    hash: u64,
    /// The value is at least this.
    pub lower: i16,
    /// The value is at most this.
    pub upper: i16,
    effort: Effort,
    /// The point of the best move, or of one that was good enough; [`NONE`] for none.
    pub best: u8,
    /// The search that wrote it; 0 marks a free place.
    generation: u8,
}

/// Beyond every value.
pub(super) const VALUE_END: i16 = i16::MAX;

impl Entry {
    const FREE: Entry = Entry {
        hash: 0,
        lower: -VALUE_END,
        upper: VALUE_END,
        effort: Effort { depth: 0, trust: 0 },
        best: NONE,
        generation: 0,
    };

    fn of([hash, packed]: Words) -> Entry {
        let [a, b, c, d, depth, trust, best, generation] = packed.to_le_bytes();
        Entry {
            hash,
            lower: i16::from_le_bytes([a, b]),
            upper: i16::from_le_bytes([c, d]),
            effort: Effort { depth, trust },
            best,
            generation,
        }
    }

    fn words(self) -> Words {
        let ([a, b], [c, d]) = (self.lower.to_le_bytes(), self.upper.to_le_bytes());
        let Effort { depth, trust } = self.effort;
        [self.hash, u64::from_le_bytes([a, b, c, d, depth, trust, self.best, self.generation])]
    }

    /// Tells whether the bounds are at least so deep and so sure.
    pub fn holds(&self, effort: Effort) -> bool {
        self.effort.depth >= effort.depth && self.effort.trust >= effort.trust
    }
}

/// An entry as it is kept, four to a line of a cache. A free place is all zeros.
type Words = [u64; 2];

/// Entries by hash, four to a bucket, which several threads may read and write at once. Where there is no room the
/// oldest of the shallowest goes.
#[derive(Debug)]
pub(super) struct Table {
    slots: Slots<2>,
    generation: u8,
}

impl Table {
    /// A table of at most `bytes` bytes, or of one bucket.
    pub fn new(bytes: usize) -> Table {
        Table { slots: Slots::new(bytes), generation: 1 }
    }

    /// Another search begins: what is known stays, and goes first where room is needed.
    pub fn begin(&mut self) {
        self.generation = self.generation.wrapping_add(1).max(1);
    }

    /// As new.
    pub fn forget(&mut self) {
        self.slots.clear();
    }

    #[inline]
    pub fn get(&self, hash: u64) -> Option<Entry> {
        self.slots.find(hash, |&words| Entry::of(words).generation != 0).map(Entry::of)
    }

    /// Keeps what a search of this effort has found within `bounds`: a value between them is exact, one
    /// beyond is a bound.
    pub fn put(&self, hash: u64, effort: Effort, bounds: Bounds, (value, best): (i32, u8)) {
        let generation = self.generation;
        let bucket = self.slots.read(hash).map(Entry::of);
        let same = bucket.iter().position(|entry| entry.hash == hash && entry.generation != 0);
        // What orders moves, and what a cut on probability asks, looks less deep at boards that were looked into.
        let is_known = |at: usize| {
            let entry = &bucket[at];
            let is_deeper = entry.effort.depth > effort.depth && entry.effort.trust >= effort.trust;
            entry.generation == generation && is_deeper
        };
        if same.is_some_and(is_known) {
            return;
        }
        let place = same.unwrap_or_else(|| {
            let worth = |&place: &usize| {
                let entry = &bucket[place];
                (entry.generation == generation, entry.effort)
            };
            (0..BUCKET).min_by_key(worth).unwrap_or(0)
        });
        let mut entry = bucket[place];
        if same.is_none() || entry.effort != effort {
            let best = if same.is_some() { entry.best } else { NONE };
            entry = Entry { hash, effort, best, ..Entry::FREE };
        }
        entry.generation = generation;
        if value > bounds.alpha {
            (entry.lower, entry.best) = (value as i16, best);
        } else if entry.best == NONE {
            entry.best = best;
        }
        if value < bounds.beta {
            entry.upper = value as i16;
        }
        // Cuts on probability may say so now and otherwise then: the last word counts.
        if entry.lower > entry.upper {
            match value > bounds.alpha {
                true => entry.upper = VALUE_END,
                false => entry.lower = -VALUE_END,
            }
        }
        self.slots.write(hash, place, entry.words());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort { depth: 5, trust: 1 };

    #[test]
    fn bounds_close_in_and_hold_for_what_is_as_deep_and_as_sure() {
        let table = Table::new(1 << 10);
        table.put(7, EFFORT, Bounds::below(10), (20, 3));
        table.put(7, EFFORT, Bounds::below(40), (30, 4));
        let entry = table.get(7).expect("kept");
        assert_eq!((entry.lower, entry.upper, entry.best), (20, 30, 3));
        assert!(entry.holds(EFFORT) && entry.holds(Effort { depth: 4, trust: 0 }));
        assert!(
            !entry.holds(Effort { depth: 6, trust: 1 })
                && !entry.holds(Effort { depth: 5, trust: 2 })
        );
        // A deeper search begins anew, but for the move.
        table.put(7, Effort { depth: 6, trust: 0 }, Bounds::below(100), (50, NONE));
        let entry = table.get(7).expect("kept");
        assert_eq!((entry.lower, entry.upper, entry.best), (-VALUE_END, 50, 3));
    }

    #[test]
    fn the_old_goes_first_and_then_the_shallow() {
        let mut table = Table::new(size_of::<[Entry; BUCKET]>());
        for hash in 1..=4 {
            let effort = Effort { depth: 10 - hash as u8, trust: 0 };
            table.put(hash, effort, Bounds::below(0), (1, 1));
        }
        table.put(5, EFFORT, Bounds::below(0), (1, 1));
        assert!(table.get(4).is_none() && table.get(1).is_some());
        table.begin();
        table.put(6, Effort { depth: 1, trust: 0 }, Bounds::below(0), (1, 1));
        table.put(7, Effort { depth: 1, trust: 0 }, Bounds::below(0), (1, 1));
        assert!(table.get(6).is_some() && table.get(7).is_some() && table.get(1).is_some());
    }

    #[test]
    fn what_is_found_less_deep_does_not_replace_what_was_found_deeper() {
        let mut table = Table::new(1 << 10);
        table.put(7, EFFORT, Bounds::below(10), (20, 3));
        table.put(7, Effort { depth: 2, trust: 1 }, Bounds::below(10), (90, 4));
        let entry = table.get(7).expect("kept");
        assert_eq!((entry.lower, entry.best, entry.effort), (20, 3, EFFORT));
        // Surer, or of another search: the last word counts.
        table.put(7, Effort { depth: 2, trust: 2 }, Bounds::below(10), (90, 4));
        assert_eq!(table.get(7).expect("kept").lower, 90);
        table.put(7, EFFORT, Bounds::below(10), (20, 3));
        table.begin();
        table.put(7, Effort { depth: 2, trust: 1 }, Bounds::below(10), (90, 4));
        assert_eq!(table.get(7).expect("kept").lower, 90);
    }
}

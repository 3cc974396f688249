//! The transposition table, which holds what earlier lines have shown of a position, in bounded memory.

use banyan_games::Move;

use crate::bounds::{Bounds, INFINITE};
use crate::helped::{BUCKET, Slots};

/// Knowledge of a position searched to one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    hash: u64,
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
    /// The depth that the bounds were searched to; 0 marks a free place.
    depth: u32,
    /// The best move, or the one that was too good for the other side.
    pub best: Move,
    /// The search that wrote it, to tell the old from the new.
    generation: u16,
}

impl Entry {
    const FREE: Entry = Entry {
        hash: 0,
        lower: -INFINITE,
        upper: INFINITE,
        depth: 0,
        best: Move::PASS,
        generation: 0,
    };

    fn of(words: Words) -> Entry {
        let [hash, bounds, rest] = words;
        Entry {
            hash,
            lower: bounds as i32,
            upper: (bounds >> 32) as i32,
            depth: rest as u32,
            best: Move((rest >> 32) as u16),
            generation: (rest >> 48) as u16,
        }
    }

    fn words(self) -> Words {
        let bounds = u64::from(self.lower as u32) | u64::from(self.upper as u32) << 32;
        let marks = u64::from(self.best.0) | u64::from(self.generation) << 16;
        [self.hash, bounds, u64::from(self.depth) | marks << 32]
    }
}

/// An entry as it is kept. A free place is all zeros.
type Words = [u64; 3];

/// Entries by hash, which several threads may read and write at once. Where there is no room the oldest of the
/// shallowest goes.
#[derive(Debug)]
pub struct Table {
    slots: Slots<3>,
    generation: u16,
    /// Entries of generations before this one are forgotten.
    oldest: u16,
}

impl Table {
    /// A table of at most `bytes` bytes, or of one bucket.
    pub fn new(bytes: usize) -> Table {
        Table { slots: Slots::new(bytes), generation: 0, oldest: 0 }
    }

    /// Begins another search: what is known stays, and goes first where room is needed.
    pub(super) fn begin(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        // Past the last number, what was forgotten may be seen again: it is as true as ever.
        self.oldest = self.oldest.min(self.generation);
    }

    /// Forgets everything: all that follows is as with a new table.
    pub(super) fn forget(&mut self) {
        if self.generation == u16::MAX {
            self.slots.clear();
            self.generation = 0;
        }
        self.generation += 1;
        self.oldest = self.generation;
    }

    fn is_free(&self, entry: &Entry) -> bool {
        entry.depth == 0 || entry.generation < self.oldest
    }

    /// Tells whether an entry is of an earlier search.
    pub(super) fn is_old(&self, entry: &Entry) -> bool {
        entry.generation != self.generation
    }

    /// The entry of the position with this hash, searched to any depth.
    pub(super) fn get(&self, hash: u64) -> Option<Entry> {
        self.slots.find(hash, |&words| !self.is_free(&Entry::of(words))).map(Entry::of)
    }

    /// Keeps what a search of `bounds` to `depth` (above 0) has shown: a value within it is exact, one
    /// beyond it is a bound.
    pub(super) fn put(&self, hash: u64, depth: u32, bounds: Bounds, found: (i32, Move)) {
        let generation = self.generation;
        let bucket = self.slots.read(hash).map(Entry::of);
        let age = |entry: &Entry| generation.wrapping_sub(entry.generation);
        let same = bucket.iter().position(|entry| entry.hash == hash && !self.is_free(entry));
        let place = same.unwrap_or_else(|| {
            let worth = |&place: &usize| {
                let entry = &bucket[place];
                match self.is_free(entry) {
                    true => (false, std::cmp::Reverse(u16::MAX), 0),
                    false => (true, std::cmp::Reverse(age(entry)), entry.depth),
                }
            };
            (0..BUCKET).min_by_key(worth).unwrap_or(0)
        });
        let mut entry = bucket[place];
        if same.is_none() || entry.depth != depth {
            // What was best at another depth is tried first.
            let best = if same.is_some() { entry.best } else { Move::PASS };
            entry = Entry { hash, depth, generation, best, ..Entry::FREE };
        }
        entry.generation = generation;
        let (value, best) = found;
        if value > bounds.alpha {
            (entry.lower, entry.best) = (value, best);
        } else if entry.best.is_pass() {
            entry.best = best;
        }
        if value < bounds.beta {
            entry.upper = value;
        }
        // A search that leaves something out may say so now and otherwise then: the last word counts.
        if entry.lower > entry.upper {
            (entry.lower, entry.upper) = match value > bounds.alpha {
                true => (value, Entry::FREE.upper),
                false => (Entry::FREE.lower, value),
            };
        }
        self.slots.write(hash, place, entry.words());
    }
}

impl Entry {
    /// The depth of the search that wrote it.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Narrows `bounds` by what was found to this depth: the value, or the narrower bounds that are
    /// left.
    ///
    /// What was found to another depth says nothing: so a search gives the value that minimax gives.
    pub fn narrow(&self, depth: u32, bounds: Bounds) -> Result<i32, Bounds> {
        if self.depth != depth {
            return Err(bounds);
        }
        if self.lower >= bounds.beta || self.lower == self.upper {
            return Ok(self.lower);
        }
        if self.upper <= bounds.alpha {
            return Ok(self.upper);
        }
        let (alpha, beta) = (bounds.alpha.max(self.lower), bounds.beta.min(self.upper));
        Err(Bounds { alpha, beta })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(alpha: i32, beta: i32) -> Bounds {
        Bounds { alpha, beta }
    }

    #[test]
    fn an_entry_is_read_back_as_it_was_written_and_zeros_are_free() {
        let entry = Entry {
            hash: u64::MAX - 5,
            lower: -INFINITE,
            upper: -7,
            depth: u32::MAX,
            best: Move::PASS,
            generation: 0xBEEF,
        };
        assert_eq!(Entry::of(entry.words()), entry);
        assert_eq!(Entry::of(Entry::FREE.words()), Entry::FREE);
        assert!(Table::new(1 << 12).is_free(&Entry::of(Words::default())));
    }

    #[test]
    fn a_value_within_the_bounds_is_exact_and_one_beyond_it_a_bound() {
        let table = Table::new(1 << 12);
        table.put(7, 3, bounds(0, 10), (5, Move(1)));
        assert_eq!(table.get(7).map(|e| e.narrow(3, bounds(-100, 100))), Some(Ok(5)));
        assert_eq!(table.get(7).map(|e| e.narrow(4, bounds(0, 9))), Some(Err(bounds(0, 9))));
        table.put(8, 3, bounds(0, 10), (12, Move(2)));
        table.put(8, 3, bounds(19, 20), (17, Move(9)));
        let entry = table.get(8).expect("kept");
        assert_eq!((entry.lower, entry.upper, entry.best), (12, 17, Move(2)));
        assert_eq!(entry.narrow(3, bounds(0, 30)), Err(bounds(12, 17)));
        assert_eq!(entry.narrow(3, bounds(0, 12)), Ok(12));
        assert_eq!(entry.narrow(3, bounds(17, 30)), Ok(17));
        assert_eq!(table.get(9), None);
    }

    #[test]
    fn what_is_forgotten_leaves_no_trace_however_often() {
        let bytes = size_of::<[Words; BUCKET]>();
        let mut table = Table::new(bytes);
        for round in 0..=u32::from(u16::MAX) + 2 {
            table.forget();
            let new = Table::new(bytes);
            for hash in 1..=6 {
                assert_eq!(table.get(hash).is_some(), new.get(hash).is_some(), "{round}");
                for table in [&table, &new] {
                    table.put(hash, 1 + (hash as u32 + round) % 3, Bounds::FULL, (1, Move(1)));
                }
            }
            let kept = |table: &Table| (1..=6).map(|hash| table.get(hash).is_some()).collect();
            let (kept, kept_by_new): (Vec<bool>, Vec<bool>) = (kept(&table), kept(&new));
            assert_eq!(kept, kept_by_new, "{round}");
        }
    }

    #[test]
    fn memory_is_bounded_and_the_old_goes_first_and_then_the_shallow() {
        let bytes = size_of::<[Words; BUCKET]>();
        assert_eq!(Table::new(3 * bytes).slots.buckets(), 2);
        let mut table = Table::new(bytes);
        let exact = (1, Move(1));
        for hash in 1..=4 {
            table.put(hash, 10 - hash as u32, Bounds::FULL, exact);
        }
        table.begin();
        table.put(5, 1, Bounds::FULL, exact);
        assert_eq!((table.get(4), table.get(1).is_some()), (None, true), "the shallowest");
        table.put(6, 1, Bounds::FULL, exact);
        assert!(table.get(5).is_some() && table.get(3).is_none(), "the old before the new");
    }

    #[test]
    fn the_best_move_of_another_depth_is_kept_where_no_move_was_better() {
        let table = Table::new(1 << 12);
        let [good, other] = [3, 4].map(Move::point);
        table.put(7, 2, bounds(-10, 10), (5, good));
        table.put(7, 3, bounds(-10, 10), (-20, other));
        let entry = table.get(7).expect("kept");
        assert_eq!((entry.depth, entry.best, entry.upper), (3, good, -20));
        table.put(7, 4, bounds(-10, 10), (5, other));
        assert_eq!(table.get(7).expect("kept").best, other);
    }
}

//! The positions that are being searched.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Many more than positions that are searched at a time: some twenty for each thread.
const PLACES: usize = 1 << 12;

/// The positions that somebody is searching, as far as is remembered: where two share a place the later one is. It
/// says what to do first and nothing else, so forgetting costs time alone.
#[derive(Debug)]
pub(crate) struct Busy {
    places: Box<[AtomicU64]>,
}

impl Busy {
    /// Nobody searches anything.
    pub fn new() -> Busy {
        Busy { places: std::iter::repeat_with(AtomicU64::default).take(PLACES).collect() }
    }

    /// Tells whether somebody searches the position with this hash as deep as this.
    #[inline]
    pub fn has(&self, hash: u64, depth: u32) -> bool {
        let key = key(hash, depth);
        self.places[place(key)].load(Relaxed) == key
    }

    /// Somebody begins to.
    #[inline]
    pub fn begin(&self, hash: u64, depth: u32) {
        let key = key(hash, depth);
        self.places[place(key)].store(key, Relaxed);
    }

    /// Somebody has done so.
    #[inline]
    pub fn end(&self, hash: u64, depth: u32) {
        let key = key(hash, depth);
        let place = &self.places[place(key)];
        if place.load(Relaxed) == key {
            place.store(0, Relaxed);
        }
    }
}

/// The same position to another depth is another search.
fn key(hash: u64, depth: u32) -> u64 {
    (hash ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)).max(1)
}

/// Of other bits than those that choose a bucket of the table, so that neighbours there are none here.
fn place(key: u64) -> usize {
    (key >> 40) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_busy_to_its_depth_from_its_beginning_to_its_end() {
        let busy = Busy::new();
        let (hash, other) = (0x1234_5678_9ABC_DEF0, 0x0FED_CBA9_8765_4321);
        assert!(!busy.has(hash, 5));
        busy.begin(hash, 5);
        assert!(busy.has(hash, 5) && !busy.has(hash, 6) && !busy.has(other, 5));
        busy.end(other, 5);
        busy.end(hash, 6);
        assert!(busy.has(hash, 5));
        busy.end(hash, 5);
        assert!(!busy.has(hash, 5));
    }

    #[test]
    fn of_two_in_one_place_the_later_is_remembered() {
        let busy = Busy::new();
        // They differ in low bits alone.
        let (one, two) = (1 << 50 | 1, 1 << 50 | 2);
        busy.begin(one, 0);
        busy.begin(two, 0);
        assert!(!busy.has(one, 0) && busy.has(two, 0));
        busy.end(one, 0);
        assert!(busy.has(two, 0));
    }
}

//! Memory that many threads read and write at the same time without a lock.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use zerocopy::FromZeros;

/// Slots of a bucket.
pub(crate) const BUCKET: usize = 4;

/// A hash and what is known under it. The first word is kept as the exclusive or of all: words of two entries,
/// where two threads wrote at once, are no entry, since nothing has their hash.
type Slot<const WORDS: usize> = [AtomicU64; WORDS];

/// Buckets of slots of some words each, the first of them a hash. New ones are all zeros, which the system hands out
/// where they are used, so that a clock that runs at the first move is not kept waiting.
#[derive(Debug)]
pub(crate) struct Slots<const WORDS: usize> {
    buckets: Vec<[Slot<WORDS>; BUCKET]>,
}

impl<const WORDS: usize> Slots<WORDS> {
    /// Slots of at most `bytes` bytes, or of one bucket: the largest power of two of buckets that fits.
    pub fn new(bytes: usize) -> Slots<WORDS> {
        let buckets = (bytes / size_of::<[Slot<WORDS>; BUCKET]>()).max(1);
        let buckets = <[Slot<WORDS>; BUCKET]>::new_vec_zeroed(1 << buckets.ilog2());
        Slots { buckets: buckets.expect("memory for a table") }
    }

    /// As new.
    pub fn clear(&mut self) {
        let words = self.buckets.iter_mut().flatten().flatten();
        words.for_each(|word| *word.get_mut() = 0);
    }

    /// The words of the slot that `is_sought` says yes to, of those that may have this hash.
    #[inline]
    pub fn find(
        &self,
        hash: u64,
        is_sought: impl Fn(&[u64; WORDS]) -> bool,
    ) -> Option<[u64; WORDS]> {
        let mut slots = self.buckets[self.bucket(hash)].iter().map(read);
        slots.find(|words| words[0] == hash && is_sought(words))
    }

    /// All slots that may have this hash.
    #[inline]
    pub fn read(&self, hash: u64) -> [[u64; WORDS]; BUCKET] {
        let bucket = &self.buckets[self.bucket(hash)];
        std::array::from_fn(|place| read(&bucket[place]))
    }

    /// Writes the slot at a place among those that may have this hash.
    #[inline]
    pub fn write(&self, hash: u64, place: usize, words: [u64; WORDS]) {
        let slot = &self.buckets[self.bucket(hash)][place];
        slot[0].store(words.iter().fold(0, |all, word| all ^ word), Relaxed);
        slot[1..].iter().zip(&words[1..]).for_each(|(kept, &word)| kept.store(word, Relaxed));
    }

    #[inline]
    fn bucket(&self, hash: u64) -> usize {
        hash as usize & (self.buckets.len() - 1)
    }

    #[cfg(test)]
    pub fn buckets(&self) -> usize {
        self.buckets.len()
    }
}

#[inline]
fn read<const WORDS: usize>(slot: &Slot<WORDS>) -> [u64; WORDS] {
    let mut words: [u64; WORDS] = std::array::from_fn(|at| slot[at].load(Relaxed));
    words[0] = words.iter().fold(0, |all, word| all ^ word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_zeros_are_zeros() {
        let mut slots = Slots::<3>::new(3 * size_of::<[Slot<3>; BUCKET]>());
        assert_eq!(slots.buckets(), 2);
        assert_eq!(slots.read(7), [[0; 3]; BUCKET]);
        slots.write(7, 2, [7, u64::MAX, 5]);
        assert_eq!(slots.read(7)[2], [7, u64::MAX, 5]);
        assert_eq!(slots.find(7, |words| words[2] == 5), Some([7, u64::MAX, 5]));
        assert_eq!(slots.find(7, |words| words[2] == 6), None);
        assert_eq!(slots.find(5, |_| true), None);
        slots.clear();
        assert_eq!(slots.find(7, |_| true), None);
    }

    /// Without the exclusive or a hash is met beside another's words within some thousand writes.
    #[test]
    fn words_of_two_writers_are_no_entry() {
        let slots = Slots::<3>::new(1);
        // As different as hashes are.
        let mixed = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        let entry = |number: u64| [number, number + 100, number + 200].map(mixed).map(mixed);
        let (slots, entry) = (&slots, &entry);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for step in 0..10_000u64 {
                        let written = entry(1 + (step * 7 + thread) % 64);
                        slots.write(written[0], 0, written);
                        for asked in (1..=64).map(entry) {
                            let found = slots.find(asked[0], |_| true);
                            assert!(found.is_none_or(|words| words == asked));
                        }
                    }
                });
            }
        });
    }
}

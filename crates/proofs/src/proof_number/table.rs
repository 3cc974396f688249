//! The memory of proof-number search.

use super::numbers::Numbers;

/// Knowledge of one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) hash: u64,
    pub(super) numbers: Numbers,
    /// Positions looked into for it.
    pub(super) work: u32,
}

/// Knowledge of positions, by hash. When a bucket is full the entry with least work goes.
pub(super) struct Table {
    buckets: Vec<[Option<Entry>; BUCKET]>,
}

const BUCKET: usize = 4;

impl Table {
    /// As many buckets as fit `bytes`, a power of two, at least one.
    pub(super) fn new(bytes: usize) -> Table {
        let room = (bytes / size_of::<[Option<Entry>; BUCKET]>()).max(1);
        Table { buckets: vec![[None; BUCKET]; 1 << room.ilog2()] }
    }

    fn place(&self, hash: u64) -> usize {
        (hash >> 8) as usize & (self.buckets.len() - 1)
    }

    pub(super) fn get(&self, hash: u64) -> Option<Entry> {
        let bucket = &self.buckets[self.place(hash)];
        bucket.iter().flatten().find(|entry| entry.hash == hash).copied()
    }

    pub(super) fn put(&mut self, entry: Entry) {
        let place = self.place(entry.hash);
        let bucket = &mut self.buckets[place];
        let same = |slot: &Option<Entry>| slot.is_some_and(|old| old.hash == entry.hash);
        let worth = |slot: &Option<Entry>| slot.map_or(0, |old| old.work);
        let slot = match bucket.iter().position(same) {
            Some(slot) => slot,
            None => (0..BUCKET).min_by_key(|&slot| worth(&bucket[slot])).unwrap_or(0),
        };
        let work = bucket[slot].filter(|old| old.hash == entry.hash).map_or(0, |old| old.work);
        bucket[slot] = Some(Entry { work: entry.work.saturating_add(work), ..entry });
    }
}

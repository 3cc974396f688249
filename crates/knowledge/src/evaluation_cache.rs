//! Judgements kept for positions that are met again, by another order of moves or in a search that comes later.
//!
//! What is looked up is what the network saw, so that an answer which is kept is the answer it would give.

use crate::evaluator::{Judgement, ModelDigest};
use crate::planes::Planes;
use banyan_games::Color;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// That of this process, for all its networks: a worker that outlives many of them keeps no more than for one.
pub(crate) static OF_PROCESS: LazyLock<EvaluationCache> = LazyLock::new(EvaluationCache::new);

/// Judgements that are kept at most, a power of two: 11 MB on 15x15, 28 MB on 19x19 with ownership.
const SLOTS: usize = 1 << 15;

/// Mutexes that the slots share, a power of two: threads that judge seldom meet at one.
const SHARDS: usize = 64;

/// A network, what it sees of a position, and who is to move, which planes do not say: in 128 bits, so that no two
/// have the same, for all that is to be feared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen([u64; 2]);

impl Seen {
    pub(crate) fn of(network: ModelDigest, side: Color, planes: &Planes) -> Seen {
        Seen([0, 1].map(|half: u8| {
            let mut hasher = DefaultHasher::new();
            (half, network.0, side.index()).hash(&mut hasher);
            (planes.width, planes.height, planes.is_turned).hash(&mut hasher);
            (&planes.planes, &planes.globals).hash(&mut hasher);
            hasher.finish()
        }))
    }
}

/// A table in which the newest judgement replaces whichever had its slot.
pub(crate) struct EvaluationCache {
    shards: Vec<Mutex<Shard>>,
}

/// Its slots, once there is something to keep.
type Shard = Vec<Option<(Seen, Judgement)>>;

impl EvaluationCache {
    fn new() -> EvaluationCache {
        EvaluationCache { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    /// Its mutex, and the number within.
    fn shard(&self, Seen([first, _]): Seen) -> (MutexGuard<'_, Shard>, usize) {
        let slot = first as usize % SLOTS;
        let shard = self.shards[slot % SHARDS].lock();
        (shard.unwrap_or_else(PoisonError::into_inner), slot / SHARDS)
    }

    /// Puts the judgement of what was seen into `judgement`; returns whether there is one.
    pub(crate) fn get(&self, seen: Seen, judgement: &mut Judgement) -> bool {
        let (shard, slot) = self.shard(seen);
        let kept = shard.get(slot).and_then(Option::as_ref).filter(|(key, _)| *key == seen);
        let Some((_, kept)) = kept else { return false };
        copy(kept, judgement);
        true
    }

    /// Keeps the judgement of what was seen.
    pub(crate) fn put(&self, seen: Seen, judgement: &Judgement) {
        let (mut shard, slot) = self.shard(seen);
        if shard.is_empty() {
            shard.resize(SLOTS / SHARDS, None);
        }
        match &mut shard[slot] {
            Some((key, kept)) => {
                *key = seen;
                copy(judgement, kept);
            }
            empty => *empty = Some((seen, judgement.clone())),
        }
    }
}

/// As a clone, in the memory that is there.
fn copy(from: &Judgement, to: &mut Judgement) {
    let Judgement { value, policy, score, ownership } = from;
    (to.value, to.score) = (*value, *score);
    to.policy.clone_from(policy);
    to.ownership.clone_from(ownership);
}

impl fmt::Debug for EvaluationCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvaluationCache").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_found_by_the_same_planes_alone_until_another_takes_its_slot() {
        let cache = EvaluationCache::new();
        let mut planes = Planes { width: 9, height: 9, ..Planes::default() };
        planes.planes.resize(2, Default::default());
        let seen =
            |network, planes: &Planes| Seen::of(ModelDigest([network; 32]), Color::Black, planes);
        let first = seen(1, &planes);
        assert_ne!(seen(2, &planes), first);
        assert_ne!(Seen::of(ModelDigest([1; 32]), Color::White, &planes), first);
        planes.planes[1].set(40);
        let second = seen(1, &planes);
        let mut found = Judgement::default();
        assert!(!cache.get(first, &mut found));
        cache.put(first, &Judgement { value: 7, ..Judgement::default() });
        assert!(cache.get(first, &mut found) && found.value == 7);
        assert!(!cache.get(second, &mut found));
        planes.globals.push(1);
        assert_ne!(seen(1, &planes), second);
        // Another one with the same slot.
        let Seen([slot, other]) = first;
        let rival = Seen([slot, !other]);
        assert!(!cache.get(rival, &mut found));
        cache.put(rival, &Judgement { value: 8, ..Judgement::default() });
        assert!(cache.get(rival, &mut found) && found.value == 8);
        assert!(!cache.get(first, &mut found));
    }
}

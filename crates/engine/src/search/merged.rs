//! The tallies of a search that may have to be taken back: those of workers whose word may be doubted.
//!
//! The newest are kept, as many as fit [`limits::MERGED_BYTES_MAX`], from one search to the next as long as
//! its tree is gone on with. What is older stays in the tree; of whose it is the number is known.

use std::collections::{BTreeMap, VecDeque};

use banyan_games::Move;
use banyan_jobs::{Tally, WorkerId, limits};

/// A tally as it was merged.
#[derive(Debug)]
pub(super) struct Merged {
    pub(super) from: WorkerId,
    /// From the root to the leaf.
    pub(super) moves: Vec<Move>,
    /// Tells whether the leaf had no children then.
    pub(super) fresh: bool,
    /// Tells whether the tally's own nodes were merged.
    pub(super) with_subtree: bool,
    pub(super) tally: Tally,
}

/// Tallies that are kept, the oldest first.
#[derive(Debug, Default)]
pub struct MergedTallies {
    kept: VecDeque<Merged>,
    bytes: usize,
    /// Playouts of what was not kept, by worker.
    forgotten: BTreeMap<WorkerId, u64>,
}

impl MergedTallies {
    pub(super) fn keep(&mut self, merged: Merged) {
        self.bytes += merged.bytes();
        self.kept.push_back(merged);
        while self.bytes > limits::MERGED_BYTES_MAX {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.bytes -= oldest.bytes();
            *self.forgotten.entry(oldest.from).or_default() += oldest.playouts();
        }
    }

    /// Playouts of a worker that the tree holds and nobody can take back.
    pub(super) fn forgotten(&self, worker: WorkerId) -> u64 {
        self.forgotten.get(&worker).copied().unwrap_or_default()
    }

    /// The tree's root moves on: what did not go through its new root is gone with the rest.
    pub(crate) fn advance(&mut self, mv: Move) {
        self.kept.retain_mut(|merged| {
            let is_below = merged.moves.first() == Some(&mv);
            merged.moves.drain(..1.min(merged.moves.len()));
            is_below
        });
        self.bytes = self.kept.iter().map(Merged::bytes).sum();
    }

    /// Everything that `worker` sent, the oldest first.
    pub(super) fn take(&mut self, worker: WorkerId) -> Vec<Merged> {
        let all = std::mem::take(&mut self.kept);
        let (lies, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|it| it.from == worker);
        self.kept = rest.into();
        self.bytes = self.kept.iter().map(Merged::bytes).sum();
        lies
    }
}

impl Merged {
    fn playouts(&self) -> u64 {
        self.tally.answer.counts().map_or(0, |counts| u64::from(counts.playouts()))
    }

    /// Memory that it takes, about.
    fn bytes(&self) -> usize {
        let counts = self.tally.answer.counts();
        let amaf = counts.and_then(|counts| counts.amaf.as_ref());
        let amaf = amaf.map_or(0, |amaf| amaf.visits.len() + amaf.half_wins.len());
        let owners = counts.and_then(|counts| counts.ownership.as_ref()).map_or(0, Vec::len);
        let judged = self.tally.answer.judged();
        let judged = judged.map_or(0, |judged| judged.policy.len() + judged.ownership.len());
        let grown = self.tally.answer.subtree().map_or(0, |grown| 28 * grown.children());
        size_of::<Merged>() + 2 * self.moves.len() + 4 * (amaf + owners) + judged + grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Counts;
    use banyan_jobs::{Answer, BatchId};

    fn merged(from: u64, number: u64, points: usize) -> Merged {
        let counts = Counts { ownership: Some(vec![0; points]), ..Counts::default() };
        let tally = Tally { batch: BatchId(number), answer: Answer::Counts(counts) };
        Merged { from: WorkerId(from), moves: Vec::new(), fresh: true, with_subtree: false, tally }
    }

    #[test]
    fn one_workers_tallies_are_taken_and_the_others_stay() {
        let mut kept = MergedTallies::default();
        (0..10).for_each(|number| kept.keep(merged(number % 2, number, 9)));
        let taken: Vec<u64> =
            kept.take(WorkerId(1)).into_iter().map(|merged| merged.tally.batch.0).collect();
        assert_eq!(taken, [1, 3, 5, 7, 9]);
        assert!(kept.take(WorkerId(1)).is_empty());
        assert_eq!(kept.take(WorkerId(0)).len(), 5);
        assert_eq!(kept.bytes, 0);
    }

    #[test]
    fn the_oldest_go_when_there_is_no_more_room() {
        let mut kept = MergedTallies::default();
        let points = limits::MERGED_BYTES_MAX / 4 / 10;
        (0..30).for_each(|number| kept.keep(merged(0, number, points)));
        let left = kept.take(WorkerId(0));
        assert!((5..=10).contains(&left.len()), "{}", left.len());
        assert_eq!(left.last().map(|merged| merged.tally.batch.0), Some(29));
    }
}

//! Beam search: in every position but the first only the moves that are ranked best are looked at.
//!
//! A beam sees further and misses what its order of moves takes for bad: a sacrifice, above all. It never takes a
//! position for lost because of that: where all moves within the beam lose, the others are looked at too.
//!
//! # Source
//! S7; Reddy 1977 for the beam.

use std::fmt::Debug;
use std::num::NonZeroUsize;
use std::sync::Arc;

use banyan_games::Move;
use banyan_knowledge::{Accumulator, Digest, Evaluation, LateMoves, Ranked};

/// An evaluation whose searches keep to a beam, in place of its own pruning of late moves. Its reductions stay.
#[derive(Debug)]
pub struct Beam<G> {
    inner: Arc<dyn Evaluation<G>>,
    width: NonZeroUsize,
}

impl<G> Beam<G> {
    /// - `width`: so many moves of each position are looked at.
    pub fn new(inner: Arc<dyn Evaluation<G>>, width: NonZeroUsize) -> Beam<G> {
        Beam { inner, width }
    }
}

impl<G: Debug + Send + Sync + 'static> Evaluation<G> for Beam<G> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// Findings of one beam mean nothing to another.
    fn digest(&self) -> Digest {
        self.inner.digest().and_numbers([i32::try_from(self.width.get()).unwrap_or(i32::MAX)])
    }

    fn scale(&self) -> f32 {
        self.inner.scale()
    }

    fn value(&self, position: &G) -> i32 {
        self.inner.value(position)
    }

    fn evaluate_many(&self, positions: &[&G], values: &mut Vec<i32>) {
        self.inner.evaluate_many(positions, values);
    }

    fn rank(&self, position: &G, moves: &mut [Ranked]) {
        self.inner.rank(position, moves);
    }

    fn quiescence_value(&self, position: &G, moves: &mut Vec<Move>) -> Option<i32> {
        self.inner.quiescence_value(position, moves)
    }

    fn forced(&self, position: &G, moves: &mut Vec<Move>) {
        self.inner.forced(position, moves);
    }

    fn late_moves(&self) -> Option<LateMoves> {
        let own = self.inner.late_moves();
        Some(LateMoves {
            reduced_after: own.map_or(usize::MAX, |own| own.reduced_after),
            pruned_after: self.width.get(),
            pruned_after_a_ply: 0,
        })
    }

    fn keeps(&self, parent: &G, child: &G) -> bool {
        self.inner.keeps(parent, child)
    }

    fn of_root(&self, position: &G) -> Option<Arc<dyn Evaluation<G>>> {
        let inner = self.inner.of_root(position)?;
        Some(Arc::new(Beam::new(inner, self.width)))
    }

    fn accumulator(&self, position: &G) -> Option<Box<dyn Accumulator<G> + '_>> {
        self.inner.accumulator(position)
    }
}

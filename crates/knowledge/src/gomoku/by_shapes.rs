//! The evaluation by the shapes that stones would make.

use std::sync::Arc;

use banyan_games::Move;
use banyan_games::gomoku::Gomoku;

use crate::digest::Digest;
use crate::evaluation::{Accumulator, Evaluation, LateMoves, Ranked};
use crate::line::LOGIT;

use super::accumulator::ByShapes;
use super::value::{by_shapes, rank_by_shapes};
use super::weights::Weights;

/// By the shapes that stones would make.
#[derive(Debug)]
pub(super) struct Shapes {
    weights: Arc<Weights>,
}

impl Shapes {
    /// By these weights.
    pub fn new(weights: Arc<Weights>) -> Shapes {
        Shapes { weights }
    }

    /// What it goes by.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }
}

impl Evaluation<Gomoku> for Shapes {
    fn name(&self) -> &str {
        "shapes"
    }

    fn digest(&self) -> Digest {
        self.weights.digest().and(self.name().as_bytes())
    }

    fn scale(&self) -> f32 {
        LOGIT
    }

    fn value(&self, position: &Gomoku) -> i32 {
        by_shapes(&self.weights, position)
    }

    fn rank(&self, position: &Gomoku, moves: &mut [Ranked]) {
        rank_by_shapes(&self.weights, position, moves);
    }

    fn quiescence_value(&self, position: &Gomoku, moves: &mut Vec<Move>) -> Option<i32> {
        ByShapes::of(&self.weights, position).quiescence_value(position, moves)
    }

    fn forced(&self, position: &Gomoku, moves: &mut Vec<Move>) {
        ByShapes::of(&self.weights, position).forced(position, moves);
    }

    /// Chosen by matches: docs/strength.md.
    fn late_moves(&self) -> Option<LateMoves> {
        Some(LateMoves { reduced_after: 4, pruned_after: 6, pruned_after_a_ply: 2 })
    }

    fn accumulator(&self, position: &Gomoku) -> Option<Box<dyn Accumulator<Gomoku> + '_>> {
        Some(Box::new(ByShapes::of(&self.weights, position)))
    }
}

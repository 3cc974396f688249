//! The evaluations of Gomoku: by the shapes that stones would make, by what its windows could become, and
//! by the document's line matrices.

use std::sync::{Arc, LazyLock};

use banyan_games::Move;
use banyan_games::gomoku::Gomoku;

use crate::digest::Digest;
use crate::evaluation::{Accumulator, Evaluation, LateMoves, Ranked, unless_urgent};
use crate::line::LOGIT;

use super::accumulator::ByShapes;
use super::mix::Mix;
use super::s9::S9;
use super::value::{by_shapes, rank_by_shapes};
use super::weights::Weights;
use super::windows;

/// The evaluations of Gomoku, the best for single positions first, then the best for searches.
pub(super) static ALL: LazyLock<[Arc<dyn Evaluation<Gomoku>>; 7]> = LazyLock::new(|| {
    [
        Arc::new(Shapes::new(Weights::learned_shared())),
        Mix::built_in(),
        Arc::new(Windows),
        Arc::new(S9::PLAIN),
        Arc::new(S9::WITH_CUT),
        Arc::new(S9::RUNS),
        Arc::new(S9::RUNS_WITH_CUT),
    ]
});

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

/// By what the windows could become.
#[derive(Debug)]
struct Windows;

impl Evaluation<Gomoku> for Windows {
    fn name(&self) -> &str {
        "windows"
    }

    fn digest(&self) -> Digest {
        Digest::EMPTY.and(self.name().as_bytes())
    }

    fn scale(&self) -> f32 {
        40.0
    }

    fn value(&self, position: &Gomoku) -> i32 {
        windows::value(position)
    }

    fn rank(&self, position: &Gomoku, moves: &mut [Ranked]) {
        windows::rank_all(position, moves);
    }

    fn quiescence_value(&self, position: &Gomoku, moves: &mut Vec<Move>) -> Option<i32> {
        unless_urgent((position, moves), windows::urgent, windows::value)
    }
}

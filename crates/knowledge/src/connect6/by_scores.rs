//! The evaluation by scores of shapes that were tuned, by the source's or by others.
//!
//! # Source
//! S10: value = A · patterns + B · segments with A = B = 1.

use banyan_games::Move;
use banyan_games::connect6::Connect6;

use crate::digest::Digest;
use crate::evaluation::{Accumulator, Evaluation, LateMoves, Ranked};
use crate::line::lines::Lines;

use super::accumulator::ByPatterns;
use super::order;
use super::scores::Scores;

/// Shapes with their scores, and segments.
#[derive(Debug)]
pub(super) struct ByScores {
    name: &'static str,
    scores: Scores,
    digest: Digest,
}

impl ByScores {
    /// The scores that are played by: tuned, by turn.
    pub fn tuned() -> ByScores {
        ByScores::named(SHAPES, Scores::tuned().clone())
    }

    /// The source's way: by scores that come along, or by others.
    pub fn of_source(scores: Scores) -> ByScores {
        ByScores::named(S10, scores)
    }

    /// What it goes by.
    pub fn scores(&self) -> &Scores {
        &self.scores
    }

    fn named(name: &'static str, scores: Scores) -> ByScores {
        let digest = scores.digest().and_digest(order::model()).and(name.as_bytes());
        ByScores { name, scores, digest }
    }
}

const SHAPES: &str = "shapes";

const S10: &str = "s10";

impl Evaluation<Connect6> for ByScores {
    fn name(&self) -> &str {
        self.name
    }

    fn digest(&self) -> Digest {
        self.digest
    }

    fn scale(&self) -> f32 {
        self.scores.scale() as f32
    }

    fn value(&self, position: &Connect6) -> i32 {
        ByPatterns::of(&self.scores, position).value(position)
    }

    fn rank(&self, position: &Connect6, moves: &mut [Ranked]) {
        order::rank(&Lines::of(position), position, moves);
    }

    fn quiescence_value(&self, position: &Connect6, moves: &mut Vec<Move>) -> Option<i32> {
        ByPatterns::of(&self.scores, position).quiescence_value(position, moves)
    }

    fn forced(&self, position: &Connect6, moves: &mut Vec<Move>) {
        ByPatterns::of(&self.scores, position).forced(position, moves);
    }

    /// Chosen by matches: docs/strength.md.
    fn late_moves(&self) -> Option<LateMoves> {
        Some(LateMoves { reduced_after: 6, pruned_after: 14, pruned_after_a_ply: 4 })
    }

    fn accumulator(&self, position: &Connect6) -> Option<Box<dyn Accumulator<Connect6> + '_>> {
        Some(Box::new(ByPatterns::of(&self.scores, position)))
    }
}

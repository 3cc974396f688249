//! What is known of Connect6: shapes, an order of moves, and playouts in which nobody overlooks a six.

pub mod order;
pub mod patterns;

mod evaluation;

mod follower;

#[cfg(test)]
mod plain;

use banyan_games::connect6::Connect6;
use banyan_games::counts::Observer;
use banyan_games::{Leaf, Move, Outcome, Rng};

use crate::digest::Digest;
use crate::evaluation::Evaluation;
use crate::knowledge::Knowledge;
use crate::line;

impl Knowledge for Connect6 {
    const EVALUATIONS: &'static [Evaluation<Connect6>] = evaluation::ALL;
    const HEAVY: bool = true;

    fn models() -> Digest {
        patterns::model().and_digest(order::model())
    }

    fn priors(&self, moves: &[Move], weights: &mut Vec<f32>) {
        line::priors(self, moves, weights);
    }

    fn heavy_playout(&self, rng: &mut Rng, observer: &mut impl Observer) -> (Outcome, u32) {
        line::one(self, rng, observer)
    }

    fn heavy_playouts(leaves: &mut [Leaf<'_, Connect6>]) {
        line::many(leaves);
    }
}

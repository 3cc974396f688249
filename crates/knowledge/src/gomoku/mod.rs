//! Knowledge of Gomoku: shapes and what they are worth, what stands around points, lines, and playouts in which
//! nobody overlooks a five.

pub mod shapes;

pub mod board;

pub mod planes;

pub mod weights;

mod value;

mod windows;

mod accumulator;

mod mix;

mod s9;

mod by_shapes;

mod evaluations;

use std::sync::{Arc, LazyLock};

use banyan_games::counts::Observer;
use banyan_games::gomoku::Gomoku;
use banyan_games::{Leaf, Move, Outcome, Rng};

use crate::digest::Digest;
use crate::evaluation::Evaluation;
use crate::knowledge::{Knowledge, ModelError};
use crate::line;
use crate::line::mix::{Model, Stored};
use crate::planes::{Encoding, Planes};

impl Knowledge for Gomoku {
    const HEAVY: bool = true;
    const ENCODING: Option<Encoding<'static>> = Some(planes::ENCODING);

    /// The evaluation `mix`.
    const SEARCHED_BY: usize = 1;

    const HAS_URGENT_MOVES: bool = true;

    fn evaluations() -> &'static [Arc<dyn Evaluation<Gomoku>>] {
        &*evaluations::ALL
    }

    /// By weights of crossings and threats, a line each, or by a mix's vectors.
    fn evaluation_by(model: &str) -> Result<Arc<dyn Evaluation<Gomoku>>, ModelError> {
        if let Some(read) = Model::of_text::<Gomoku>(model) {
            let read = read.map_err(|error| ModelError::Malformed(error.into()))?;
            return Ok(Arc::new(mix::Mix::of(Stored::of(read, model))));
        }
        let weights = weights::Weights::parse_whole(model);
        let weights = weights.map_err(|why| ModelError::Malformed(why.into()))?;
        Ok(Arc::new(by_shapes::Shapes::new(Arc::new(weights))))
    }

    fn models() -> Digest {
        // Whoever gets a root compares it.
        static MODELS: LazyLock<Digest> = LazyLock::new(|| {
            weights::Weights::model().and_digest(Stored::<Gomoku>::digest_of_build())
        });
        *MODELS
    }

    fn priors(&self, moves: &[Move], weights: &mut Vec<f32>) {
        line::priors(self, moves, weights);
    }

    fn encode(&self, planes: &mut Planes) {
        planes::encode(self, planes);
    }

    fn heavy_playout(&self, rng: &mut Rng, observer: &mut impl Observer) -> (Outcome, u32) {
        line::one(self, rng, observer)
    }

    fn heavy_playouts(leaves: &mut [Leaf<'_, Gomoku>]) {
        line::many(leaves);
    }
}

//! Knowledge of Connect6: shapes, what stands around points, an order of moves, and playouts in which nobody overlooks a six.

pub mod order;
pub mod patterns;

pub mod planes;

pub mod scores;

pub mod tables;

pub mod td;

mod urgent;

mod by_tables;

mod value;

mod accumulator;

mod by_scores;

mod mix;

mod evaluations;

#[cfg(test)]
mod wander;

#[cfg(test)]
mod plain;

use banyan_games::connect6::Connect6;
use std::sync::{Arc, LazyLock};

use banyan_games::counts::Observer;
use banyan_games::{Leaf, Move, Outcome, Rng};

use crate::digest::Digest;
use crate::evaluation::Evaluation;
use crate::knowledge::{Knowledge, ModelError};
use crate::line;
use crate::line::mix::{Model, Stored};
use crate::planes::{Encoding, Planes};

impl Knowledge for Connect6 {
    const HEAVY: bool = true;
    const ENCODING: Option<Encoding<'static>> = Some(planes::ENCODING);

    /// The evaluation `mix`.
    const SEARCHED_BY: usize = 1;

    const HAS_URGENT_MOVES: bool = true;

    fn evaluations() -> &'static [Arc<dyn Evaluation<Connect6>>] {
        &*evaluations::ALL
    }

    /// By a mix's vectors, by tables over line shapes, by a network of TD learning, each with a first line that says
    /// so (remarks may come before it), or by the scores of the fourteen shapes, a line each.
    fn evaluation_by(model: &str) -> Result<Arc<dyn Evaluation<Connect6>>, ModelError> {
        if let Some(read) = Model::of_text::<Connect6>(model) {
            let read = read.map_err(|error| ModelError::Malformed(error.into()))?;
            return Ok(Arc::new(mix::Mix::of(Stored::of(read, model))));
        }
        let first = model.lines().find(|line| !line.starts_with('%') && !line.trim().is_empty());
        let is = |header: &str| first.is_some_and(|line| line.trim() == header);
        if is(tables::HEADER) {
            let tables =
                tables::Tables::read(model).map_err(|error| ModelError::Malformed(error.into()))?;
            return Ok(Arc::new(evaluations::ByLooks::new(Arc::new(tables))));
        }
        if is(td::HEADER) {
            let td = td::Td::read(model).map_err(|error| ModelError::Malformed(error.into()))?;
            return Ok(Arc::new(td));
        }
        let scores =
            scores::Scores::read(model).map_err(|error| ModelError::Malformed(error.into()))?;
        Ok(Arc::new(by_scores::ByScores::of_source(scores)))
    }

    fn models() -> Digest {
        // Whoever gets a root compares it.
        static MODELS: LazyLock<Digest> = LazyLock::new(|| {
            let [tuned, source] = [scores::Scores::tuned(), scores::Scores::of_source()];
            let scores = source.digest().and_digest(tuned.digest());
            scores.and_digest(order::model()).and_digest(Stored::<Connect6>::digest_of_build())
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

    fn heavy_playouts(leaves: &mut [Leaf<'_, Connect6>]) {
        line::many(leaves);
    }
}

//! Knowledge of Go: playouts that know something, and which moves a good player would play.

mod groups;
mod heavy;
mod ladder;
pub mod planes;

pub use heavy::{Feature, Trait, Traits, features, traits};

use std::sync::LazyLock;

use banyan_games::counts::Observer;
use banyan_games::go::Go;
use banyan_games::{Leaf, Move, Outcome, Rng};

use crate::digest::Digest;
use crate::knowledge::Knowledge;
use crate::planes::{Encoding, Planes};
use crate::policy::Policy;

impl Knowledge for Go {
    const HEAVY: bool = true;
    const POLICY: Policy = Policy::Heavy;
    const ENCODING: Option<Encoding<'static>> = Some(planes::ENCODING);

    fn models() -> Digest {
        // Whoever gets a root compares it.
        static MODELS: LazyLock<Digest> =
            LazyLock::new(|| heavy::model().and_digest(heavy::predictor()));
        *MODELS
    }

    fn priors(&self, moves: &[Move], weights: &mut Vec<f32>) {
        heavy::odds(self, moves, weights);
    }

    fn leave_out_bad(&self, moves: &mut Vec<Move>) {
        heavy::leave_out_bad(self, moves);
    }

    fn encode(&self, planes: &mut Planes) {
        planes::encode(self, planes);
    }

    fn heavy_playout(&self, rng: &mut Rng, observer: &mut impl Observer) -> (Outcome, u32) {
        heavy::one(self, rng, observer)
    }

    fn heavy_playouts(leaves: &mut [Leaf<'_, Go>]) {
        heavy::many(leaves);
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::notation::drawn;
    use banyan_games::{Color, Game};

    /// The position of a drawing, with Black to move.
    pub(super) fn diagram(text: &str) -> Go {
        let (stones, points) = drawn(text);
        let rules = GoRules::new(points.isqrt() as u32, 15).expect("a size of Go");
        let mut position = Go::new(&rules);
        position.set_up(&stones, Color::Black).expect("a position that can stand");
        position
    }
}

//! Knowledge of Othello: four evaluations, and which moves to look at first.

mod evaluations;
pub mod learned;
pub mod patterns;
pub mod planes;
mod regions;
mod squares;
pub mod stages;
mod v47;

use std::sync::{Arc, LazyLock};

use banyan_games::Move;
use banyan_games::othello::Othello;

use crate::digest::Digest;
use crate::evaluation::Evaluation;
use crate::knowledge::Knowledge;
use crate::planes::{Encoding, Planes};

impl Knowledge for Othello {
    const ENCODING: Option<Encoding<'static>> = Some(planes::ENCODING);

    fn encode(&self, planes: &mut Planes) {
        planes::encode(self, planes);
    }

    fn evaluations() -> &'static [Arc<dyn Evaluation<Othello>>] {
        &*evaluations::ALL
    }

    fn models() -> Digest {
        // Whoever gets a root compares it.
        static MODELS: LazyLock<Digest> =
            LazyLock::new(|| learned::model().and_digest(stages::model()).and_digest(v47::model()));
        *MODELS
    }

    fn priors(&self, moves: &[Move], weights: &mut Vec<f32>) {
        weights.clear();
        weights.extend(moves.iter().map(|&mv| evaluations::odds(self, mv)));
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::othello::{Othello, OthelloRules};
    use banyan_games::{Color, Game, Move};

    /// The position of 64 squares from a1, row by row (`X` Black, `O` White), with `side` to move.
    pub(super) fn position(squares: &str, side: char) -> Othello {
        let disc = |(at, mark)| match mark {
            'X' => Some((Color::Black, Move::point(at))),
            'O' => Some((Color::White, Move::point(at))),
            _ => None,
        };
        let discs: Vec<_> = squares.chars().enumerate().filter_map(disc).collect();
        let side = if side == 'X' { Color::Black } else { Color::White };
        let mut position = Othello::new(&OthelloRules);
        position.set_up(&discs, side).expect("free points");
        position
    }
}

//! Knowledge of Hex: how far each side is from joining its edges, and how networks see its positions.
//!
//! Reading order: a position as one side sees it (`lines`), the fewest stones that it lacks (`shortest`), how far it
//! is where the opponent may take the nearest way (`two_distance`), what comes of these (`evaluation`).

mod lines;

mod shortest;

mod two_distance;

mod evaluation;

pub mod planes;

use std::sync::Arc;

use banyan_games::hex::Hex;

use crate::evaluation::Evaluation;
use crate::knowledge::Knowledge;
use crate::planes::{Encoding, Planes};
pub use planes::ENCODING;

impl Knowledge for Hex {
    const ENCODING: Option<Encoding<'static>> = Some(planes::ENCODING);
    const HALF_TURN: Option<&'static [[usize; 2]]> = Some(&[[3, 4], [5, 6]]);

    fn encode(&self, planes: &mut Planes) {
        planes::encode(self, planes);
    }

    fn evaluations() -> &'static [Arc<dyn Evaluation<Hex>>] {
        &*evaluation::ALL
    }
}

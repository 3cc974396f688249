//! Othello between the opening and the last empties: a selective search by the learned tables over patterns.
//!
//! Works on bare bitboards, from the side to move; values are in parts of a disc
//! ([`banyan_knowledge::othello::learned::DISC`]). A search of as many plies as there are empties ends with the
//! game: its last empties are the exact solver's, and its value is a score, for sure where nothing was cut on
//! probability.
//!
//! Reading order: what is remembered (`table`), how sure a shallow search is of a deep one (`probcut`), which
//! moves come first (`order`), the search (`search`), and the loop that goes deeper and
//! surer (`deepen`).
//!
//! # Source
//! Buro 1995 for ProbCut and 2000 for Multi-ProbCut; Marsland & Campbell 1982 for principal variation search;
//! Plaat et al. 1996 for enhanced transposition cutoffs.

use std::sync::Arc;

use banyan_games::othello::Othello;
use banyan_knowledge::othello::learned::DISC;
use banyan_knowledge::{Evaluation, Knowledge};

mod table;

mod probcut;

mod order;

mod search;

mod deepen;

/// The name of the evaluation that this search goes by, among those of the game.
pub const EVALUATION: &str = "patterns";

/// The value at which the side to move wins 73 of 100 games.
pub fn scale() -> f32 {
    let its = |it: &&Arc<dyn Evaluation<Othello>>| it.name() == EVALUATION;
    Othello::evaluations().iter().find(its).map_or(DISC as f32, |it| it.scale())
}

/// A value in hundredths of a disc.
pub fn hundredths(value: i32) -> i32 {
    100 * value / DISC
}

pub use deepen::{Answer, Memory, Question, plain_value, search, search_helped};
pub use probcut::{SURE, Trust, deviation};

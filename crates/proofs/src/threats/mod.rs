//! Wins by force in games of lines: every move of the attacker threatens to win, so that few answers
//! have to be looked at.
//!
//! What is found is proven; what is not found may still be there. Reading order: wins of Gomoku by fours
//! alone (`fours`), by fours and threes (`attack`), wins of Connect6 by turns that must be answered with
//! both stones (`double`).
//!
//! # Source
//! Allis, van den Herik & Huntjens 1996 for threat-space search; Wu & Huang 2006 for Connect6.

mod fours;

mod attack;

mod double;

use banyan_games::Move;

use crate::effort::Effort;

/// Some seconds: what a person waits for.
pub const EFFORT: Effort = Effort { nodes_max: 200_000, table_bytes: 64 << 20 };

/// How a win is forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// Gomoku: by fours alone (VCF).
    Fours,
    /// Gomoku: by fours and threes (VCT).
    Threes,
    /// Connect6: by turns whose threats take both of the other side's stones.
    DoubleThreats,
}

impl Means {
    /// The word for it in answers.
    pub fn name(self) -> &'static str {
        match self {
            Means::Fours => "fours",
            Means::Threes => "threes",
            Means::DoubleThreats => "double threats",
        }
    }
}

/// A win that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// How.
    pub means: Means,
    /// Ply by ply, the winner's first, up to where nothing can be done any more.
    pub line: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreatsFound {
    /// Nothing where none was found.
    pub win: Option<Win>,
    /// Tells whether all was looked at: there is no win by such threats then.
    pub is_complete: bool,
    /// Positions looked into, count.
    pub nodes: u64,
}

pub use attack::{answers, gomoku, wins_by_fours};
pub use double::{connect6, connect6_answers};

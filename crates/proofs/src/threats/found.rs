//! The result of a search for a win by threats.

use banyan_games::Move;

/// Means by which a win is forced.
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
    /// Means by which it is forced.
    pub means: Means,
    /// Ply by ply, the winner's first, up to where nothing can be done any more.
    pub line: Vec<Move>,
    /// The rule by which the winner goes on from there, where one knows that he wins.
    pub rule: Option<usize>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreatsFound {
    /// Nothing where none was found.
    pub win: Option<Win>,
    /// Tells whether all that it looks at was looked at. Of the two stones of a turn of Connect6 that is one order
    /// alone, the earlier point first: a stone that only prepares on a later point is missed.
    pub is_complete: bool,
    /// Positions looked into, count.
    pub nodes: u64,
}

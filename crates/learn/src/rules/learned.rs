//! A rule with where it comes from, and how sure it is.

use banyan_games::Kind;

/// Tells whether there are rules of this game.
pub fn is_learned(game: Kind) -> bool {
    matches!(game, Kind::Go | Kind::Gomoku | Kind::Connect6)
}

/// A rule of a game: a shape whose outcome is proven.
pub trait Rule {
    /// Positions that were looked into to prove it, count: what a match saves.
    fn work(&self) -> u32;
}

/// A rule that was proven anew.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedRule<R> {
    /// The rule.
    pub rule: R,
    /// Its proof, by points of the shape.
    pub proof: String,
    /// Completions on which the solver proved it anew, count.
    pub completions: u32,
    /// Hits on what it was learned from, count.
    pub hits: u64,
    /// Source that it was learned from.
    pub from: String,
}

impl<R: Rule> LearnedRule<R> {
    /// Positions that its hits saved, count.
    pub fn saved(&self) -> u64 {
        self.hits * u64::from(self.rule.work())
    }
}

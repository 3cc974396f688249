//! A rule with where it comes from, and how sure it is.

use banyan_games::Move;
use banyan_proofs::proof_number::ProofTree;

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

/// A proof as text: a move and, in parentheses, what follows from it: `b1 (a1: c1; pass: a1)`.
pub fn proof_text(proof: &ProofTree, name: &impl Fn(Move) -> String) -> String {
    let replies = proof.moves.iter().map(|(mv, below)| match below.is_empty() {
        true => name(*mv),
        false => format!("{} ({})", name(*mv), proof_text(below, name)),
    });
    replies.collect::<Vec<_>>().join("; ")
}

/// The name of a point of a shape: columns are letters from `a`, rows numbers from 1 at the top; a point outside
/// of it is `away`.
pub fn place_name(row: i32, column: i32) -> String {
    match u8::try_from(column) {
        Ok(column) if row >= 0 && column < 26 => {
            format!("{}{}", char::from(b'a' + column), row + 1)
        }
        _ => "away".to_owned(),
    }
}

//! A rule with where it comes from, and how sure it is.

use banyan_games::Move;
use banyan_proofs::life::rules::Rule;
use banyan_proofs::proof_number::ProofTree;

use super::completion::Completion;

/// A rule that was proven anew.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedRule {
    /// The rule.
    pub rule: Rule,
    /// Its proof, by points of the shape.
    pub proof: String,
    /// Completions on which the solver proved it anew, count.
    pub completions: u32,
    /// How often it was met on what it was learned from.
    pub hits: u64,
    /// What it was learned from.
    pub from: String,
}

impl LearnedRule {
    /// Positions that its hits saved, count.
    pub fn saved(&self) -> u64 {
        self.hits * u64::from(self.rule.work)
    }
}

/// A proof as text: a move and, in parentheses, what follows from it: `b1 (a1: c1; pass: a1)`.
///
/// Columns of the shape are letters from `a`, rows numbers from 1 at the top; a move outside of it is `away`.
pub fn proof_text(proof: &ProofTree, on: &Completion) -> String {
    let replies = proof.moves.iter().map(|(mv, below)| {
        let name = point_name(*mv, on);
        match below.is_empty() {
            true => name,
            false => format!("{name} ({})", proof_text(below, on)),
        }
    });
    replies.collect::<Vec<_>>().join("; ")
}

fn point_name(mv: Move, on: &Completion) -> String {
    let Some(point) = mv.index() else { return "pass".to_owned() };
    let (row, column) = (point as i32 / on.size - on.top, point as i32 % on.size - on.left);
    match u8::try_from(column) {
        Ok(column) if row >= 0 && column < 26 => {
            format!("{}{}", char::from(b'a' + column), row + 1)
        }
        _ => "away".to_owned(),
    }
}

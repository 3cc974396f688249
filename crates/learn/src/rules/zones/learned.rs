//! A rule about a local fight with where it comes from, and how sure it is.

use banyan_games::Move;
use banyan_proofs::life::rules::Rule;
use banyan_proofs::proof_number::ProofTree;

use super::completion::Completion;
use crate::rules::learned;

/// A rule about a local fight that was proven anew.
pub type LearnedRule = learned::LearnedRule<Rule>;

impl learned::Rule for Rule {
    fn work(&self) -> u32 {
        self.work
    }
}

/// A proof as text, by points of the shape; a move outside of it is `away`.
pub fn proof_text(proof: &ProofTree, on: &Completion) -> String {
    learned::proof_text(proof, &|mv: Move| match mv.index() {
        None => "pass".to_owned(),
        Some(point) => {
            let point = point as i32;
            learned::place_name(point / on.size - on.top, point % on.size - on.left)
        }
    })
}

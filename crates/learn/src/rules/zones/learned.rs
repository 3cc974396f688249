//! A rule about a local fight with where it comes from, and how sure it is.

use banyan_proofs::life::rules::Rule;

use crate::rules::learned;

/// A rule about a local fight that was proven anew.
pub type LearnedRule = learned::LearnedRule<Rule>;

impl learned::Rule for Rule {
    fn work(&self) -> u32 {
        self.work
    }
}

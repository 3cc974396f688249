//! The search for wins by threats on questions, with rules or without.

use banyan_proofs::Effort;
use banyan_proofs::threats::lessons::Learned;
use banyan_proofs::threats::rules::Rules;

use super::questions::{Question, Taught};
use crate::rules::saving::{Figures, measured};

/// Searches the questions: whether the side to move wins.
pub fn measure<R: Taught>(
    questions: &[Question<R>],
    rules: Option<&Rules>,
    effort: Effort,
) -> Figures<bool> {
    measured(questions, |Question { position, .. }| {
        let learned = Learned { rules, lessons: None };
        let found = R::search(position, effort, learned, &mut |_| true);
        let wins = found.win.is_some();
        ((wins || found.is_complete).then_some(wins), found.nodes)
    })
}

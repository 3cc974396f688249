//! The life-and-death solver on questions, with rules or without.

use banyan_proofs::Effort;
use banyan_proofs::life::rules::Rules;
use banyan_proofs::life::{Learned, Status, judge_with};

use super::questions::Question;
use crate::rules::saving::{Figures, measured};

/// Searches the questions.
pub fn measure(questions: &[Question], rules: Option<&Rules>, effort: Effort) -> Figures<Status> {
    measured(questions, |Question { position, target, .. }| {
        let found = judge_with(position, *target, effort, Learned { rules, lessons: None });
        let (status, nodes) = found.map_or((Status::Unknown, 0), |it| (it.status, it.nodes));
        (Some(status).filter(|&status| status != Status::Unknown), nodes)
    })
}

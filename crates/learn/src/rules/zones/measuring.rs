//! What rules save: the same questions with and without them.

use std::time::{Duration, Instant};

use banyan_proofs::Effort;
use banyan_proofs::life::rules::Rules;
use banyan_proofs::life::{Learned, Status, judge_with};

use super::questions::Question;

/// Figures of one way to search.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Verdicts, one for each question.
    pub verdicts: Vec<Status>,
    /// Positions looked into for each question.
    pub positions: Vec<u64>,
    /// Wall time of all.
    pub time: Duration,
}

/// Searches the questions.
pub fn measure(questions: &[Question], rules: Option<&Rules>, effort: Effort) -> Figures {
    let mut figures = Figures::default();
    let begun = Instant::now();
    for Question { position, target, .. } in questions {
        let found = judge_with(position, *target, effort, Learned { rules, lessons: None });
        let (status, nodes) = found.map_or((Status::Unknown, 0), |it| (it.status, it.nodes));
        figures.verdicts.push(status);
        figures.positions.push(nodes);
    }
    figures.time = begun.elapsed();
    figures
}

/// What rules change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Questions decided with and without rules, count.
    pub decided: usize,
    /// Of these, verdicts that rules changed, count: none may.
    pub changed: usize,
    /// Questions decided with rules alone, count.
    pub gained: usize,
    /// Questions decided without rules alone, count.
    pub lost: usize,
    /// Positions without and with rules on questions that both decide.
    pub positions: [u64; 2],
}

/// Compares the search without rules and with them.
pub fn compare(off: &Figures, on: &Figures) -> Comparison {
    let mut found = Comparison { decided: 0, changed: 0, gained: 0, lost: 0, positions: [0; 2] };
    for at in 0..off.verdicts.len() {
        match (off.verdicts[at], on.verdicts[at]) {
            (Status::Unknown, Status::Unknown) => {}
            (Status::Unknown, _) => found.gained += 1,
            (_, Status::Unknown) => found.lost += 1,
            (one, other) => {
                found.decided += 1;
                found.changed += usize::from(one != other);
                found.positions[0] += off.positions[at];
                found.positions[1] += on.positions[at];
            }
        }
    }
    found
}

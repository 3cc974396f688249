//! Wins by force at the root of a game of lines, and moves that are left when the other side has one.

use banyan_games::Move;
use banyan_proofs::Effort;
use banyan_proofs::threats::rules::Rules;
use banyan_proofs::threats::{ThreatsFound, Win};
use banyan_search::Searchable;
use banyan_search::{Candidate, Proof};

use super::task::{Pulse, Task, ended, report};
use crate::question::Limits;
use crate::report::{Explanation, Module, Report};

/// The search gets this part of the time; what it does not need is left to the engine. A position takes
/// about as long as a playout.
const TIME_SHARE: f64 = 0.2;

/// Positions looked into at most, and to find the moves that are left.
const NODES_MAX: u64 = 20_000;
const ANSWERS_NODES_MAX: u64 = 2_000;

/// Memory of the table: clearing it takes time.
const TABLE_BYTES: usize = 4 << 20;

/// Findings of a search for threats.
pub(super) enum Threats {
    /// There is a win.
    Decided(Box<Report>),
    /// All turns without these moves lose.
    Narrowed(Vec<Move>),
    /// Nothing.
    Silent,
}

/// Looks for a win of the side to move, by rules too, then for what the other side threatens.
pub(super) fn look<G: Searchable>(
    task: &Task<'_, G>,
    rules: Option<&Rules>,
    pulse: &mut Pulse<'_>,
) -> Threats {
    let time = task.limits.time.map(|time| time.mul_f64(TIME_SHARE));
    pulse.limit(Limits { time, ..task.limits });
    let effort = Effort { nodes_max: NODES_MAX, table_bytes: TABLE_BYTES };
    let mut goes_on = |nodes| pulse.goes_on(nodes, |_| still_at_it(nodes));
    let Some(found) = task.position.win_by_threats(effort, rules, &mut goes_on) else {
        return Threats::Silent;
    };
    let wins = |win: &Win| task.moves.contains(&win.line[0]);
    if let ThreatsFound { win: Some(win), nodes, .. } = found
        && wins(&win)
    {
        let report = ended(explain(&win, nodes, task.moves.len()), pulse.started.elapsed());
        return Threats::Decided(Box::new(report));
    }
    let answers = task.position.answers_to_threats(ANSWERS_NODES_MAX);
    let mut answers = answers.unwrap_or_default();
    answers.retain(|mv| task.moves.contains(mv));
    if answers.is_empty() { Threats::Silent } else { Threats::Narrowed(answers) }
}

/// A report of a search that has found nothing yet.
pub(super) fn still_at_it(positions: u64) -> Report {
    let explanation = Explanation { module: Module::Threats, positions, ..Explanation::default() };
    Report { explanation, ..Report::default() }
}

fn explain(win: &Win, nodes: u64, moves: usize) -> Report {
    let candidate = Candidate {
        mv: win.line[0],
        visits: nodes,
        value: 1.0,
        prior: 1.0 / moves as f64,
        proof: Proof::Win,
    };
    let explanation = Explanation {
        module: Module::Threats,
        score: Some(1),
        depth: Some(win.line.len() as u32),
        positions: nodes,
        ..Explanation::default()
    };
    report(candidate, win.line.clone(), explanation)
}

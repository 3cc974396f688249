//! Moves after which the other side wins by threats: a classical search does not see so far.

use std::time::{Duration, Instant};

use banyan_games::{Color, Move};
use banyan_proofs::Effort;
use banyan_proofs::threats::rules::Rules;
use banyan_search::Searchable;

use super::task::{Pulse, Task};
use super::threats::still_at_it;
use super::{Classical, Engines};
use crate::question::Limits;
use crate::report::Report;

/// Each look for a win of the other side takes so much of the time, and so many positions, at most.
const LOOK_SHARE: f64 = 0.1;
const NODES_MAX: u64 = 20_000;

/// Memory of its table: clearing it takes time.
const TABLE_BYTES: usize = 1 << 20;

/// Each search for another move gets this part of the time that is left.
const SEARCH_SHARE: f64 = 0.5;

/// Moves that are looked at, at most; the first of them is played if all lose.
const MOVES_MAX: usize = 6;

impl Engines {
    /// Searches as [`Engines::search`] does; where the other side threatens to win by threats, and time is all that
    /// bounds the search, again and again without the moves after which it still does. If all of them lose, the
    /// first is played.
    pub(super) fn search_safely<G: Searchable>(
        &mut self,
        classical: &Classical,
        task: &Task<'_, G>,
        pulse: &mut Pulse<'_>,
    ) -> Report {
        let is_wary = G::FEARS_THREATS && self.choice.looks_for_threats;
        let (time, rules) = match task.limits {
            Limits { time: Some(time), playouts: None, depth: None } if is_wary => {
                (time, self.choice.threat_rules.clone())
            }
            _ => return self.search(classical, task, pulse),
        };
        let begun = Instant::now();
        let left = |share: f64| {
            let time = time.saturating_sub(begun.elapsed()).mul_f64(share);
            Limits { time: Some(time), ..task.limits }
        };
        let looked_for = Some(time.mul_f64(LOOK_SHARE));
        let look = |position: &G, pulse: &mut Pulse<'_>| {
            let limits = left(1.0);
            pulse.limit(Limits { time: limits.time.min(looked_for), ..limits });
            finds_win(position, rules.as_deref(), pulse)
        };
        let is_threatened = turned(task.position).is_some_and(|turned| look(&turned, pulse));
        let (rounds, share) = if is_threatened { (MOVES_MAX, SEARCH_SHARE) } else { (1, 1.0) };
        let mut moves = task.moves.to_vec();
        let mut lost = Vec::new();
        for _ in 0..rounds {
            let limits = left(share);
            pulse.limit(limits);
            let report = self.search(classical, &Task { moves: &moves, limits, ..*task }, pulse);
            let loses = is_threatened
                && after_turn(task.position, &report.pv).is_some_and(|next| look(&next, pulse));
            if !loses {
                return with_work_of(report, lost, pulse.started.elapsed());
            }
            moves.retain(|mv| report.pv.first() != Some(mv));
            lost.push(report);
            if moves.is_empty() || left(1.0).time == Some(Duration::ZERO) {
                break;
            }
        }
        let first = lost.remove(0);
        with_work_of(first, lost, pulse.started.elapsed())
    }
}

/// A report with the work of other searches for the same answer counted in.
fn with_work_of(report: Report, others: Vec<Report>, elapsed: Duration) -> Report {
    let mut sum = Report { elapsed, ..report };
    for other in others {
        sum.explanation.positions += other.explanation.positions;
        if let (Some(ended), Some(other)) = (&mut sum.ended, other.ended) {
            ended.settlement += other.settlement;
        }
    }
    sum
}

/// Tells whether the side to move wins by threats, as far as the pulse lets one see.
fn finds_win<G: Searchable>(position: &G, rules: Option<&Rules>, pulse: &mut Pulse<'_>) -> bool {
    if position.outcome().is_some() {
        return false;
    }
    let effort = Effort { nodes_max: NODES_MAX, table_bytes: TABLE_BYTES };
    let mut goes_on = |nodes| pulse.goes_on(nodes, |_| still_at_it(nodes));
    let found = position.win_by_threats(effort, rules, &mut goes_on);
    found.is_some_and(|found| found.win.is_some())
}

/// The position as if the side to move had passed.
fn turned<G: Searchable>(position: &G) -> Option<G> {
    let mut turned = G::new(position.rules());
    let points = (0..position.size().area()).map(Move::point);
    let stones: Vec<(Color, Move)> =
        points.filter_map(|point| Some((position.stone(point)?, point))).collect();
    turned.set_up(&stones, !position.side_to_move()).ok()?;
    Some(turned)
}

/// The position after the moves that the side to move plays in this turn; nothing where the line ends before.
fn after_turn<G: Searchable>(position: &G, line: &[Move]) -> Option<G> {
    let side = position.side_to_move();
    let mut next = position.clone();
    let mut line = line.iter();
    while next.outcome().is_none() && next.side_to_move() == side {
        next.play(*line.next()?);
    }
    Some(next)
}

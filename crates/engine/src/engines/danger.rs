//! Moves after which the other side wins by threats: a classical search does not see so far.

use std::time::Instant;

use banyan_games::{Color, Move};
use banyan_proofs::Effort;
use banyan_proofs::threats::rules::Rules;
use banyan_search::Searchable;

use super::task::{Pulse, Task};
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
    /// Searches as [`Engines::search`] does; where the other side threatens to win by threats and there is a time to
    /// keep to, again and again without the moves after which it still does. If all of them lose, the first is
    /// played.
    pub(super) fn search_safely<G: Searchable>(
        &mut self,
        classical: &Classical,
        task: &Task<'_, G>,
        pulse: &mut Pulse<'_>,
    ) -> Report {
        let rules = self.choice.threat_rules.clone();
        let is_wary = G::FEARS_THREATS && self.choice.looks_for_threats;
        let Some(time) = task.limits.time.filter(|_| is_wary) else {
            return self.search(classical, task, pulse);
        };
        let begun = Instant::now();
        let left = |share: f64| time.saturating_sub(begun.elapsed()).mul_f64(share);
        let look = |position: &G, pulse: &mut Pulse<'_>| {
            let time = Some(left(1.0).min(time.mul_f64(LOOK_SHARE)));
            pulse.limit(Limits { time, ..task.limits });
            finds_win(position, rules.as_deref(), pulse)
        };
        let is_threatened = turned(task.position).is_some_and(|turned| look(&turned, pulse));
        if !is_threatened {
            let limits = Limits { time: Some(left(1.0)), ..task.limits };
            pulse.limit(limits);
            return self.search(classical, &Task { limits, ..*task }, pulse);
        }
        let mut moves = task.moves.to_vec();
        let mut first: Option<Report> = None;
        while !moves.is_empty() && task.moves.len() - moves.len() < MOVES_MAX {
            let limits = Limits { time: Some(left(SEARCH_SHARE)), ..task.limits };
            pulse.limit(limits);
            let report = self.search(classical, &Task { moves: &moves, limits, ..*task }, pulse);
            let Some(next) = after_turn(task.position, &report.pv) else { return report };
            if !look(&next, pulse) {
                return report;
            }
            moves.retain(|mv| report.pv.first() != Some(mv));
            first.get_or_insert(report);
            if left(1.0).is_zero() {
                break;
            }
        }
        first.expect("one search at least")
    }
}

/// Tells whether the side to move wins by threats, as far as the pulse lets one see.
fn finds_win<G: Searchable>(position: &G, rules: Option<&Rules>, pulse: &mut Pulse<'_>) -> bool {
    if position.outcome().is_some() {
        return false;
    }
    let effort = Effort { nodes_max: NODES_MAX, table_bytes: TABLE_BYTES };
    let mut goes_on = |nodes| pulse.goes_on(nodes, |_| Report::default());
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

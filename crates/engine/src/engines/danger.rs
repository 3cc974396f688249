//! Moves after which the other side wins by threats: neither a classical search nor the tree sees so far.

use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_games::Move;
use banyan_proofs::Effort;
use banyan_proofs::threats::rules::Rules;
use banyan_search::Searchable;
use banyan_search::searchable::turns::{after_turn, turned};

use super::task::{Left, Pulse, Task, TaskOutcome};
use super::threats::still_at_it;
use super::{Classical, Engines};
use crate::question::Limits;
use crate::report::Report;

/// Each look for a win of the other side takes so much of the time, and so many positions, at most.
const LOOK_SHARE: f64 = 0.1;
const NODES_MAX: u64 = 20_000;

/// Memory of its table: clearing it takes time.
const TABLE_BYTES: usize = 1 << 20;

/// The first classical search where the other side threatens gets this part of the time: mostly its move holds.
const FIRST_SHARE: f64 = 0.8;

/// Each search for another move gets this part of what is left.
const SEARCH_SHARE: f64 = 0.5;

/// The tree gets this part; what it likes best is looked at in the rest.
const TREE_SHARE: f64 = 0.7;

/// Moves that are looked at, at most; the first of them is played if all lose.
pub(crate) const MOVES_MAX: usize = 6;

/// A move's time, and what looks for wins within it go by.
struct Looks {
    begun: Instant,
    time: Duration,
    /// Time of a look, at most.
    look_time: Duration,
    rules: Option<Arc<Rules>>,
}

impl Looks {
    /// A share of what is left of the time.
    fn left(&self, share: f64) -> Limits {
        let time = self.time.saturating_sub(self.begun.elapsed()).mul_f64(share);
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Tells whether the side to move wins by threats, as far as a look lets one see.
    fn finds_win<G: Searchable>(&self, position: &G, pulse: &mut Pulse<'_>) -> bool {
        if position.outcome().is_some() {
            return false;
        }
        let limits = self.left(1.0);
        pulse.limit(Limits { time: limits.time.min(Some(self.look_time)), ..limits });
        let effort = Effort { nodes_max: NODES_MAX, table_bytes: TABLE_BYTES };
        let mut goes_on = |nodes| pulse.goes_on(nodes, |_| still_at_it(nodes));
        let found = position.win_by_threats(effort, self.rules.as_deref(), &mut goes_on);
        found.is_some_and(|found| found.win.is_some())
    }
}

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
        let Some(looks) = self.looks::<G>(task.limits) else {
            return self.search(classical, task, pulse);
        };
        let is_threatened =
            turned(task.position).is_some_and(|turned| looks.finds_win(&turned, pulse));
        let rounds = if is_threatened { MOVES_MAX } else { 1 };
        let mut moves = task.moves.to_vec();
        let mut lost = Vec::new();
        for _ in 0..rounds {
            let limits = looks.left(match (is_threatened, lost.is_empty()) {
                (false, _) => 1.0,
                (true, true) => FIRST_SHARE,
                (true, false) => SEARCH_SHARE,
            });
            pulse.limit(limits);
            let report = self.search(classical, &Task { moves: &moves, limits, ..*task }, pulse);
            let loses = is_threatened
                && after_turn(task.position, &report.pv)
                    .is_some_and(|next| looks.finds_win(&next, pulse));
            if !loses {
                return with_work_of(report, lost, pulse.started.elapsed());
            }
            // It found a move that loses: what follows is worth more than the usual time.
            pulse.search_to_the_limits();
            moves.retain(|mv| report.pv.first() != Some(mv));
            lost.push(report);
            if moves.is_empty() || looks.left(1.0).time == Some(Duration::ZERO) {
                break;
            }
        }
        let first = lost.remove(0);
        with_work_of(first, lost, pulse.started.elapsed())
    }

    /// Leaves a task to the tree; where the other side threatens to win by threats, and time is all that bounds the
    /// search, with time for a look at the moves that the tree likes best.
    pub(super) fn leave_to_tree<G: Searchable>(
        &self,
        task: &Task<'_, G>,
        pulse: &mut Pulse<'_>,
    ) -> TaskOutcome {
        let left = Left { limits: task.limits, moves: task.moves.to_vec(), look_time: None };
        let Some(looks) = self.looks::<G>(task.limits).filter(|_| !task.is_analysis) else {
            return TaskOutcome::Left(left);
        };
        let is_threatened =
            turned(task.position).is_some_and(|turned| looks.finds_win(&turned, pulse));
        let share = if is_threatened { TREE_SHARE } else { 1.0 };
        let look_time = looks.left(1.0 - share).time.filter(|_| is_threatened);
        TaskOutcome::Left(Left { limits: looks.left(share), look_time, ..left })
    }

    /// Puts the first of the tree's moves after which the other side does not win by threats at their head; looks for
    /// no longer than `time`, at as many as have lines to the end of the turn. If all of them lose, they stay as they
    /// are.
    pub(crate) fn choose_safely<G: Searchable>(
        &self,
        task: &Task<'_, G>,
        time: Duration,
        report: &mut Report,
        watch: &mut dyn FnMut(&Report) -> bool,
    ) {
        let Some(looks) = self.looks::<G>(Limits { time: Some(time), ..Limits::default() }) else {
            return;
        };
        // Two looks may take all of it; most are short, and leave time for more.
        let looks = Looks { look_time: time / 2, ..looks };
        let mut pulse = Pulse::new(task.stop, task.interval, watch);
        let safe = report.lines.iter().take(MOVES_MAX).position(|line| {
            let line: Vec<Move> = line.iter().map(|&(mv, _)| mv).collect();
            let next = after_turn(task.position, &line);
            next.is_some_and(|next| !looks.finds_win(&next, &mut pulse))
        });
        if let Some(safe @ 1..) = safe {
            let line = report.lines[safe].clone();
            report.put_first(safe, line);
        }
    }

    /// What looks go by, where the game has such threats, the engines look for them, and time is all that bounds a
    /// search.
    fn looks<G: Searchable>(&self, limits: Limits) -> Option<Looks> {
        let is_wary = G::FEARS_THREATS && self.choice.looks_for_threats;
        match limits {
            Limits { time: Some(time), playouts: None, depth: None } if is_wary => Some(Looks {
                begun: Instant::now(),
                time,
                look_time: time.mul_f64(LOOK_SHARE),
                rules: self.choice.threat_rules.clone(),
            }),
            _ => None,
        }
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use banyan_games::connect6::{Connect6, Connect6Rules};
    use banyan_games::{Color, Game as _, Record};
    use banyan_jobs::Claim;
    use banyan_search::{Candidate, Proof};

    use super::*;
    use crate::engines::Choice;

    /// Columns of the row in the middle, as moves.
    fn row(columns: [usize; 4]) -> [Move; 4] {
        columns.map(|column| Move::point(9 * 19 + column))
    }

    /// A report of a tree that likes these lines, the first most.
    fn liked(lines: &[[Move; 2]]) -> Report {
        let candidate = |line: &[Move; 2]| Candidate {
            mv: line[0],
            visits: 10,
            value: 0.5,
            prior: 0.1,
            proof: Proof::Open,
        };
        Report {
            candidates: lines.iter().map(candidate).collect(),
            lines: lines.iter().map(|line| line.map(|mv| (mv, 10)).to_vec()).collect(),
            pv: lines[0].to_vec(),
            ..Report::default()
        }
    }

    #[test]
    fn the_tree_plays_the_first_of_its_moves_that_does_not_lose_by_threats() {
        let rules = Connect6Rules::new(19).expect("a size");
        let (record, mut position) = (Record::<Connect6>::new(&rules), Connect6::new(&rules));
        let fours = row([7, 8, 9, 10]).map(|mv| (Color::White, mv));
        position.set_up(&fours, Color::Black).expect("stones on empty points");
        let stop = AtomicBool::new(false);
        let (record, position) = (&record, &position);
        let limits = Limits::default();
        let interval = Duration::from_millis(100);
        let task = Task {
            record,
            position,
            moves: &[],
            is_analysis: false,
            limits,
            interval,
            saves_time: false,
            stop: &stop,
        };
        let choice = Choice {
            classical: None,
            looks_for_threats: true,
            threat_rules: None,
            zone_rules: None,
            table_bytes_max: 1 << 20,
        };
        let engines = Engines::new(choice, None, Claim::default());
        let ([far, near], [left, right, ..]) = ([0, 40].map(Move::point), row([6, 11, 0, 0]));
        let first = |lines: &[[Move; 2]]| {
            let (mut report, time) = (liked(lines), Duration::from_secs(10));
            engines.choose_safely(&task, time, &mut report, &mut |_| false);
            (report.candidates[0].mv, report.pv)
        };
        let both = [left, right];
        assert_eq!(first(&[[far, near], [left, near], both]), (left, both.to_vec()));
        assert_eq!(first(&[both, [far, near]]), (left, both.to_vec()));
        // All lose: the tree's own choice.
        assert_eq!(first(&[[far, near], [near, far]]), (far, vec![far, near]));
        // Of a turn that is known by half nobody can say that it does not.
        let mut half = liked(&[[far, near], [near, left], both]);
        half.lines[1].truncate(1);
        engines.choose_safely(&task, Duration::from_secs(10), &mut half, &mut |_| false);
        assert_eq!(half.candidates[0].mv, left);
    }
}

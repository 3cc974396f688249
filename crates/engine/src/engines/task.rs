//! A task for an engine, its answer, and the clock that it keeps to.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use banyan_games::{Move, Record};
use banyan_search::Searchable;
use banyan_search::classical::Found;
use banyan_search::{Candidate, Proof};

use crate::question::Limits;
use crate::report::{Ended, Explanation, Report};

/// A task for an engine.
#[derive(Debug)]
pub struct Task<'a, G: Searchable> {
    /// The game so far.
    pub record: &'a Record<G>,
    /// The position at its end, with the right side to move; its game goes on.
    pub position: &'a G,
    /// The moves to choose from, at least one.
    pub moves: &'a [Move],
    /// Tells whether more is wanted than the best move.
    pub is_analysis: bool,
    /// Limits of the search.
    pub limits: Limits,
    /// Time between two reports.
    pub interval: Duration,
    /// Time that is not used is there for later moves.
    pub saves_time: bool,
    /// Stop soon after this is set.
    pub stop: &'a AtomicBool,
}

impl<G: Searchable> Task<'_, G> {
    /// Tells whether the limits allow an answer that is so deep.
    pub(super) fn allows(&self, found: &Found) -> bool {
        self.limits.depth.is_none_or(|depth| found.depth <= depth)
    }
}

/// The end of a task.
#[derive(Clone, Debug)]
pub enum TaskOutcome {
    /// A move is chosen.
    Decided(Box<Report>),
    /// The tree must decide.
    Left(Left),
}

/// What is left to the tree.
#[derive(Clone, Debug)]
pub struct Left {
    /// What is left of the limits.
    pub limits: Limits,
    /// The moves to choose from.
    pub moves: Vec<Move>,
    /// The other side threatens to win by threats: for so long the moves that the tree likes best are looked at
    /// before one is played.
    pub look_time: Option<Duration>,
}

/// The clock of a task, and the way in which it is stopped and watched.
pub(super) struct Pulse<'a> {
    pub started: Instant,
    deadline: Option<Instant>,
    positions: Option<u64>,
    task_stop: &'a AtomicBool,
    interval: Duration,
    reported: Instant,
    watch: &'a mut dyn FnMut(&Report) -> bool,
    /// Tells whether a report may end a search by being enough, and whether one did.
    ends_early: bool,
    has_enough: bool,
}

impl<'a> Pulse<'a> {
    /// Begins now, without limits.
    ///
    /// - `watch` sees a report at most so often, and says whether it is enough to play by.
    pub fn new(
        task_stop: &'a AtomicBool,
        interval: Duration,
        watch: &'a mut dyn FnMut(&Report) -> bool,
    ) -> Pulse<'a> {
        let started = Instant::now();
        Pulse {
            started,
            deadline: None,
            positions: None,
            task_stop,
            interval,
            reported: started,
            watch,
            ends_early: true,
            has_enough: false,
        }
    }

    /// From now on these limits hold; what was enough for an earlier search is so no more.
    pub fn limit(&mut self, limits: Limits) {
        self.deadline = limits.time.map(|time| Instant::now() + time);
        self.positions = limits.playouts;
        self.has_enough = false;
    }

    /// From now on nothing but limits ends a search.
    pub fn search_to_the_limits(&mut self) {
        self.ends_early = false;
    }

    /// Tells whether a search that has looked at so many positions goes on.
    pub fn goes_on(&mut self, positions: u64, report: impl FnOnce(Duration) -> Report) -> bool {
        let now = Instant::now();
        if now - self.reported >= self.interval {
            self.reported = now;
            self.has_enough = (self.watch)(&report(now - self.started)) && self.ends_early;
        }
        let late = self.deadline.is_some_and(|deadline| now >= deadline);
        let all_looked_at = self.positions.is_some_and(|most| positions >= most);
        !late && !all_looked_at && !self.has_enough && !self.task_stop.load(Ordering::Relaxed)
    }
}

/// A report of one move.
pub(super) fn report(candidate: Candidate, pv: Vec<Move>, explanation: Explanation) -> Report {
    Report {
        candidates: vec![candidate],
        pv,
        visits: candidate.visits,
        explanation,
        ..Report::default()
    }
}

/// The same as a last report.
pub(super) fn ended(report: Report, elapsed: Duration) -> Report {
    Report { elapsed, ended: Some(Ended::default()), ..report }
}

/// The proof that the sign of a certain score is.
pub(super) fn proof(score: i32) -> Proof {
    match score {
        0 => Proof::Draw,
        1.. => Proof::Win,
        _ => Proof::Loss,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_enough_ends_one_search_and_a_stop_ends_all() {
        let (stop, mut reports) = (AtomicBool::new(false), 0);
        let mut watch = |_: &Report| {
            reports += 1;
            true
        };
        let mut pulse = Pulse::new(&stop, Duration::ZERO, &mut watch);
        let goes_on = |pulse: &mut Pulse<'_>| pulse.goes_on(1, |_| Report::default());
        assert!(!goes_on(&mut pulse), "it has enough");
        pulse.limit(Limits::default());
        pulse.search_to_the_limits();
        assert!(goes_on(&mut pulse), "another search, which goes on to its limits");
        stop.store(true, Ordering::Relaxed);
        assert!(!goes_on(&mut pulse));
        assert_eq!(reports, 3);
    }
}

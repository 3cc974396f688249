//! Judge of a book's positions: a session with the game's best engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use banyan_book::{Judge, Place, Valued, of_margin};
use banyan_games::{Move, Record};
use banyan_jobs::{Lender, Purpose};
use banyan_records::passes;
use banyan_search::Proof;
use banyan_search::classical::Method;

use crate::playable::Playable;
use crate::question::Limits;
use crate::report::Report;
use crate::session::Session;
use crate::settings::Settings;

/// A solver is not given up before this.
const SOLVER_TIME_MAX: Duration = Duration::from_secs(24 * 3600);

/// Means of valuing positions.
#[derive(Clone, Debug)]
pub struct Means {
    /// Settings of the search.
    pub settings: Settings,
    /// Limits of its time and effort.
    pub limits: Limits,
    /// Positions of Othello with at most so many empty squares are solved.
    pub solve_from: u32,
}

impl Means {
    /// Says how positions are valued, for people.
    pub fn in_words(&self, plies_max: usize) -> String {
        let Limits { time, playouts, depth } = self.limits;
        let engine = match self.settings.engines.classical.as_ref().map(|it| it.method) {
            Some(Method::AlphaBeta) => "alpha-beta",
            Some(Method::Mtdf(_)) => "MTD(f)",
            None => "the tree",
        };
        let mut words = vec![engine.to_owned()];
        words.extend(time.map(|time| format!("{:.2} s", time.as_secs_f64())));
        words.extend(playouts.map(|playouts| format!("{playouts} playouts")));
        words.extend(depth.map(|depth| format!("depth {depth}")));
        words.push(format!("at most {plies_max} plies"));
        words.join(", ")
    }
}

/// When it ends: told by anybody, by the clock, or by something that is asked.
#[derive(Clone)]
pub struct Ends {
    /// Set by anybody, and by who sees that the time is up.
    pub stop: Arc<AtomicBool>,
    /// No later than this.
    pub deadline: Option<Instant>,
    /// Asked ten times a second: somebody else needs the machines.
    pub is_needed_elsewhere: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl Ends {
    /// Ends when it is told to, or the time is up.
    pub fn after(time: Option<Duration>) -> Ends {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Ends { stop: Arc::default(), deadline, is_needed_elsewhere: Arc::new(|| false) }
    }

    /// Tells whether it is over.
    pub fn is_over(&self) -> bool {
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_late || (self.is_needed_elsewhere)() {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.stop.load(Ordering::Relaxed)
    }
}

/// A session that values positions.
pub struct SessionJudge<G: Playable> {
    session: Session<G>,
    means: Means,
    ends: Ends,
}

impl<G: Playable> SessionJudge<G> {
    /// So many of them, which share the memory that the settings allow.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub fn several(
        count: usize,
        rules: &G::Rules,
        lender: &Arc<dyn Lender>,
        (means, ends): (&Means, &Ends),
    ) -> std::io::Result<Vec<SessionJudge<G>>> {
        let mut means = means.clone();
        let Settings { tuning, engines, purpose, book, .. } = &mut means.settings;
        tuning.tree_bytes_max /= count.max(1);
        engines.table_bytes_max /= count.max(1);
        *purpose = Purpose::Idle;
        *book = None;
        let judge = |_| {
            let session = Session::new(rules, lender.clone(), &means.settings)?;
            Ok(SessionJudge { session, means: means.clone(), ends: ends.clone() })
        };
        (0..count).map(judge).collect()
    }

    /// Decides how hard to think; a position that is to be solved must be asked about with all its moves, since
    /// the solver knows no others.
    fn limits(&self, place: &Place<G>, moves: &[Move]) -> (Limits, Vec<Move>) {
        let Means { limits, solve_from, .. } = self.means;
        let empties = place.position.endgame().map(|board| board.empties().count_ones());
        let is_near = empties.is_some_and(|empties| empties <= solve_from);
        if is_near && moves.len() == place.moves().len() {
            return (Limits { time: Some(SOLVER_TIME_MAX), ..Limits::default() }, Vec::new());
        }
        (limits, moves.to_vec())
    }
}

impl<G: Playable> Judge<G> for SessionJudge<G> {
    fn value(&mut self, place: &Place<G>, moves: &[Move]) -> Option<Valued> {
        *self.session.record_mut() = record(place);
        let (limits, allowed) = self.limits(place, moves);
        let asked_all = moves.len() == place.moves().len();
        let (stop, ends) = (self.session.stop_flag(), self.ends.clone());
        if ends.is_over() {
            return None;
        }
        let side = place.position.side_to_move();
        let report = self.session.think(side, limits, allowed, &mut |_| {
            if ends.is_over() {
                stop.store(true, Ordering::Relaxed);
            }
        });
        // Half a search is no value.
        if self.ends.is_over() {
            return None;
        }
        valued(place, &report, asked_all).or_else(|| {
            // Nobody had anything to say of it.
            Some(Valued { best: *moves.first()?, value: 0.5, is_proven: false })
        })
    }
}

/// The game that a place's line is.
fn record<G: Playable>(place: &Place<G>) -> Record<G> {
    let mut record = Record::new(place.position.rules());
    for &mv in &place.line {
        if passes::is_forced(record.position()) {
            let _ = record.play(Move::PASS);
        }
        if record.play(mv).is_err() {
            break;
        }
    }
    if passes::is_forced(record.position()) {
        let _ = record.play(Move::PASS);
    }
    record
}

fn valued<G: Playable>(place: &Place<G>, report: &Report, asked_all: bool) -> Option<Valued> {
    let best = report.candidates.first()?;
    let points = place.position.size().area() as i32;
    let certain = match (report.exact_score(), best.proof) {
        (Some(score), _) => Some(of_margin(score, points)),
        (None, Proof::Win) => Some(1.0),
        (None, Proof::Loss) => Some(0.0),
        (None, Proof::Draw) => Some(0.5),
        (None, Proof::Open) => None,
    };
    let value = certain.unwrap_or(best.value).clamp(0.0, 1.0);
    // Without a move of its own a win is one, and a loss is none where another move may be better.
    let is_proven = certain.is_some() && asked_all;
    Some(Valued { best: best.mv, value, is_proven })
}

#[cfg(test)]
mod tests {
    use banyan_games::othello::{Othello, OthelloRules};

    use super::*;
    use crate::report::{Explanation, Module};
    use banyan_search::Candidate;

    fn report(proof: Proof, score: Option<i32>) -> Report {
        let candidate = Candidate { mv: Move::point(3), visits: 9, value: 0.7, prior: 0.1, proof };
        let module = if score.is_some() { Module::Solver } else { Module::AlphaBeta };
        Report {
            candidates: vec![candidate],
            explanation: Explanation { module, score, ..Explanation::default() },
            ..Report::default()
        }
    }

    #[test]
    fn a_solved_position_is_worth_its_margin_and_is_certain_where_all_moves_were_asked_about() {
        let place = Place::<Othello>::start(&OthelloRules);
        let value = |report: &Report, all| valued(&place, report, all).expect("a value");
        let open = value(&report(Proof::Open, None), true);
        assert_eq!((open.value, open.is_proven), (0.7, false));
        let solved = value(&report(Proof::Win, Some(2)), true);
        assert!(solved.is_proven && (solved.value - (0.95 + 0.05 * 2.0 / 64.0)).abs() < 1e-12);
        assert!(!value(&report(Proof::Loss, Some(-4)), false).is_proven);
        assert_eq!(value(&report(Proof::Win, None), true).value, 1.0);
        assert_eq!(valued(&place, &Report::default(), true), None);
    }
}

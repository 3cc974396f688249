//! Who may decide a move beside the tree of playouts: an exact solver near the end of Othello, a search
//! for wins by threats in games of lines, and the classical searches where they are asked for.
//!
//! They run in the thread that asks, and keep the same limits as the tree. The solver asks the cluster's
//! workers where there are any (`shared`); the others use one core.

mod args;

mod classical;

mod endgame;

mod musing;

mod shared;

mod threats;

pub(crate) use musing::Musing;
pub(crate) use shared::{Enough, Shared};

pub use args::{
    Classical, EngineArg, EnginesArgs, EnginesError, HorizonArg, LeafArg, Settings, Unasked,
};

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use banyan_games::{Move, Record};
use banyan_knowledge::Knowledge;
use banyan_search::classical::Memory;
use banyan_search::endgame::Solver;
use banyan_search::{Candidate, Proof};

use crate::cluster::Link;
use crate::grower::{Ended, Report};
use crate::session::Limits;
use threats::Threats;

/// Between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Who decided a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Module {
    /// The tree of playouts.
    #[default]
    Uct,
    /// Alpha-beta.
    AlphaBeta,
    /// MTD(f).
    Mtdf,
    /// The exact solver.
    Solver,
    /// The search for wins by threats.
    Threats,
}

impl Module {
    /// The word for it in answers.
    pub fn name(self) -> &'static str {
        match self {
            Module::Uct => "uct",
            Module::AlphaBeta => "alphabeta",
            Module::Mtdf => "mtdf",
            Module::Solver => "solver",
            Module::Threats => "threats",
        }
    }
}

/// Why a move was chosen, beyond visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// Who decided.
    pub module: Module,
    /// What the position is worth to the side to move: of the evaluation's unit, or of the game's when
    /// the module is the solver. Nothing for the tree.
    pub score: Option<i32>,
    /// How deep the search was when it ended: plies, or branches of the budget.
    pub draft: Option<u32>,
    /// Positions looked at.
    pub positions: u64,
}

impl Report {
    /// What the solver says that the side to move wins by, of the game's unit, where it decided.
    pub fn exact_score(&self) -> Option<i32> {
        let Explanation { module, score, .. } = self.explanation;
        score.filter(|_| module == Module::Solver)
    }
}

/// What is asked of an engine.
#[derive(Debug)]
pub struct Task<'a, G: Knowledge> {
    /// The game so far.
    pub record: &'a Record<G>,
    /// The position at its end, with the right side to move; its game goes on.
    pub position: &'a G,
    /// The moves to choose from, at least one.
    pub moves: &'a [Move],
    /// Whether more is wanted than the best move.
    pub is_analysis: bool,
    /// How long and how hard.
    pub limits: Limits,
    /// Stop soon after this is set.
    pub stop: &'a AtomicBool,
}

/// The engines of one session, with what they remember from move to move.
#[derive(Debug)]
pub struct Engines {
    settings: Settings,
    /// Of the evaluation with this name.
    memory: Option<(&'static str, Memory)>,
    solver: Option<Solver>,
    /// Nothing where there is no cluster of this process.
    shared: Option<Shared>,
}

/// What became of a task.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A move is chosen.
    Decided(Box<Report>),
    /// The tree must decide, within what is left of the limits, among these moves.
    Left(Limits, Vec<Move>),
}

impl Engines {
    /// Engines that remember nothing yet, and may ask the workers of a cluster.
    pub fn new(settings: Settings, cluster: Option<Link>) -> Engines {
        Engines { settings, memory: None, solver: None, shared: cluster.map(Shared::new) }
    }

    /// Solves what can be solved, looks for threats, and searches by the classical engine if there is one.
    ///
    /// - `watch` sees a report about ten times a second.
    pub fn answer<G: Knowledge>(
        &mut self,
        task: &Task<'_, G>,
        watch: &mut dyn FnMut(&Report),
    ) -> Answer {
        let started = Instant::now();
        let mut pulse = Pulse {
            started,
            deadline: None,
            positions: None,
            task_stop: task.stop,
            reported: started,
            watch,
        };
        if let Some(report) = self.solve(task, &mut pulse) {
            return Answer::Decided(Box::new(report));
        }
        let threats = match self.settings.looks_for_threats {
            true => threats::look(task, &mut pulse),
            false => Threats::Silent,
        };
        let moves = match threats {
            Threats::Decided(report) => return Answer::Decided(report),
            Threats::Narrowed(moves) => moves,
            Threats::Silent => task.moves.to_vec(),
        };
        let time = task.limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let limits = Limits { time, ..task.limits };
        let leaves_it = |classical: &Classical| classical.is_implied && task.is_analysis;
        match self.settings.classical.filter(|classical| !leaves_it(classical)) {
            Some(classical) => {
                pulse.limit(limits);
                let task = Task { moves: &moves, limits, ..*task };
                let report = self.search(&classical, &task, &mut pulse);
                Answer::Decided(Box::new(report))
            }
            None => Answer::Left(limits, moves),
        }
    }
}

/// The clock of a task, and the way in which it is stopped and watched.
struct Pulse<'a> {
    started: Instant,
    deadline: Option<Instant>,
    positions: Option<u64>,
    task_stop: &'a AtomicBool,
    reported: Instant,
    watch: &'a mut dyn FnMut(&Report),
}

impl Pulse<'_> {
    /// From now on these limits hold.
    fn limit(&mut self, limits: Limits) {
        self.deadline = limits.time.map(|time| Instant::now() + time);
        self.positions = limits.playouts;
    }

    /// Whether a search that has looked at so many positions goes on.
    fn goes_on(&mut self, positions: u64, report: impl FnOnce(Duration) -> Report) -> bool {
        let now = Instant::now();
        if now - self.reported >= PROGRESS_INTERVAL {
            self.reported = now;
            (self.watch)(&report(now - self.started));
        }
        let late = self.deadline.is_some_and(|deadline| now >= deadline);
        let enough = self.positions.is_some_and(|most| positions >= most);
        !late && !enough && !self.task_stop.load(Ordering::Relaxed)
    }
}

/// A report of one move.
fn report(candidate: Candidate, pv: Vec<Move>, explanation: Explanation) -> Report {
    Report {
        candidates: vec![candidate],
        pv,
        visits: candidate.visits,
        explanation,
        ..Report::default()
    }
}

fn ended(report: Report, elapsed: Duration) -> Report {
    Report { elapsed, ended: Some(Ended::default()), ..report }
}

/// What the sign of a certain score proves.
fn proof(score: i32) -> Proof {
    match score {
        0 => Proof::Draw,
        1.. => Proof::Win,
        _ => Proof::Loss,
    }
}

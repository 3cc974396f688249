//! Reports of a search, under way or ended: what it says to whoever asked for it.

use std::sync::Arc;
use std::time::Duration;

use banyan_games::Move;
use banyan_jobs::{Settlement, Sums};
use banyan_search::{Candidate, FinalMove, Tree};
use crossbeam_channel::Sender;

use crate::mailbox::Post;

/// Plies of a principal variation that anyone reads.
pub(crate) const PV_PLIES_MAX: usize = 20;

/// State of a search, under way or ended.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Candidates at the root, best first. Empty when the side to move has no move, or cannot be to move.
    pub candidates: Vec<Candidate>,
    /// The most visited line.
    pub pv: Vec<Move>,
    /// For each of the first candidates, as many as were asked for: the most visited line through it,
    /// each ply with its visits.
    pub lines: Vec<Vec<(Move, u64)>>,
    /// The candidates as they stood when the search began: what was kept from earlier ones.
    pub kept: Arc<[Candidate]>,
    /// Playouts through the root, those kept from earlier searches with them.
    pub visits: u64,
    /// Tells whether nothing was played out: values and owners are what an evaluator says.
    pub is_judged: bool,
    /// This search's own sums, those from its checkpoint with them.
    pub sums: Sums,
    /// Time since this process began with it.
    pub elapsed: Duration,
    /// Contents of its checkpoint when it began.
    pub before: Before,
    /// The module that decided, and why.
    pub explanation: Explanation,
    /// Set on the last report.
    pub ended: Option<Ended>,
}

impl Report {
    /// The report of a tree, with the lines of so many candidates.
    pub(crate) fn of(tree: &Tree, by: FinalMove, lines: usize) -> Report {
        Report {
            candidates: tree.candidates(by),
            pv: tree.principal_variation(by, PV_PLIES_MAX),
            lines: tree.lines(by, lines, PV_PLIES_MAX),
            visits: tree.visits(tree.root()),
            is_judged: tree.is_all_judged(),
            ..Report::default()
        }
    }

    /// Puts a candidate at the head of the others, and its line.
    ///
    /// - `index`: its place among the candidates.
    pub(crate) fn put_first(&mut self, index: usize, line: Vec<(Move, u64)>) {
        self.candidates[..=index].rotate_right(1);
        self.pv = line.iter().map(|&(mv, _)| mv).collect();
        if let Some(last) = self.lines.len().checked_sub(1) {
            self.lines[..=index.min(last)].rotate_right(1);
            self.lines[0] = line;
        }
    }

    /// The margin of the side to move by the solver, where it decided; of the game's unit.
    pub fn exact_score(&self) -> Option<i32> {
        let Explanation { module, score, .. } = self.explanation;
        score.filter(|_| module == Module::Solver)
    }
}

/// Work of a search in earlier processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// Playouts counted.
    pub playouts: u64,
    /// Time it had taken.
    pub elapsed: Duration,
}

/// Numbers that only the end of a search knows.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    /// Ends of its batches, and who played them.
    pub settlement: Settlement,
    /// Hash of the tree, where it was asked for.
    pub digest: Option<u64>,
}

/// A module that decides a move.
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
    /// The opening book.
    Book,
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
            Module::Book => "book",
        }
    }
}

/// Reasons why a move was chosen, beyond visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The module that decided.
    pub module: Module,
    /// The position's worth to the side to move: of the evaluation's unit, or of the game's when
    /// the module is the solver. Nothing for the tree.
    pub score: Option<i32>,
    /// Depth of the search when it ended: plies, or branches of the budget.
    pub depth: Option<u32>,
    /// Positions looked at.
    pub positions: u64,
    /// Searches with one pair of bounds each that a classical engine made; 0 for the others.
    pub passes: u32,
    /// Threads of this process that took part, where an engine beside the tree decided; 0 where others or none did.
    pub threads: u32,
}

/// Receiver of a search's reports.
pub trait Reports: Send {
    /// Tells how the search stands; skipped where what was told before is not read yet.
    fn progress(&self, report: Report);

    /// Tells how the search ended; waits for room.
    fn end(&self, report: Report);
}

impl Reports for Sender<Report> {
    fn progress(&self, report: Report) {
        let _ = self.try_send(report);
    }

    fn end(&self, report: Report) {
        let _ = self.send(report);
    }
}

impl Reports for Post<Report> {
    fn progress(&self, report: Report) {
        self.send_if_read(report);
    }

    fn end(&self, report: Report) {
        self.send(report);
    }
}

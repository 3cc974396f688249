//! A question about a leaf that a search answers, instead of playouts.

use banyan_knowledge::Knowledge;
pub use banyan_search::classical::{INFINITE, Window};
use banyan_search::classical::{Memory, Probe, probe};
use banyan_search::endgame::{Board, Solver};
pub use banyan_search::split::Bound;

use crate::batch::Batch;
use crate::ids::BatchId;
use crate::run::{RunError, Workspace};
use crate::tally::Tally;

/// What is the leaf worth to its side to move?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solving {
    /// What is meant by its worth.
    pub sought: Sought,
    /// What matters of it: a value within, or on which side of it.
    pub window: Window,
    /// Give up after about so many positions.
    pub nodes_max: u32,
}

/// What a leaf is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// The exact score: in Othello discs.
    Score,
    /// What a classical search says.
    Value {
        /// Which of the game's evaluations, from 0.
        evaluation: u32,
        /// Plies it looks ahead.
        draft: u32,
    },
}

/// What the search said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// By how much it is so, or not.
    pub bound: Bound,
    /// Positions looked at.
    pub nodes: u32,
}

impl Solved {
    /// Whether this can be an answer to the question.
    pub fn fits(&self, question: &Solving) -> bool {
        let Window { alpha, beta } = question.window;
        match self.bound {
            Bound::Exact(value) => alpha < value && value < beta,
            Bound::AtLeast(value) => value >= beta,
            Bound::AtMost(value) => value <= alpha,
            Bound::Unknown => self.nodes >= question.nodes_max,
        }
    }
}

/// Positions that cost about as much as a playout of Othello: what a batch that solves is taken to cost.
pub const NODES_PER_PLAYOUT: u32 = 8;

/// What a thread keeps for its solvers. Their sizes belong to the answers: they count positions.
const SOLVER_TABLE_BYTES: usize = 1 << 20;
const MEMORY_BYTES: usize = 8 << 20;

/// Room for searches that answer questions.
#[derive(Debug, Default)]
pub(crate) struct Space {
    solver: Option<Solver>,
    memory: Option<Memory>,
}

/// Answers by a table that knows nothing beforehand, so that the same question has the same answer
/// everywhere.
///
/// - `root`: where the search began whose leaf this is.
///
/// # Errors
/// [`RunError`] where the game has no such answer, or nobody needs it any more.
pub(crate) fn solve<G: Knowledge>(
    (root, leaf): (&G, &G),
    (batch, question): (&Batch, Solving),
    Workspace { solving, dropped, .. }: &mut Workspace,
) -> Result<Tally, RunError> {
    let (mut nodes, mut is_dropped) = (0, false);
    let mut goes_on = |so_far| {
        nodes = so_far;
        is_dropped = dropped.contains(batch.id);
        so_far < u64::from(question.nodes_max) && !is_dropped
    };
    let found = match question.sought {
        Sought::Score => score(leaf, question.window, solving, &mut goes_on),
        Sought::Value { evaluation, draft } => {
            let evaluation = G::EVALUATIONS.get(evaluation as usize);
            let evaluation = evaluation.map(|it| (it.of_root)(root).unwrap_or(*it)).ok_or(NoAnswer);
            evaluation.map(|evaluation| {
                let memory = solving.memory.get_or_insert_with(|| Memory::new(MEMORY_BYTES));
                let window = question.window;
                let question = Probe { position: leaf, evaluation: &evaluation, draft, window };
                probe(memory, &question, &mut goes_on)
            })
        }
    };
    let id = batch.id;
    let found = found.map_err(|NoAnswer| RunError::NoSolver { batch: id, game: G::KIND })?;
    if is_dropped {
        return Err(RunError::Dropped { batch: id });
    }
    let (bound, nodes) = found.unwrap_or((Bound::Unknown, nodes));
    let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
    Ok(Tally { solved: Some(Solved { bound, nodes }), ..Tally::empty(id) })
}

/// The game knows no answer to such questions.
struct NoAnswer;

/// What was found, and by how many positions; nothing when stopped.
type Found = Option<(Bound, u64)>;

fn score<G: Knowledge>(
    leaf: &G,
    Window { alpha, beta }: Window,
    space: &mut Space,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Found, NoAnswer> {
    let board = Board::of(leaf).ok_or(NoAnswer)?;
    let solver = space.solver.get_or_insert_with(|| Solver::new(SOLVER_TABLE_BYTES));
    solver.clear();
    Ok(solver.solve(board, (alpha, beta), goes_on).map(|found| {
        let bound = match found.score {
            score if score >= beta => Bound::AtLeast(score),
            score if score <= alpha => Bound::AtMost(score),
            score => Bound::Exact(score),
        };
        (bound, found.nodes)
    }))
}

impl Tally {
    /// A tally of nothing.
    pub(crate) fn empty(batch: BatchId) -> Tally {
        Tally { batch, counts: Default::default(), grown: None, solved: None }
    }
}

/// What a question about a leaf may cost, in playouts.
pub fn cost(expected_nodes: f64) -> u32 {
    let playouts = expected_nodes / f64::from(NODES_PER_PLAYOUT);
    (playouts as u32).clamp(1, crate::limits::PLAYOUTS_PER_BATCH_MAX)
}

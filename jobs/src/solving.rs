//! A question about a leaf that a search answers, instead of playouts.

use banyan_games::Game;
use banyan_search::endgame::{Board, Solver};
pub use banyan_search::split::Bound;

use crate::batch::Batch;
use crate::ids::BatchId;
use crate::tally::Tally;

/// Is the leaf worth at least so much to its side to move?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solving {
    /// What is asked. In the endgame of Othello: discs, at most 64 either way.
    pub at_least: i32,
    /// Give up after about so many positions.
    pub nodes_max: u32,
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
        match self.bound {
            Bound::AtLeast(value) => value >= question.at_least,
            Bound::AtMost(value) => value < question.at_least,
            Bound::Unknown => self.nodes >= question.nodes_max,
        }
    }
}

/// Positions that cost about as much as a playout of Othello: what a batch that solves is taken to cost.
pub const NODES_PER_PLAYOUT: u32 = 8;

/// What a thread keeps for its solver. Its size belongs to the answers: they count positions.
const TABLE_BYTES: usize = 1 << 20;

/// Answers by a table that knows nothing beforehand, so that the same question has the same answer
/// everywhere. Nothing where the game cannot be solved.
pub(crate) fn solve<G: Game>(
    leaf: &G,
    (batch, question): (&Batch, Solving),
    solver: &mut Option<Solver>,
) -> Option<Tally> {
    let board = Board::of(leaf)?;
    let solver = solver.get_or_insert_with(|| Solver::new(TABLE_BYTES));
    solver.clear();
    let (mut nodes, window) = (0, (question.at_least - 1, question.at_least));
    let found = solver.solve(board, window, &mut |so_far| {
        nodes = so_far;
        so_far < u64::from(question.nodes_max)
    });
    let bound = match &found {
        None => Bound::Unknown,
        Some(found) if found.score >= question.at_least => Bound::AtLeast(found.score),
        Some(found) => Bound::AtMost(found.score),
    };
    let nodes = found.map_or(nodes, |found| found.nodes) as u32;
    Some(Tally { solved: Some(Solved { bound, nodes }), ..Tally::empty(batch.id) })
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

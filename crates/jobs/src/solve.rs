//! Solving: a search of the leaf answers a subproblem, instead of playouts.

use banyan_knowledge::evaluation::at_root;
use banyan_search::Bounds;
use banyan_search::Searchable;
use banyan_search::classical::{Memory, Probe, probe};
use banyan_search::endgame::Solver;

use crate::answer::{Answer, Bound, Solved};
use crate::ids::BatchId;
use crate::job::{Solve, Sought};
use crate::workspace::{RunError, Workspace};

/// Tables that a thread keeps for its solvers. Their sizes belong to the answers: they count positions.
const SOLVER_TABLE_BYTES: usize = 1 << 20;
const MEMORY_BYTES: usize = 8 << 20;

/// Answers by a table that knows nothing beforehand, so that the same subproblem has the same answer
/// everywhere.
///
/// - `root`: where the search began whose leaf this is.
///
/// # Errors
/// [`RunError`] where the game has no such answer, or nobody needs it any more.
pub(crate) fn solve<G: Searchable>(
    (root, leaf): (&G, &G),
    (batch, subproblem): (BatchId, Solve),
    space: &mut Workspace,
) -> Result<Answer, RunError> {
    let Workspace { solver, memory, dropped, .. } = space;
    let (mut nodes, mut is_dropped) = (0, false);
    let mut goes_on = |so_far| {
        nodes = so_far;
        is_dropped = dropped.contains(batch);
        so_far < u64::from(subproblem.nodes_max) && !is_dropped
    };
    let found = match subproblem.sought {
        Sought::Score => score(leaf, subproblem.bounds, solver, &mut goes_on),
        Sought::Value { evaluation, depth } => {
            let evaluation = G::evaluations().get(evaluation as usize);
            let evaluation = evaluation.map(|it| at_root(it, root)).ok_or(NoAnswer);
            evaluation.map(|evaluation| {
                let memory = memory.get_or_insert_with(|| Memory::new(MEMORY_BYTES));
                let bounds = subproblem.bounds;
                let asked = Probe { position: leaf, evaluation: &*evaluation, depth, bounds };
                probe(memory, &asked, &mut goes_on)
            })
        }
    };
    let found = found.map_err(|NoAnswer| RunError::NoSolver { batch, game: G::KIND })?;
    if is_dropped {
        return Err(RunError::Dropped { batch });
    }
    let (bound, nodes) = found.unwrap_or((Bound::Unknown, nodes));
    let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
    Ok(Answer::Solved(Solved { bound, nodes }))
}

/// The game knows no answer to such subproblems.
struct NoAnswer;

/// The bound that was found, and by how many positions; nothing when stopped.
type Found = Option<(Bound, u64)>;

fn score<G: Searchable>(
    leaf: &G,
    bounds: Bounds,
    solver: &mut Option<Solver>,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Found, NoAnswer> {
    let board = leaf.endgame().ok_or(NoAnswer)?;
    let solver = solver.get_or_insert_with(|| Solver::new(SOLVER_TABLE_BYTES));
    solver.clear();
    Ok(solver.solve(board, bounds, goes_on).map(|found| {
        let bound = match found.score {
            score if score >= bounds.beta => Bound::AtLeast(score),
            score if score <= bounds.alpha => Bound::AtMost(score),
            score => Bound::Exact(score),
        };
        (bound, found.nodes)
    }))
}

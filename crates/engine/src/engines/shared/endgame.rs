//! The exact score of an endgame, by MTD(f) over what the workers say.

use banyan_games::othello::Othello;
use banyan_games::{Color, Move, Record};
use banyan_jobs::job::cost;
use banyan_jobs::{Settlement, Solve, Sought};
use banyan_search::endgame::{Board, Solution, Solver, Top, expected_boards};
use banyan_search::parallel::{Below, ParallelAlphaBeta, Subproblem};
use banyan_search::{Bounds, Searchable};

use super::{End, Shared};

/// Positions with more empties than this are looked into here. (Measured on the FFO suite: one more
/// leaves workers idle where there are sixteen, two less costs half as many boards again, since nobody
/// remembers what another has found out.)
const EMPTIES_MAX: u32 = 18;

/// A worker that has looked at so many boards gives up, some tenths of a second.
const BOARDS_PER_SUBPROBLEM_MAX: u32 = 1 << 23;

/// Boards that are spent at the end on showing how the game goes on.
const BOARDS_FOR_LINE_MAX: u64 = 1 << 25;

const LINE_TABLE_BYTES: usize = 16 << 20;

/// The outcome of solving.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The score, or a bound that says who wins; nothing when there was no time for either.
    pub solution: Option<Solution>,
    /// Tells whether it is the score.
    pub is_exact: bool,
    /// Workers that answered.
    pub settlement: Settlement,
}

impl Shared {
    /// Solves the position at the end of a record, whose game goes on with a ply of `side`, with the moves
    /// that are allowed there; no longer than `goes_on`, which is asked with the boards so far, says yes.
    pub fn solve<G: Searchable>(
        &mut self,
        record: &Record<G>,
        side: Color,
        moves: &[Move],
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Outcome {
        let Some(board) = record.position().endgame() else { return Outcome::default() };
        let position = &board.position();
        let job = |subproblem: &Subproblem| {
            let placed = subproblem.path.iter().filter(|mv| !mv.is_pass()).count() as u32;
            let empties = board.empties().count_ones() - placed;
            Solve {
                sought: Sought::Score,
                bounds: subproblem.bounds,
                nodes_max: BOARDS_PER_SUBPROBLEM_MAX,
                cost: cost(expected_boards(empties)),
            }
        };
        let mut asking = self.open(record, side);
        let mut parallel = search_of(position, moves);
        let deciding = |parallel: &ParallelAlphaBeta<Othello, Top>| parallel.deciding(None);
        let end = loop {
            let end = asking.run(&mut parallel, &job, &deciding, goes_on);
            let begins_again = matches!(end, End::Deceived | End::Doubtful);
            if !begins_again || !goes_on(asking.nodes) {
                break end;
            }
            parallel = search_of(position, moves);
        };
        let boards = asking.nodes;
        // Of a search that the time ended a bound is believed where nobody's word is left that may be doubted.
        let is_believed = match end {
            End::Solved => true,
            End::Stopped => !asking.has_doubts(),
            End::Doubtful | End::Deceived => false,
        };
        let settlement = asking.close();
        let solution = is_believed.then(|| solution(&parallel, boards)).flatten();
        Outcome { is_exact: end == End::Solved, solution, settlement }
    }
}

fn search_of(position: &Othello, moves: &[Move]) -> ParallelAlphaBeta<Othello, Top> {
    let mut top = Top { empties_max: EMPTIES_MAX };
    let moves = ranked(&mut top, position, moves);
    ParallelAlphaBeta::closing_in(position, &moves, top, Top::guess(position))
}

/// The moves that are allowed, the most promising first.
fn ranked(top: &mut Top, position: &Othello, allowed: &[Move]) -> Vec<Move> {
    let mut moves = Vec::new();
    top.ranked(position, &mut moves);
    moves.retain(|mv| allowed.contains(mv));
    moves
}

/// The score and the line to it; a move that wins is enough when the score is not known.
fn solution(parallel: &ParallelAlphaBeta<Othello, Top>, boards: u64) -> Option<Solution> {
    if !parallel.is_solved() {
        let (score, _) = parallel.bounds();
        let best = parallel.best().filter(|_| score > 0)?;
        return Some(Solution { score, line: vec![best], nodes: boards });
    }
    let (mut line, end, worth) = parallel.line();
    let mut solver = Solver::new(LINE_TABLE_BYTES);
    let bounds = Bounds::new(worth - 1, worth + 1);
    let rest = solver.solve(Board::from(end), bounds, &mut |nodes| nodes < BOARDS_FOR_LINE_MAX);
    line.extend(rest.map_or(Vec::new(), |rest| rest.line));
    Some(Solution { score: parallel.bounds().0, line, nodes: boards })
}

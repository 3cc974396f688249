//! Exact play at the end of Othello: the disc difference that both sides can force.
//!
//! Works on bare bitboards, always from the side to move. A score is a disc difference with the points
//! left empty counted for the winner: an even number, -64 to 64.
//!
//! Reading order: the board (`board`), with what the tables over patterns say of it (`node`), the last empties (`few`), what is remembered (`table`), which
//! moves come first (`order`), the search over all of it (`solver`), and what stands above it when many
//! solve one board together (`top`).
//!
//! # Source
//! S8 asks for exact values; the methods are those of Andersson's and Delorme's solvers as the
//! literature tells them: parity and fastest-first ordering, a table, stable discs as a bound.

pub(crate) mod board;

mod node;

mod few;

mod table;

mod order;

mod solver;

mod top;

pub use board::{Board, SCORE_MAX};
pub(crate) use node::Node;
pub(crate) use solver::cut_by_stability;
pub use solver::{Solution, Solver};
pub use top::Top;

use crate::bounds::Bounds;

/// Between these the value says who wins.
pub const WINNER: Bounds = Bounds::new(-1, 1);

/// Between these it is exact.
pub const EXACT: Bounds = Bounds::new(-SCORE_MAX - 1, SCORE_MAX + 1);

/// The winner of a board with few empties, two at least: 1 the side to move, -1 the other, 0 nobody. Without
/// a table, and with no order of moves but by parity. Nothing where more than `nodes_max` boards may be
/// expected.
pub fn sign_of_few(board: Board, nodes_max: u64) -> Option<i32> {
    let empties = board.empties().count_ones();
    let is_few = empties >= 2 && expected_boards(empties) <= nodes_max as f64;
    is_few.then(|| few::value(board, WINNER, &mut 0).signum())
}

/// Boards that a position of 14 empties takes, and the factor for each empty more: positions of medium
/// difficulty, as measured on the FFO suite.
const BOARDS_AT_14: f64 = 6e4;
const BOARDS_GROWTH: f64 = 2.7;

/// Boards that solving a position with so many empties may be expected to take.
pub fn expected_boards(empties: u32) -> f64 {
    BOARDS_AT_14 * BOARDS_GROWTH.powi(empties as i32 - 14)
}

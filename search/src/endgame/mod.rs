//! Exact play at the end of Othello: the disc difference that both sides can force.
//!
//! Works on bare bitboards, always from the side to move. A score is a disc difference with the points
//! left empty counted for the winner: an even number, -64 to 64.
//!
//! Reading order: the board (`board`), the last empties (`few`), what is remembered (`table`), which
//! moves come first (`order`), and the search over all of it (`solver`).
//!
//! # Source
//! S8 asks for exact values; the methods are those of Andersson's and Delorme's solvers as the
//! literature tells them: parity and fastest-first ordering, a table, stable discs as a bound.

mod board;

mod few;

mod table;

mod order;

mod solver;

pub use board::Board;
pub use solver::{SCORE_MAX, Solution, Solver};

//! Games and positions as text: what people and other programs write, and what they read.
//!
//! Text in, text out: no I/O, no search. Any bytes give an error or a value, never a panic.
//!
//! Reading order: `sgf` (games of every kind), `obf` (positions of Othello) and `ggf` (its games),
//! `diagram` (a board to look at); `passes` says which moves such texts may leave out.

pub mod passes;

pub mod sgf;

pub mod obf;

pub mod ggf;

pub mod diagram;

//! Numbers of an engine tuned by games against itself: simultaneous perturbation (SPSA).
//!
//! Each iteration moves every number up or down by lot, all at once, plays a few games of the engine with these
//! numbers against the engine with the opposite ones, and moves all numbers a little towards the winner. What a
//! number is worth comes out over thousands of games, however many numbers there are.
//!
//! # Source
//! Spall 1992, 1998; the way of engines' authors since Kocsis & Szepesvári 2006.
//!
//! Reading order: `parameters` (the numbers, as a file has them), `template` (how an engine gets them), `spsa`
//! (steps), `log` (a line an iteration), `command`.

mod parameters;

mod template;

mod spsa;

mod log;

mod command;

pub use command::Arguments;

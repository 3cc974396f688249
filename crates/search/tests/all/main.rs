//! Searches against slower ones and against problems.

mod classical;

mod endgame;

mod evaluations;

mod guided;

mod helped;

mod midgame;

mod sharing;

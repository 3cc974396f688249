//! Searches against slower ones and against problems.

mod classical;

mod endgame;

mod evaluations;

mod guided;

mod life;

mod midgame;

mod sharing;

mod threats;

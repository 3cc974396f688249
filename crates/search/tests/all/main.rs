//! Searches against slower ones and against problems.

mod classical;

mod endgame;

mod life;

mod sharing;

mod threats;

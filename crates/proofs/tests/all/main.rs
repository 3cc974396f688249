//! Searches that prove, against slower ones and against problems.

mod life;

mod threats;

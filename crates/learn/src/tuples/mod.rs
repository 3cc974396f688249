//! Tables over patterns of Othello: games against itself, and the weights that fit how they end.
//!
//! - [`games`]: a game as a few bytes, the file of them, and the positions that are learned from.
//! - [`play`]: games against itself.
//! - [`fit`]: the weights with the least error.
//! - [`run`]: `banyan train patterns`.
//! - [`probcut`]: how far shallow searches are from deep ones (`banyan train probcut`).

pub mod games;

pub mod play;

pub mod fit;

pub mod probcut;

mod command;

pub use command::{Arguments, run};

//! Tables over patterns of Othello: the weights that fit what positions of games are worth.
//!
//! - [`fit`]: the weights with the least error.
//! - [`run`]: `banyan train patterns`.
//! - [`probcut`]: how far shallow searches are from deep ones (`banyan train probcut`).

pub mod fit;

pub mod probcut;

mod command;

pub use command::{Arguments, run};

//! Tables over line shapes of Gomoku and Connect6, learned from games of Banyan against itself.
//!
//! Reading order: how tables are learned from games
//! (`course`), what the tables of each game are (`gomoku`, `connect6`), and the command (`command`).

mod course;

mod gomoku;

mod connect6;

mod command;

pub use command::{Asked, run};
pub(crate) use course::logistic;

//! Tables over line shapes of Gomoku and Connect6, learned from games of Banyan against itself.
//!
//! Reading order: how tables are learned from games (`course`), or from positions of their searches (`leaves`), what
//! the tables of each game are (`gomoku`, `connect6`) and the vectors of both (`mix`), and the command (`command`).

mod course;

mod gomoku;

mod connect6;

mod mix;

mod leaves;

mod command;

pub use command::{Asked, ModelKind, run};
pub(crate) use course::logistic;

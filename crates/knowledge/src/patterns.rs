//! Tables over patterns of the games that have some.

use std::sync::Arc;

use banyan_games::Kind;
use banyan_games::connect6::Connect6;
use banyan_games::gomoku::Gomoku;

use crate::evaluation::Evaluation;
use crate::tuples::Tables;

/// Tables over patterns.
#[derive(Clone, Debug)]
pub enum Patterns {
    /// Of Othello.
    Othello(Arc<Tables>),
    /// An evaluation of Gomoku.
    Gomoku(Arc<dyn Evaluation<Gomoku>>),
    /// An evaluation of Connect6.
    Connect6(Arc<dyn Evaluation<Connect6>>),
}

impl Patterns {
    /// The game that they are of.
    pub fn game(&self) -> Kind {
        match self {
            Patterns::Othello(_) => Kind::Othello,
            Patterns::Gomoku(_) => Kind::Gomoku,
            Patterns::Connect6(_) => Kind::Connect6,
        }
    }
}

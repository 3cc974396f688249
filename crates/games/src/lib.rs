//! Rules, playouts and static evaluation of the games Banyan plays.
//!
//! No async, no I/O, no clock: a position goes in, a move, a text or a count comes out.
//!
//! Reading order: the words (`types`, `kind`, `rng`, `notation`), the contract (`game`, `evaluation`), one
//! game being played (`record`), then the games themselves, each with a plainly written slow twin in its
//! tests, and the list of them all (`registry`).

pub mod types;

pub mod kind;

pub mod rng;

pub mod notation;

pub mod counts;

pub mod game;

pub mod evaluation;

pub mod record;

mod sums;

pub mod line;

pub mod connect6;
pub mod go;
pub mod gomoku;
pub mod hex;
pub mod othello;

pub mod registry;

pub use counts::{Amaf, Counts, NoObserver, Observer};
pub use evaluation::{EVALUATION_MAX, Evaluation, Follower, Ranked, Selective};
pub use game::{Game, Leaf, Policy, SetupError, WrongSide};
pub use kind::{Kind, RulesError};
pub use notation::{MoveTextError, Notation};
pub use record::{IllegalMove, Record};
pub use registry::{Rules, Terms};
pub use rng::Rng;
pub use types::{Color, Margin, Move, Outcome, Size};

//! Rules and uniform playouts of the games Banyan plays.
//!
//! No async, no I/O, no clock: a position goes in, a move, a text or a count comes out.
//!
//! Reading order: the words (`types`, `kind`, `rng`, `notation`), what is the same on
//! a turned board (`symmetry`, `key`), the contract (`game`), one game being played (`record`), then the games themselves, each with a plainly written slow twin in its
//! tests, and the list of them all (`registry`).

pub mod types;

pub mod kind;

pub mod rng;

pub mod notation;

pub mod counts;

pub mod symmetry;

pub mod key;

pub mod game;

pub mod record;

pub mod sums;

pub mod line;

pub mod connect6;
pub mod go;
pub mod gomoku;
pub mod hex;
pub mod othello;

pub mod registry;

pub use counts::{Amaf, Counts, NoObserver, Observer};
pub use game::{Game, Leaf, SetupError, WrongSide};
pub use key::Key;
pub use kind::{Kind, RulesError};
pub use notation::{MoveTextError, Notation};
pub use record::{IllegalMove, Record};
pub use registry::{Listed, Rules, Terms};
pub use rng::Rng;
pub use symmetry::Symmetry;
pub use types::{Color, Margin, Move, Outcome, Size};

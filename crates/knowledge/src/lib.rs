//! Knowledge of the games beyond their rules: evaluations, priors, and playouts that know something.
//!
//! Rules and uniform playouts are those of `banyan-games`; nothing here searches.
//!
//! Reading order: the identity of a model (`digest`), how playouts choose (`policy`), a static evaluation
//! (`evaluation`), what is asked of the knowledge of a game (`knowledge`), then what is known of each, and
//! the models of them all (`models`).

pub mod digest;

pub mod policy;

pub mod evaluation;

pub mod knowledge;

pub mod line;

pub mod connect6;
pub mod go;
pub mod gomoku;
pub mod hex;
pub mod othello;

pub mod models;

pub use digest::Digest;
pub use evaluation::{Accumulator, EVALUATION_MAX, Evaluation, LateMoves, Ranked};
pub use knowledge::{Knowledge, ModelError};
pub use policy::Policy;

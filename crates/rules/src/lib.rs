//! Rules that were learned from proofs: as text, and tried on boards of their own with anything around them.
//!
//! A trial is a pure function of a rule, a seed and a number: so it can be lent to a worker and made again by
//! another.
//!
//! Reading order: a rule as text (`written`), its proof as text (`proof_text`), what the solver says of it
//! (`judged`); local fights of Go (`zones`), wins by threats in Gomoku and Connect6 (`lines`); a trial of any of them
//! (`trial`).

pub mod written;

pub mod proof_text;

mod judged;

pub mod zones;

pub mod lines;

pub mod trial;

pub use judged::{Alone, Judged};
pub use trial::{TEXT_MAX, Trial, Tried};
pub use written::Written;

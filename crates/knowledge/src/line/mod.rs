//! The common part of games of lines: whole `lines` as bits, playouts in which nobody overlooks a win
//! (`decisive`, `heavy`), and how likely moves are (`priors`).

mod decisive;
mod heavy;
pub mod lines;
mod priors;

pub(crate) use heavy::{many, one};
pub(crate) use priors::{LOGIT, priors};

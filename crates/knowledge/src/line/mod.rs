//! The common part of games of lines: whole `lines` as bits, what stands around points stone by stone (`surroundings`)
//! and an evaluation by that (`mix`), playouts in which nobody overlooks a win (`decisive`, `heavy`), how likely moves
//! are (`priors`), and positions as networks see them (`planes`).

mod decisive;
mod heavy;
pub mod lines;
pub mod mix;
pub mod planes;
mod priors;
pub(crate) mod surroundings;
#[cfg(test)]
pub(crate) mod wander;

pub(crate) use heavy::{many, one};
pub(crate) use priors::{LOGIT, priors};

//! An evaluation by what stands around empty points: vectors of numbers that were learned, summed up, and a small
//! network.
//!
//! Around each empty point near a stone ten points are seen on each of its four lines. Whatever stands there has a
//! vector ([`Row`]): half of it counts for the side whose stones it is about, half for the other side. A point's four
//! vectors of either side are added up and kept within bounds, and these numbers are added up over all points. Two
//! small layers ([`Head`]) make a value of the sums and of what the evaluation by shapes says.
//!
//! Such a value is learned from positions that searches judged, and from what longer searches said of them:
//! `banyan train patterns --game gomoku|connect6 --model mix --leaves N`.
//!
//! # Source
//! Sums that are kept up to date stone by stone, and small layers after them: Nasu 2018 (NNUE). Vectors of what lines
//! look like, added up at a point: the evaluation called mix of the engine Rapfi, of which this has the idea alone.

mod sizes;

mod head;

mod looks;

mod mixed;

mod learned;

mod sums;

mod stored;

#[cfg(test)]
mod plain;

pub use head::{FIRST, Head, Layers, SCALE, SECOND, SLOPE, leaky};
pub(crate) use learned::Model;
pub use learned::{Learned, LearnedError, NUMBER_MAX};
#[cfg(test)]
pub(crate) use looks::marked;
pub(crate) use looks::{OWN, TAKEN, digits, what_counts};
pub use mixed::Mixed;
pub(crate) use mixed::looks;
#[cfg(test)]
pub(crate) use plain::by_definition;
pub use sizes::{BOTH, CHANNELS, LOGITS_MAX, ONE, Row, SHAPES_MAX};
pub(crate) use stored::Stored;
pub(crate) use sums::Sums;

//! The network in whole numbers: what a file holds and what every evaluation computes.
//!
//! # The function
//! `x` is the trunk, `i16` from 0 to 32,767; `n(x, s)` its activation [`fixed::narrow`], `u8`; `r(·)` is
//! [`fixed::requantise`] by the layer's multiplier of each output channel. Sums are `i32` and exact.
//!
//! ```text
//! x ← clamp(r(input(planes) + globals(numbers)), 0, 32767)
//! each block, a = n(x, its shift):
//!     h ← clamp(r(first(a)), 0, 255)                 pooling blocks: the first `pooled` channels,
//!         then pool(features(h)) is added to the sums of the others before r
//!     x ← clamp(x + r(second(h)), 0, 32767)
//! h ← as in a pooling block, by head and head_pool: the first half pooled
//! policy, ownership at each point ← r(points(second half of h))
//! pass, win, draw, loss, score ← r(last(clamp(r(hidden(features(h))), 0, 255)))
//! ```
//!
//! Outside the board every activation is 0. A dense layer's sums are requantised as well: those that
//! are added to a convolution's sums come out in that convolution's unit.
//!
//! [`fixed::narrow`]: crate::fixed::narrow
//! [`fixed::requantise`]: crate::fixed::requantise

use crate::fixed::SHIFT;
use crate::input::{SIDE_MAX, SIDE_MIN};
use crate::parts::{Block, ConvShape, DenseShape, Parts};
use crate::shape::{Shape, ShapeError};
use std::fmt;
use thiserror::Error;

/// Largest absolute value that a sum may reach, before and after its requantisation.
pub(crate) const REACH_MAX: i64 = 1 << 29;

/// A convolution in whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conv {
    /// Sizes.
    pub shape: ConvShape,
    /// Weights, −127 to 127, `[output][input][row][column]`.
    pub weights: Vec<i8>,
    /// Start of each output's sum, in its unit.
    pub bias: Vec<i32>,
    /// Multiplier of each output's requantisation, above 0.
    pub multiplier: Vec<i32>,
}

/// A dense layer in whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    /// Sizes.
    pub shape: DenseShape,
    /// Weights, −127 to 127, `[output][input]`.
    pub weights: Vec<i8>,
    /// Start of each output's sum, in its unit.
    pub bias: Vec<i32>,
    /// Multiplier of each output's requantisation, above 0.
    pub multiplier: Vec<i32>,
}

/// Units of the activations' whole numbers: real value of one unit of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    /// Unit of the trunk.
    pub trunk: f32,
    /// Units of the activations inside each block.
    pub inner: Vec<f32>,
    /// Unit of the head's activations.
    pub head: f32,
    /// Unit of the hidden units.
    pub hidden: f32,
}

/// The purpose of a network, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Game that it judges, as the command line calls it.
    pub game: String,
    /// Version of the encoding of positions as planes.
    pub encoding: u32,
    /// Boards that it learned on: points on the shortest and on the longest side. It computes on others
    /// as well, but nobody has taught it what it says there.
    pub sides: (usize, usize),
    /// Maker, data and method: free text.
    pub provenance: String,
}

impl About {
    /// Tells whether a board of this width and height is one that the network learned on.
    pub fn knows(&self, width: usize, height: usize) -> bool {
        let (least, most) = self.sides;
        [width, height].iter().all(|side| (least..=most).contains(side))
    }
}

/// A network whose every number has been checked.
#[derive(Clone, PartialEq)]
pub struct Network {
    about: About,
    shape: Shape,
    layers: Parts<Conv, Dense>,
    shifts: Vec<u8>,
    units: Units,
}

/// Numbers that make no network.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum NetworkError {
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error("{layer} has {found} {what}, its shape asks for {wanted}")]
    Count { layer: String, what: &'static str, found: usize, wanted: usize },
    #[error("{layer}, output {output}: weight {weight}, must be -127 to 127")]
    Weight { layer: String, output: usize, weight: i8 },
    #[error("{layer}, output {output}: multiplier {multiplier}, must be above 0")]
    Multiplier { layer: String, output: usize, multiplier: i32 },
    #[error("{layer}, output {output}: weight {weight}, at most {most} fits the units around it")]
    Large { layer: String, output: usize, weight: f32, most: f32 },
    #[error("{layer}, output {output} can reach {reach}, at most {REACH_MAX}")]
    Reach { layer: String, output: usize, reach: i64 },
    #[error("shift {found} before {place}, must be 0 to 8")]
    Shift { place: String, found: u8 },
    #[error(
        "learned on sides of {least} to {most} points, must be within {SIDE_MIN} to {SIDE_MAX}"
    )]
    Sides { least: usize, most: usize },
    #[error("unit of {place} is {found}, must be a finite number above 0")]
    Unit { place: String, found: f32 },
}

/// Shows its purpose and its shape: weights are too many to look at.
impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Network { about, shape, .. } = self;
        f.debug_struct("Network")
            .field("about", about)
            .field("shape", shape)
            .finish_non_exhaustive()
    }
}

impl Network {
    /// Makes a network of its parts.
    ///
    /// - `shifts`: of the trunk's activations before each block, then before the head; 0 to 8.
    ///
    /// # Errors
    /// The first part that does not fit the shape, or whose sums could leave 32 bits on some board.
    pub fn new(
        about: About,
        shape: Shape,
        layers: Parts<Conv, Dense>,
        shifts: Vec<u8>,
        units: Units,
    ) -> Result<Network, NetworkError> {
        shape.check()?;
        check_layers(&shape, &layers)?;
        check_shifts(&shape, &shifts)?;
        check_units(&shape, &units)?;
        check_sides(&about)?;
        Ok(Network { about, shape, layers, shifts, units })
    }

    /// The purpose of the network.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The network's shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The network's layers.
    pub fn layers(&self) -> &Parts<Conv, Dense> {
        &self.layers
    }

    /// Shifts of the trunk's activations before each block, then before the head.
    pub fn shifts(&self) -> &[u8] {
        &self.shifts
    }

    /// Real values of the activations' units.
    pub fn units(&self) -> &Units {
        &self.units
    }
}

fn check_layers(shape: &Shape, layers: &Parts<Conv, Dense>) -> Result<(), NetworkError> {
    let wanted = Parts::of(shape);
    let added = check_dense("globals", &layers.globals, wanted.globals)?;
    check_conv("input", &layers.input, wanted.input, added)?;
    count("network", "blocks", layers.blocks.len(), shape.blocks)?;
    for (number, (found, wanted)) in layers.blocks.iter().zip(&wanted.blocks).enumerate() {
        check_block(&format!("blocks.{number}"), found, wanted)?;
    }
    let added = check_dense("head_pool", &layers.head_pool, wanted.head_pool)?;
    check_conv("head", &layers.head, wanted.head, added)?;
    check_conv("points", &layers.points, wanted.points, 0)?;
    check_dense("hidden", &layers.hidden, wanted.hidden)?;
    check_dense("last", &layers.last, wanted.last)?;
    Ok(())
}

fn check_block(
    name: &str,
    found: &Block<Conv, Dense>,
    wanted: &Block<ConvShape, DenseShape>,
) -> Result<(), NetworkError> {
    let added = match (&found.pool, wanted.pool) {
        (Some(pool), Some(wanted)) => check_dense(&format!("{name}.pool"), pool, wanted)?,
        (None, None) => 0,
        (found, wanted) => {
            let [found, wanted] = [found.is_some(), wanted.is_some()].map(usize::from);
            count(name, "dense layers", found, wanted)?;
            0
        }
    };
    check_conv(&format!("{name}.first"), &found.first, wanted.first, added)?;
    check_conv(&format!("{name}.second"), &found.second, wanted.second, 0)?;
    Ok(())
}

/// Checks a convolution to whose sums up to `added` is added.
fn check_conv(name: &str, conv: &Conv, wanted: ConvShape, added: i64) -> Result<(), NetworkError> {
    let ConvShape { inputs, outputs, side, reach } = wanted;
    let row = inputs * side * side;
    let sums = Sums { name, row, outputs, reach, added, weights: &conv.weights };
    sums.check(&conv.bias, &conv.multiplier)?;
    count(name, "sizes that differ", usize::from(conv.shape != wanted), 0)
}

/// Checks a dense layer and returns the largest absolute value that it can give.
fn check_dense(name: &str, dense: &Dense, wanted: DenseShape) -> Result<i64, NetworkError> {
    let DenseShape { inputs, outputs, reach } = wanted;
    let sums = Sums { name, row: inputs, outputs, reach, added: 0, weights: &dense.weights };
    let most = sums.check(&dense.bias, &dense.multiplier)?;
    count(name, "sizes that differ", usize::from(dense.shape != wanted), 0)?;
    Ok(most)
}

/// A layer's sums: how far they can go on any input.
struct Sums<'a> {
    name: &'a str,
    row: usize,
    outputs: usize,
    reach: i32,
    added: i64,
    weights: &'a [i8],
}

impl Sums<'_> {
    fn check(&self, bias: &[i32], multiplier: &[i32]) -> Result<i64, NetworkError> {
        count(self.name, "weights", self.weights.len(), self.row * self.outputs)?;
        count(self.name, "biases", bias.len(), self.outputs)?;
        count(self.name, "multipliers", multiplier.len(), self.outputs)?;
        let mut reaches = (0..self.outputs).map(|output| {
            let weights = &self.weights[output * self.row..][..self.row];
            self.check_output(output, weights, bias[output], multiplier[output])
        });
        reaches.try_fold(0, |most, reach| Ok(reach?.max(most)))
    }

    fn check_output(
        &self,
        output: usize,
        weights: &[i8],
        bias: i32,
        multiplier: i32,
    ) -> Result<i64, NetworkError> {
        let layer = || self.name.to_owned();
        if let Some(&weight) = weights.iter().find(|&&weight| weight == i8::MIN) {
            return Err(NetworkError::Weight { layer: layer(), output, weight });
        }
        if multiplier <= 0 {
            return Err(NetworkError::Multiplier { layer: layer(), output, multiplier });
        }
        let weights: i64 = weights.iter().map(|&weight| i64::from(weight).abs()).sum();
        let sum = weights * i64::from(self.reach) + i64::from(bias).abs() + self.added;
        let requantised = ((sum.min(1 << 32) * i64::from(multiplier)) >> SHIFT) + 1;
        match sum.max(requantised) {
            reach if reach > REACH_MAX => {
                Err(NetworkError::Reach { layer: layer(), output, reach })
            }
            _ => Ok(requantised),
        }
    }
}

fn count(layer: &str, what: &'static str, found: usize, wanted: usize) -> Result<(), NetworkError> {
    if found == wanted {
        return Ok(());
    }
    Err(NetworkError::Count { layer: layer.to_owned(), what, found, wanted })
}

fn check_shifts(shape: &Shape, shifts: &[u8]) -> Result<(), NetworkError> {
    count("network", "shifts", shifts.len(), shape.blocks + 1)?;
    match shifts.iter().position(|&shift| shift > 8) {
        None => Ok(()),
        Some(at) if at == shape.blocks => {
            Err(NetworkError::Shift { place: "head".to_owned(), found: shifts[at] })
        }
        Some(at) => Err(NetworkError::Shift { place: format!("block {at}"), found: shifts[at] }),
    }
}

fn check_sides(about: &About) -> Result<(), NetworkError> {
    let (least, most) = about.sides;
    if SIDE_MIN <= least && least <= most && most <= SIDE_MAX {
        return Ok(());
    }
    Err(NetworkError::Sides { least, most })
}

fn check_units(shape: &Shape, units: &Units) -> Result<(), NetworkError> {
    count("network", "units inside blocks", units.inner.len(), shape.blocks)?;
    let inner =
        units.inner.iter().enumerate().map(|(block, &unit)| (format!("block {block}"), unit));
    let named = [("trunk", units.trunk), ("head", units.head), ("hidden", units.hidden)];
    let named = named.map(|(place, unit)| (place.to_owned(), unit));
    for (place, found) in named.into_iter().chain(inner) {
        if !(found.is_finite() && found > 0.0) {
            return Err(NetworkError::Unit { place, found });
        }
    }
    Ok(())
}

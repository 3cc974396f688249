//! Dense layers and pooling, packed for whole vectors.

use crate::fixed::{FEATURE_ONE, features};
use crate::layout::{Board, Channels};
use crate::network::Dense;
use crate::parts::FEATURES;
use crate::shape::LANES;
use crate::vector::{Lanes, Task};

/// A dense layer, its weights turned round so that outputs lie beside each other.
#[derive(Clone, Debug)]
pub struct PackedDense {
    outputs: usize,
    /// `[input][output]`.
    weights: Vec<i8>,
    bias: Vec<i32>,
    multiplier: Vec<i32>,
}

impl PackedDense {
    /// Packs a layer.
    pub fn new(dense: &Dense) -> PackedDense {
        let (inputs, outputs) = (dense.shape.inputs, dense.shape.outputs);
        let turned = (0..inputs).flat_map(|input| {
            (0..outputs).map(move |output| dense.weights[output * inputs + input])
        });
        PackedDense {
            outputs,
            weights: turned.collect(),
            bias: dense.bias.clone(),
            multiplier: dense.multiplier.clone(),
        }
    }
}

/// One dense layer of one position.
pub struct Multiply<'a> {
    /// Weights.
    pub dense: &'a PackedDense,
    /// Numbers in.
    pub input: &'a [i32],
    /// Requantised numbers out, whatever was in it replaced.
    pub output: &'a mut Vec<i32>,
}

impl Task for Multiply<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let dense = self.dense;
        self.output.clear();
        self.output.extend_from_slice(&dense.bias);
        for (&input, weights) in self.input.iter().zip(dense.weights.chunks_exact(dense.outputs)) {
            for (sum, &weight) in self.output.iter_mut().zip(weights) {
                *sum += input * i32::from(weight);
            }
        }
        for (sum, &multiplier) in self.output.iter_mut().zip(&dense.multiplier) {
            *sum = crate::fixed::requantise(*sum, multiplier);
        }
    }
}

/// Pools channels over the board.
pub struct Pool<'a> {
    /// Planes of the channels pooled, and no others.
    pub planes: &'a [Channels],
    /// The board.
    pub board: Board,
    /// Features, whatever was in it replaced: means, means by the board's size, largest values.
    pub features: &'a mut Vec<i32>,
}

/// Places that are pooled at once.
const AT_ONCE: usize = 4;

impl Task for Pool<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let plane = self.board.plane();
        let channels = self.planes.len() / plane * LANES;
        self.features.clear();
        self.features.resize(FEATURES * channels, 0);
        for (sixteen, plane) in self.planes.chunks_exact(plane).enumerate() {
            let (sums, largest) = pool_plane(plane);
            for at in 0..LANES {
                let all = features(sums[at], largest[at], self.board.points());
                for (kind, feature) in all.into_iter().enumerate() {
                    self.features[kind * channels + LANES * sixteen + at] = feature;
                }
            }
        }
    }
}

/// Sum and largest value of sixteen channels. The border's zeros change neither.
#[inline(always)]
fn pool_plane(plane: &[Channels]) -> ([u32; LANES], [u8; LANES]) {
    // Sixteen-bit sums hold 257 bytes each; the largest plane has 703 places, 176 to a sum.
    let mut sums = [[0u16; LANES]; AT_ONCE];
    let mut largest = [[0u8; LANES]; AT_ONCE];
    let (whole, rest) = plane.as_chunks::<AT_ONCE>();
    let mut last = [Channels::ZERO; AT_ONCE];
    last[..rest.len()].copy_from_slice(rest);
    for places in whole.iter().chain([&last]) {
        for place in 0..AT_ONCE {
            for at in 0..LANES {
                let byte = places[place].0[at];
                sums[place][at] += u16::from(byte);
                largest[place][at] = largest[place][at].max(byte);
            }
        }
    }
    let mut pooled = ([0; LANES], [0; LANES]);
    for place in 0..AT_ONCE {
        for at in 0..LANES {
            pooled.0[at] += u32::from(sums[place][at]);
            pooled.1[at] = pooled.1[at].max(largest[place][at]);
        }
    }
    pooled
}

const _: () = assert!(FEATURE_ONE * 255 * 625 < i32::MAX, "a plane's sum in features' units fits");

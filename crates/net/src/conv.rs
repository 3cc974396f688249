//! Convolutions of whole boards, their weights packed for one kind of vectors.
//!
//! A block of sums is some points of one row times some sixteens of outputs: as many as registers hold.
//! It goes through all taps and inputs once, so each weight loaded serves all the block's points and each
//! input spread serves all its outputs.

use crate::layout::{Board, Channels, FOUR, FOURS};
use crate::network::Conv;
use crate::shape::LANES;
use crate::vector::{Lanes, Sums, Task, Vectors, Weights};
use std::ops::Range;

/// Some outputs of a convolution, packed for one kind of vectors.
#[derive(Clone, Debug)]
pub struct PackedConv {
    /// Points on a side of the kernel: 3 or 1.
    side: usize,
    /// Fours of inputs, count.
    groups: usize,
    /// Outputs in sixteens; those beyond the layer's are 0.
    vectors: usize,
    /// Sixteens of outputs in one block of sums, at most.
    block: usize,
    /// `[block][tap][group][sixteen of the block]`.
    weights: Vec<Weights>,
    /// Start of each output's sum.
    pub bias: Vec<Sums>,
    multiplier: Vec<Sums>,
}

impl PackedConv {
    /// Packs these outputs of a convolution.
    pub fn new(conv: &Conv, outputs: Range<usize>, vectors: Vectors) -> PackedConv {
        let count = outputs.len().div_ceil(LANES);
        let mut packed = PackedConv {
            side: conv.shape.side,
            groups: conv.shape.inputs.div_ceil(FOUR),
            vectors: count,
            block: vectors.vectors(),
            weights: Vec::new(),
            bias: sixteens(&conv.bias[outputs.clone()]),
            multiplier: sixteens(&conv.multiplier[outputs.clone()]),
        };
        for first in (0..count).step_by(packed.block) {
            packed.pack_block(conv, &outputs, first..count.min(first + packed.block));
        }
        packed
    }

    fn pack_block(&mut self, conv: &Conv, outputs: &Range<usize>, block: Range<usize>) {
        for tap in 0..self.side * self.side {
            for group in 0..self.groups {
                let four = |vector: usize| {
                    let weight = |at: usize| {
                        let output = outputs.start + LANES * vector + at / FOUR;
                        let input = FOUR * group + at % FOUR;
                        let known = output < outputs.end && input < conv.shape.inputs;
                        if known { conv.weight(output, input, tap) } else { 0 }
                    };
                    Weights(std::array::from_fn(weight))
                };
                self.weights.extend(block.clone().map(four));
            }
        }
    }
}

impl Conv {
    fn weight(&self, output: usize, input: usize, tap: usize) -> i8 {
        let taps = self.shape.side * self.shape.side;
        self.weights[(output * self.shape.inputs + input) * taps + tap]
    }
}

/// Numbers in sixteens, the last filled up with zeros.
pub fn sixteens(numbers: &[i32]) -> Vec<Sums> {
    let sixteen =
        |numbers: &[i32]| Sums(std::array::from_fn(|lane| numbers.get(lane).copied().unwrap_or(0)));
    numbers.chunks(LANES).map(sixteen).collect()
}

/// The last step for a point's sums, once they are requantised.
pub trait Finish {
    /// Takes sixteen outputs of a point.
    ///
    /// - `vector`: number of the sixteen.
    /// - `place`: of the point in a plane.
    fn take<L: Lanes>(&mut self, lanes: L, vector: usize, place: usize, sum: L::Sum);
}

/// One convolution of one board.
pub struct Convolve<'a, F> {
    /// Weights.
    pub conv: &'a PackedConv,
    /// Start of each output's sum: the convolution's own, with what was added to it.
    pub bias: &'a [Sums],
    /// The board.
    pub board: Board,
    /// Activations.
    pub input: &'a [Channels],
    /// The last step for the sums.
    pub finish: F,
}

impl<F: Finish> Task for Convolve<'_, F> {
    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) {
        let steps = self.conv.side * self.conv.side * self.conv.groups;
        let mut weights = self.conv.weights.as_slice();
        for first in (0..self.conv.vectors).step_by(L::VECTORS) {
            let count = L::VECTORS.min(self.conv.vectors - first);
            let (block, rest) = weights.split_at(steps * count);
            self.outputs(lanes, block, first, count);
            weights = rest;
        }
    }
}

impl<F: Finish> Convolve<'_, F> {
    /// All points of some sixteens of outputs.
    #[inline(always)]
    fn outputs<L: Lanes>(&mut self, lanes: L, weights: &[Weights], first: usize, count: usize) {
        let width = self.board.width;
        // Parts of a row that differ by at most one point.
        let parts = width.div_ceil(L::POINTS);
        for row in 0..self.board.height {
            for part in 0..parts {
                let start = part * width / parts;
                let points = (part + 1) * width / parts - start;
                let block = Block { weights, first, place: self.board.row(row) + start };
                self.any_block(lanes, &block, (count, points));
            }
        }
    }

    #[inline(always)]
    fn any_block<L: Lanes>(&mut self, lanes: L, block: &Block<'_>, size: (usize, usize)) {
        // Rows have 7 to 25 points, their parts 3 to 9.
        match size {
            (1, 3) => self.block::<L, 1, 3>(lanes, block),
            (1, 4) => self.block::<L, 1, 4>(lanes, block),
            (1, 5) => self.block::<L, 1, 5>(lanes, block),
            (1, 6) => self.block::<L, 1, 6>(lanes, block),
            (1, 7) => self.block::<L, 1, 7>(lanes, block),
            (1, 8) => self.block::<L, 1, 8>(lanes, block),
            (1, 9) => self.block::<L, 1, 9>(lanes, block),
            (2, 5) => self.block::<L, 2, 5>(lanes, block),
            (2, 6) => self.block::<L, 2, 6>(lanes, block),
            (2, 7) => self.block::<L, 2, 7>(lanes, block),
            (2, 8) => self.block::<L, 2, 8>(lanes, block),
            (2, 9) => self.block::<L, 2, 9>(lanes, block),
            (3, 5) => self.block::<L, 3, 5>(lanes, block),
            (3, 6) => self.block::<L, 3, 6>(lanes, block),
            (3, 7) => self.block::<L, 3, 7>(lanes, block),
            (3, 8) => self.block::<L, 3, 8>(lanes, block),
            (3, 9) => self.block::<L, 3, 9>(lanes, block),
            (vectors, points) => unreachable!("no block of {vectors} by {points}"),
        }
    }

    #[inline(always)]
    fn block<L: Lanes, const V: usize, const P: usize>(&mut self, lanes: L, block: &Block<'_>) {
        if V > L::VECTORS || P > L::POINTS {
            // Never compiled into anything: this kind of vectors has no such block.
            return;
        }
        let sums = self.sums::<L, V, P>(lanes, block);
        for (point, sums) in sums.iter().enumerate() {
            for (sums, vector) in sums.iter().zip(block.first..) {
                let sum = lanes.requantise(lanes.load(sums), &self.conv.multiplier[vector]);
                self.finish.take(lanes, vector, block.place + point, sum);
            }
        }
    }

    /// The block's sums.
    // Loops that count are unrolled before sums are put into registers, iterators' only afterwards, by
    // when the sums lie in memory: a sixth of the speed.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn sums<L: Lanes, const V: usize, const P: usize>(
        &self,
        lanes: L,
        block: &Block<'_>,
    ) -> [[Sums; V]; P] {
        let bias: &[Sums; V] = self.bias[block.first..].first_chunk().expect("a bias each");
        let mut sums = [[lanes.load(&bias[0]); V]; P];
        for vector in 0..V {
            let start = lanes.load(&bias[vector]);
            for point in 0..P {
                sums[point][vector] = start;
            }
        }
        let mut weights = block.weights.as_chunks::<V>().0.iter();
        let (stride, plane) = (self.board.stride(), self.board.plane());
        let corner = if self.conv.side == 3 { block.place - stride - 1 } else { block.place };
        for row in 0..self.conv.side {
            for column in 0..self.conv.side {
                let mut weights = weights.by_ref().take(self.conv.groups);
                for inputs in self.input[corner + row * stride + column..].chunks(plane) {
                    let inputs: &[Channels; P] =
                        inputs.first_chunk().expect("a border follows the last point");
                    for (four, weights) in (0..FOURS).zip(weights.by_ref()) {
                        add::<L, V, P>(lanes, &mut sums, weights, (inputs, four));
                    }
                }
            }
        }
        let mut done = [[Sums([0; LANES]); V]; P];
        for point in 0..P {
            for vector in 0..V {
                done[point][vector] = lanes.store(sums[point][vector]);
            }
        }
        done
    }
}

/// Some points of one row, some sixteens of outputs.
struct Block<'a> {
    weights: &'a [Weights],
    /// First sixteen of outputs.
    first: usize,
    /// Place of the first point.
    place: usize,
}

/// Adds four inputs' products to all sums of a block.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn add<L: Lanes, const V: usize, const P: usize>(
    lanes: L,
    sums: &mut [[L::Sum; V]; P],
    weights: &[Weights; V],
    (inputs, four): (&[Channels; P], usize),
) {
    let ready: [L::Ready; V] = std::array::from_fn(|vector| lanes.ready(&weights[vector]));
    for point in 0..P {
        let bytes = lanes.spread(inputs[point].four(four));
        for vector in 0..V {
            sums[point][vector] = lanes.dot(sums[point][vector], bytes, ready[vector]);
        }
    }
}

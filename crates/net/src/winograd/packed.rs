//! Weights of a convolution as its tiles multiply them.

use std::ops::Range;
use std::sync::OnceLock;

use super::tiling::Side;
use super::transform::{Four, Three, Transform};
use crate::conv::sixteens;
use crate::layout::Board;
use crate::network::Conv;
use crate::shape::LANES;
use crate::vector::Sums;
use crate::vector::words::PairWeights;

/// Taps of a kernel.
const TAPS: usize = 9;

/// Some outputs of a 3x3 convolution, packed for tiles.
#[derive(Clone, Debug)]
pub struct PackedTiles {
    /// Inputs, count.
    pub inputs: usize,
    /// As in [`Conv`].
    weights: Vec<i8>,
    /// Start of each output's sum.
    pub bias: Vec<Sums>,
    /// Multiplier of each output's requantisation.
    pub multiplier: Vec<Sums>,
    /// Tells whether no sum can be too large for tiles of four.
    has_fours: bool,
    three: OnceLock<Vec<PairWeights>>,
    four: OnceLock<Vec<PairWeights>>,
}

impl PackedTiles {
    /// Takes these outputs of a 3x3 convolution.
    pub fn new(conv: &Conv, outputs: Range<usize>) -> PackedTiles {
        let inputs = conv.shape.inputs;
        let row = inputs * TAPS;
        let weights = &conv.weights[outputs.start * row..outputs.end * row];
        let most = i64::from(conv.shape.reach);
        let reach =
            |row: &[i8]| most * row.iter().map(|&weight| i64::from(weight).abs()).sum::<i64>();
        PackedTiles {
            inputs,
            bias: sixteens(&conv.bias[outputs.clone()]),
            multiplier: sixteens(&conv.multiplier[outputs]),
            has_fours: weights.chunks(row).all(|row| reach(row) < Four::SUMS_END),
            weights: weights.to_vec(),
            three: OnceLock::new(),
            four: OnceLock::new(),
        }
    }

    /// The tiles that a board is cut into.
    pub fn side(&self, board: Board) -> Side {
        if self.has_fours { Side::best(board) } else { Side::Three }
    }

    /// Pairs of inputs, count.
    pub fn pairs(&self) -> usize {
        self.inputs.div_ceil(2)
    }

    /// Weights for tiles of this side, `[sixteen of outputs][point][pair of inputs]`.
    ///
    /// They are made when they are first asked for, by the first evaluation of a board: for 6 blocks of 48 channels
    /// a few milliseconds in all.
    pub fn weights(&self, side: Side) -> &[PairWeights] {
        match side {
            Side::Three => self.three.get_or_init(|| self.pack(&Three::WEIGHTS)),
            Side::Four => self.four.get_or_init(|| self.pack(&Four::WEIGHTS)),
        }
    }

    fn pack<const N: usize>(&self, by: &[[i32; 3]; N]) -> Vec<PairWeights> {
        let pairs = self.pairs();
        let mut packed = vec![PairWeights([0; 2 * LANES]); self.bias.len() * N * N * pairs];
        for (at, kernel) in self.weights.as_chunks::<TAPS>().0.iter().enumerate() {
            let (output, input) = (at / self.inputs, at % self.inputs);
            let columns = by.map(|by| {
                [0, 1, 2].map(|column| dot(by, [0, 3, 6].map(|row| kernel[row + column].into())))
            });
            for point in 0..N * N {
                let weight = dot(by[point % N], columns[point / N]);
                let place = (output / LANES * N * N + point) * pairs + input / 2;
                packed[place].0[output % LANES * 2 + input % 2] =
                    weight.try_into().expect("see the assertions on the transforms");
            }
        }
        packed
    }
}

fn dot(by: [i32; 3], weights: [i32; 3]) -> i32 {
    by.iter().zip(weights).map(|(by, weight)| by * weight).sum()
}

//! Weights of a convolution as its tiles multiply them.

use std::ops::Range;
use std::sync::OnceLock;

use super::tiling::Side;
use super::transform::{Four, Three, Transform};
use crate::conv::sixteens;
use crate::layout::Board;
use crate::network::Conv;
use crate::shape::LANES;
use crate::vector::words::PairWeights;
use crate::vector::{Sums, Vectors};

/// Taps of a kernel.
const TAPS: usize = 9;

/// Time that sixteen channels' transform takes for each of a tile's products, in products of sixteen outputs. Measured
/// by AVX-512 on a Zen 4: with it all of the sizes in `benches/evaluations.rs` go by the way that is faster there.
const TRANSFORM: usize = 6;

/// Some outputs of a 3x3 convolution, packed for tiles.
#[derive(Clone, Debug)]
pub struct PackedTiles {
    /// Inputs, count.
    pub inputs: usize,
    /// Sixteens of outputs that are multiplied at once, at most.
    pub block: usize,
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
    /// Takes these outputs of a 3x3 convolution, for one kind of vectors.
    pub fn new(conv: &Conv, outputs: Range<usize>, vectors: Vectors) -> PackedTiles {
        let inputs = conv.shape.inputs;
        let row = inputs * TAPS;
        let weights = &conv.weights[outputs.start * row..outputs.end * row];
        let most = i64::from(conv.shape.reach);
        let reach =
            |row: &[i8]| most * row.iter().map(|&weight| i64::from(weight).abs()).sum::<i64>();
        PackedTiles {
            inputs,
            block: vectors.vectors(),
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

    /// Tells whether tiles save time on a board where four bytes are multiplied as fast as two words. Estimated in
    /// such products of sixteen outputs.
    pub fn saves_time(&self, board: Board) -> bool {
        let (inputs, outputs) = (self.inputs.div_ceil(LANES), self.bias.len());
        let plain = board.points() * TAPS * self.inputs.div_ceil(4) * outputs;
        let each = self.pairs() * outputs + TRANSFORM * (inputs + outputs);
        self.side(board).products(board) * each < plain
    }

    /// First sixteen of outputs in the block of this one, and how many are in it.
    fn block_of(&self, vector: usize) -> (usize, usize) {
        let first = vector / self.block * self.block;
        (first, self.block.min(self.bias.len() - first))
    }

    /// Pairs of inputs, count.
    pub fn pairs(&self) -> usize {
        self.inputs.div_ceil(2)
    }

    /// Weights for tiles of this side, `[block][point][pair of inputs][sixteen of the block]`.
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
                let (first, count) = self.block_of(output / LANES);
                let place = first * N * N * pairs
                    + (point * pairs + input / 2) * count
                    + (output / LANES - first);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::ConvShape;

    #[test]
    fn tiles_save_time_where_they_were_measured_to() {
        // By `cargo bench -p banyan-net` with and without tiles, by AVX-512.
        let measured = [
            (32, 9, false),
            (48, 9, true),
            (48, 13, false),
            (48, 19, true),
            (96, 9, true),
            (128, 19, true),
        ];
        for (channels, side, saves) in measured {
            let conv = Conv {
                shape: ConvShape { inputs: channels, outputs: channels, side: 3, reach: 255 },
                weights: vec![0; TAPS * channels * channels],
                bias: vec![0; channels],
                multiplier: vec![0; channels],
            };
            let packed = PackedTiles::new(&conv, 0..channels, Vectors::fastest());
            let board = Board { width: side, height: side };
            assert_eq!(packed.saves_time(board), saves, "{channels} channels, {side} points");
        }
    }
}

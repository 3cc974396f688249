//! 3x3 convolutions with fewer multiplications, exact to the bit.
//!
//! A board is cut into tiles of 3x3 or 4x4 outputs. A tile's inputs and the weights are transformed, multiplied point
//! by point, and added up over the inputs' channels; transformed back that is the convolution. On 9x9 a weight takes
//! 225 products in place of 729, on 19x19 900 in place of 3,249.
//!
//! All of it in whole numbers: words of 16 bits are multiplied, sums are those of 32 bits modulo 2³², and what the
//! transforms multiply too much is divided out at the end (`transform`). So the bits are those of the plain sums.
//!
//! # Source
//! Winograd 1980, *Arithmetic Complexity of Computations*; Lavin and Gray 2016, *Fast Algorithms for Convolutional Neural
//! Networks*.

mod packed;
mod tiling;
mod transform;

pub use packed::PackedTiles;

use crate::conv::Finish;
use crate::layout::{Board, Channels};
use crate::shape::LANES;
use crate::vector::words::{PAIRS, PairWeights, WordLanes, WordTask, Words};
use crate::vector::{Sums, Vectors};
use tiling::{Side, Tiling};
use transform::{Four, Three, Transform};

/// Tiles whose sums registers hold.
const TILES: usize = 6;

/// Memory for one thread's convolutions, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub struct TileScratch {
    tiling: Option<Tiling>,
    /// `[point][tile][sixteen]`.
    inputs: Vec<Words>,
    /// Of one sixteen of outputs, `[tile][point]`.
    products: Vec<Sums>,
}

/// One convolution of one board.
pub struct ConvolveTiles<'a, F> {
    /// Weights.
    pub conv: &'a PackedTiles,
    /// Start of each output's sum: the convolution's own, with what was added to it.
    pub bias: &'a [Sums],
    /// The board.
    pub board: Board,
    /// Activations.
    pub input: &'a [Channels],
    /// The last step for the sums.
    pub finish: F,
}

impl<F: Finish> ConvolveTiles<'_, F> {
    /// Convolves.
    pub fn run(mut self, vectors: Vectors, scratch: &mut TileScratch) {
        let side = self.conv.side(self.board);
        let tiling = match scratch.tiling.take() {
            Some(tiling) if tiling.board == self.board && tiling.side == side => tiling,
            _ => Tiling::new(self.board, side),
        };
        let sixteens = self.conv.inputs.div_ceil(LANES);
        scratch.inputs.resize(side.points() * tiling.count * sixteens, Words([0; LANES]));
        scratch.products.resize(side.points() * tiling.count, Sums([0; LANES]));
        let TileScratch { inputs, products, .. } = scratch;
        vectors.run_words(TransformInputs { tiling: &tiling, input: self.input, sixteens, inputs });
        let weights = self.conv.weights(side).chunks_exact(side.points() * self.conv.pairs());
        for (vector, weights) in weights.enumerate() {
            let (count, points) = (tiling.count, side.points());
            vectors.run_words(Multiply { weights, inputs, sixteens, count, points, products });
            vectors.run_words(TransformOutputs {
                tiling: &tiling,
                products,
                vector,
                bias: &self.bias[vector],
                multiplier: &self.conv.multiplier[vector],
                finish: &mut self.finish,
            });
        }
        scratch.tiling = Some(tiling);
    }
}

/// Transforms all tiles' inputs.
struct TransformInputs<'a> {
    tiling: &'a Tiling,
    input: &'a [Channels],
    /// Sixteens of channels, count.
    sixteens: usize,
    inputs: &'a mut [Words],
}

impl WordTask for TransformInputs<'_> {
    #[inline(always)]
    fn run<L: WordLanes>(self, lanes: L) {
        match self.tiling.side {
            Side::Three => self.transform::<L, Three, 3, 5>(lanes),
            Side::Four => self.transform::<L, Four, 4, 6>(lanes),
        }
    }
}

impl TransformInputs<'_> {
    // Closures would be compiled for the vectors that every machine has, here and below.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn transform<L: WordLanes, T, const M: usize, const N: usize>(self, lanes: L)
    where
        T: Transform<M, N>,
    {
        let step = self.tiling.count * self.sixteens;
        let zero = lanes.widen(&Channels::ZERO);
        let planes = self.input.chunks_exact(self.tiling.board.plane());
        for (sixteen, plane) in planes.take(self.sixteens).enumerate() {
            for (tile, places) in self.tiling.inputs.chunks_exact(N * N).enumerate() {
                let mut columns = [[zero; N]; N];
                for column in 0..N {
                    let mut line = [zero; N];
                    for row in 0..N {
                        line[row] = lanes.widen(&plane[places[row * N + column] as usize]);
                    }
                    columns[column] = T::inputs(lanes, line);
                }
                let mut to = tile * self.sixteens + sixteen;
                for row in 0..N {
                    let mut line = [zero; N];
                    for column in 0..N {
                        line[column] = columns[column][row];
                    }
                    let line = T::inputs(lanes, line);
                    for column in 0..N {
                        self.inputs[to] = lanes.store_word(line[column]);
                        to += step;
                    }
                }
            }
        }
    }
}

/// Multiplies all tiles' inputs with the weights of sixteen outputs.
struct Multiply<'a> {
    /// `[point][pair of inputs]`.
    weights: &'a [PairWeights],
    inputs: &'a [Words],
    sixteens: usize,
    /// Tiles, count.
    count: usize,
    /// Points of a tile, count.
    points: usize,
    products: &'a mut [Sums],
}

impl WordTask for Multiply<'_> {
    #[inline(always)]
    fn run<L: WordLanes>(mut self, lanes: L) {
        let pairs = self.weights.len() / self.points;
        // Parts of the tiles that differ by at most one.
        let parts = self.count.div_ceil(TILES);
        for (point, weights) in self.weights.chunks_exact(pairs).enumerate() {
            for part in 0..parts {
                let start = part * self.count / parts;
                let tiles = (part + 1) * self.count / parts - start;
                match tiles {
                    1 => self.tiles::<L, 1>(lanes, weights, (point, start)),
                    2 => self.tiles::<L, 2>(lanes, weights, (point, start)),
                    3 => self.tiles::<L, 3>(lanes, weights, (point, start)),
                    4 => self.tiles::<L, 4>(lanes, weights, (point, start)),
                    5 => self.tiles::<L, 5>(lanes, weights, (point, start)),
                    _ => self.tiles::<L, TILES>(lanes, weights, (point, start)),
                }
            }
        }
    }
}

impl Multiply<'_> {
    // Loops that count are unrolled before sums are put into registers, as in `conv`.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn tiles<L: WordLanes, const P: usize>(
        &mut self,
        lanes: L,
        weights: &[PairWeights],
        (point, start): (usize, usize),
    ) {
        let inputs = &self.inputs[(point * self.count + start) * self.sixteens..];
        let mut sums = [lanes.load(&Sums([0; LANES])); P];
        for (sixteen, weights) in weights.chunks(PAIRS).enumerate() {
            let mut words = [&inputs[sixteen]; P];
            for tile in 1..P {
                words[tile] = &inputs[tile * self.sixteens + sixteen];
            }
            for (pair, weights) in (0..PAIRS).zip(weights) {
                let ready = lanes.load_pairs(weights);
                for tile in 0..P {
                    let pair = lanes.spread_pair(words[tile].pair(pair));
                    sums[tile] = lanes.dot_pair(sums[tile], pair, ready);
                }
            }
        }
        for tile in 0..P {
            self.products[(start + tile) * self.points + point] = lanes.store(sums[tile]);
        }
    }
}

/// Transforms all tiles' products to sixteen outputs, and hands these on.
struct TransformOutputs<'a, F> {
    tiling: &'a Tiling,
    products: &'a [Sums],
    /// Number of the sixteen.
    vector: usize,
    bias: &'a Sums,
    multiplier: &'a Sums,
    finish: &'a mut F,
}

impl<F: Finish> WordTask for TransformOutputs<'_, F> {
    #[inline(always)]
    fn run<L: WordLanes>(self, lanes: L) {
        match self.tiling.side {
            Side::Three => self.transform::<L, Three, 3, 5>(lanes),
            Side::Four => self.transform::<L, Four, 4, 6>(lanes),
        }
    }
}

impl<F: Finish> TransformOutputs<'_, F> {
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn transform<L: WordLanes, T, const M: usize, const N: usize>(self, lanes: L)
    where
        T: Transform<M, N>,
    {
        let bias = lanes.load(self.bias);
        let places = self.tiling.outputs.chunks_exact(M * M);
        for (products, places) in self.products.chunks_exact(N * N).zip(places) {
            let mut columns = [[bias; M]; N];
            for column in 0..N {
                let mut line = [bias; N];
                for row in 0..N {
                    line[row] = lanes.load(&products[row * N + column]);
                }
                columns[column] = T::outputs(lanes, line);
            }
            for row in 0..M {
                let mut line = [bias; N];
                for column in 0..N {
                    line[column] = columns[column][row];
                }
                let sums = T::outputs(lanes, line);
                for column in 0..M {
                    let Some(place) = places[row * M + column] else { continue };
                    let sum = lanes.add_sums(T::unscale(lanes, sums[column]), bias);
                    let sum = lanes.requantise(sum, self.multiplier);
                    self.finish.take(lanes, self.vector, place as usize, sum);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finish::Activate;
    use crate::network::Conv;
    use crate::parts::ConvShape;
    use crate::twin;
    use proptest::prelude::*;

    /// What comes of a convolution by each kind of words, and as its definition has it.
    fn both(conv: &Conv, board: Board, from: &[u8]) -> (Vec<Vec<u8>>, Vec<u8>) {
        let (inputs, outputs) = (conv.shape.inputs, conv.shape.outputs);
        let mut input = vec![Channels::ZERO; inputs.div_ceil(LANES) * board.plane()];
        let at = |point: usize| board.row(point / board.width) + point % board.width;
        for (number, &byte) in from.iter().enumerate() {
            let (channel, point) = (number / board.points(), number % board.points());
            input[channel / LANES * board.plane() + at(point)].0[channel % LANES] = byte;
        }
        let packed = PackedTiles::new(conv, 0..outputs);
        let found = Vectors::all().map(|vectors| {
            let mut planes = vec![Channels::ZERO; outputs.div_ceil(LANES) * board.plane()];
            let finish = Activate { planes: &mut planes, plane: board.plane() };
            let (bias, input) = (&packed.bias[..], &input[..]);
            let convolve = ConvolveTiles { conv: &packed, bias, board, input, finish };
            convolve.run(vectors, &mut TileScratch::default());
            let channel = |channel: usize| {
                let plane = &planes[channel / LANES * board.plane()..];
                (0..board.points()).map(|point| plane[at(point)].0[channel % LANES]).collect()
            };
            (0..outputs).map(channel).collect::<Vec<Vec<u8>>>().concat()
        });
        (found.collect(), twin::activations(conv, (board.width, board.height), from))
    }

    fn conv(inputs: usize, outputs: usize, weights: Vec<i8>) -> Conv {
        Conv {
            shape: ConvShape { inputs, outputs, side: 3, reach: 255 },
            weights,
            bias: (0..outputs as i32).map(|output| 5 - output).collect(),
            // What 255 times each weight comes to, brought down to about 127.
            multiplier: vec![(1 << 24) / (9 * 127 * 2 * inputs as i32); outputs],
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn tiles_give_the_plain_sums(
            (inputs, outputs) in (1usize..40, 1usize..20),
            (width, height) in (7usize..=25, 7usize..=25),
            // From weights and inputs of all sizes to nothing but the largest.
            (weights, inputs_by, seed) in (0u8..3, 0u8..3, any::<u64>()),
        ) {
            let mut seed = seed;
            let mut next = |by: u8| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let byte = (seed >> 33) as u8;
                match by {
                    0 => byte,
                    1 => (byte & 1) * 255,
                    _ => 255,
                }
            };
            let kernel = (0..inputs * outputs * 9).map(|_| {
                i8::try_from((i32::from(next(weights)) - 128).max(-127)).unwrap()
            });
            let conv = conv(inputs, outputs, kernel.collect());
            let board = Board { width, height };
            let from: Vec<u8> = (0..inputs * board.points()).map(|_| next(inputs_by)).collect();
            let (found, wanted) = both(&conv, board, &from);
            for found in found {
                prop_assert_eq!(&found, &wanted);
            }
        }
    }

    #[test]
    fn sums_too_large_for_tiles_of_four_go_by_tiles_of_three() {
        let board = Board { width: 19, height: 19 };
        for (inputs, side) in [(115, Side::Four), (116, Side::Three)] {
            let conv = conv(inputs, 1, vec![127; 9 * inputs]);
            assert_eq!(PackedTiles::new(&conv, 0..1).side(board), side, "{inputs}");
            let (found, wanted) = both(&conv, board, &vec![255; inputs * board.points()]);
            found.into_iter().for_each(|found| assert_eq!(found, wanted, "{inputs}"));
        }
    }

    #[test]
    fn a_board_is_cut_so_that_it_takes_the_fewest_products() {
        let side = |side: usize| Side::best(Board { width: side, height: side });
        let threes: Vec<usize> = (7..=25).filter(|&points| side(points) == Side::Three).collect();
        assert_eq!(threes, [9, 21]);
    }
}

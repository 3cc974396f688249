//! 3x3 convolutions with fewer multiplications, exact to the bit.
//!
//! A board is cut into tiles of 3x3 or 4x4 outputs. A tile's inputs and the weights are transformed, multiplied point
//! by point, and added up over the inputs' channels; transformed back that is the convolution. On 9x9 a kernel, one
//! input to one output, takes 225 products in place of 729, on 19x19 900 in place of 3,249.
//!
//! All of it in whole numbers: words of 16 bits are multiplied, sums are those of 32 bits modulo 2³², and what the
//! transforms multiply too much is divided out at the end (`transform`). So the bits are those of the plain sums.
//!
//! # Source
//! Winograd 1980, *Arithmetic Complexity of Computations*; Lavin and Gray 2016, *Fast Algorithms for Convolutional
//! Neural Networks*.

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
    /// Of one block of outputs, `[sixteen of the block][tile][point]`.
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
        let TileScratch { inputs, products, .. } = scratch;
        vectors.run_words(TransformInputs { tiling: &tiling, input: self.input, sixteens, inputs });
        let block = side.points() * self.conv.pairs() * self.conv.block;
        let mut first = 0;
        for weights in self.conv.weights(side).chunks(block) {
            let count = self.conv.block.min(self.bias.len() - first);
            let each = side.points() * tiling.count;
            products.resize(count * each, Sums([0; LANES]));
            let tiling = &tiling;
            vectors.run_words(MultiplyTiles { weights, count, inputs, sixteens, tiling, products });
            for products in products.chunks_exact(each) {
                vectors.run_words(TransformOutputs {
                    tiling,
                    products,
                    vector: first,
                    bias: &self.bias[first],
                    multiplier: &self.conv.multiplier[first],
                    finish: &mut self.finish,
                });
                first += 1;
            }
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

/// Multiplies all tiles' inputs with the weights of a block of outputs.
struct MultiplyTiles<'a> {
    /// `[point][pair of inputs][sixteen of the block]`.
    weights: &'a [PairWeights],
    /// Sixteens of the block, count.
    count: usize,
    inputs: &'a [Words],
    sixteens: usize,
    tiling: &'a Tiling,
    /// `[sixteen of the block][tile][point]`.
    products: &'a mut [Sums],
}

impl WordTask for MultiplyTiles<'_> {
    #[inline(always)]
    fn run<L: WordLanes>(mut self, lanes: L) {
        let step = self.weights.len() / self.tiling.side.points();
        // Parts of the tiles that differ by at most one.
        let tiles = self.tiling.count;
        let parts = tiles.div_ceil(TILES);
        for (point, weights) in self.weights.chunks_exact(step).enumerate() {
            for part in 0..parts {
                let start = part * tiles / parts;
                let size = (self.count, (part + 1) * tiles / parts - start);
                let block = TileBlock { weights, point, start };
                // Boards have four tiles and more, so that a part has four to six.
                match size {
                    (1, 4) => self.block::<L, 1, 4>(lanes, block),
                    (1, 5) => self.block::<L, 1, 5>(lanes, block),
                    (1, 6) => self.block::<L, 1, 6>(lanes, block),
                    (2, 4) => self.block::<L, 2, 4>(lanes, block),
                    (2, 5) => self.block::<L, 2, 5>(lanes, block),
                    (2, 6) => self.block::<L, 2, 6>(lanes, block),
                    (3, 4) => self.block::<L, 3, 4>(lanes, block),
                    (3, 5) => self.block::<L, 3, 5>(lanes, block),
                    (3, 6) => self.block::<L, 3, 6>(lanes, block),
                    (vectors, tiles) => unreachable!("no block of {vectors} by {tiles}"),
                }
            }
        }
    }
}

/// Sums that registers hold: a point's of some tiles.
struct TileBlock<'a> {
    /// `[pair of inputs][sixteen of the block]`.
    weights: &'a [PairWeights],
    point: usize,
    /// The first tile.
    start: usize,
}

impl MultiplyTiles<'_> {
    // Loops that count are unrolled before sums are put into registers, as in `conv`.
    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn block<L: WordLanes, const V: usize, const P: usize>(
        &mut self,
        lanes: L,
        TileBlock { weights, point, start }: TileBlock<'_>,
    ) {
        if V > L::VECTORS {
            // Constant, so that nothing larger is compiled: weights are packed in blocks of this kind's size.
            unreachable!("a block of {V} for vectors that hold {}", L::VECTORS);
        }
        let inputs = &self.inputs[(point * self.tiling.count + start) * self.sixteens..];
        let mut sums = [[lanes.load(&Sums([0; LANES])); V]; P];
        for (sixteen, weights) in weights.as_chunks::<V>().0.chunks(PAIRS).enumerate() {
            let mut words = [&inputs[sixteen]; P];
            for tile in 1..P {
                words[tile] = &inputs[tile * self.sixteens + sixteen];
            }
            for (at, weights) in (0..PAIRS).zip(weights) {
                let mut ready = [lanes.load_pairs(&weights[0]); V];
                for vector in 1..V {
                    ready[vector] = lanes.load_pairs(&weights[vector]);
                }
                for tile in 0..P {
                    let pair = lanes.spread_pair(words[tile].pair(at));
                    for vector in 0..V {
                        sums[tile][vector] =
                            lanes.dot_pair(sums[tile][vector], pair, ready[vector]);
                    }
                }
            }
        }
        for vector in 0..V {
            for tile in 0..P {
                let at = vector * self.tiling.count + start + tile;
                self.products[at * self.tiling.side.points() + point] =
                    lanes.store(sums[tile][vector]);
            }
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
    use crate::network::Conv;
    use crate::parts::ConvShape;
    use crate::twin;
    use crate::vector::Lanes;
    use proptest::prelude::*;

    /// Sums as they are, `[sixteen][place]`.
    struct Keep<'a> {
        sums: &'a mut [Sums],
        plane: usize,
    }

    impl Finish for Keep<'_> {
        #[inline(always)]
        fn take<L: Lanes>(&mut self, lanes: L, vector: usize, place: usize, sum: L::Sum) {
            self.sums[vector * self.plane + place] = lanes.store(sum);
        }
    }

    /// Sums of a convolution by each kind of words, channel by channel.
    fn by_tiles(conv: &Conv, board: Board, from: &[u8]) -> Vec<Vec<i32>> {
        let (inputs, outputs) = (conv.shape.inputs, conv.shape.outputs);
        let plane = board.plane();
        let mut input = vec![Channels::ZERO; inputs.div_ceil(LANES) * plane];
        let at = |point: usize| board.row(point / board.width) + point % board.width;
        for (number, &byte) in from.iter().enumerate() {
            let (channel, point) = (number / board.points(), number % board.points());
            input[channel / LANES * plane + at(point)].0[channel % LANES] = byte;
        }
        let by = |vectors: Vectors| {
            let packed = PackedTiles::new(conv, 0..outputs, vectors);
            let mut sums = vec![Sums([0; LANES]); outputs.div_ceil(LANES) * plane];
            let finish = Keep { sums: &mut sums, plane };
            let (bias, input) = (&packed.bias[..], &input[..]);
            let convolve = ConvolveTiles { conv: &packed, bias, board, input, finish };
            convolve.run(vectors, &mut TileScratch::default());
            let channel = |channel| (0..board.points()).map(move |point| (channel, point));
            let all = (0..outputs).flat_map(channel);
            all.map(|(channel, point)| sums[channel / LANES * plane + at(point)].0[channel % LANES])
                .collect()
        };
        Vectors::all().map(by).collect()
    }

    /// A convolution whose sums are not requantised: by a multiplier of one.
    fn conv(inputs: usize, outputs: usize, weights: Vec<i8>) -> Conv {
        Conv {
            shape: ConvShape { inputs, outputs, side: 3, reach: 255 },
            weights,
            bias: (0..outputs as i32).map(|output| 5 - output).collect(),
            multiplier: vec![1 << crate::fixed::SHIFT; outputs],
        }
    }

    /// Bytes of all sizes, or nothing but the smallest and the largest, or nothing but one of them.
    fn bytes(count: usize) -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            prop::collection::vec(any::<u8>(), count),
            prop::collection::vec(prop_oneof![Just(0), Just(255)], count),
            Just(vec![0; count]),
            Just(vec![255; count]),
        ]
    }

    /// The same as weights, and nothing but the largest of either sign.
    fn weights(count: usize) -> impl Strategy<Value = Vec<i8>> {
        let weight = |byte: u8| byte.cast_signed().max(-127);
        prop_oneof![
            bytes(count).prop_map(move |bytes| bytes.into_iter().map(weight).collect()),
            Just(vec![127; count]),
            Just(vec![-127; count]),
        ]
    }

    /// A convolution, a board and its inputs; half of the boards are cut into tiles of three.
    fn cases() -> impl Strategy<Value = (Conv, Board, Vec<u8>)> {
        let any_side = 7usize..=25;
        let sides = prop_oneof![
            Just((9, 9)),
            Just((21, 21)),
            (any_side.clone(), any_side.clone()),
            (any_side.clone(), any_side),
        ];
        (1usize..40, 1usize..70, sides).prop_flat_map(|(inputs, outputs, (width, height))| {
            let board = Board { width, height };
            let made = weights(inputs * outputs * 9);
            let made = made.prop_map(move |weights| conv(inputs, outputs, weights));
            (made, Just(board), bytes(inputs * board.points()))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn tiles_give_the_plain_sums((conv, board, from) in cases()) {
            let wanted = twin::sums(&conv, (board.width, board.height), &from);
            for found in by_tiles(&conv, board, &from) {
                prop_assert_eq!(&found, &wanted);
            }
        }
    }

    #[test]
    fn sums_too_large_for_tiles_of_four_go_by_tiles_of_three() {
        let board = Board { width: 19, height: 19 };
        let ends = [(127, 115, Side::Four), (-127, 115, Side::Four), (127, 116, Side::Three)];
        for (weight, inputs, side) in ends {
            let conv = conv(inputs, 1, vec![weight; 9 * inputs]);
            assert_eq!(
                PackedTiles::new(&conv, 0..1, Vectors::fastest()).side(board),
                side,
                "{inputs}"
            );
            let from = vec![255; inputs * board.points()];
            let wanted = twin::sums(&conv, (19, 19), &from);
            for found in by_tiles(&conv, board, &from) {
                assert_eq!(found, wanted, "{weight} times {inputs}");
            }
        }
    }

    #[test]
    fn a_board_is_cut_so_that_it_takes_the_fewest_products() {
        let side = |side: usize| Side::best(Board { width: side, height: side });
        let threes: Vec<usize> = (7..=25).filter(|&points| side(points) == Side::Three).collect();
        assert_eq!(threes, [9, 21]);
    }

    #[test]
    fn all_boards_are_cut_into_parts_that_are_multiplied() {
        let boards = (7..=25).flat_map(|width| (7..=25).map(move |height| Board { width, height }));
        for board in boards {
            for side in [Side::Three, Side::Four] {
                let count = Tiling::new(board, side).count;
                assert!(count / count.div_ceil(TILES) >= 4, "{board:?} in tiles of {side:?}");
            }
        }
    }
}

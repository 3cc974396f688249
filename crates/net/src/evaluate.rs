//! Evaluates many positions at a time, layer by layer.

use crate::conv::{Convolve, Finish, PackedConv};
use crate::dense::{Multiply, PackedDense, Pool};
use crate::finish::{Activate, Keep, Residual};
use crate::input::{Input, InputError};
use crate::layout::{Activations, Board, Channels, spread_planes};
use crate::network::{Conv, Dense, Network};
use crate::output::Output;
use crate::parts::Block;
use crate::shape::{LANES, Shape};
use crate::vector::{Shift, Sums, Tiles, Trunk, Vectors};
use crate::winograd::{ConvolveTiles, PackedTiles, TileScratch};
use std::ops::Range;

/// Positions that go through a layer together, so that its weights are fetched once for all of them and
/// yet the positions' activations stay near.
const TOGETHER: usize = 8;

/// A network made ready for this machine's vectors: many threads may share one.
///
/// Kinds of vectors differ in speed, never in any bit of an output.
#[derive(Clone, Debug)]
pub struct Evaluator {
    shape: Shape,
    packing: Packing,
    input: Layer,
    globals: PackedDense,
    blocks: Vec<PackedBlock>,
    /// Shifts of the trunk's activations before each block, then before the head.
    shifts: Vec<Shift>,
    head: PackedFirst,
    points: Layer,
    hidden: PackedDense,
    last: PackedDense,
}

#[derive(Clone, Debug)]
struct PackedBlock {
    first: PackedFirst,
    second: Layer,
}

/// A convolution of which some outputs may be pooled for the others.
#[derive(Clone, Debug)]
struct PackedFirst {
    pooled: Option<(Layer, PackedDense)>,
    rest: Layer,
}

/// A convolution, by the way that is faster.
#[derive(Clone, Debug)]
enum Layer {
    Plain(PackedConv),
    Tiles(PackedTiles),
    /// By the board.
    Either(PackedConv, PackedTiles),
}

/// How the layers of an evaluator are packed.
#[derive(Clone, Copy, Debug)]
struct Packing {
    vectors: Vectors,
    /// When 3x3 convolutions go by tiles.
    tiles: Tiles,
}

/// Weights of 3x3 convolutions up to which they go by tiles, bytes. For tiles of three and of four they take fourteen
/// times as much beside themselves, and once more where the plain way is kept: 120 MiB at most. The largest that was
/// measured, 10 blocks of 128 channels, has 3.
const TILES_BYTES_MAX: u64 = 8 << 20;

/// Memory for one thread's evaluations, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    slots: Vec<Slot>,
    in_turn: InTurn,
}

/// What positions need in turn.
#[derive(Clone, Debug, Default)]
struct InTurn {
    numbers: Numbers,
    tiles: TileScratch,
}

/// One position on its way through the network.
#[derive(Clone, Debug, Default)]
struct Slot {
    board: Option<Board>,
    planes: Activations,
    /// Activations of the trunk.
    outer: Activations,
    /// Activations inside a block or of the head.
    inner: Activations,
    trunk: Vec<Trunk>,
    points: Vec<[i32; 2]>,
}

#[derive(Clone, Debug, Default)]
struct Numbers {
    features: Vec<i32>,
    added: Vec<i32>,
    bias: Vec<Sums>,
}

impl Packing {
    /// Packs these outputs of a convolution.
    fn pack(self, conv: &Conv, outputs: Range<usize>) -> Layer {
        let plain = |outputs| PackedConv::new(conv, outputs, self.vectors);
        let tiles = |outputs| PackedTiles::new(conv, outputs, self.vectors);
        match self.tiles {
            _ if conv.shape.side != 3 => Layer::Plain(plain(outputs)),
            Tiles::Never => Layer::Plain(plain(outputs)),
            Tiles::WhereFaster => Layer::Either(plain(outputs.clone()), tiles(outputs)),
            Tiles::Always => Layer::Tiles(tiles(outputs)),
        }
    }

    fn all(self, conv: &Conv) -> Layer {
        self.pack(conv, 0..conv.shape.outputs)
    }

    fn first(self, conv: &Conv, pool: Option<&Dense>) -> PackedFirst {
        let outputs = conv.shape.outputs;
        let from = pool.map_or(0, |pool| outputs - pool.shape.outputs);
        let pooled = pool.map(|pool| (self.pack(conv, 0..from), PackedDense::new(pool)));
        PackedFirst { pooled, rest: self.pack(conv, from..outputs) }
    }
}

impl Layer {
    /// Start of each output's sum.
    fn bias(&self) -> &[Sums] {
        match self {
            Layer::Plain(conv) | Layer::Either(conv, _) => &conv.bias,
            Layer::Tiles(conv) => &conv.bias,
        }
    }
}

impl Evaluator {
    /// Makes a network ready for vectors that this machine has.
    pub fn new(network: &Network, vectors: Vectors) -> Evaluator {
        let is_small = network.shape().weight_bytes() <= TILES_BYTES_MAX;
        let tiles = if is_small { vectors.tiles() } else { Tiles::Never };
        Evaluator::packed(network, Packing { vectors, tiles })
    }

    /// By every kind of vectors and both ways of convolving.
    #[cfg(test)]
    pub(crate) fn every(network: &Network) -> impl Iterator<Item = Evaluator> {
        let ways =
            Vectors::all().flat_map(|vectors| Tiles::ALL.map(|tiles| Packing { vectors, tiles }));
        ways.map(|packing| Evaluator::packed(network, packing))
    }

    fn packed(network: &Network, packing: Packing) -> Evaluator {
        let layers = network.layers();
        let block = |block: &Block<Conv, Dense>| PackedBlock {
            first: packing.first(&block.first, block.pool.as_ref()),
            second: packing.all(&block.second),
        };
        Evaluator {
            shape: *network.shape(),
            packing,
            input: packing.all(&layers.input),
            globals: PackedDense::new(&layers.globals),
            blocks: layers.blocks.iter().map(block).collect(),
            shifts: network.shifts().iter().map(|&shift| Shift(shift)).collect(),
            head: packing.first(&layers.head, Some(&layers.head_pool)),
            points: packing.all(&layers.points),
            hidden: PackedDense::new(&layers.hidden),
            last: PackedDense::new(&layers.last),
        }
    }

    /// The network's shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The vectors that it computes with.
    pub fn vectors(&self) -> Vectors {
        self.packing.vectors
    }

    /// How its layers are packed.
    #[cfg(test)]
    pub(crate) fn packing(&self) -> impl std::fmt::Debug {
        self.packing
    }

    /// Evaluates positions, of one size or of several; an output depends on its own input alone.
    ///
    /// - `outputs`: as many as `inputs` afterwards, in their order; what was in it is replaced, and its
    ///   memory used again.
    ///
    /// # Errors
    /// The first input that does not fit the network; `outputs` is as it was.
    pub fn evaluate(
        &self,
        scratch: &mut Scratch,
        inputs: &[Input<'_>],
        outputs: &mut Vec<Output>,
    ) -> Result<(), InputError> {
        inputs.iter().try_for_each(|input| input.check(self.shape.planes, self.shape.globals))?;
        outputs.resize_with(inputs.len(), Output::default);
        scratch.slots.resize_with(TOGETHER, Slot::default);
        for (inputs, outputs) in inputs.chunks(TOGETHER).zip(outputs.chunks_mut(TOGETHER)) {
            self.together(scratch, inputs, outputs);
        }
        Ok(())
    }

    fn together(&self, scratch: &mut Scratch, inputs: &[Input<'_>], outputs: &mut [Output]) {
        let (slots, in_turn) = (&mut scratch.slots[..inputs.len()], &mut scratch.in_turn);
        for (slot, input) in slots.iter_mut().zip(inputs) {
            self.begin(slot, in_turn, input);
        }
        for (block, &shift) in self.blocks.iter().zip(&self.shifts[1..]) {
            for slot in &mut *slots {
                self.first(&block.first, slot, in_turn);
            }
            for slot in &mut *slots {
                self.second(&block.second, slot, in_turn, shift);
            }
        }
        for (slot, output) in slots.iter_mut().zip(outputs) {
            self.first(&self.head, slot, in_turn);
            self.judge(slot, in_turn, output);
        }
    }

    /// Input layer: planes and globals to the trunk.
    fn begin(&self, slot: &mut Slot, in_turn: &mut InTurn, input: &Input<'_>) {
        let InTurn { numbers, tiles } = in_turn;
        let board = Board { width: input.width, height: input.height };
        slot.prepare(board, &self.shape);
        spread_planes(input, board, &mut slot.planes);
        slot.trunk.fill(Trunk([0; LANES]));
        numbers.features.clear();
        numbers.features.extend(input.globals.iter().map(|&global| i32::from(global)));
        numbers.add(self.vectors(), &self.globals, self.input.bias());
        let plane = board.plane();
        let shift = self.shifts[0];
        let (trunk, planes) = (&mut slot.trunk, &mut slot.outer);
        let finish = Residual { trunk, planes, plane, shift };
        self.convolve(&self.input, &numbers.bias, (board, &slot.planes), finish, tiles);
    }

    /// A block's first convolution, or the head: outer activations to inner ones.
    fn first(&self, first: &PackedFirst, slot: &mut Slot, in_turn: &mut InTurn) {
        let InTurn { numbers, tiles } = in_turn;
        let board = slot.board();
        let plane = board.plane();
        let mut bias = first.rest.bias();
        let mut planes = slot.inner.as_mut_slice();
        if let Some((conv, pool)) = &first.pooled {
            let (pooled, others) = planes.split_at_mut(conv.bias().len() * plane);
            let finish = Activate { planes: pooled, plane };
            self.convolve(conv, conv.bias(), (board, &slot.outer), finish, tiles);
            self.vectors().run(Pool { planes: pooled, board, features: &mut numbers.features });
            numbers.add(self.vectors(), pool, bias);
            (bias, planes) = (&numbers.bias, others);
        }
        let finish = Activate { planes, plane };
        self.convolve(&first.rest, bias, (board, &slot.outer), finish, tiles);
    }

    /// A block's second convolution: inner activations into the trunk and to outer ones.
    fn second(&self, second: &Layer, slot: &mut Slot, in_turn: &mut InTurn, shift: Shift) {
        let board = slot.board();
        let (trunk, planes) = (&mut slot.trunk, &mut slot.outer);
        let finish = Residual { trunk, planes, plane: board.plane(), shift };
        self.convolve(second, second.bias(), (board, &slot.inner), finish, &mut in_turn.tiles);
    }

    /// The outputs, from the head's activations and its pooled features.
    fn judge(&self, slot: &mut Slot, in_turn: &mut InTurn, output: &mut Output) {
        let board = slot.board();
        let half = &slot.inner[self.shape.head / LANES * board.plane()..];
        let finish = Keep { numbers: &mut slot.points };
        self.convolve(&self.points, self.points.bias(), (board, half), finish, &mut in_turn.tiles);
        let places = (0..board.height).flat_map(|row| board.row(row)..board.row(row) + board.width);
        let points = places.map(|place| slot.points[place]);
        output.policy.clear();
        output.ownership.clear();
        for [policy, ownership] in points {
            output.policy.push(policy);
            output.ownership.push(ownership);
        }
        let last = self.last_layers(&mut in_turn.numbers);
        output.pass = last[0];
        output.outcome = [last[1], last[2], last[3]];
        output.score = last[4];
    }

    /// Pooled features through the hidden units to the last layer's numbers.
    fn last_layers<'a>(&self, numbers: &'a mut Numbers) -> &'a [i32] {
        let Numbers { features, added, .. } = numbers;
        self.vectors().run(Multiply { dense: &self.hidden, input: features, output: added });
        added.iter_mut().for_each(|unit| *unit = (*unit).clamp(0, 255));
        self.vectors().run(Multiply { dense: &self.last, input: added, output: features });
        features
    }

    fn convolve(
        &self,
        layer: &Layer,
        bias: &[Sums],
        (board, input): (Board, &[Channels]),
        finish: impl Finish,
        tiles: &mut TileScratch,
    ) {
        match layer {
            Layer::Either(_, conv) if conv.saves_time(board) => {
                ConvolveTiles { conv, bias, board, input, finish }.run(self.vectors(), tiles);
            }
            Layer::Tiles(conv) => {
                ConvolveTiles { conv, bias, board, input, finish }.run(self.vectors(), tiles);
            }
            Layer::Plain(conv) | Layer::Either(conv, _) => {
                self.vectors().run(Convolve { conv, bias, board, input, finish });
            }
        }
    }
}

impl Numbers {
    /// Biases with what a dense layer makes of the features added.
    fn add(&mut self, vectors: Vectors, dense: &PackedDense, bias: &[Sums]) {
        vectors.run(Multiply { dense, input: &self.features, output: &mut self.added });
        self.bias.clear();
        self.bias.extend_from_slice(bias);
        for (sums, added) in self.bias.iter_mut().zip(self.added.chunks(LANES)) {
            for (sum, added) in sums.0.iter_mut().zip(added) {
                *sum += added;
            }
        }
    }
}

impl Slot {
    /// Gives every list its size; the borders' zeros are written when the board changes and never again.
    fn prepare(&mut self, board: Board, shape: &Shape) {
        if self.board == Some(board) && self.fits(shape) {
            return;
        }
        let plane = board.plane();
        let inner = shape.channels.max(2 * shape.head);
        self.board = Some(board);
        self.planes = vec![Channels::ZERO; shape.planes.div_ceil(LANES) * plane];
        self.outer = vec![Channels::ZERO; shape.channels / LANES * plane];
        self.inner = vec![Channels::ZERO; inner / LANES * plane];
        self.trunk = vec![Trunk([0; LANES]); shape.channels / LANES * plane];
        self.points = vec![[0; 2]; plane];
    }

    /// Tells whether the lists have this shape's sizes: a scratch may serve several networks.
    fn fits(&self, shape: &Shape) -> bool {
        let plane = self.board().plane();
        self.planes.len() == shape.planes.div_ceil(LANES) * plane
            && self.outer.len() == shape.channels / LANES * plane
            && self.inner.len() == shape.channels.max(2 * shape.head) / LANES * plane
    }

    fn board(&self) -> Board {
        self.board.unwrap_or(Board { width: 0, height: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_networks_go_by_tiles_where_words_are_preferred() {
        // 24 blocks of 144 channels are beyond eight mebibytes.
        for (blocks, channels, is_small) in [(1, 16, true), (24, 144, false)] {
            let network = Network::random(blocks, channels, "go", 1).unwrap();
            for vectors in Vectors::all() {
                let evaluator = Evaluator::new(&network, vectors);
                let found = match evaluator.blocks[0].second {
                    Layer::Plain(_) => Tiles::Never,
                    Layer::Either(..) => Tiles::WhereFaster,
                    Layer::Tiles(_) => Tiles::Always,
                };
                let wanted = if is_small { vectors.tiles() } else { Tiles::Never };
                assert_eq!(found, wanted, "{}", vectors.name());
                assert!(matches!(evaluator.points, Layer::Plain(_)), "1x1 has no tiles");
            }
        }
    }
}

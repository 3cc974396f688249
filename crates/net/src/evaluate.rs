//! Evaluates many positions at a time, layer by layer.

use crate::conv::{Convolve, Finish, PackedConv};
use crate::dense::{Multiply, PackedDense, Pool};
use crate::finish::{Activate, Keep, Residual};
use crate::input::{Input, InputError};
use crate::layout::{Board, WORD, Words, spread_planes};
use crate::network::{Conv, Dense, Network};
use crate::output::Output;
use crate::parts::Block;
use crate::shape::{LANES, Shape};
use crate::vector::{Shift, Sums, Trunk, Vectors};

/// Positions that go through a layer together, so that its weights are fetched once for all of them and
/// yet the positions' activations stay near.
const TOGETHER: usize = 8;

/// A network made ready for this machine's vectors: many threads may share one.
///
/// Kinds of vectors differ in speed, never in any bit of an output.
#[derive(Clone, Debug)]
pub struct Evaluator {
    shape: Shape,
    vectors: Vectors,
    input: PackedConv,
    globals: PackedDense,
    blocks: Vec<PackedBlock>,
    /// Shifts of the trunk's activations before each block, then before the head.
    shifts: Vec<Shift>,
    head: PackedFirst,
    points: PackedConv,
    hidden: PackedDense,
    last: PackedDense,
}

#[derive(Clone, Debug)]
struct PackedBlock {
    first: PackedFirst,
    second: PackedConv,
}

/// A convolution of which some outputs may be pooled for the others.
#[derive(Clone, Debug)]
struct PackedFirst {
    pooled: Option<(PackedConv, PackedDense)>,
    rest: PackedConv,
}

/// Memory for one thread's evaluations, kept from call to call.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    slots: Vec<Slot>,
    numbers: Numbers,
}

/// One position on its way through the network.
#[derive(Clone, Debug, Default)]
struct Slot {
    board: Option<Board>,
    planes: Words,
    /// Activations of the trunk.
    outer: Words,
    /// Activations inside a block or of the head.
    inner: Words,
    trunk: Vec<Trunk>,
    points: Vec<[i32; 2]>,
}

#[derive(Clone, Debug, Default)]
struct Numbers {
    features: Vec<i32>,
    added: Vec<i32>,
    bias: Vec<Sums>,
}

impl PackedFirst {
    fn new(conv: &Conv, pool: Option<&Dense>, vectors: Vectors) -> PackedFirst {
        let outputs = conv.shape.outputs;
        let from = pool.map_or(0, |pool| outputs - pool.shape.outputs);
        let pooled =
            pool.map(|pool| (PackedConv::new(conv, 0..from, vectors), PackedDense::new(pool)));
        PackedFirst { pooled, rest: PackedConv::new(conv, from..outputs, vectors) }
    }
}

impl Evaluator {
    /// Makes a network ready for vectors that this machine has.
    pub fn new(network: &Network, vectors: Vectors) -> Evaluator {
        let layers = network.layers();
        let conv = |conv: &Conv| PackedConv::new(conv, 0..conv.shape.outputs, vectors);
        let block = |block: &Block<Conv, Dense>| PackedBlock {
            first: PackedFirst::new(&block.first, block.pool.as_ref(), vectors),
            second: conv(&block.second),
        };
        Evaluator {
            shape: *network.shape(),
            vectors,
            input: conv(&layers.input),
            globals: PackedDense::new(&layers.globals),
            blocks: layers.blocks.iter().map(block).collect(),
            shifts: network.shifts().iter().map(|&shift| Shift(shift)).collect(),
            head: PackedFirst::new(&layers.head, Some(&layers.head_pool), vectors),
            points: conv(&layers.points),
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
        self.vectors
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
        let (slots, numbers) = (&mut scratch.slots[..inputs.len()], &mut scratch.numbers);
        for (slot, input) in slots.iter_mut().zip(inputs) {
            self.begin(slot, numbers, input);
        }
        for (block, &shift) in self.blocks.iter().zip(&self.shifts[1..]) {
            for slot in &mut *slots {
                self.first(&block.first, slot, numbers);
            }
            for slot in &mut *slots {
                self.second(&block.second, slot, shift);
            }
        }
        for (slot, output) in slots.iter_mut().zip(outputs) {
            self.first(&self.head, slot, numbers);
            self.judge(slot, numbers, output);
        }
    }

    /// Input layer: planes and globals to the trunk.
    fn begin(&self, slot: &mut Slot, numbers: &mut Numbers, input: &Input<'_>) {
        let board = Board { width: input.width, height: input.height };
        slot.prepare(board, &self.shape);
        spread_planes(input, board, &mut slot.planes);
        slot.trunk.fill(Trunk([0; LANES]));
        numbers.features.clear();
        numbers.features.extend(input.globals.iter().map(|&global| i32::from(global)));
        numbers.add(self.vectors, &self.globals, &self.input.bias);
        let plane = board.plane();
        let shift = self.shifts[0];
        let (trunk, words) = (&mut slot.trunk, &mut slot.outer);
        let finish = Residual { trunk, words, plane, shift };
        self.convolve(&self.input, &numbers.bias, (board, &slot.planes), finish);
    }

    /// A block's first convolution, or the head: outer activations to inner ones.
    fn first(&self, first: &PackedFirst, slot: &mut Slot, numbers: &mut Numbers) {
        let board = slot.board();
        let plane = board.plane();
        let mut bias = &first.rest.bias;
        let mut words = slot.inner.as_mut_slice();
        if let Some((conv, pool)) = &first.pooled {
            let (pooled, rest) = words.split_at_mut(conv.bias.len() * (LANES / WORD) * plane);
            let finish = Activate { words: pooled, plane };
            self.convolve(conv, &conv.bias, (board, &slot.outer), finish);
            self.vectors.run(Pool { words: pooled, board, features: &mut numbers.features });
            numbers.add(self.vectors, pool, bias);
            (bias, words) = (&numbers.bias, rest);
        }
        self.convolve(&first.rest, bias, (board, &slot.outer), Activate { words, plane });
    }

    /// A block's second convolution: inner activations into the trunk and to outer ones.
    fn second(&self, second: &PackedConv, slot: &mut Slot, shift: Shift) {
        let board = slot.board();
        let (trunk, words) = (&mut slot.trunk, &mut slot.outer);
        let finish = Residual { trunk, words, plane: board.plane(), shift };
        self.convolve(second, &second.bias, (board, &slot.inner), finish);
    }

    /// The outputs, from the head's activations and its pooled features.
    fn judge(&self, slot: &mut Slot, numbers: &mut Numbers, output: &mut Output) {
        let board = slot.board();
        let half = &slot.inner[self.shape.head / WORD * board.plane()..];
        let finish = Keep { numbers: &mut slot.points };
        self.convolve(&self.points, &self.points.bias, (board, half), finish);
        let places = (0..board.height).flat_map(|row| board.row(row)..board.row(row) + board.width);
        let points = places.map(|place| slot.points[place]);
        output.policy.clear();
        output.ownership.clear();
        for [policy, ownership] in points {
            output.policy.push(policy);
            output.ownership.push(ownership);
        }
        let last = self.last_layers(numbers);
        output.pass = last[0];
        output.outcome = [last[1], last[2], last[3]];
        output.score = last[4];
    }

    /// Pooled features through the hidden units to the last layer's numbers.
    fn last_layers<'a>(&self, numbers: &'a mut Numbers) -> &'a [i32] {
        let Numbers { features, added, .. } = numbers;
        self.vectors.run(Multiply { dense: &self.hidden, input: features, output: added });
        added.iter_mut().for_each(|unit| *unit = (*unit).clamp(0, 255));
        self.vectors.run(Multiply { dense: &self.last, input: added, output: features });
        features
    }

    fn convolve(
        &self,
        conv: &PackedConv,
        bias: &[Sums],
        (board, input): (Board, &[u32]),
        finish: impl Finish,
    ) {
        self.vectors.run(Convolve { conv, bias, board, input, finish });
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
        self.planes = vec![0; shape.planes.div_ceil(WORD) * plane];
        self.outer = vec![0; shape.channels / WORD * plane];
        self.inner = vec![0; inner / WORD * plane];
        self.trunk = vec![Trunk([0; LANES]); shape.channels / LANES * plane];
        self.points = vec![[0; 2]; plane];
    }

    /// Tells whether the lists have this shape's sizes: a scratch may serve several networks.
    fn fits(&self, shape: &Shape) -> bool {
        let plane = self.board().plane();
        self.planes.len() == shape.planes.div_ceil(WORD) * plane
            && self.outer.len() == shape.channels / WORD * plane
            && self.inner.len() == shape.channels.max(2 * shape.head) / WORD * plane
    }

    fn board(&self) -> Board {
        self.board.unwrap_or(Board { width: 0, height: 0 })
    }
}

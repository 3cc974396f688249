//! The network in floating point: what quantisation starts from, and what ONNX files hold.
//!
//! Plain loops, for making and comparing networks; nothing is searched with it.

use crate::input::{GLOBAL_ONE, Input};
use crate::parts::{Block, ConvShape, DenseShape, POINT, Parts};
use crate::shape::Shape;

/// A convolution in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatConv {
    /// Sizes.
    pub shape: ConvShape,
    /// Weights, `[output][input][row][column]`.
    pub weights: Vec<f32>,
    /// Start of each output's sum.
    pub bias: Vec<f32>,
}

/// A dense layer in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatDense {
    /// Sizes.
    pub shape: DenseShape,
    /// Weights, `[output][input]`.
    pub weights: Vec<f32>,
    /// Start of each output's sum.
    pub bias: Vec<f32>,
}

/// A network in floating point: as [`crate::Network`], without any rounding or upper clamp.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNetwork {
    /// Shape.
    pub shape: Shape,
    /// Layers.
    pub layers: Parts<FloatConv, FloatDense>,
}

/// The output of a network in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatOutput {
    /// Logit of each point, then of a pass.
    pub policy: Vec<f32>,
    /// Logits of win, draw, loss.
    pub outcome: [f32; 3],
    /// Points that the side to move wins by.
    pub score: f32,
    /// Logit of each point's ownership: its tanh is 1 for the side to move's own.
    pub ownership: Vec<f32>,
}

/// Largest values seen inside a network, from which the units follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Largest {
    /// Largest of the trunk before each block, then before the head.
    pub trunk: Vec<f32>,
    /// Inside each block.
    pub inner: Vec<f32>,
    /// Largest of the head's activations.
    pub head: f32,
    /// Largest of the hidden units.
    pub hidden: f32,
}

impl Largest {
    /// Nothing seen yet of a network of so many blocks.
    pub fn none(blocks: usize) -> Largest {
        Largest { trunk: vec![0.0; blocks + 1], inner: vec![0.0; blocks], head: 0.0, hidden: 0.0 }
    }
}

/// Channels over a board: `[channel][point]`.
type Planes = Vec<Vec<f32>>;

#[derive(Clone, Copy)]
struct Board {
    width: usize,
    height: usize,
}

impl FloatNetwork {
    /// Evaluates a position that fits the network.
    ///
    /// - `largest`: raised to what is seen on the way.
    pub fn evaluate(&self, input: &Input<'_>, largest: &mut Largest) -> FloatOutput {
        let board = Board { width: input.width, height: input.height };
        let layers = &self.layers;
        let mut trunk = self.first_trunk(input, board);
        for (number, block) in layers.blocks.iter().enumerate() {
            raise(&mut largest.trunk[number], trunk.iter().flatten());
            let inner = self.inner(block, &trunk, board);
            raise(&mut largest.inner[number], inner.iter().flatten());
            add(&mut trunk, &block.second.run(&inner, board, &[]));
        }
        raise(&mut largest.trunk[self.shape.blocks], trunk.iter().flatten());
        self.heads(&trunk, board, largest)
    }

    fn first_trunk(&self, input: &Input<'_>, board: Board) -> Planes {
        let points = input.points();
        let plane = |plane: &crate::input::Plane| {
            (0..points).map(|point| f32::from(u8::from(plane.has(point)))).collect()
        };
        let planes: Planes = input.planes.iter().map(plane).collect();
        let one = f32::from(GLOBAL_ONE);
        let globals: Vec<f32> =
            input.globals.iter().map(|&global| f32::from(global) / one).collect();
        let added = self.layers.globals.run(&globals);
        relu(self.layers.input.run(&planes, board, &added))
    }

    fn inner(&self, block: &Block<FloatConv, FloatDense>, trunk: &Planes, board: Board) -> Planes {
        match &block.pool {
            None => relu(block.first.run(trunk, board, &[])),
            Some(pool) => pooled(&block.first, pool, self.shape.pooled, trunk, board).0,
        }
    }

    fn heads(&self, trunk: &Planes, board: Board, largest: &mut Largest) -> FloatOutput {
        let layers = &self.layers;
        let half = self.shape.head;
        let (head, features) = pooled(&layers.head, &layers.head_pool, half, trunk, board);
        raise(&mut largest.head, head.iter().flatten());
        let mut points = layers.points.run(&head[half..].to_vec(), board, &[]);
        debug_assert_eq!(points.len(), POINT);
        let ownership = points.pop().unwrap_or_default();
        let mut policy = points.pop().unwrap_or_default();
        let hidden: Vec<f32> =
            layers.hidden.run(&features).iter().map(|unit| unit.max(0.0)).collect();
        raise(&mut largest.hidden, hidden.iter());
        let last = layers.last.run(&hidden);
        policy.push(last[0]);
        FloatOutput { policy, outcome: [last[1], last[2], last[3]], score: last[4], ownership }
    }
}

/// A convolution whose first `count` channels are pooled for the others; with the pooled features.
fn pooled(
    conv: &FloatConv,
    pool: &FloatDense,
    count: usize,
    from: &Planes,
    board: Board,
) -> (Planes, Vec<f32>) {
    let plain = relu(conv.run(from, board, &[]));
    let features = features(&plain[..count], board);
    let added: Vec<f32> = [vec![0.0; count], pool.run(&features)].concat();
    (relu(conv.run(from, board, &added)), features)
}

/// Means, means by the board's size, largest values of the channels, in this order.
fn features(channels: &[Vec<f32>], board: Board) -> Vec<f32> {
    let points = (board.width * board.height) as f32;
    let means: Vec<f32> = channels.iter().map(|c| c.iter().sum::<f32>() / points).collect();
    let by_size = means.iter().map(|mean| mean * (points.sqrt() - 14.0) / 10.0).collect();
    let largest = channels.iter().map(|c| c.iter().copied().fold(0.0, f32::max)).collect();
    [means, by_size, largest].concat()
}

impl FloatConv {
    fn run(&self, from: &Planes, board: Board, added: &[f32]) -> Planes {
        let start = |output: usize| self.bias[output] + added.get(output).copied().unwrap_or(0.0);
        (0..self.shape.outputs)
            .map(|output| self.channel(output, start(output), from, board))
            .collect()
    }

    fn channel(&self, output: usize, start: f32, from: &Planes, board: Board) -> Vec<f32> {
        let side = self.shape.side;
        let mut sums = vec![start; board.width * board.height];
        for (input, channel) in from.iter().enumerate() {
            let kernel =
                &self.weights[(output * from.len() + input) * side * side..][..side * side];
            for (tap, &weight) in kernel.iter().enumerate() {
                board.add_shifted(&mut sums, channel, weight, (tap / side, tap % side, side / 2));
            }
        }
        sums
    }
}

impl Board {
    /// Adds to each point `weight` times its neighbour at a tap's row and column less `middle`.
    fn add_shifted(
        self,
        sums: &mut [f32],
        from: &[f32],
        weight: f32,
        (row, column, middle): (usize, usize, usize),
    ) {
        for y in middle.saturating_sub(row)..self.height.min(self.height + middle - row) {
            for x in middle.saturating_sub(column)..self.width.min(self.width + middle - column) {
                let neighbour = (y + row - middle) * self.width + x + column - middle;
                sums[y * self.width + x] += weight * from[neighbour];
            }
        }
    }
}

impl FloatDense {
    fn run(&self, from: &[f32]) -> Vec<f32> {
        let rows = (0..self.shape.outputs).map(|output| {
            let row = &self.weights[output * from.len()..][..from.len()];
            row.iter().zip(from).map(|(weight, value)| weight * value).sum::<f32>()
                + self.bias[output]
        });
        rows.collect()
    }
}

fn relu(mut planes: Planes) -> Planes {
    planes.iter_mut().flatten().for_each(|value| *value = value.max(0.0));
    planes
}

fn add(trunk: &mut Planes, sums: &Planes) {
    for (value, sum) in trunk.iter_mut().flatten().zip(sums.iter().flatten()) {
        *value = (*value + sum).max(0.0);
    }
}

fn raise<'a>(largest: &mut f32, values: impl Iterator<Item = &'a f32>) {
    *largest = values.fold(*largest, |most, &value| most.max(value));
}

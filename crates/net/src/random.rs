//! Networks and positions drawn by chance: to measure with, and to test with.

use crate::file::Encoding;
use crate::float::{FloatConv, FloatDense, FloatNetwork};
use crate::input::{Input, Plane, SIDE_MAX, SIDE_MIN};
use crate::network::{About, Network, NetworkError};
use crate::parts::{ConvShape, DenseShape, Parts, Turn};
use crate::shape::Shape;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::convert::Infallible;

/// Planes of a network drawn by chance.
pub const PLANES: usize = 20;

/// Globals of a network drawn by chance.
pub const GLOBALS: usize = 4;

/// Positions whose activations give a random network its units.
const SAMPLES: usize = 4;

impl Network {
    /// A network of chance weights in the customary shape, to measure with: the same for the same
    /// seed on every machine. It judges nothing.
    ///
    /// # Errors
    /// Blocks or channels that no network may have.
    pub fn random(
        blocks: usize,
        channels: usize,
        game: &str,
        seed: u64,
    ) -> Result<Network, NetworkError> {
        Network::random_of(Shape::tower(blocks, channels, PLANES, GLOBALS), game, seed)
    }

    /// A network of chance weights in any shape.
    ///
    /// # Errors
    /// A shape that no network may have.
    pub fn random_of(shape: Shape, game: &str, seed: u64) -> Result<Network, NetworkError> {
        Network::drawn(shape, (game, 0), seed)
    }

    /// A network of chance weights in the customary shape for an encoding of positions.
    ///
    /// - `tower`: blocks, channels.
    ///
    /// # Errors
    /// Blocks or channels that no network may have.
    pub fn random_for(
        encoding: &Encoding<'_>,
        tower: (usize, usize),
        seed: u64,
    ) -> Result<Network, NetworkError> {
        let &Encoding { game, version, planes, globals, before: _ } = encoding;
        let (blocks, channels) = tower;
        Network::drawn(Shape::tower(blocks, channels, planes, globals), (game, version), seed)
    }

    fn drawn(
        shape: Shape,
        (game, encoding): (&str, u32),
        seed: u64,
    ) -> Result<Network, NetworkError> {
        shape.check()?;
        let mut draw = Draw(Pcg64Mcg::seed_from_u64(seed));
        let Ok(layers) = Parts::of(&shape).turn(&mut draw);
        let provenance = format!("chance weights of seed {seed}, to measure with");
        let (game, sides) = (game.to_owned(), (SIDE_MIN, SIDE_MAX));
        let about = About { game, encoding, sides, provenance };
        let samples = Sample::draw(&shape, (9, 9), SAMPLES, seed);
        let inputs: Vec<Input<'_>> = samples.iter().map(Sample::input).collect();
        FloatNetwork { shape, layers }.quantise(about, &inputs)
    }
}

/// A position drawn by chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    width: usize,
    height: usize,
    planes: Vec<Plane>,
    globals: Vec<i16>,
}

impl Sample {
    /// Draws `count` positions for a network of this shape: each plane has its own share of points set,
    /// the first all of them; globals lie between −1 and 1.
    ///
    /// - `sides`: points in a row, rows.
    pub fn draw(shape: &Shape, sides: (usize, usize), count: usize, seed: u64) -> Vec<Sample> {
        let mut rng = Pcg64Mcg::seed_from_u64(seed ^ 0x5A_3B_1E);
        (0..count).map(|_| Sample::one(shape, sides, &mut rng)).collect()
    }

    fn one(shape: &Shape, (width, height): (usize, usize), rng: &mut Pcg64Mcg) -> Sample {
        let plane = |number: usize| {
            let share = if number == 0 { 256 } else { rng.random_range(0..128u32) };
            (0..width * height).filter(|_| rng.random_range(0..256) < share).collect()
        };
        let planes = (0..shape.planes).map(plane).collect();
        let globals = (0..shape.globals).map(|_| rng.random_range(-256..=256)).collect();
        Sample { width, height, planes, globals }
    }

    /// The position as the network takes it.
    pub fn input(&self) -> Input<'_> {
        let Sample { width, height, ref planes, ref globals } = *self;
        Input { width, height, planes, globals }
    }
}

/// Draws weights evenly from 0's neighbourhood, wide enough to keep activations' size through layers.
struct Draw(Pcg64Mcg);

impl Draw {
    /// `count` weights of variance 2 / `fan_in` times the square of `gain`.
    fn weights(&mut self, count: usize, fan_in: usize, gain: f32) -> Vec<f32> {
        let most = gain * (6.0 / fan_in.max(1) as f32).sqrt();
        // Whole steps of 2^-16: no function of the machine's library takes part.
        (0..count).map(|_| most * self.0.random_range(-65_536..=65_536) as f32 / 65_536.0).collect()
    }
}

impl Turn<ConvShape, DenseShape> for Draw {
    type Conv = FloatConv;
    type Dense = FloatDense;
    type Error = Infallible;

    fn conv(&mut self, name: &str, shape: &ConvShape) -> Result<FloatConv, Infallible> {
        let fan_in = shape.inputs * shape.side * shape.side;
        // Half as much from each block keeps a deep trunk from growing.
        let gain = if name.ends_with("second") { 0.5 } else { 1.0 };
        Ok(FloatConv {
            shape: *shape,
            weights: self.weights(fan_in * shape.outputs, fan_in, gain),
            bias: self.weights(shape.outputs, 600, 1.0),
        })
    }

    fn dense(&mut self, _: &str, shape: &DenseShape) -> Result<FloatDense, Infallible> {
        Ok(FloatDense {
            shape: *shape,
            weights: self.weights(shape.inputs * shape.outputs, shape.inputs, 0.5),
            bias: self.weights(shape.outputs, 600, 1.0),
        })
    }
}

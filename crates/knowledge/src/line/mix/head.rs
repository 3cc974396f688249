//! From sums over points to a value: two small layers.

use super::sizes::{BOTH, CHANNELS, ONE};

/// Units of the first layer.
pub const FIRST: usize = 32;

/// Units of the second layer.
pub const SECOND: usize = 16;

/// Inputs are the sums over points, of which each is 1 at most, times this.
pub const SCALE: f32 = 0.1;

/// The slope of an activation below 0.
pub const SLOPE: f32 = 0.1;

/// The layers after the sums.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// By input: the sums of the side to move, then the other's.
    pub first: [[f32; FIRST]; BOTH],
    /// What units begin with.
    pub first_bias: [f32; FIRST],
    /// By input.
    pub second: [[f32; SECOND]; FIRST],
    /// What units begin with.
    pub second_bias: [f32; SECOND],
    /// From the second layer to the value.
    pub last: [f32; SECOND],
    /// From the sums to the value.
    pub direct: [f32; BOTH],
    /// What the value begins with.
    pub bias: f32,
    /// Weight of the evaluation by shapes.
    pub of_shapes: f32,
}

impl Head {
    /// A head that says 0.
    pub const ZERO: Head = Head {
        first: [[0.0; FIRST]; BOTH],
        first_bias: [0.0; FIRST],
        second: [[0.0; SECOND]; FIRST],
        second_bias: [0.0; SECOND],
        last: [0.0; SECOND],
        direct: [0.0; BOTH],
        bias: 0.0,
        of_shapes: 0.0,
    };

    /// The value to the side to move, in logits; the same on every machine.
    ///
    /// - `sums`: by side, in units of 1 / [`ONE`].
    /// - `own`: the index of the side to move.
    /// - `shapes`: what the evaluation by shapes says, in logits.
    pub fn value(&self, sums: &[[u16; CHANNELS]; 2], own: usize, shapes: f32) -> f32 {
        let mut inputs = [0.0; BOTH];
        let each = sums[own].iter().chain(&sums[1 - own]);
        inputs.iter_mut().zip(each).for_each(|(input, &sum)| {
            *input = f32::from(sum) * (SCALE / ONE as f32);
        });
        self.layers(&inputs, shapes).value
    }

    /// What each layer says.
    ///
    /// - `inputs`: the sums of the side to move, then the other's, of which a point adds [`SCALE`] at most.
    #[inline(always)]
    pub fn layers(&self, inputs: &[f32; BOTH], shapes: f32) -> Layers {
        let mut first = self.first_bias;
        let mut value = self.bias + self.of_shapes * shapes;
        for ((&input, weights), direct) in inputs.iter().zip(&self.first).zip(&self.direct) {
            value += input * direct;
            for (unit, weight) in first.iter_mut().zip(weights) {
                *unit += input * weight;
            }
        }
        let mut second = self.second_bias;
        for (&unit, weights) in first.iter().zip(&self.second) {
            let input = leaky(unit);
            for (unit, weight) in second.iter_mut().zip(weights) {
                *unit += input * weight;
            }
        }
        let last = second.iter().zip(&self.last);
        let value = last.fold(value, |value, (&unit, weight)| value + leaky(unit) * weight);
        Layers { first, second, value }
    }
}

/// Units of a head before their activation, and its value in logits.
#[derive(Clone, Copy, Debug)]
pub struct Layers {
    /// Of the first layer.
    pub first: [f32; FIRST],
    /// Of the second.
    pub second: [f32; SECOND],
    /// To the side to move.
    pub value: f32,
}

/// The activation of both layers.
pub fn leaky(value: f32) -> f32 {
    value.max(SLOPE * value)
}

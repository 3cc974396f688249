//! From floating point to whole numbers and back.

use crate::fixed::{FEATURE_ONE, LOGIT_ONE, SCORE_ONE, SHIFT, TRUNK_MAX};
use crate::float::{FloatConv, FloatDense, FloatNetwork, Largest};
use crate::input::{GLOBAL_ONE, Input};
use crate::network::{About, Conv, Dense, Network, NetworkError, Units};
use crate::parts::{Block, LAST, Parts};

/// Largest activation in its unit.
const ACTIVATION_MAX: f32 = 255.0;

impl FloatNetwork {
    /// Rounds the network to whole numbers, with units that hold all that `samples` show inside it.
    ///
    /// Weights are rounded to 127 steps to either side of 0 for each output. That alone is not good
    /// enough for a trained network, whose training should have known of the rounding.
    ///
    /// - `samples`: positions that fit the network; without any, units are those of activations up to 1.
    ///
    /// # Errors
    /// As [`Network::new`].
    pub fn quantise(&self, about: About, samples: &[Input<'_>]) -> Result<Network, NetworkError> {
        let mut largest = Largest::none(self.shape.blocks);
        for sample in samples {
            self.evaluate(sample, &mut largest);
        }
        self.quantise_within(about, &largest)
    }

    /// Rounds the network to whole numbers, with units that hold these values.
    ///
    /// # Errors
    /// As [`Network::new`], and weights so large against the units around them that no multiplier says it.
    pub fn quantise_within(
        &self,
        about: About,
        largest: &Largest,
    ) -> Result<Network, NetworkError> {
        let units = units(largest);
        let shifts = shifts(largest, units.trunk);
        let layers = quantise(&self.layers, &Steps { units: &units, shifts: &shifts })?;
        Network::new(about, self.shape, layers, shifts, units)
    }
}

impl Network {
    /// The network in floating point whose quantisation this is: the same weights, nothing else rounded.
    pub fn dequantise(&self) -> FloatNetwork {
        let steps = Steps { units: self.units(), shifts: self.shifts() };
        FloatNetwork { shape: *self.shape(), layers: dequantise(self.layers(), &steps) }
    }
}

fn units(largest: &Largest) -> Units {
    let unit = |most: f32, steps: f32| if most > 0.0 { most / steps } else { 1.0 / steps };
    let trunk = largest.trunk.iter().copied().fold(0.0, f32::max);
    Units {
        trunk: unit(trunk, TRUNK_MAX as f32),
        inner: largest.inner.iter().map(|&most| unit(most, ACTIVATION_MAX)).collect(),
        head: unit(largest.head, ACTIVATION_MAX),
        hidden: unit(largest.hidden, ACTIVATION_MAX),
    }
}

/// The least shift before each block that brings the largest value down to 255.
fn shifts(largest: &Largest, unit: f32) -> Vec<u8> {
    let fits = |most: f32, shift: u8| most / unit <= ACTIVATION_MAX * f32::from(1u16 << shift);
    let shift = |&most: &f32| (0..7).find(|&shift| fits(most, shift)).unwrap_or(7);
    largest.trunk.iter().map(shift).collect()
}

/// Units between the layers.
struct Steps<'a> {
    units: &'a Units,
    shifts: &'a [u8],
}

impl Steps<'_> {
    /// Unit of the activations before a block, or before the head.
    fn before(&self, place: usize) -> f32 {
        self.units.trunk * f32::from(1u16 << self.shifts[place])
    }

    /// Unit of pooled features.
    fn features(of: f32) -> f32 {
        of / FEATURE_ONE as f32
    }

    /// Units of the last layer's numbers.
    fn last() -> [f32; LAST] {
        let logit = 1.0 / LOGIT_ONE as f32;
        [logit, logit, logit, logit, 1.0 / SCORE_ONE as f32]
    }
}

fn quantise(
    layers: &Parts<FloatConv, FloatDense>,
    steps: &Steps<'_>,
) -> Result<Parts<Conv, Dense>, NetworkError> {
    let units = steps.units;
    let input = layers.input.quantise("input", 1.0, units.trunk)?;
    let head = layers.head.quantise("head", steps.before(layers.blocks.len()), units.head)?;
    let half = layers.points.shape.inputs;
    let features = Steps::features(units.head);
    let (sums, head_sums) = (input.sum_units(units.trunk), head.sum_units(units.head));
    let hidden = vec![units.hidden; layers.hidden.shape.outputs];
    Ok(Parts {
        globals: layers.globals.quantise("globals", 1.0 / f32::from(GLOBAL_ONE), &sums)?,
        blocks: (0..layers.blocks.len())
            .map(|at| quantise_block(&layers.blocks[at], steps, at))
            .collect::<Result<_, _>>()?,
        head_pool: layers.head_pool.quantise("head_pool", features, &head_sums[half..])?,
        points: layers.points.quantise("points", units.head, 1.0 / LOGIT_ONE as f32)?,
        hidden: layers.hidden.quantise("hidden", features, &hidden)?,
        last: layers.last.quantise("last", units.hidden, &Steps::last())?,
        input,
        head,
    })
}

fn quantise_block(
    block: &Block<FloatConv, FloatDense>,
    steps: &Steps<'_>,
    at: usize,
) -> Result<Block<Conv, Dense>, NetworkError> {
    let name = |layer| format!("blocks.{at}.{layer}");
    let inner = steps.units.inner[at];
    let first = block.first.quantise(&name("first"), steps.before(at), inner)?;
    let pool = block.pool.as_ref().map(|pool| {
        let pooled = first.shape.outputs - pool.shape.outputs;
        let sums = first.sum_units(inner);
        pool.quantise(&name("pool"), Steps::features(inner), &sums[pooled..])
    });
    let second = block.second.quantise(&name("second"), inner, steps.units.trunk)?;
    Ok(Block { first, pool: pool.transpose()?, second })
}

fn dequantise(layers: &Parts<Conv, Dense>, steps: &Steps<'_>) -> Parts<FloatConv, FloatDense> {
    let units = steps.units;
    let half = layers.points.shape.inputs;
    let features = Steps::features(units.head);
    let trunk_sums = layers.input.sum_units(units.trunk);
    let head_sums = layers.head.sum_units(units.head);
    Parts {
        input: layers.input.dequantise(1.0, units.trunk),
        globals: layers.globals.dequantise(1.0 / f32::from(GLOBAL_ONE), &trunk_sums),
        blocks: (0..layers.blocks.len())
            .map(|at| dequantise_block(&layers.blocks[at], steps, at))
            .collect(),
        head: layers.head.dequantise(steps.before(layers.blocks.len()), units.head),
        head_pool: layers.head_pool.dequantise(features, &head_sums[half..]),
        points: layers.points.dequantise(units.head, 1.0 / LOGIT_ONE as f32),
        hidden: layers
            .hidden
            .dequantise(features, &vec![units.hidden; layers.hidden.shape.outputs]),
        last: layers.last.dequantise(units.hidden, &Steps::last()),
    }
}

fn dequantise_block(
    block: &Block<Conv, Dense>,
    steps: &Steps<'_>,
    at: usize,
) -> Block<FloatConv, FloatDense> {
    let inner = steps.units.inner[at];
    let sums = block.first.sum_units(inner);
    let pool = block.pool.as_ref().map(|pool| {
        let pooled = block.first.shape.outputs - pool.shape.outputs;
        pool.dequantise(Steps::features(inner), &sums[pooled..])
    });
    Block {
        first: block.first.dequantise(steps.before(at), inner),
        pool,
        second: block.second.dequantise(inner, steps.units.trunk),
    }
}

impl FloatConv {
    fn quantise(&self, name: &str, from: f32, to: f32) -> Result<Conv, NetworkError> {
        let to = vec![to; self.shape.outputs];
        let Rows { weights, bias, multiplier } =
            quantise_rows(name, (&self.weights, &self.bias), from, &to)?;
        Ok(Conv { shape: self.shape, weights, bias, multiplier })
    }
}

impl FloatDense {
    fn quantise(&self, name: &str, from: f32, to: &[f32]) -> Result<Dense, NetworkError> {
        let Rows { weights, bias, multiplier } =
            quantise_rows(name, (&self.weights, &self.bias), from, to)?;
        Ok(Dense { shape: self.shape, weights, bias, multiplier })
    }
}

impl Conv {
    /// Unit of each output's sum, given the unit of what it is requantised to.
    fn sum_units(&self, to: f32) -> Vec<f32> {
        self.multiplier.iter().map(|&multiplier| sum_unit(multiplier, to)).collect()
    }

    fn dequantise(&self, from: f32, to: f32) -> FloatConv {
        let to = self.sum_units(to);
        let (weights, bias) = dequantise_rows(&self.weights, &self.bias, from, &to);
        FloatConv { shape: self.shape, weights, bias }
    }
}

impl Dense {
    fn dequantise(&self, from: f32, to: &[f32]) -> FloatDense {
        let sums: Vec<f32> = self
            .multiplier
            .iter()
            .zip(to)
            .map(|(&multiplier, &to)| sum_unit(multiplier, to))
            .collect();
        let (weights, bias) = dequantise_rows(&self.weights, &self.bias, from, &sums);
        FloatDense { shape: self.shape, weights, bias }
    }
}

fn sum_unit(multiplier: i32, to: f32) -> f32 {
    multiplier as f32 * to / (1 << SHIFT) as f32
}

/// A layer in whole numbers: a row of weights, a bias and a multiplier an output.
#[derive(Default)]
struct Rows {
    weights: Vec<i8>,
    bias: Vec<i32>,
    multiplier: Vec<i32>,
}

/// Rounds the rows of the layer called `name`.
///
/// A multiplier that stopped at the largest there is would make a network say less than its weights do.
fn quantise_rows(
    name: &str,
    (weights, bias): (&[f32], &[f32]),
    from: f32,
    to: &[f32],
) -> Result<Rows, NetworkError> {
    let row = weights.len() / bias.len();
    let mut rows = Rows::default();
    for (output, (&bias, &to)) in bias.iter().zip(to).enumerate() {
        let weights = &weights[output * row..][..row];
        let largest = weights.iter().fold(0.0f32, |most, weight| most.max(weight.abs()));
        let ratio = f64::from(from) / f64::from(to) * f64::from(1 << SHIFT);
        // Where all weights are 0 the bias alone is left, in the unit of what it becomes.
        let step = if largest > 0.0 { largest / 127.0 } else { to / from };
        let multiplier = (f64::from(step) * ratio).round();
        if multiplier >= f64::from(i32::MAX) {
            let (layer, weight) = (name.to_owned(), largest);
            let most = (127.0 * f64::from(i32::MAX) / ratio) as f32;
            return Err(NetworkError::Large { layer, output, weight, most });
        }
        rows.weights.extend(weights.iter().map(|weight| (weight / step).round() as i8));
        rows.bias.push((bias / (step * from)).round() as i32);
        rows.multiplier.push((multiplier as i32).max(1));
    }
    Ok(rows)
}

fn dequantise_rows(weights: &[i8], bias: &[i32], from: f32, sums: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let row = weights.len() / bias.len();
    let scaled = |(at, &weight): (usize, &i8)| f32::from(weight) * (sums[at / row] / from);
    let weights = weights.iter().enumerate().map(scaled).collect();
    let bias = bias.iter().zip(sums).map(|(&bias, unit)| bias as f32 * unit).collect();
    (weights, bias)
}

#[cfg(test)]
mod tests {
    use crate::fixed::{LOGIT_ONE, SCORE_ONE, SHIFT, VALUE_ONE};
    use crate::float::{FloatNetwork, Largest};
    use crate::random::Sample;
    use crate::{Evaluator, Input, Network, Output, Scratch, Vectors};

    fn outputs(network: &Network, inputs: &[Input<'_>]) -> Vec<Output> {
        let mut outputs = Vec::new();
        let evaluator = Evaluator::new(network, Vectors::fastest());
        evaluator.evaluate(&mut Scratch::default(), inputs, &mut outputs).unwrap();
        outputs
    }

    #[test]
    fn whole_numbers_and_floating_point_agree_on_moves_and_values() {
        let network = Network::random(3, 32, "go", 11).unwrap();
        let samples = Sample::draw(network.shape(), (9, 9), 40, 12);
        let inputs: Vec<Input<'_>> = samples.iter().map(Sample::input).collect();
        let float = network.dequantise();
        let (mut moves, mut values) = (0, 0);
        for (input, whole) in inputs.iter().zip(outputs(&network, &inputs)) {
            let float = float.evaluate(input, &mut Largest::none(3));
            let likeliest = (0..81).max_by(|&a, &b| float.policy[a].total_cmp(&float.policy[b]));
            moves += u32::from(likeliest == Some(whole.likeliest()));
            let powers = float.outcome.map(f32::exp);
            let value = (powers[0] + powers[1] / 2.0) / powers.iter().sum::<f32>();
            values += u32::from((value - whole.value() as f32 / VALUE_ONE as f32).abs() < 0.03);
            let pass = whole.pass as f32 / LOGIT_ONE as f32;
            assert!((pass - float.policy[81]).abs() < 0.1, "{pass} for {}", float.policy[81]);
            let score = whole.score as f32 / SCORE_ONE as f32;
            assert!((score - float.score).abs() < 0.1, "{score} for {}", float.score);
        }
        assert!(moves >= 36 && values >= 38, "{moves} moves and {values} values of 40");
    }

    #[test]
    fn weights_that_no_multiplier_reaches_are_refused() {
        let network = Network::random(3, 32, "go", 2).unwrap();
        let mut float = network.dequantise();
        let held = |float: &FloatNetwork| float.quantise(network.about().clone(), &[]);
        assert!(held(&float).is_ok());
        // A unit of the head is 1/255, one of a logit 1/4096: 128 of these at most for a step of 127 in the weight.
        float.layers.points.weights[40] = 1.02 * 127.0 * 255.0 * 128.0 / 4096.0;
        let words = held(&float).unwrap_err().to_string();
        let most = "weight 1032.2719, at most 1012.0312 fits the units around it";
        assert_eq!(words, format!("points, output 1: {most}"));
        float.layers.points.weights[40] *= 0.97;
        assert!(held(&float).is_ok());
        float.layers.head_pool.weights.fill(0.0);
        for multiplier in &held(&float).unwrap().layers().head_pool.multiplier {
            assert!((multiplier - (1 << SHIFT)).abs() < 4, "{multiplier}");
        }
    }

    #[test]
    fn a_network_is_the_quantisation_of_what_it_dequantises_to() {
        let network = Network::random(3, 32, "go", 2).unwrap();
        let again = network.dequantise().quantise(network.about().clone(), &[]).unwrap();
        for (first, second) in network.layers().blocks.iter().zip(&again.layers().blocks) {
            assert_eq!(first.first.weights, second.first.weights);
            assert_eq!(first.second.weights, second.second.weights);
        }
    }
}

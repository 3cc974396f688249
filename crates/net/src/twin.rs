//! The network computed as its definition says, one number after another: what tests hold the fast code to.

use crate::fixed::{TRUNK_MAX, features, narrow, requantise};
use crate::input::Input;
use crate::network::{Conv, Dense, Network};
use crate::output::Output;

/// `[channel][row][column]`.
type Planes = Vec<Vec<Vec<i32>>>;

/// Evaluates one position.
pub fn evaluate(network: &Network, input: &Input<'_>) -> Output {
    let (layers, shape) = (network.layers(), network.shape());
    let planes: Planes = input
        .planes
        .iter()
        .map(|plane| grid(input, |y, x| i32::from(plane.has(y * input.width + x))))
        .collect();
    let globals: Vec<i32> = input.globals.iter().map(|&global| global.into()).collect();
    let added = dense(&layers.globals, &globals);
    let mut trunk = map(conv(&layers.input, &planes, &added), |sum| sum.clamp(0, TRUNK_MAX));
    for (block, &shift) in layers.blocks.iter().zip(network.shifts()) {
        let outer = map(trunk.clone(), |value| narrow(value, shift.into()));
        let pool = block.pool.as_ref().map(|pool| (pool, shape.pooled));
        let inner = first(&block.first, pool, &outer);
        let sums = conv(&block.second, &inner, &[]);
        for (row, sums) in trunk.iter_mut().flatten().zip(sums.iter().flatten()) {
            for (value, sum) in row.iter_mut().zip(sums) {
                *value = (*value + sum).clamp(0, TRUNK_MAX);
            }
        }
    }
    let shift = network.shifts()[shape.blocks];
    let outer = map(trunk, |value| narrow(value, shift.into()));
    let head = first(&layers.head, Some((&layers.head_pool, shape.head)), &outer);
    let points = conv(&layers.points, &head[shape.head..].to_vec(), &[]);
    let hidden = dense(&layers.hidden, &pool(&head[..shape.head]));
    let hidden: Vec<i32> = hidden.into_iter().map(|unit| unit.clamp(0, 255)).collect();
    let last = dense(&layers.last, &hidden);
    Output {
        policy: points[0].concat(),
        pass: last[0],
        outcome: [last[1], last[2], last[3]],
        score: last[4],
        ownership: points[1].concat(),
    }
}

/// A convolution's requantised sums, channel by channel, of inputs in the same order.
///
/// - `(width, height)`: of the board.
pub fn sums(layer: &Conv, (width, height): (usize, usize), from: &[u8]) -> Vec<i32> {
    let row = |row: &[u8]| row.iter().map(|&byte| byte.into()).collect();
    let plane = |plane: &[u8]| plane.chunks(width).map(row).collect();
    let planes: Planes = from.chunks(width * height).map(plane).collect();
    conv(layer, &planes, &[]).into_iter().flatten().flatten().collect()
}

fn first(layer: &Conv, pool_by: Option<(&Dense, usize)>, from: &Planes) -> Planes {
    let activate = |added: &[i32]| map(conv(layer, from, added), |sum| sum.clamp(0, 255));
    let Some((layer, count)) = pool_by else { return activate(&[]) };
    let features = pool(&activate(&[])[..count]);
    activate(&[vec![0; count], dense(layer, &features)].concat())
}

fn pool(channels: &[Vec<Vec<i32>>]) -> Vec<i32> {
    let one = |channel: &Vec<Vec<i32>>| {
        let all = channel.concat();
        let largest = all.iter().copied().max().unwrap();
        features(all.iter().sum::<i32>() as u32, largest as u8, all.len())
    };
    let all: Vec<[i32; 3]> = channels.iter().map(one).collect();
    (0..3).flat_map(|kind| all.iter().map(move |features| features[kind])).collect()
}

fn conv(layer: &Conv, from: &Planes, added: &[i32]) -> Planes {
    let side = layer.shape.side;
    let (height, width) = (from[0].len(), from[0][0].len());
    let sum = |output: usize, y: usize, x: usize| {
        let mut sum = layer.bias[output] + added.get(output).unwrap_or(&0);
        for (input, channel) in from.iter().enumerate() {
            for tap in 0..side * side {
                let at = (y + tap / side, x + tap % side);
                let on_board =
                    |at: usize, side_of: usize| at.checked_sub(side / 2).filter(|&at| at < side_of);
                let weight = layer.weights[(output * from.len() + input) * side * side + tap];
                if let (Some(y), Some(x)) = (on_board(at.0, height), on_board(at.1, width)) {
                    sum += i32::from(weight) * channel[y][x];
                }
            }
        }
        requantise(sum, layer.multiplier[output])
    };
    let row = |output, y| (0..width).map(|x| sum(output, y, x)).collect();
    (0..layer.shape.outputs).map(|output| (0..height).map(|y| row(output, y)).collect()).collect()
}

fn dense(layer: &Dense, from: &[i32]) -> Vec<i32> {
    let sum = |output: usize| {
        let row = &layer.weights[output * from.len()..][..from.len()];
        let products = row.iter().zip(from).map(|(&weight, value)| i32::from(weight) * value);
        requantise(layer.bias[output] + products.sum::<i32>(), layer.multiplier[output])
    };
    (0..layer.shape.outputs).map(sum).collect()
}

fn grid(input: &Input<'_>, at: impl Fn(usize, usize) -> i32) -> Vec<Vec<i32>> {
    (0..input.height).map(|y| (0..input.width).map(|x| at(y, x)).collect()).collect()
}

fn map(planes: Planes, each: impl Fn(i32) -> i32) -> Planes {
    let row = |row: Vec<i32>| row.into_iter().map(&each).collect();
    planes.into_iter().map(|plane| plane.into_iter().map(row).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::evaluate;
    use crate::evaluate::{Evaluator, Scratch};
    use crate::random::Sample;
    use crate::{Input, Network, Output, Shape};
    use proptest::prelude::*;

    fn fast(evaluator: &Evaluator, inputs: &[Input<'_>]) -> Vec<Output> {
        let mut outputs = Vec::new();
        evaluator.evaluate(&mut Scratch::default(), inputs, &mut outputs).unwrap();
        outputs
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn every_kind_of_vectors_and_either_way_of_convolving_computes_the_network_bit_for_bit(
            (blocks, channels, pooling_every) in (1usize..3, 1usize..5, 0usize..3),
            (planes, globals) in (1usize..9, 0usize..4),
            (width, height) in (7usize..=25, 7usize..=9),
            (wide_head, seed) in (any::<bool>(), any::<u64>()),
        ) {
            let channels = 16 * channels;
            let shape = Shape {
                planes, globals, blocks, channels,
                pooled: 16,
                pooling_every: if channels > 16 { pooling_every } else { 0 },
                head: if wide_head { 32 } else { 16 },
                hidden: 16,
            };
            let network = Network::random_of(shape, "go", seed).unwrap();
            let samples = Sample::draw(&shape, (width, height), 2, seed);
            let inputs: Vec<Input<'_>> = samples.iter().map(Sample::input).collect();
            let wanted: Vec<Output> = inputs.iter().map(|input| evaluate(&network, input)).collect();
            for evaluator in Evaluator::every(&network) {
                prop_assert_eq!(&fast(&evaluator, &inputs), &wanted, "{:?}", evaluator.packing());
            }
        }
    }

    #[test]
    fn a_scratch_serves_networks_of_any_shapes_by_turns() {
        let shapes = [(1, 16, 17, 32), (2, 48, 20, 16), (1, 32, 3, 16)];
        let networks = shapes.map(|(blocks, channels, planes, head)| {
            let shape = Shape { head, ..Shape::tower(blocks, channels, planes, 2) };
            Network::random_of(shape, "go", 5).unwrap()
        });
        let mut scratch = Scratch::default();
        for side in [9, 13, 9] {
            for evaluator in networks.iter().flat_map(Evaluator::every) {
                let sample = &Sample::draw(evaluator.shape(), (side, side), 1, 8)[0];
                let mut outputs = Vec::new();
                evaluator.evaluate(&mut scratch, &[sample.input()], &mut outputs).unwrap();
                let alone = fast(&evaluator, &[sample.input()]);
                assert_eq!(outputs, alone, "{:?}", evaluator.packing());
            }
        }
    }

    #[test]
    fn an_output_does_not_depend_on_what_was_evaluated_before_or_beside_it() {
        let network = Network::random(2, 32, "go", 3).unwrap();
        let sizes =
            [(9, 9), (19, 19), (9, 9), (7, 13), (9, 9), (13, 7), (8, 8), (25, 25), (9, 9), (7, 7)];
        let samples: Vec<Sample> = sizes
            .into_iter()
            .flat_map(|sides| Sample::draw(network.shape(), sides, 1, 8))
            .collect();
        let inputs: Vec<Input<'_>> = samples.iter().map(Sample::input).collect();
        for evaluator in Evaluator::every(&network) {
            let alone: Vec<Output> =
                inputs.iter().flat_map(|&input| fast(&evaluator, &[input])).collect();
            assert_eq!(fast(&evaluator, &inputs), alone);
            let backwards: Vec<Input<'_>> = inputs.iter().rev().copied().collect();
            let mut found = fast(&evaluator, &backwards);
            found.reverse();
            assert_eq!(found, alone);
        }
    }
}

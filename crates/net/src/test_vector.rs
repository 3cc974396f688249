//! Positions and what a network says of them, in a file: for other programs to check themselves against.
//!
//! A safetensors file whose header has `format` (`banyan-net-outputs`), `version` (1), `network` (the
//! network's digest) and its own `digest`. Tensors, for positions of one size: `planes` (U8, 0 or 1,
//! `[position, plane, row, column]`), `globals` (I16, in 1/256, `[position, global]`), and as I32 in the units of
//! [`Output`] `policy` (`[position, points + 1]`, the last a pass's), `outcome` (`[position, 3]`), `value` and
//! `score` (`[position]`), `ownership` (`[position, points]`).

use crate::evaluate::{Evaluator, Scratch};
use crate::input::{Input, InputError};
use crate::network::Network;
use crate::output::Output;
use crate::tensors::{TensorsError, Writer};
use crate::vector::Vectors;
use thiserror::Error;

/// The header's `format`.
pub const FORMAT: &str = "banyan-net-outputs";

/// Positions of which no file can be made.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum TestVectorError {
    #[error("position {number}: {error}")]
    Input { number: usize, error: InputError },
    #[error("position {number} is on {found:?} points, the first on {wanted:?}")]
    Sizes { number: usize, found: (usize, usize), wanted: (usize, usize) },
    #[error(transparent)]
    Tensors(#[from] TensorsError),
}

/// The file of these positions, evaluated.
///
/// # Errors
/// The first position that does not fit the network or has another size than the first one.
pub fn write(network: &Network, inputs: &[Input<'_>]) -> Result<Vec<u8>, TestVectorError> {
    let shape = network.shape();
    let sides = inputs.first().map_or((0, 0), |input| (input.width, input.height));
    for (number, input) in inputs.iter().enumerate() {
        let checked = input.check(shape.planes, shape.globals);
        checked.map_err(|error| TestVectorError::Input { number, error })?;
        let found = (input.width, input.height);
        if found != sides {
            return Err(TestVectorError::Sizes { number, found, wanted: sides });
        }
    }
    let mut outputs = Vec::new();
    let evaluator = Evaluator::new(network, Vectors::fastest());
    let evaluated = evaluator.evaluate(&mut Scratch::default(), inputs, &mut outputs);
    evaluated.map_err(|error| TestVectorError::Input { number: 0, error })?;
    let mut writer = Writer::default();
    writer.word("format", FORMAT);
    writer.word("version", 1);
    writer.word("network", network.digest());
    put_inputs(&mut writer, inputs, sides, network);
    put_outputs(&mut writer, &outputs, sides.0 * sides.1);
    Ok(writer.end()?)
}

fn put_inputs(
    writer: &mut Writer,
    inputs: &[Input<'_>],
    (width, height): (usize, usize),
    network: &Network,
) {
    let shape = network.shape();
    let planes: Vec<u8> = inputs
        .iter()
        .flat_map(|input| input.planes)
        .flat_map(|plane| (0..width * height).map(|point| u8::from(plane.has(point))))
        .collect();
    let globals: Vec<i16> = inputs.iter().flat_map(|input| input.globals).copied().collect();
    writer.tensor("planes", &[inputs.len(), shape.planes, height, width], &planes);
    writer.tensor("globals", &[inputs.len(), shape.globals], &globals);
}

fn put_outputs(writer: &mut Writer, outputs: &[Output], points: usize) {
    let each = |numbers: &dyn Fn(&Output) -> Vec<i32>| -> Vec<i32> {
        outputs.iter().flat_map(numbers).collect()
    };
    let count = outputs.len();
    let policy = each(&|output| [output.policy.as_slice(), &[output.pass]].concat());
    writer.tensor("policy", &[count, points + 1], &policy);
    writer.tensor("outcome", &[count, 3], &each(&|output| output.outcome.to_vec()));
    writer.tensor("value", &[count], &each(&|output| vec![output.value()]));
    writer.tensor("score", &[count], &each(&|output| vec![output.score]));
    writer.tensor("ownership", &[count, points], &each(&|output| output.ownership.clone()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Sample;
    use crate::tensors::Reader;

    #[test]
    fn the_file_holds_what_the_twin_computes() {
        let network = Network::random(2, 32, "go", 5).unwrap();
        let samples = Sample::draw(network.shape(), (8, 7), 3, 5);
        let inputs: Vec<Input<'_>> = samples.iter().map(Sample::input).collect();
        let bytes = write(&network, &inputs).unwrap();
        let reader = Reader::new(&bytes).unwrap();
        assert_eq!(reader.word("network").unwrap(), network.digest().to_string());
        let policy: Vec<i32> = reader.tensor("policy", &[3, 57]).unwrap();
        let value: Vec<i32> = reader.tensor("value", &[3]).unwrap();
        for (number, input) in inputs.iter().enumerate() {
            let wanted = crate::twin::evaluate(&network, input);
            assert_eq!(policy[57 * number..][..56], wanted.policy);
            assert_eq!(policy[57 * number + 56], wanted.pass);
            assert_eq!(value[number], wanted.value());
        }
    }

    #[test]
    fn positions_of_several_sizes_are_refused_with_both() {
        let network = Network::random(1, 32, "go", 5).unwrap();
        let mut samples = Sample::draw(network.shape(), (8, 7), 1, 5);
        samples.extend(Sample::draw(network.shape(), (9, 9), 1, 5));
        let inputs: Vec<Input<'_>> = samples.iter().map(Sample::input).collect();
        let words = write(&network, &inputs).unwrap_err().to_string();
        assert_eq!(words, "position 1 is on (9, 9) points, the first on (8, 7)");
    }
}

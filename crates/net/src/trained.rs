//! Result of training: a network in floating point with the largest values that were seen inside it.
//!
//! The file is safetensors with the header of a network's file, without game, encoding and provenance, and
//! `format` `banyan-float`. Each layer has `….weight` and `….bias` (F32, shaped as in [`crate::file`]).
//! `largest.trunk` has a number for the trunk before each block and before the head, `largest.inner` one for
//! each block, `largest.rest` those of the head and of the hidden units.

use crate::file::FileError;
use crate::fixed::TRUNK_MAX;
use crate::float::{FloatConv, FloatDense, FloatNetwork, Largest};
use crate::network::{About, Network, NetworkError};
use crate::parts::{ConvShape, DenseShape, Parts, Turn};
use crate::shape::{Shape, WEIGHT_BYTES_MAX};
use crate::tensors::{HEADER_BYTES_MAX, Reader, TensorsError, Writer};

/// Value of the header's `format`.
const FORMAT: &str = "banyan-float";

/// Version of the format, the only one that is read.
const VERSION: u32 = 1;

/// Bytes that a file may have: those of as many weights as a network may have, and a header.
const FILE_BYTES_MAX: u64 = size_of::<f32>() as u64 * WEIGHT_BYTES_MAX + HEADER_BYTES_MAX;

/// A network in floating point, trained to be rounded with these largest values.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// Weights.
    pub network: FloatNetwork,
    /// From what the units of whole numbers follow.
    pub largest: Largest,
}

impl Trained {
    /// Reads what training wrote.
    ///
    /// # Errors
    /// The first thing that is not as it should be, a number that is not finite too. Nothing is allocated for what a
    /// file only claims.
    pub fn read(bytes: &[u8]) -> Result<Trained, FileError> {
        let reader = Reader::within(FILE_BYTES_MAX, bytes)?;
        FileError::check_format(&reader, FORMAT, VERSION)?;
        let shape = Shape::from_fields(|name| reader.number(name))?;
        shape.check().map_err(NetworkError::Shape)?;
        let mut load = Load(&reader);
        let layers = Parts::of(&shape).turn(&mut load)?;
        let rest = load.tensor("largest.rest", &[2])?;
        let largest = Largest {
            trunk: load.tensor("largest.trunk", &[shape.blocks + 1])?,
            inner: load.tensor("largest.inner", &[shape.blocks])?,
            head: rest[0],
            hidden: rest[1],
        };
        Ok(Trained { network: FloatNetwork { shape, layers }, largest })
    }

    /// The file that [`Trained::read`] reads.
    ///
    /// # Errors
    /// Does not happen for weights of the network's shape.
    pub fn write(&self) -> Result<Vec<u8>, TensorsError> {
        let mut writer = Writer::default();
        writer.word("format", FORMAT);
        writer.word("version", VERSION);
        self.network.shape.fields().into_iter().for_each(|(name, value)| writer.word(name, value));
        let Largest { trunk, inner, head, hidden } = &self.largest;
        writer.tensor("largest.trunk", &[trunk.len()], trunk);
        writer.tensor("largest.inner", &[inner.len()], inner);
        writer.tensor("largest.rest", &[2], &[*head, *hidden]);
        let Ok(_) = self.network.layers.turn(&mut Save(&mut writer));
        writer.end()
    }

    /// Makes what training would have left of a network: its weights, and values as large as its units hold.
    pub fn of(network: &Network) -> Trained {
        let (units, shifts) = (network.units(), network.shifts());
        let all = |unit: f32| unit * f32::from(u8::MAX);
        let trunk = shifts.iter().map(|&shift| all(units.trunk) * f32::from(1u16 << shift));
        let mut trunk: Vec<f32> = trunk.collect();
        // The trunk's unit follows from the largest of all, which may be one that no shift brings to 255.
        let most = trunk.iter_mut().max_by(|a, b| a.total_cmp(b));
        most.into_iter().for_each(|most| *most = units.trunk * TRUNK_MAX as f32);
        let largest = Largest {
            trunk,
            inner: units.inner.iter().copied().map(all).collect(),
            head: all(units.head),
            hidden: all(units.hidden),
        };
        Trained { network: network.dequantise(), largest }
    }

    /// Rounds the network to whole numbers, as its training foresaw.
    ///
    /// # Errors
    /// As [`Network::new`].
    pub fn quantise(&self, about: About) -> Result<Network, NetworkError> {
        self.network.quantise_within(about, &self.largest)
    }
}

struct Save<'a>(&'a mut Writer);

impl Turn<FloatConv, FloatDense> for Save<'_> {
    type Conv = ();
    type Dense = ();
    type Error = std::convert::Infallible;

    fn conv(&mut self, layer: &str, conv: &FloatConv) -> Result<(), Self::Error> {
        let ConvShape { inputs, outputs, side, .. } = conv.shape;
        let sizes = [outputs, inputs, side, side];
        self.0.tensor(&format!("{layer}.weight"), &sizes, &conv.weights);
        self.0.tensor(&format!("{layer}.bias"), &[outputs], &conv.bias);
        Ok(())
    }

    fn dense(&mut self, layer: &str, dense: &FloatDense) -> Result<(), Self::Error> {
        let DenseShape { inputs, outputs, .. } = dense.shape;
        self.0.tensor(&format!("{layer}.weight"), &[outputs, inputs], &dense.weights);
        self.0.tensor(&format!("{layer}.bias"), &[outputs], &dense.bias);
        Ok(())
    }
}

struct Load<'a>(&'a Reader<'a>);

impl Load<'_> {
    /// Finite numbers.
    fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, FileError> {
        let numbers: Vec<f32> = self.0.tensor(name, shape)?;
        match numbers.iter().find(|number| !number.is_finite()) {
            Some(&found) => Err(FileError::Number { name: name.to_owned(), found }),
            None => Ok(numbers),
        }
    }
}

impl Turn<ConvShape, DenseShape> for Load<'_> {
    type Conv = FloatConv;
    type Dense = FloatDense;
    type Error = FileError;

    fn conv(&mut self, layer: &str, shape: &ConvShape) -> Result<FloatConv, FileError> {
        let ConvShape { inputs, outputs, side, .. } = *shape;
        let weights = self.tensor(&format!("{layer}.weight"), &[outputs, inputs, side, side])?;
        let bias = self.tensor(&format!("{layer}.bias"), &[outputs])?;
        Ok(FloatConv { shape: *shape, weights, bias })
    }

    fn dense(&mut self, layer: &str, shape: &DenseShape) -> Result<FloatDense, FileError> {
        let DenseShape { inputs, outputs, .. } = *shape;
        let weights = self.tensor(&format!("{layer}.weight"), &[outputs, inputs])?;
        let bias = self.tensor(&format!("{layer}.bias"), &[outputs])?;
        Ok(FloatDense { shape: *shape, weights, bias })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Sample;

    fn trained() -> (Network, Trained) {
        let network = Network::random(3, 32, "go", 4).unwrap();
        let (float, mut largest) = (network.dequantise(), Largest::none(3));
        for sample in Sample::draw(network.shape(), (9, 9), 20, 5) {
            float.evaluate(&sample.input(), &mut largest);
        }
        (network, Trained { network: float, largest })
    }

    #[test]
    fn a_file_of_floats_may_be_four_times_as_long_as_one_of_whole_numbers() {
        let why = |bytes: u64| match Trained::read(&vec![0; bytes as usize]) {
            Ok(_) => String::new(),
            Err(why) => why.to_string(),
        };
        let network = crate::tensors::FILE_BYTES_MAX + 1;
        assert!(!why(network).contains("at most"), "{}", why(network));
        let longer = FILE_BYTES_MAX + 1;
        assert!(why(longer).ends_with(&format!("{longer} bytes, at most {FILE_BYTES_MAX}")));
    }

    #[test]
    fn what_training_leaves_comes_back_from_its_file_and_becomes_a_network() {
        let (network, trained) = trained();
        let read = Trained::read(&trained.write().unwrap()).unwrap();
        assert_eq!(read, trained);
        let whole = read.quantise(network.about().clone()).unwrap();
        assert_eq!(
            whole.layers().blocks[1].second.weights,
            network.layers().blocks[1].second.weights
        );
    }

    #[test]
    fn a_file_of_another_kind_is_no_trained_network() {
        let (network, _) = trained();
        let words = Trained::read(&network.write().unwrap()).unwrap_err().to_string();
        assert_eq!(words, "file of format \"banyan-net\", must be \"banyan-float\"");
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused_by_name() {
        let (_, trained) = trained();
        let words =
            |trained: &Trained| Trained::read(&trained.write().unwrap()).unwrap_err().to_string();
        let mut wrong = trained.clone();
        wrong.network.layers.blocks[1].second.weights[7] = f32::NAN;
        let said = "network: blocks.1.second.weight holds NaN, expected finite numbers";
        assert_eq!(words(&wrong), said);
        let mut wrong = trained;
        wrong.largest.head = f32::INFINITY;
        assert_eq!(words(&wrong), "network: largest.rest holds inf, expected finite numbers");
    }
}

//! A network's file: safetensors with all that the network is for in its header.
//!
//! | key | value |
//! |---|---|
//! | `format` | `banyan-net` |
//! | `version` | 1 |
//! | `game` | what the command line calls it |
//! | `encoding` | version of the encoding of positions as planes |
//! | `side_min`, `side_max` | points on the shortest and the longest side of boards that it learned on |
//! | `provenance` | who made it, from what, how |
//! | `planes`, `globals`, `blocks`, `channels`, `pooled`, `pooling_every`, `head`, `hidden` | the shape |
//! | `digest` | [`Digest`] of all the rest |
//!
//! Each layer has three tensors: `….weight` (I8, `[output, input]`, for a convolution
//! `[output, input, row, column]`), `….bias` and `….multiplier` (I32, `[output]`). `shifts` (U8) are the trunk's
//! before each block and before the head; `units` (F32) the trunk's, each block's, the head's and the hidden
//! units'.

use crate::digest::Digest;
use crate::network::{About, Conv, Dense, Network, NetworkError, Units};
use crate::parts::{ConvShape, DenseShape, Parts, Turn};
use crate::shape::Shape;
use crate::tensors::{FILE_BYTES_MAX, Reader, TensorsError, Writer};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use thiserror::Error;

/// The header's `format`.
const FORMAT: &str = "banyan-net";

/// Version of the format that is written, and the only one that is read.
const VERSION: u32 = 1;

/// A file that is no network, or none that can be used here.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum FileError {
    #[error("cannot read the network: {0}")]
    Io(#[from] std::io::Error),
    #[error("network: {0}")]
    Tensors(#[from] TensorsError),
    #[error("file of format {found:?}, must be {wanted:?}")]
    Format { found: String, wanted: &'static str },
    #[error("network of format version {found}, this program reads {wanted}")]
    Version { found: u32, wanted: u32 },
    #[error("network: {0}")]
    Network(#[from] NetworkError),
    #[error("network: {name} holds {found}, expected finite numbers")]
    Number { name: String, found: f32 },
}

/// A network that is for something else than is asked of it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unfit {
    #[error("network for {found}, the game is {wanted}")]
    Game { found: String, wanted: String },
    #[error("network for encoding {found} of {game}, this program makes {wanted}")]
    Encoding { game: String, found: u32, wanted: u32 },
    #[error("network takes {found} {what}, the encoding makes {wanted}")]
    Inputs { what: &'static str, found: usize, wanted: usize },
}

/// Planes and numbers that an encoding makes of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding<'a> {
    /// Game that it encodes.
    pub game: &'a str,
    /// Version.
    pub version: u32,
    /// Planes, count.
    pub planes: usize,
    /// Globals, count.
    pub globals: usize,
    /// Earlier versions whose networks may be asked still, each with its planes, count: ours begin with them.
    pub before: &'a [(u32, usize)],
}

impl Encoding<'_> {
    /// The earlier versions whose networks may be asked still.
    pub fn earlier(&self) -> impl Iterator<Item = Self> + '_ {
        let earlier = self.before.iter();
        earlier.map(|&(version, planes)| Encoding { version, planes, before: &[], ..*self })
    }
}

impl FileError {
    /// Checks what a file says that it is.
    pub(crate) fn check_format(
        reader: &Reader<'_>,
        format: &'static str,
        version: u32,
    ) -> Result<(), FileError> {
        let found = reader.word("format")?;
        if found != format {
            return Err(FileError::Format { found: found.to_owned(), wanted: format });
        }
        match reader.number("version")? {
            found if found == version => Ok(()),
            found => Err(FileError::Version { found, wanted: version }),
        }
    }
}

impl Network {
    /// The network's file, the same for the same network.
    ///
    /// # Errors
    /// Does not happen for a network.
    pub fn write(&self) -> Result<Vec<u8>, TensorsError> {
        self.contents().end()
    }

    /// Digest of the network's file: its name between machines.
    pub fn digest(&self) -> Digest {
        self.contents().digest()
    }

    /// Reads a network from its file's bytes.
    ///
    /// # Errors
    /// The first thing that is not as it should be. Nothing is allocated for what a file only claims.
    pub fn read(bytes: &[u8]) -> Result<Network, FileError> {
        let reader = Reader::new(bytes)?;
        FileError::check_format(&reader, FORMAT, VERSION)?;
        let shape = Shape::from_fields(|name| reader.number(name))?;
        shape.check().map_err(NetworkError::Shape)?;
        let about = About {
            game: reader.word("game")?.to_owned(),
            encoding: reader.number("encoding")?,
            sides: (reader.number("side_min")?, reader.number("side_max")?),
            provenance: reader.word("provenance")?.to_owned(),
        };
        let mut load = Load { reader: &reader, tensors: 2 };
        let layers = Parts::of(&shape).turn(&mut load)?;
        reader.at_most(load.tensors)?;
        let shifts = reader.tensor("shifts", &[shape.blocks + 1])?;
        let units = read_units(&reader, &shape)?;
        Ok(Network::new(about, shape, layers, shifts, units)?)
    }

    /// Reads a network's file, of which no more is read than a network can have.
    ///
    /// # Errors
    /// As [`Network::read`], and those of the file itself.
    pub fn load(path: &Path) -> Result<Network, FileError> {
        let mut bytes = Vec::new();
        let mut file = File::open(path)?.take(FILE_BYTES_MAX + 1);
        file.read_to_end(&mut bytes)?;
        Network::read(&bytes)
    }

    /// Checks that the network is for this encoding, or for an earlier version of it whose planes it begins with.
    ///
    /// # Errors
    /// The first difference.
    pub fn check_for(&self, encoding: &Encoding<'_>) -> Result<(), Unfit> {
        let About { game, encoding: version, .. } = self.about();
        if game != encoding.game {
            return Err(Unfit::Game { found: game.clone(), wanted: encoding.game.to_owned() });
        }
        let known = encoding.earlier().chain([*encoding]).find(|known| known.version == *version);
        let Some(known) = known else {
            let (game, found, wanted) = (game.clone(), *version, encoding.version);
            return Err(Unfit::Encoding { game, found, wanted });
        };
        let shape = self.shape();
        let inputs =
            [("planes", shape.planes, known.planes), ("globals", shape.globals, known.globals)];
        match inputs.into_iter().find(|(_, found, wanted)| found != wanted) {
            Some((what, found, wanted)) => Err(Unfit::Inputs { what, found, wanted }),
            None => Ok(()),
        }
    }

    fn contents(&self) -> Writer {
        let mut writer = Writer::default();
        writer.word("format", FORMAT);
        writer.word("version", VERSION);
        writer.word("game", &self.about().game);
        writer.word("encoding", self.about().encoding);
        writer.word("side_min", self.about().sides.0);
        writer.word("side_max", self.about().sides.1);
        writer.word("provenance", &self.about().provenance);
        self.shape().fields().into_iter().for_each(|(name, value)| writer.word(name, value));
        writer.tensor("shifts", &[self.shifts().len()], self.shifts());
        let Units { trunk, inner, head, hidden } = self.units();
        let units = [&[*trunk], inner.as_slice(), &[*head, *hidden]].concat();
        writer.tensor("units", &[units.len()], &units);
        let Ok(_) = self.layers().turn(&mut Save(&mut writer));
        writer
    }
}

fn read_units(reader: &Reader<'_>, shape: &Shape) -> Result<Units, TensorsError> {
    let units: Vec<f32> = reader.tensor("units", &[shape.blocks + 3])?;
    let (trunk, rest) = (units[0], &units[1..]);
    let (inner, rest) = rest.split_at(shape.blocks);
    Ok(Units { trunk, inner: inner.to_vec(), head: rest[0], hidden: rest[1] })
}

impl ConvShape {
    fn weights(&self) -> [usize; 4] {
        [self.outputs, self.inputs, self.side, self.side]
    }
}

impl DenseShape {
    fn weights(&self) -> [usize; 2] {
        [self.outputs, self.inputs]
    }
}

fn name(layer: &str, tensor: &str) -> String {
    format!("{layer}.{tensor}")
}

struct Save<'a>(&'a mut Writer);

impl Turn<Conv, Dense> for Save<'_> {
    type Conv = ();
    type Dense = ();
    type Error = std::convert::Infallible;

    fn conv(&mut self, layer: &str, conv: &Conv) -> Result<(), Self::Error> {
        let outputs = [conv.shape.outputs];
        self.0.tensor(&name(layer, "weight"), &conv.shape.weights(), &conv.weights);
        self.0.tensor(&name(layer, "bias"), &outputs, &conv.bias);
        self.0.tensor(&name(layer, "multiplier"), &outputs, &conv.multiplier);
        Ok(())
    }

    fn dense(&mut self, layer: &str, dense: &Dense) -> Result<(), Self::Error> {
        let outputs = [dense.shape.outputs];
        self.0.tensor(&name(layer, "weight"), &dense.shape.weights(), &dense.weights);
        self.0.tensor(&name(layer, "bias"), &outputs, &dense.bias);
        self.0.tensor(&name(layer, "multiplier"), &outputs, &dense.multiplier);
        Ok(())
    }
}

struct Load<'a> {
    reader: &'a Reader<'a>,
    /// Tensors that the network has, counted as they are read.
    tensors: usize,
}

impl Turn<ConvShape, DenseShape> for Load<'_> {
    type Conv = Conv;
    type Dense = Dense;
    type Error = TensorsError;

    fn conv(&mut self, layer: &str, shape: &ConvShape) -> Result<Conv, TensorsError> {
        self.tensors += 3;
        Ok(Conv {
            shape: *shape,
            weights: self.reader.tensor(&name(layer, "weight"), &shape.weights())?,
            bias: self.reader.tensor(&name(layer, "bias"), &[shape.outputs])?,
            multiplier: self.reader.tensor(&name(layer, "multiplier"), &[shape.outputs])?,
        })
    }

    fn dense(&mut self, layer: &str, shape: &DenseShape) -> Result<Dense, TensorsError> {
        self.tensors += 3;
        Ok(Dense {
            shape: *shape,
            weights: self.reader.tensor(&name(layer, "weight"), &shape.weights())?,
            bias: self.reader.tensor(&name(layer, "bias"), &[shape.outputs])?,
            multiplier: self.reader.tensor(&name(layer, "multiplier"), &[shape.outputs])?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> Network {
        Network::random(3, 32, "go", 7).unwrap()
    }

    /// The words with which a network whose file was changed is refused.
    fn refusal(change: impl FnOnce(&mut Writer)) -> String {
        let mut writer = network().contents();
        change(&mut writer);
        match Network::read(&writer.end().unwrap()) {
            Ok(_) => "read".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_network_comes_back_from_its_file() {
        let network = network();
        let bytes = network.write().unwrap();
        let read = Network::read(&bytes).unwrap();
        assert_eq!(read, network);
        assert_eq!(read.digest(), network.digest());
        assert_eq!(read.write().unwrap(), bytes);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net.safetensors");
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(Network::load(&path).unwrap(), network);
    }

    /// So files of all shapes are no longer than files may be.
    #[test]
    fn a_shape_is_bounded_by_all_numbers_of_its_file() {
        struct Count(usize);
        impl Turn<ConvShape, DenseShape> for Count {
            type Conv = ();
            type Dense = ();
            type Error = std::convert::Infallible;

            fn conv(&mut self, _: &str, conv: &ConvShape) -> Result<(), Self::Error> {
                self.0 += conv.weights().iter().product::<usize>() + 8 * conv.outputs;
                Ok(())
            }

            fn dense(&mut self, _: &str, dense: &DenseShape) -> Result<(), Self::Error> {
                self.0 += dense.weights().iter().product::<usize>() + 8 * dense.outputs;
                Ok(())
            }
        }
        let tower = Shape::tower(64, 512, 42, 4);
        for shape in
            [tower, Shape { pooling_every: 0, ..tower }, Shape { head: 512, hidden: 16, ..tower }]
        {
            let mut count = Count(0);
            let Ok(_) = Parts::of(&shape).turn(&mut count);
            let words = shape.check().unwrap_err().to_string();
            let bytes = count.0;
            assert_eq!(
                words,
                format!("weights of this shape take {bytes} bytes, at most 268435456")
            );
        }
    }

    #[test]
    fn another_seed_is_another_network() {
        let other = Network::random(3, 32, "go", 8).unwrap();
        assert_ne!(other.digest(), network().digest());
    }

    #[test]
    fn a_file_of_another_kind_is_refused_in_words() {
        assert_eq!(
            refusal(|file| file.word("format", "onnx")),
            "file of format \"onnx\", must be \"banyan-net\""
        );
        assert_eq!(
            refusal(|file| file.word("version", 2)),
            "network of format version 2, this program reads 1"
        );
        assert!(refusal(|file| *file = Writer::default()).contains("says nothing of format"));
    }

    #[test]
    fn a_shape_of_100_gigabytes_is_refused_before_it_is_believed() {
        let words = refusal(|file| {
            file.word("blocks", 64);
            file.word("channels", 512);
        });
        assert_eq!(words, "network: weights of this shape take 303243576 bytes, at most 268435456");
        let words = refusal(|file| file.word("channels", 100_000_000));
        assert_eq!(words, "network: channels is 100000000, must be 16 to 512");
    }

    #[test]
    fn tensors_that_do_not_fit_the_shape_are_refused_by_name() {
        assert_eq!(
            refusal(|file| file.word("channels", 48)),
            "network: tensor input.weight is I8 [32, 20, 3, 3], must be I8 [48, 20, 3, 3]"
        );
        assert_eq!(
            refusal(|file| file.word("blocks", 4)),
            "network: no tensor blocks.3.first.weight"
        );
        let words = refusal(|file| file.tensor("zzz", &[1], &[0u8]));
        assert!(words.contains("tensor zzz"), "{words}");
    }

    #[test]
    fn numbers_that_make_no_network_are_refused_with_their_place() {
        let words =
            refusal(|file| file.tensor("units", &[6], &[1.0, 1.0, f32::NAN, 1.0, 1.0, 1.0]));
        assert_eq!(words, "network: unit of block 1 is NaN, must be a finite number above 0");
        let words = refusal(|file| file.word("side_max", 26));
        assert_eq!(words, "network: learned on sides of 7 to 26 points, must be within 7 to 25");
        let words = refusal(|file| file.tensor("shifts", &[4], &[0u8, 0, 9, 0]));
        assert_eq!(words, "network: shift 9 before block 2, must be 0 to 8");
        let words = refusal(|file| file.tensor("head.multiplier", &[64], &[0i32; 64]));
        assert_eq!(words, "network: head, output 0: multiplier 0, must be above 0");
        let words = refusal(|file| file.tensor("head.bias", &[64], &[i32::MIN; 64]));
        assert!(words.starts_with("network: head, output 0 can reach 21"), "{words}");
        let words = refusal(|file| file.tensor("points.weight", &[2, 32, 1, 1], &[i8::MIN; 64]));
        assert_eq!(words, "network: points, output 0: weight -128, must be -127 to 127");
        let words = refusal(|file| {
            file.tensor("blocks.0.second.weight", &[32, 32, 3, 3], &[127i8; 9216]);
            file.tensor("blocks.0.second.multiplier", &[32], &[i32::MAX; 32]);
        });
        assert!(words.starts_with("network: blocks.0.second, output 0 can reach 11"), "{words}");
    }

    #[test]
    fn a_network_for_something_else_is_refused_with_both() {
        let go = Encoding { game: "go", version: 0, planes: 20, globals: 4, before: &[] };
        let network = network();
        assert_eq!(network.check_for(&go), Ok(()));
        let words = |encoding: Encoding<'_>| network.check_for(&encoding).unwrap_err().to_string();
        assert_eq!(words(Encoding { game: "hex", ..go }), "network for go, the game is hex");
        assert_eq!(
            words(Encoding { version: 1, ..go }),
            "network for encoding 0 of go, this program makes 1"
        );
        assert_eq!(
            words(Encoding { planes: 21, ..go }),
            "network takes 20 planes, the encoding makes 21"
        );
        let later = Encoding { version: 2, planes: 30, before: &[(0, 20), (1, 24)], ..go };
        assert_eq!(network.check_for(&later), Ok(()));
        assert_eq!(
            words(Encoding { before: &[(0, 19)], ..later }),
            "network takes 20 planes, the encoding makes 19"
        );
    }
}

//! Small networks that judge positions, computed in whole numbers: the same bits on every machine.
//!
//! Knows no game: positions come as planes ([`Input`]), judgements go as logits ([`Output`]). No async,
//! no clock; only [`file`] and [`onnx`] know formats.
//!
//! Reading order: what goes in and comes out (`shape`, `input`, `output`), the arithmetic (`fixed`), the
//! layers (`parts`, `network`) and their floating twin (`float`, `quantise`, `random`); then the fast
//! evaluation from its bottom up (`vector`, `layout`, `conv`, `winograd`, `finish`, `dense`, `evaluate`), which
//! tests hold to `twin`; last, files.
//!
//! ```
//! use banyan_net::{Evaluator, Input, Network, Plane, Scratch, Vectors};
//!
//! let network = Network::random(2, 32, "go", 1)?;
//! let evaluator = Evaluator::new(&network, Vectors::fastest());
//! let planes = vec![Plane::full(81); network.shape().planes];
//! let globals = vec![0; network.shape().globals];
//! let input = Input { width: 9, height: 9, planes: &planes, globals: &globals };
//! let mut outputs = Vec::new();
//! evaluator.evaluate(&mut Scratch::default(), &[input], &mut outputs)?;
//! assert_eq!(outputs[0].policy.len(), 81);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod shape;

pub mod input;
pub mod output;

pub mod fixed;

pub mod network;
pub mod parts;

pub mod float;
mod quantise;
pub mod random;

mod vector;

mod conv;
mod dense;
mod finish;
mod layout;
mod winograd;

mod evaluate;
#[cfg(test)]
mod twin;

pub mod digest;
pub mod file;
pub mod onnx;
pub mod tensors;
pub mod test_vector;
pub mod trained;

pub use digest::Digest;
pub use evaluate::{Evaluator, Scratch};
pub use file::{Encoding, FileError, Unfit};
pub use input::{Input, InputError, Plane};
pub use network::{About, Network, NetworkError};
pub use output::Output;
pub use shape::{Shape, ShapeError};
pub use trained::Trained;
pub use vector::Vectors;

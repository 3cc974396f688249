//! `banyan rules`: rules that are learned by explanation.
//!
//! Any theory and its examples, by [`banyan_ebg`] (`theories`); moves of Go by a theory (`go`); rules from what
//! solvers prove: of local fights of Go (`zones`), of wins by threats in Gomoku and Connect6 (`lines`). These share
//! where games come from (`games`), a rule with what is known of it (`learned`), files (`file`), pages (`page`), who
//! tries rules (`provers`), questions that solvers are asked (`asking`), how rules are judged (`judging`), what they
//! save (`saving`), and what can be typed (`options`, `command`).

pub mod options;

mod theories;

pub mod games;

pub mod learned;

pub mod file;

pub mod page;

pub mod provers;

mod asking;

mod judging;

pub mod saving;

pub mod go;

pub mod zones;

pub mod lines;

mod command;

pub use command::{Arguments, run};
pub use provers::{Call, Provers};

//! `banyan rules`: rules that are learned by explanation.

pub mod go;

mod command;

pub use command::{Arguments, run};

//! `banyan rules`: rules that are learned by explanation.

pub mod go;

pub mod zones;

mod command;

pub use command::{Arguments, run};

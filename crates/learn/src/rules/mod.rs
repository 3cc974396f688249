//! `banyan rules`: rules that are learned by explanation.

mod command;

pub use command::{Arguments, run};

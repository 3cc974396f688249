//! Rules about wins by threats in Gomoku and Connect6, learned from what the solver proves.
//!
//! Reading order: positions to learn from or to be measured by (`questions`); from proofs to rules that were proven anew (`learning`); rules in a file (`file`); what they save
//! (`measuring`); a page for people (`page`); what can be typed (`command`).

pub mod questions;

pub mod learning;

pub mod file;

pub mod measuring;

pub mod page;

pub mod command;

mod built_in;

pub use built_in::built_in;

//! Rules about local fights of Go, learned from what the life-and-death solver proves.
//!
//! Reading order: questions to learn from
//! or to be measured by (`questions`); from proofs to rules that were proven anew (`learning`); rules in a file
//! (`file`); what they save (`measuring`); a page for people (`page`); what can be typed (`command`).

pub mod questions;

pub mod learned;

pub mod learning;

pub mod file;

pub mod measuring;

pub mod page;

pub mod command;

//! Code that the daily commands share with tests: how the source hangs together.

pub mod arrows;

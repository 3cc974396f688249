//! Tests that need more than one crate, and what they need to be written.
//!
//! - [`sim`]: clusters on a virtual clock.
//! - [`hostile`]: each way in, as a function that any bytes may be given to.
//! - [`front_end`]: a GTP front end, asked by lines.
//! - [`liar`]: a worker whose tallies are wrong.
//! - [`machines`]: network namespaces for machines; [`relay`]: links that are bad.
//! - [`attack`]: all of these against a running cluster, as a table.

pub mod sim;

pub mod hostile;

pub mod front_end;

pub mod small_disk;

pub mod liar;

pub mod machines;

pub mod relay;

pub mod attack;

pub mod web;

pub mod browser;

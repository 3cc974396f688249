//! Tests that need more than one crate, and the match runner.
//!
//! - [`runner`]: plays two GTP engines against each other and says which is stronger.
//! - [`fake`]: a GTP engine that breaks in every way, so that the runner's verdicts can be tested.
//! - [`processes`]: real processes, watched through their logs.
//! - [`front_end`]: a GTP front end, asked by lines.
//! - [`liar`]: a worker whose tallies are wrong.
//! - [`machines`]: network namespaces for machines; [`relay`]: links that are long.
//! - [`scrape`]: the metrics of a coordinator.
//! - [`soak`]: half an hour of games with workers that come and go.
//! - [`sim`]: clusters on a virtual clock.
//! - [`hostile`]: each way in, as a function that any bytes may be given to.
//! - [`lab`]: settings of the search against each other, at equal playouts.
//! - [`board`]: what runner and lab are told about the game.
//! - [`fit`]: weights of the evaluations of Othello, Gomoku and Connect6, from games against themselves.
//! - [`learn`]: the weights of heavy playouts from games of the lab.

pub mod runner;

pub mod fake;

pub mod processes;

pub mod front_end;

pub mod liar;

pub mod machines;

pub mod relay;

pub mod scrape;

pub mod soak;

pub mod sim;

pub mod hostile;

pub mod lab;

pub mod board;

pub mod fit;

pub mod learn;

mod adagrad;

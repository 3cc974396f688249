//! Measures who is stronger, and whether it holds: matches of engines, matches of settings, soaks.
//!
//! Reading order, from the bottom:
//! - [`board`]: what is played, as it is typed.
//! - [`runner`]: plays two GTP engines against each other and says which is stronger.
//! - [`fake`]: a GTP engine that breaks in every way, so that the runner's verdicts can be tested.
//! - [`fake_katago`]: a stand-in for KataGo's analysis process that breaks in every way.
//! - [`self_play`]: settings of the search against each other, at equal playouts.
//! - [`tune`]: numbers of an engine tuned by games against itself.
//! - [`processes`]: real processes, watched through their logs; [`scrape`]: their metrics.
//! - [`soak`]: half an hour of games with workers that come and go.

pub mod board;

mod exclusive;

pub mod runner;

pub mod fake;

pub mod fake_katago;

pub mod self_play;

pub mod tune;

pub mod processes;

pub mod scrape;

pub mod soak;

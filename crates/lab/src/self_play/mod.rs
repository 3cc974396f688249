//! The lab: two settings of the search play each other at equal playouts, in one process, without a
//! clock, a cluster or a protocol.
//!
//! For questions of the kind "what does a playout lose when 64 are in flight". Many games go on at a
//! time, so that single playouts of several games are played side by side: a sequential search costs
//! no more than a parallel one. A match is a pure function of its arguments.
//!
//! A side may have a clock all the same, in playouts instead of seconds.
//!
//! Reading order: `timing` (such a clock), `settings` (what can be set), `game` (one game), `contest`
//! (the match).

mod timing;

mod settings;

mod game;

mod contest;

pub use contest::{Arguments, run};
pub use game::{Foresights, LabGame, Score, open_at_random, turn};
pub use settings::{NetworkFile, Settings};

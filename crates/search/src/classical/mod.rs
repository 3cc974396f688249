//! Classical searches, for every game with an evaluation: alpha-beta and MTD(f), deepened step by step.
//!
//! Positions and moves in, a value, a move and a line out. No clock: a [`Watch`] says when it is enough.
//! Every method gives the value that plain minimax gives; they differ in the positions they need for it. Where
//! an evaluation's order of moves is trusted ([`banyan_knowledge::LateMoves`]) late moves are looked at less deep
//! or not at all: then the value is not quite minimax's, but a win that is found is one.
//!
//! Reading order: the scale of values (`value`), how far a line is followed (`horizon`), what is
//! remembered (`table`, `order`, together `memory`), one search to one depth (`alpha_beta`), a value from yes-or-no searches
//! (`mtdf`), a narrower look (`beam`), and the loop that goes deeper and deeper (`deepen`). Where many search together, `top` is what
//! one of them keeps and `probe` what the others are asked.
//!
//! # Source
//! S7.

mod value;

mod horizon;

mod table;

mod order;

mod memory;

mod alpha_beta;

mod mtdf;

mod beam;

mod deepen;

mod probe;

mod top;

pub use beam::Beam;
pub use deepen::{Found, Problem, Watch, bring_forward, search, search_helped};
pub use horizon::Horizon;
pub use memory::Memory;
pub use mtdf::{Method, Step};
pub use probe::{Probe, probe};
pub use top::Top;
pub use value::{WON, is_decided};

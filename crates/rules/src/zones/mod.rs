//! Rules about local fights of Go: as text (`written`), on a board of their own with anything around them
//! (`completion`), and what the solver says of them there (`trying`).

mod written;

pub mod completion;

mod trying;

pub use trying::{judged, proven_alone};
pub use written::{SIGNS, rows};

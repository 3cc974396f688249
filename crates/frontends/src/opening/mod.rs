//! Opening rules of Gomoku, by which both sides see to it that neither begins with the better game.
//!
//! Nothing here thinks or knows a protocol.
//! Reading order: `decision` (what can be decided), `text` (the same in words), `symmetry` (which
//! fifth moves are the same), `state` (who is to decide what), `choice` (what an engine decides, by
//! thinking through a trait).
//!
//! # Source
//! S9; swap2 as Gomocup plays it; the fifth move played two ways as the Renju International
//! Federation's classic rule has it.

mod decision;

pub mod text;

pub mod symmetry;

mod state;

pub mod choice;

pub use decision::{Decision, Party, Rule, Step, UnknownRule};
pub use state::{Opening, OpeningError};

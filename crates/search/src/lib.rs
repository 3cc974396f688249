//! The searches and what they decide: no I/O, no clock, no threads.
//!
//! Reading order: the tuning table (`parameters`), then the tree from its storage (`tree`) through a
//! descent (`tree::descend`), the way back (`tree::merge`) and the answer (`tree::answer`), and what
//! a leaf is worth (`leaf`). What proves something of a position stands in [`banyan_proofs`];
//! `searchable` says for each game which of these searches there are, and what it is tuned by.
//! `classical` searches by an evaluation instead of playouts, `endgame` to the last disc of Othello, `midgame` Othello
//! before that, by tables over patterns,
//! `helped` lets the threads of a machine search a position by one table, and `parallel` many machines share such a search; `guided` searches by an evaluator
//! alone, `gumbel` plans its first ply where visits are few. `time` turns a
//! clock into how long to think, `ponder` says what to think about on the opponent's.

pub mod parameters;

pub mod tree;

pub mod leaf;

pub mod bounds;

pub mod classical;

pub mod endgame;

pub mod midgame;

mod helped;

pub mod parallel;

pub mod time;

pub mod ponder;

pub mod searchable;

pub mod guided;

pub mod gumbel;

pub use bounds::{Bounds, INFINITE};
pub use guided::Guided;
pub use gumbel::Gumbel;
pub use helped::{Helpers, NoHelpers};
pub use parameters::{Domain, Parameters, ParametersError, Valuing};
pub use searchable::Searchable;
pub use tree::answer::{Candidate, FinalMove};
pub use tree::descend::Descent;
pub use tree::image::{Image, ImageError};
pub use tree::noise::Noise;
pub use tree::owners::Owners;
pub use tree::proof::Proof;
pub use tree::subtree::{Known, Siblings, Subtree};
pub use tree::travel::Word;
pub use tree::{Cell, ColumnSink, ColumnSource, NodeId, Nodes, Path, Tree};

//! The nouns that coordinator and worker share, and the one verb: run a batch, get a tally.
//!
//! No async, no I/O, no clock. Nothing here knows the wire: `banyan-proto` converts.
//!
//! Reading order: ids and limits, then what travels (`root`, `batch`, `tally`, `message`), then `run`
//! and, for batches that grow a tree of their own, `grow`.

pub mod ids;

pub mod limits;

pub mod root;

pub mod batch;

pub mod solving;

pub mod tally;

pub mod profile;

pub mod message;

pub mod sums;

pub mod session;

mod dropped;

mod grow;

pub mod run;

/// The parts of tallies and roots that the search defines.
pub use banyan_search::{Family, Known, Parameters, ParametersError, Proof, Subtree};
pub use batch::{Batch, Mode};
pub use dropped::Dropped;
pub use ids::{Attempt, BatchId, Epoch, RootId, SessionId, WorkerId};
pub use message::{FromWorker, Lent, ToWorker};
pub use profile::{GameSupport, Profile};
pub use root::{Growing, Root, RootError};
pub use run::{Prepared, RunError, Workspace};
pub use session::{Claim, Purpose, Wish};
pub use solving::{Bound, INFINITE, Solved, Solving, Sought, Window};
pub use sums::{Scores, Sums};
pub use tally::Tally;

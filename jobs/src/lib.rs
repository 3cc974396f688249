//! The nouns that coordinator and worker share, and the one verb: run a batch, get a tally.
//!
//! No async, no I/O, no clock. Nothing here knows the wire: `banyan-proto` converts.
//!
//! Reading order: ids and limits, then what travels (`root`, `batch`, `tally`, `message`), then `run`.

pub mod ids;

pub mod limits;

pub mod root;

pub mod batch;

pub mod tally;

pub mod profile;

pub mod message;

pub mod run;

pub use batch::Batch;
pub use ids::{Attempt, BatchId, Epoch, RootId, SessionId, WorkerId};
pub use message::{FromWorker, Lent, ToWorker};
pub use profile::{GameSupport, Profile};
pub use root::{Root, RootError};
pub use run::{Prepared, RunError};
pub use tally::Tally;

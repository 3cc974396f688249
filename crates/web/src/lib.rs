//! A coordinator as seen over HTTP: metrics and probes for machines, pages for people.
//!
//! Reading order: `snapshot` (what is known of a cluster, and whom it is asked of); for machines `metrics`
//! and `probes`; for people `machine`, `limit` and `history` (the cluster over the last minute, what keeps
//! it from doing more), `board` (games that are played and looked into), `books`, `learning`, `lock` (who is
//! let in), `pages` (the files of `pages/`), and `server`, which answers.

pub mod snapshot;

mod metrics;

pub mod probes;

pub mod machine;

pub mod limit;

pub mod history;

pub mod board;

mod books;

mod learning;

mod lock;

mod pages;

mod server;

pub use board::Boards;
pub use books::ShownBook;
pub use learning::{Learning, WatchedGame};
pub use lock::Lock;
pub use server::{Site, serve};
pub use snapshot::{Cluster, Snapshot};

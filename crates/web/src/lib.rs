//! What can be seen of a coordinator over HTTP.
//!
//! Reading order: `snapshot` (what is known of a cluster, and whom it is asked of), `metrics` (the same
//! for Prometheus), `probes` (where they are served).

pub mod snapshot;

mod metrics;

pub mod probes;

pub use snapshot::{Cluster, Snapshot};

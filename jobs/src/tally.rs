//! A tally: what came back from the playouts of one batch.

use banyan_games::Counts;

use crate::ids::BatchId;

/// Counts of one batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Which batch.
    pub batch: BatchId,
    /// Its sums.
    pub counts: Counts,
}

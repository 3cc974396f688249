//! A tally: what came back from the playouts of one batch.

use banyan_games::Counts;
use banyan_search::Subtree;

use crate::ids::BatchId;

/// Counts of one batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Which batch.
    pub batch: BatchId,
    /// Its sums.
    pub counts: Counts,
    /// What a grown batch reports beyond them; nothing for a flat one.
    pub grown: Option<Box<Subtree>>,
}

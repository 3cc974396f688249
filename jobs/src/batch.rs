//! A batch: all that a worker needs to play out one leaf.

use banyan_games::counts::Asked;
use banyan_games::{Move, Policy};

use crate::ids::{BatchId, RootId};

/// Playouts from one leaf. The tally is a pure function of this and the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Its name.
    pub id: BatchId,
    /// The root that the path starts from.
    pub root: RootId,
    /// The plies from the root to the leaf.
    pub path: Vec<Move>,
    /// How playouts choose.
    pub policy: Policy,
    /// Seed of the random stream of this batch.
    pub seed: u64,
    /// How many, above 0.
    pub playouts: u32,
    /// What is counted beyond wins and losses.
    pub asked: Asked,
}

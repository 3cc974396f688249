//! A tally: what came back from the playouts of one batch.

use banyan_games::Counts;
use banyan_search::Subtree;

use crate::ids::BatchId;
use crate::solving::{NODES_PER_PLAYOUT, Solved};

/// Counts of one batch, or the answer to its question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Which batch.
    pub batch: BatchId,
    /// Its sums.
    pub counts: Counts,
    /// What a grown batch reports beyond them; nothing for a flat one.
    pub grown: Option<Box<Subtree>>,
    /// What was found out instead of playing out.
    pub solved: Option<Solved>,
}

impl Tally {
    /// What was done for it: playouts, or positions looked at.
    pub fn work(&self) -> u32 {
        self.solved.map_or(self.counts.playouts(), |solved| solved.nodes)
    }

    /// What it cost about, in playouts.
    pub fn cost(&self) -> u32 {
        let solved = |solved: Solved| solved.nodes.div_ceil(NODES_PER_PLAYOUT);
        self.solved.map_or(self.counts.playouts(), solved)
    }
}

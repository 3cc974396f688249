//! A batch: all that a worker needs to play out one leaf.

use banyan_games::Move;
use banyan_games::counts::Asked;
use banyan_knowledge::Policy;
use banyan_search::Known;

use crate::ids::{BatchId, RootId};
use crate::solving::Solving;

/// How the playouts of a batch are spread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// All start at the leaf.
    #[default]
    Flat,
    /// The worker grows a private tree under the leaf by as many playouts, one a descent, and reports
    /// what its most visited nodes counted.
    Grown {
        /// Nodes with at least so many new visits report their children; above 0.
        floor: u32,
        /// What the private tree begins with.
        known: Box<Known>,
    },
    /// No playouts: a search of the leaf answers a question.
    Solve(Solving),
}

/// Playouts from one leaf, or a question about it. The tally is a pure function of this and the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Its name.
    pub id: BatchId,
    /// The root that the path starts from.
    pub root: RootId,
    /// The plies from the root to the leaf.
    pub path: Vec<Move>,
    /// How the playouts are spread.
    pub mode: Mode,
    /// How playouts choose.
    pub policy: Policy,
    /// Seed of the random stream of this batch.
    pub seed: u64,
    /// How many, above 0; of a question what it may cost, in playouts.
    pub playouts: u32,
    /// What is counted beyond wins and losses.
    pub asked: Asked,
}

impl Batch {
    /// Playouts of batches like this that are best run together, [`crate::Prepared::run_all`].
    ///
    /// Uniform playouts of Go go so many boards in step. Heavy ones go one after another: what is run with
    /// others is answered with them, and so in flight for longer.
    pub fn together_max(&self) -> u32 {
        match (&self.mode, self.policy) {
            (Mode::Flat, Policy::Uniform) => 16,
            (Mode::Flat, Policy::Heavy) => 4,
            (Mode::Grown { .. } | Mode::Solve(_), _) => 0,
        }
    }
}

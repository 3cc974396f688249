//! Settings of a session's tree.

use banyan_jobs::ModelDigest;
use banyan_search::{FinalMove, Parameters};

/// Settings of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Numbers of the search.
    pub parameters: Parameters,
    /// Evaluator of positions, where [`Parameters::lambda`] says that there is one.
    pub evaluator: Option<ModelDigest>,
    /// Seed of everything random.
    pub seed: u64,
    /// Memory for the tree's nodes, bytes.
    pub tree_bytes_max: usize,
    /// Rule that chooses the root child to play.
    pub final_move: FinalMove,
}

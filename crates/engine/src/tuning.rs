//! What a session's tree is grown with.

use banyan_search::{FinalMove, Parameters};

/// What a tree is grown with; fixed for a session.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// Numbers of the search.
    pub parameters: Parameters,
    /// Seed of everything random.
    pub seed: u64,
    /// Memory for the tree's nodes, bytes.
    pub tree_bytes_max: usize,
    /// Which root child is played.
    pub final_move: FinalMove,
}

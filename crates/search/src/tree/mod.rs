//! The tree: its root, its nodes, and what may be asked of a node.
//!
//! One owner, no locks. Reading order: what is kept of a node (`nodes`); a descent (`descend`) with what
//! it is led by (`priors`, `minimax`, `formula`, `puct`, `select`, `pairs`); the way back (`merge`, `judge`,
//! `likely`, `solver`, `claims`); what travels (`subtree`, `travel`, `unmerge`); room and files (`compact`, `image`);
//! chance at the root (`noise`); the answer (`answer`).

mod nodes;

pub mod proof;

pub mod owners;

mod later;

pub mod subtree;

pub mod descend;

mod priors;

mod minimax;

mod formula;

mod puct;

mod select;

mod pairs;

pub mod merge;

mod judge;

mod likely;

mod solver;

mod claims;

pub mod travel;

pub mod unmerge;

mod compact;

pub mod image;

pub mod noise;

pub mod answer;

#[cfg(test)]
mod tests;

#[cfg(test)]
mod tests_image;

use std::sync::Arc;

use banyan_games::{Color, Move};
use banyan_kernels::simd::Vectors;
use banyan_proofs::life;

use crate::parameters::Parameters;
use later::Later;
use nodes::{Amaf, Children, Flags, ImplicitValue, Judged, Prior};
pub use nodes::{Cell, ColumnSink, ColumnSource, NodeId, Nodes};
use owners::Owners;
use proof::Proof;
use subtree::Imported;

/// The nodes of one descent, the root first, the leaf last. Never empty.
pub type Path = Vec<NodeId>;

/// Nodes of the smallest tree: enough for an expansion of the largest board, and some more.
const NODES_MIN: usize = 26_214;

/// A UCT tree under one root.
///
/// The children of a node stand side by side in every array, so that choosing one reads memory in
/// order. Statistics are integers: adding commutes, and a digest over them is exact.
#[derive(Clone, Debug)]
pub struct Tree {
    parameters: Parameters,
    /// Scrambles the order of children, so that ties do not always favour the first row.
    seed: u64,
    nodes_max: usize,
    /// Vectors by which this machine ranks children; changes no result.
    vectors: Vectors,
    later: Box<Later>,
    /// Factor by which the board is larger than the one that Go's parameters are for; of the last descent.
    board_scale: f32,
    imported: Imported,
    owners: Owners,
    /// Moves of the root by which a chain lives or dies, where a network's priors listen to that.
    vital: Vec<Move>,
    /// Local fights of which it is known what becomes of them.
    zone_rules: Option<Arc<life::rules::Rules>>,
    /// Points of the board, of the last descent or of the image that it is from.
    area: u16,
    /// Tells whether it grows below a leaf of another tree.
    is_part: bool,
    root: NodeId,
    nodes: Nodes,
}

impl Tree {
    /// A tree of one node, whose position `mover` has just moved into.
    ///
    /// - `bytes_max`: memory that the nodes may take, bytes; at least [`Tree::BYTES_MIN`] is used.
    pub fn new(parameters: Parameters, seed: u64, bytes_max: usize, mover: Color) -> Tree {
        let nodes_max = (bytes_max.max(Tree::BYTES_MIN) / Nodes::BYTES).min(u32::MAX as usize);
        let mut tree = Tree {
            parameters,
            seed,
            nodes_max,
            vectors: Vectors::widest(),
            later: Box::default(),
            board_scale: 1.0,
            imported: Imported::default(),
            owners: Owners::default(),
            vital: Vec::new(),
            zone_rules: None,
            area: 0,
            is_part: false,
            root: NodeId(0),
            nodes: Nodes::default(),
        };
        tree.nodes.push(Move::PASS, Flags::of_mover(mover));
        tree
    }

    /// Starts again with one node, as [`Tree::new`] does, and keeps the room of the arrays.
    pub fn reset(&mut self, parameters: Parameters, seed: u64, mover: Color) {
        self.parameters = parameters;
        self.seed = seed;
        self.root = NodeId(0);
        self.imported = Imported::default();
        self.owners = Owners::default();
        self.vital.clear();
        self.is_part = false;
        self.nodes.clear();
        self.nodes.push(Move::PASS, Flags::of_mover(mover));
    }

    /// Starts again with the root and its children, allowed or not as they are, without a count. Nodes of
    /// paths in flight are no more.
    pub fn begin_anew(&mut self) {
        let (mover, side) = (self.mover(self.root), self.children(self.root).next());
        let side = side.map(|child| self.mover(child));
        let allowed = |child: &NodeId| !self.nodes.flags[child.index()].is_banned();
        let moves: Vec<Move> =
            self.children(self.root).filter(allowed).map(|child| self.move_into(child)).collect();
        self.reset(self.parameters, self.seed, mover);
        if let Some(side) = side {
            self.allow_at_root(side, &moves);
        }
    }

    /// The smallest useful cap on memory, bytes: a few expansions of the largest board.
    pub const BYTES_MIN: usize = NODES_MIN * Nodes::BYTES;

    /// The tuning this tree is searched by.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Nodes held, those of dead branches with them until the next compaction.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Playouts counted through a node, or evaluations where nothing is played out.
    pub fn visits(&self, node: NodeId) -> u64 {
        self.nodes.visits[node.index()]
    }

    /// Playouts in flight through a node.
    pub fn unobserved(&self, node: NodeId) -> u32 {
        self.nodes.unobserved[node.index()]
    }

    /// Playouts in flight summed over all nodes: 0 exactly when every virtual loss was removed.
    pub fn unobserved_total(&self) -> u64 {
        self.nodes.unobserved.iter().map(|&playouts| u64::from(playouts)).sum()
    }

    /// The move that leads into a node; a pass for the root.
    pub fn move_into(&self, node: NodeId) -> Move {
        self.nodes.moves[node.index()]
    }

    /// The side that moved into a node.
    pub fn mover(&self, node: NodeId) -> Color {
        self.nodes.flags[node.index()].mover()
    }

    /// The proof of a node, for the player who moved into it.
    pub fn proof(&self, node: NodeId) -> Proof {
        self.nodes.flags[node.index()].proof()
    }

    /// Value of a node in `0.0..=1.0` for the player who moved into it; ½ without visits.
    ///
    /// A proven node has its proven value.
    pub fn value(&self, node: NodeId) -> f64 {
        if let Some(value) = self.proof(node).value() {
            return value;
        }
        let played = match self.nodes.visits[node.index()] {
            0 => None,
            visits => Some(self.nodes.half_wins[node.index()] as f64 / (2.0 * visits as f64)),
        };
        self.mixed_value(node, played).unwrap_or(0.5)
    }

    /// The children of a node, in the order of the arena.
    pub fn children(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        let first = self.nodes.first_child[node.index()];
        (first..first + u32::from(self.nodes.child_count[node.index()].count())).map(NodeId)
    }

    /// Tells whether a node has children.
    pub fn is_expanded(&self, node: NodeId) -> bool {
        self.nodes.child_count[node.index()].count() > 0
    }

    /// The child that `mv` leads to.
    pub fn child(&self, node: NodeId, mv: Move) -> Option<NodeId> {
        self.children(node).find(|&child| self.move_into(child) == mv)
    }

    /// Makes the child that `mv` leads to the root and returns whether there was one.
    ///
    /// The rest of the tree is dead; its memory comes back at the next compaction. Of the new root's moves
    /// the game is asked again. Nothing may be in flight.
    pub fn advance(&mut self, mv: Move) -> bool {
        debug_assert_eq!(self.unobserved(self.root), 0, "advancing under a search");
        let Some(child) = self.child(self.root, mv) else { return false };
        let before = std::mem::replace(&mut self.root, child);
        self.adopt_pairs(before);
        self.owners = Owners::default();
        if !self.is_judged_by_evaluators() {
            self.clear_priors(child);
        }
        true
    }

    /// Allows exactly `moves` at the root, and gives it children where it has none.
    ///
    /// Superko is the reason: what it forbids depends on the game so far, so only the root is held to
    /// it. Children's counts survive. Nothing may be in flight.
    pub fn allow_at_root(&mut self, side: Color, moves: &[Move]) {
        let root = self.root;
        if self.is_partial(root) {
            // Nothing is in flight that would have to follow.
            let _ = self.complete(root);
        }
        let is_new = |mv: &Move| self.child(root, *mv).is_none();
        let more: Vec<Move> = moves.iter().copied().filter(is_new).collect();
        self.add_siblings(root, side, &more);
        // Whoever made its list, now it is the game's.
        self.nodes.flags[root.index()] = self.nodes.flags[root.index()].with_list(false);
        let mut changed = None;
        for (index, child) in self.children(root).enumerate() {
            let flags = self.nodes.flags[child.index()];
            let is_banned = !moves.contains(&self.move_into(child));
            if flags.is_pruned() && changed.is_none() && !is_banned {
                // Its pairs are met where they were.
                continue;
            }
            if flags.is_banned() != is_banned && !flags.is_pruned() {
                changed = changed.or(Some(index + 1));
            }
            // The game was asked about it now.
            let is_doubtful = flags.is_doubtful() && !flags.is_banned() && !is_banned;
            self.nodes.flags[child.index()] = flags.with_ban(is_banned).with_doubt(is_doubtful);
        }
        if let Some(changed) = changed {
            self.forget_pairs(changed);
        }
        self.clear_proof(root);
        self.open_claims_at_root();
        self.prove_root();
    }

    fn add_children(&mut self, node: NodeId, side: Color, moves: &[Move]) {
        let first = self.nodes.append(moves, Flags::of_mover(side));
        self.nodes.first_child[node.index()] = first;
        self.nodes.child_count[node.index()] = Children::all(moves.len());
    }
}

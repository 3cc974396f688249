//! The tree's storage: an arena of nodes as a structure of arrays.
//!
//! One owner, no locks. Nothing here knows a game: positions are met in `descend` alone.

pub mod answer;

pub mod descend;

pub mod merge;

pub mod proof;

pub mod graft;

pub mod recall;

pub mod image;

mod compact;

mod pairs;

pub mod owners;

mod priors;

mod minimax;

mod select;

#[cfg(test)]
mod tests;

#[cfg(test)]
mod tests_image;

use banyan_games::{Color, Move};
use banyan_kernels::simd::Vectors;

use crate::parameters::Parameters;
use minimax::Promise;
use owners::Owners;
use priors::Prior;
use proof::Proof;

/// A node of the tree. Ids change when the tree is compacted, and those of the root's children between
/// two searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The nodes of one descent, the root first, the leaf last. Never empty.
pub type Path = Vec<NodeId>;

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
    /// What this machine ranks children with; changes no result.
    vectors: Vectors,
    later: Box<merge::Later>,
    /// How much larger the board is than the one that Go's parameters are for; of the last descent.
    breadth: f32,
    planted: graft::Planted,
    owners: Owners,
    root: NodeId,

    /// Playouts counted through the node.
    visits: Vec<u64>,
    /// Twice the wins plus the draws, for the player who moved into the node.
    half_wins: Vec<u64>,
    /// Playouts in flight through the node.
    unobserved: Vec<u32>,
    /// Playouts through the parent in which the node's move was played, by the same side, later on.
    amaf: Vec<Amaf>,
    /// What the game believes of the node's move; see [`priors`].
    priors: Vec<Prior>,
    /// What the evaluation promises of the node; see [`minimax`].
    promises: Vec<Promise>,
    first_child: Vec<u32>,
    child_count: Vec<u16>,
    moves: Vec<Move>,
    flags: Vec<Flags>,
}

/// Bytes of one node over all arrays.
pub const NODE_BYTES: usize = 8 + 8 + 4 + 8 + 1 + 2 + 4 + 2 + 2 + 1;
const _: () = assert!(NODE_BYTES <= 48);

/// Who moved into the node, what is proven of it, and whether it may be chosen at the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Flags(u8);

impl Flags {
    const WHITE: u8 = 1;
    const PROOF_SHIFT: u8 = 1;
    const PROOF_MASK: u8 = 0b110;
    const BANNED: u8 = 0b1000;
    /// Grafted, and no descent has asked the rules yet.
    const DOUBT: u8 = 0b1_0000;
    /// Every bit that means something.
    const ALL: u8 = 0b1_1111;

    fn of_mover(mover: Color) -> Flags {
        Flags(match mover {
            Color::Black => 0,
            Color::White => Flags::WHITE,
        })
    }

    fn mover(self) -> Color {
        if self.0 & Flags::WHITE == 0 { Color::Black } else { Color::White }
    }

    fn proof(self) -> Proof {
        Proof::from_bits((self.0 & Flags::PROOF_MASK) >> Flags::PROOF_SHIFT)
    }

    fn with_proof(self, proof: Proof) -> Flags {
        Flags((self.0 & !Flags::PROOF_MASK) | (proof.bits() << Flags::PROOF_SHIFT))
    }

    #[inline(always)]
    fn is_proof(self, proof: Proof) -> bool {
        self.0 & Flags::PROOF_MASK == proof.bits() << Flags::PROOF_SHIFT
    }

    #[inline(always)]
    fn is_banned(self) -> bool {
        self.0 & Flags::BANNED != 0
    }

    fn is_doubtful(self) -> bool {
        self.0 & Flags::DOUBT != 0
    }

    fn with_doubt(self, doubt: bool) -> Flags {
        Flags(if doubt { self.0 | Flags::DOUBT } else { self.0 & !Flags::DOUBT })
    }

    fn with_ban(self, banned: bool) -> Flags {
        Flags(if banned { self.0 | Flags::BANNED } else { self.0 & !Flags::BANNED })
    }
}

/// A node's AMAF tally in one word: visits in the lower half, twice the wins plus the draws above,
/// for the player who moved into the node.
///
/// Adding two words adds both sums at once: neither half may pass 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Amaf(u64);

impl Amaf {
    fn new(visits: u32, half_wins: u32) -> Amaf {
        Amaf(u64::from(visits) | u64::from(half_wins) << 32)
    }

    #[inline(always)]
    fn visits(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    fn half_wins(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Both sums together, halved first where they might pass their bound.
    fn plus(self, other: Amaf) -> Amaf {
        let bounded = |amaf: Amaf| if amaf.is_large() { amaf.halved() } else { amaf };
        Amaf(bounded(self).0 + bounded(other).0)
    }

    /// Both sums without those of `before`, which are a part of them.
    fn since(self, before: Amaf) -> Amaf {
        Amaf(self.0 - before.0)
    }

    /// Whether either sum might pass its bound before long.
    fn is_large(self) -> bool {
        self.visits().max(self.half_wins()) >= 1 << 30
    }

    /// The same value with half the weight.
    fn halved(self) -> Amaf {
        Amaf::new(self.visits() / 2, self.half_wins() / 2)
    }
}

impl Tree {
    /// A tree of one node, whose position `mover` has just moved into.
    ///
    /// - `bytes_max`: memory that the nodes may take, bytes; at least [`Tree::BYTES_MIN`] is used.
    pub fn new(parameters: Parameters, seed: u64, bytes_max: usize, mover: Color) -> Tree {
        let nodes_max = (bytes_max.max(Tree::BYTES_MIN) / NODE_BYTES).min(u32::MAX as usize);
        let mut tree = Tree {
            parameters,
            seed,
            nodes_max,
            vectors: Vectors::widest(),
            later: Box::default(),
            breadth: 1.0,
            planted: graft::Planted::default(),
            owners: Owners::default(),
            root: NodeId(0),
            visits: Vec::new(),
            half_wins: Vec::new(),
            unobserved: Vec::new(),
            amaf: Vec::new(),
            priors: Vec::new(),
            promises: Vec::new(),
            first_child: Vec::new(),
            child_count: Vec::new(),
            moves: Vec::new(),
            flags: Vec::new(),
        };
        tree.push(Move::PASS, Flags::of_mover(mover));
        tree
    }

    /// Starts again with one node, as [`Tree::new`] does, and keeps the room of the arrays.
    pub fn reset(&mut self, parameters: Parameters, seed: u64, mover: Color) {
        self.parameters = parameters;
        self.seed = seed;
        self.root = NodeId(0);
        self.planted = graft::Planted::default();
        self.owners = Owners::default();
        self.truncate();
        self.push(Move::PASS, Flags::of_mover(mover));
    }

    /// The smallest useful cap on memory, bytes: a few expansions of the largest board.
    pub const BYTES_MIN: usize = 1 << 20;

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
        self.visits.len()
    }

    /// Playouts counted through a node.
    pub fn visits(&self, node: NodeId) -> u64 {
        self.visits[node.index()]
    }

    /// Playouts in flight through a node.
    pub fn unobserved(&self, node: NodeId) -> u32 {
        self.unobserved[node.index()]
    }

    /// Playouts in flight summed over all nodes: 0 exactly when everything was taken off.
    pub fn unobserved_total(&self) -> u64 {
        self.unobserved.iter().map(|&playouts| u64::from(playouts)).sum()
    }

    /// The move that leads into a node; a pass for the root.
    pub fn move_into(&self, node: NodeId) -> Move {
        self.moves[node.index()]
    }

    /// The side that moved into a node.
    pub fn mover(&self, node: NodeId) -> Color {
        self.flags[node.index()].mover()
    }

    /// What is proven of a node, for the player who moved into it.
    pub fn proof(&self, node: NodeId) -> Proof {
        self.flags[node.index()].proof()
    }

    /// Value of a node in `0.0..=1.0` for the player who moved into it; ½ without visits.
    ///
    /// A proven node has its proven value.
    pub fn value(&self, node: NodeId) -> f64 {
        if let Some(value) = self.proof(node).value() {
            return value;
        }
        match self.visits[node.index()] {
            0 => 0.5,
            visits => self.half_wins[node.index()] as f64 / (2.0 * visits as f64),
        }
    }

    /// The children of a node, in the order of the arena.
    pub fn children(&self, node: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        let first = self.first_child[node.index()];
        (first..first + u32::from(self.child_count[node.index()])).map(NodeId)
    }

    /// Whether a node has children.
    pub fn is_expanded(&self, node: NodeId) -> bool {
        self.child_count[node.index()] > 0
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
        self.forget_priors(child);
        true
    }

    /// Allows exactly `moves` at the root, and gives it children where it has none.
    ///
    /// Superko is the reason: what it forbids depends on the game so far, so only the root is held to
    /// it. Children's counts survive. Nothing may be in flight.
    pub fn allow_at_root(&mut self, side: Color, moves: &[Move]) {
        let root = self.root;
        let is_new = |mv: &Move| self.child(root, *mv).is_none();
        let more: Vec<Move> = moves.iter().copied().filter(is_new).collect();
        self.extend_family(root, side, &more);
        let mut changed = None;
        for (index, child) in self.children(root).enumerate() {
            let flags = self.flags[child.index()];
            let is_banned = !moves.contains(&self.move_into(child));
            if flags.is_banned() != is_banned {
                changed = changed.or(Some(index + 1));
            }
            self.flags[child.index()] = flags.with_ban(is_banned);
        }
        if let Some(changed) = changed {
            self.forget_pairs(changed);
        }
        self.clear_proof(root);
        self.prove_from_children(root);
    }

    fn add_children(&mut self, node: NodeId, side: Color, moves: &[Move]) {
        let first = self.visits.len();
        self.first_child[node.index()] = first as u32;
        self.child_count[node.index()] = moves.len() as u16;
        let last = first + moves.len();
        self.visits.resize(last, 0);
        self.half_wins.resize(last, 0);
        self.unobserved.resize(last, 0);
        self.amaf.resize(last, Amaf::default());
        self.priors.resize(last, Prior::UNASKED);
        self.promises.resize(last, Promise::UNKNOWN);
        self.first_child.resize(last, 0);
        self.child_count.resize(last, 0);
        self.moves.extend_from_slice(moves);
        self.flags.resize(last, Flags::of_mover(side));
    }

    /// Appends a node without a count.
    fn push(&mut self, mv: Move, flags: Flags) {
        self.visits.push(0);
        self.half_wins.push(0);
        self.unobserved.push(0);
        self.amaf.push(Amaf::default());
        self.priors.push(Prior::UNASKED);
        self.promises.push(Promise::UNKNOWN);
        self.first_child.push(0);
        self.child_count.push(0);
        self.moves.push(mv);
        self.flags.push(flags);
    }
}

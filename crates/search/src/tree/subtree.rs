//! Parts of trees that travel, as plain numbers.

use banyan_games::{Color, Move};

use super::{Amaf, Proof};

/// The children of one reported node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Siblings {
    /// Which child of an earlier group the parent is, counted over all groups; nothing for the
    /// subtree's root, which comes first and nowhere else.
    pub parent: Option<u32>,
    /// The side that moves into the children.
    pub side: Color,
    /// How many there are, above 0.
    pub children: u16,
}

/// Counts of a subtree's most visited nodes: groups of siblings, side by side.
///
/// All lists but `groups` have one entry for each child, group after group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subtree {
    /// Parents before children.
    pub groups: Vec<Siblings>,
    /// The moves into the children.
    pub moves: Vec<Move>,
    /// Playouts counted through them.
    pub visits: Vec<u32>,
    /// Twice the wins plus the draws, for the player who moved into them.
    pub half_wins: Vec<u32>,
    /// Playouts through the parent in which their move was played later on by the same side.
    pub amaf_visits: Vec<u32>,
    /// Twice the wins plus the draws of those.
    pub amaf_half_wins: Vec<u32>,
    /// Proofs about them.
    pub proofs: Vec<Proof>,
}

impl Subtree {
    /// Children over all groups.
    pub fn children(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn push(&mut self, mv: Move, sums: Sums, proof: Proof) {
        self.moves.push(mv);
        self.visits.push(sums.visits as u32);
        self.half_wins.push(sums.half_wins as u32);
        self.amaf_visits.push(sums.amaf.visits());
        self.amaf_half_wins.push(sums.amaf.half_wins());
        self.proofs.push(proof);
    }
}

/// Knowledge below a leaf, and of the leaf itself: the beginning of a private tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Playouts counted through the leaf.
    pub visits: u32,
    /// Its children, and those of its most visited descendants. Without siblings where there are none.
    pub subtree: Subtree,
}

/// The counts of one node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub visits: u64,
    pub half_wins: u64,
    pub amaf: Amaf,
}

impl Sums {
    /// The counts on top of `before`.
    pub fn since(self, before: Sums) -> Sums {
        Sums {
            visits: self.visits - before.visits,
            half_wins: self.half_wins - before.half_wins,
            amaf: self.amaf.since(before.amaf),
        }
    }
}

/// The counts that a private tree began with, for its first nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Imported(pub Vec<Sums>);

//! Parts of trees that travel, as plain numbers.

use banyan_games::{Color, Move};

use super::{Amaf, Judged, Prior, Proof};

/// The children of one reported node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Siblings {
    /// Number of the parent, a child of an earlier group, counted over all groups; nothing for the subtree's root,
    /// which comes first and nowhere else.
    pub parent: Option<u32>,
    /// The side that moves into the children.
    pub side: Color,
    /// Number of children, above 0.
    pub children: u16,
    /// Tells whether unlikely ones were left out.
    pub is_partial: bool,
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
    /// Their priors, as whoever descended to them has them: 0 where nobody has asked.
    pub priors: Vec<u8>,
    /// Sums of the evaluations through them, for who moved into them, in 1/32768; all 0 where nothing is
    /// judged, and else as many evaluations as visits.
    pub judged: Vec<u64>,
    /// The same sum through the leaf itself, for Black.
    pub leaf_judged: u64,
}

impl Subtree {
    /// Children over all groups.
    pub fn children(&self) -> usize {
        self.moves.len()
    }

    /// Tells whether its visits are evaluations. Sums that are all 0 are taken for playouts.
    pub fn is_judged(&self) -> bool {
        self.leaf_judged > 0 || self.judged.iter().any(|&sum| sum > 0)
    }

    pub(super) fn push(&mut self, mv: Move, sums: Sums, proof: Proof, prior: Prior) {
        self.moves.push(mv);
        self.visits.push(sums.visits as u32);
        self.half_wins.push(sums.half_wins as u32);
        self.amaf_visits.push(sums.amaf.visits());
        self.amaf_half_wins.push(sums.amaf.half_wins());
        self.proofs.push(proof);
        self.priors.push(prior.0);
        self.judged.push(sums.judged.sum());
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
    pub judged: Judged,
}

impl Sums {
    /// The counts on top of `before`.
    pub fn since(self, before: Sums) -> Sums {
        Sums {
            visits: self.visits - before.visits,
            half_wins: self.half_wins - before.half_wins,
            amaf: self.amaf.since(before.amaf),
            judged: self.judged.without(before.judged),
        }
    }
}

/// The counts that a private tree began with, for its first nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Imported(pub Vec<Sums>);

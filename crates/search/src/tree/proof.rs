//! Proven wins, losses and draws, and how they travel up (MCTS-Solver).
//!
//! # Source
//! Winands, Björnsson & Saito 2008.

use banyan_games::{Color, Outcome};

use super::{NodeId, Path, Tree};

/// What is proven of a node, for the player who moved into it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// Nothing yet.
    #[default]
    Open,
    /// Whoever moved here wins.
    Win,
    /// Whoever moved here loses.
    Loss,
    /// Nobody wins.
    Draw,
}

impl Proof {
    /// What an ended game proves for the player who moved into it.
    pub fn of(outcome: Outcome, mover: Color) -> Proof {
        match outcome.winner() {
            None => Proof::Draw,
            Some(winner) if winner == mover => Proof::Win,
            Some(_) => Proof::Loss,
        }
    }

    /// 1, 0 or ½; nothing while it is open.
    pub fn value(self) -> Option<f64> {
        match self {
            Proof::Open => None,
            Proof::Win => Some(1.0),
            Proof::Loss => Some(0.0),
            Proof::Draw => Some(0.5),
        }
    }

    /// The same fact for the other side.
    pub fn reversed(self) -> Proof {
        match self {
            Proof::Win => Proof::Loss,
            Proof::Loss => Proof::Win,
            same => same,
        }
    }

    /// A number for it, 0 to 3.
    pub const fn bits(self) -> u8 {
        self as u8
    }

    /// The proof of a number; of any but 1 to 3 it is [`Proof::Open`].
    pub const fn from_bits(bits: u8) -> Proof {
        match bits {
            1 => Proof::Win,
            2 => Proof::Loss,
            3 => Proof::Draw,
            _ => Proof::Open,
        }
    }
}

impl Tree {
    /// Marks the leaf of `path` as proven and carries the proof up as far as it goes; not without
    /// `solver`.
    pub fn prove(&mut self, path: &Path, proof: Proof) {
        if self.parameters.solver < 1.0 {
            return;
        }
        let Some((&leaf, above)) = path.split_last() else { return };
        self.set_proof(leaf, proof);
        self.prove_path(above);
    }

    /// Carries what is proven of the children of a path's last node up as far as it goes.
    pub(super) fn prove_path(&mut self, path: &[NodeId]) {
        for &node in path.iter().rev() {
            if !self.prove_from_children(node) {
                return;
            }
        }
    }

    /// Draws the conclusion for a node from its children; returns whether it is proven now.
    pub(super) fn prove_from_children(&mut self, node: NodeId) -> bool {
        let Some(for_chooser) = self.best_proven_child(node) else { return false };
        let chooser = self.children(node).next().map(|child| self.mover(child));
        // A turn of two plies leaves the chooser and the player before the same side.
        let same_side = chooser == Some(self.mover(node));
        self.set_proof(node, if same_side { for_chooser } else { for_chooser.reversed() });
        true
    }

    /// What the player who chooses among the children can force, once that is certain.
    fn best_proven_child(&self, node: NodeId) -> Option<Proof> {
        let mut best = None;
        for child in self.children(node).filter(|child| !self.flags[child.index()].is_banned()) {
            match (self.proof(child), best) {
                (Proof::Win, _) => return Some(Proof::Win),
                (Proof::Open, _) => best = Some(Proof::Open),
                (Proof::Draw, None | Some(Proof::Loss)) => best = Some(Proof::Draw),
                (Proof::Loss, None) => best = Some(Proof::Loss),
                (Proof::Draw | Proof::Loss, _) => {}
            }
        }
        best.filter(|&proof| proof != Proof::Open)
    }

    pub(super) fn clear_proof(&mut self, node: NodeId) {
        self.set_proof(node, Proof::Open);
    }

    fn set_proof(&mut self, node: NodeId, proof: Proof) {
        self.flags[node.index()] = self.flags[node.index()].with_proof(proof);
    }
}

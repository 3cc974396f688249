//! How what is proven travels up the tree (MCTS-Solver).
//!
//! # Source
//! Winands, Björnsson & Saito 2008.

use super::{NodeId, Path, Proof, Tree};

impl Tree {
    /// Marks the leaf of `path` as proven and carries the proof up as far as it goes; not without
    /// `solver`.
    pub fn prove(&mut self, path: &Path, proof: Proof) {
        if !self.parameters.solver {
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

    /// The outcome that the player who chooses among the children can force, once that is certain.
    fn best_proven_child(&self, node: NodeId) -> Option<Proof> {
        let mut best = None;
        for child in
            self.children(node).filter(|child| !self.nodes.flags[child.index()].is_banned())
        {
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
        self.nodes.flags[node.index()] = self.nodes.flags[node.index()].with_proof(proof);
    }
}

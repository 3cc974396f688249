//! Propagation of proofs up the tree (MCTS-Solver).
//!
//! What a peer's subtree says is proven is a *claim*, and so is whatever follows from claims. Claims lead
//! descents as proofs do, but decide nothing at the root: they stop below its children, see `claims`.
//!
//! # Source
//! Winands, Björnsson & Saito 2008.

use super::{NodeId, Path, Proof, Tree};

/// Conclusion on a node from its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conclusion {
    /// For the player who moved into the node.
    pub proof: Proof,
    /// Tells whether it rests on what a peer said.
    pub is_claim: bool,
    /// A child whose claim it rests on, if there is one.
    pub claimed: Option<NodeId>,
}

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
        for (depth, &node) in path.iter().enumerate().rev() {
            let Some(Conclusion { proof, is_claim, .. }) = self.conclusion(node) else { return };
            if !is_claim {
                self.set_proof(node, proof);
            } else if depth > 1 {
                self.set_claim(node, proof);
            } else {
                return self.note_claim(node);
            }
        }
    }

    /// Draws the conclusion for the root from its children, whose claims count for nothing.
    pub(super) fn prove_root(&mut self) {
        self.prove_path(&[self.root]);
    }

    /// Concludes what the children prove of a node; nothing while they leave it open.
    pub(super) fn conclusion(&self, node: NodeId) -> Option<Conclusion> {
        let (for_chooser, is_claim, claimed) = self.best_proven_child(node)?;
        let chooser = self.children(node).next().map(|child| self.mover(child));
        // A turn of two plies leaves the chooser and the player before the same side.
        let same_side = chooser == Some(self.mover(node));
        let proof = if same_side { for_chooser } else { for_chooser.reversed() };
        Some(Conclusion { proof, is_claim, claimed })
    }

    /// Finds what the player who chooses among the children can force, once that is certain or claimed to be.
    ///
    /// One move that wins is enough. Otherwise nothing better may have been left out, so that a peer's
    /// list of children is a claim, too.
    fn best_proven_child(&self, node: NodeId) -> Option<(Proof, bool, Option<NodeId>)> {
        let (mut best, mut claimed, mut claimed_win) = (None, None, None);
        let flags = |child: NodeId| self.nodes.flags[child.index()];
        for child in self.children(node).filter(|&child| !flags(child).is_banned()) {
            let is_claimed = flags(child).is_claimed();
            match (self.proof(child), best) {
                (Proof::Win, _) if !is_claimed => return Some((Proof::Win, false, None)),
                (Proof::Win, _) => claimed_win = claimed_win.or(Some(child)),
                (Proof::Open, _) => best = Some(Proof::Open),
                (Proof::Draw, None | Some(Proof::Loss)) => best = Some(Proof::Draw),
                (Proof::Loss, None) => best = Some(Proof::Loss),
                (Proof::Draw | Proof::Loss, _) => {}
            }
            claimed = claimed.or(is_claimed.then_some(child));
        }
        if let Some(child) = claimed_win {
            return Some((Proof::Win, true, Some(child)));
        }
        let is_claim = claimed.is_some() || self.nodes.flags[node.index()].is_listed();
        // What was left out may be better.
        let best = best.filter(|_| !self.is_partial(node));
        best.filter(|&proof| proof != Proof::Open).map(|proof| (proof, is_claim, claimed))
    }

    pub(super) fn clear_proof(&mut self, node: NodeId) {
        self.set_proof(node, Proof::Open);
    }

    /// Sets what this process knows.
    pub(super) fn set_proof(&mut self, node: NodeId, proof: Proof) {
        let flags = &mut self.nodes.flags[node.index()];
        *flags = flags.with_proof(proof).with_claim(false);
    }

    /// Sets what a peer says, where nothing is known.
    pub(super) fn set_claim(&mut self, node: NodeId, proof: Proof) {
        let flags = &mut self.nodes.flags[node.index()];
        if flags.proof() == Proof::Open || flags.is_claimed() {
            *flags = flags.with_proof(proof).with_claim(true);
        }
    }

    /// Notes that a child of the root, or the root, would be decided by claims.
    pub(super) fn note_claim(&mut self, node: NodeId) {
        let flags = &mut self.nodes.flags[node.index()];
        if flags.proof() == Proof::Open && node != self.root {
            *flags = flags.with_claim(true);
        }
    }
}

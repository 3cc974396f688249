//! Parallel alpha-beta: the top plies of a minimax search, whose leaves are searched elsewhere, many at a
//! time.
//!
//! What is asked of the root comes down to subproblems at the leaves: what is this one worth, within bounds?
//! Whoever answers says what it is or by how much it is beyond, and what is known of a leaf stays known. No
//! clock, no threads: subproblems out, answers in. There are two ways of asking.
//!
//! - **Closing in**, MTD(f): is it at least so much? and again, just beyond what was found. For values
//!   that are few.
//! - **Scouting**, principal variation search: the first move is asked what it is worth, the others
//!   whether they are better. For values that are many.
//!
//! Which leaf is asked about first decides how much is asked in vain. Where one good move is enough the
//! others wait for the first, and are asked about only when there is nothing better to do. Where every
//! move must be refuted the first goes ahead alone, since what is wrong shows there; then none waits for
//! another. Who scouts before the first move has its answer takes the guess for it.
//!
//! Moves that stand late in a good order may be asked about less deep first ([`Below::late`]). Such an answer
//! counts where it speaks against the move; where it speaks for it, all is asked again in full.
//!
//! Reading order: what is known of the search below (`below`), what is asked and answered (`subproblem`), a
//! position (`node`), how bounds go up (`propagation`), what is asked next (`choice`), what was found
//! (`results`).
//!
//! # Source
//! S7 for MTD(f); Marsland & Campbell 1982 for principal variation search; Feldmann 1993 ("young brothers
//! wait") for the order.

#[cfg(test)]
mod tests;

mod below;

mod subproblem;

mod node;

mod propagation;

mod choice;

mod results;

use banyan_games::{Game, Move};

use crate::bounds::Bounds;
pub use below::Below;
use choice::AHEAD_MAX;
use node::Node;
use subproblem::Asking;
pub use subproblem::{Bound, Leaf, Subproblem};

/// The top of an alpha-beta search that many share.
#[derive(Clone, Debug)]
pub struct ParallelAlphaBeta<G, B> {
    below: B,
    /// The root first, the children of a node side by side.
    nodes: Vec<Node<G>>,
    /// A guess at the root's worth.
    guess: i32,
    asking: Asking,
}

impl<G: Game, B: Below<G>> ParallelAlphaBeta<G, B> {
    /// The search of a position whose game goes on, by closing in.
    ///
    /// - `moves`: those to choose from, at least one, each legal.
    /// - `guess`: what the value may be; the nearer, the fewer subproblems.
    pub fn closing_in(
        position: &G,
        moves: &[Move],
        below: B,
        guess: i32,
    ) -> ParallelAlphaBeta<G, B> {
        let guess = guess.clamp(B::UNIT - B::MAX, B::MAX);
        let mut parallel = ParallelAlphaBeta::new(position, moves, below, guess);
        parallel.asking = Asking::AtLeast(guess, true);
        parallel
    }

    /// The search of a position whose game goes on, by scouting. The first of `moves` is what the others
    /// are compared with.
    ///
    /// - `moves`, `guess`: as in [`ParallelAlphaBeta::closing_in`].
    pub fn scouting(position: &G, moves: &[Move], below: B, guess: i32) -> ParallelAlphaBeta<G, B> {
        ParallelAlphaBeta::new(position, moves, below, guess)
    }

    fn new(position: &G, moves: &[Move], below: B, guess: i32) -> ParallelAlphaBeta<G, B> {
        let root = Node::new(position.clone(), B::MAX);
        let mut parallel =
            ParallelAlphaBeta { below, nodes: vec![root], guess, asking: Asking::Value };
        parallel.expand(0, moves);
        parallel
    }

    /// Bounds of the value at the root: at least the first, at most the second. Equal when it is
    /// found.
    pub fn bounds(&self) -> (i32, i32) {
        (self.nodes[0].lower, self.nodes[0].upper)
    }

    /// Tells whether the value is found.
    pub fn is_solved(&self) -> bool {
        self.nodes[0].lower >= self.nodes[0].upper
    }

    /// The next subproblem, if there is one worth lending before anything is answered.
    pub fn ask(&mut self) -> Option<Subproblem> {
        while !self.is_solved() {
            let asked = self.asked_of_root();
            let (leaf, bounds) =
                (0..=AHEAD_MAX).find_map(|ahead| self.open_leaf(0, asked, ahead))?;
            let node = &self.nodes[leaf];
            if self.below.is_small(&node.position, node.plies) {
                let less = self.less(leaf);
                (self.nodes[leaf].is_asked, self.nodes[leaf].asked_less) = (true, less);
                return Some(Subproblem { leaf: Leaf(leaf), path: self.path(leaf), bounds, less });
            }
            self.expand_all(leaf);
        }
        None
    }

    /// Takes an answer in. A leaf that nobody could solve is looked into move by move.
    pub fn answer(&mut self, Leaf(at): Leaf, bound: Bound) {
        let less = self.less(at);
        let Some(node) = self.nodes.get_mut(at) else { return };
        node.is_asked = false;
        if node.asked_less > less {
            return;
        }
        let (lower, upper) = match bound {
            Bound::Exact(value) => (value, value),
            Bound::AtLeast(value) => (value, node.upper),
            Bound::AtMost(value) => (node.lower, value),
            Bound::Unknown if node.children.is_empty() => return self.expand_all(at),
            Bound::Unknown => return,
        };
        node.lower = node.lower.max(lower.min(node.upper));
        node.upper = node.upper.min(upper.max(node.lower));
        self.update(at);
    }

    /// Notes that nobody is looking for a leaf's worth any more. It will be asked about again when it
    /// matters.
    pub fn take_back(&mut self, Leaf(at): Leaf) {
        if let Some(node) = self.nodes.get_mut(at) {
            node.is_asked = false;
        }
    }

    /// Tells whether it still matters what a leaf that was asked about is worth.
    pub fn matters(&mut self, Leaf(at): Leaf) -> bool {
        if self.nodes[at].asked_less > self.less(at) {
            return false;
        }
        let mut steps = Vec::new();
        let mut node = at;
        while node > 0 {
            steps.push(node);
            node = self.nodes[node].parent;
        }
        let mut bounds = self.asked_of_root().bounds;
        for &step in steps.iter().rev() {
            if !self.nodes[node].is_open(bounds) {
                return false;
            }
            let alpha = bounds.alpha.max(self.best_lower(node));
            bounds = self.bounds_of(node, step, Bounds { alpha, ..bounds });
            node = step;
        }
        self.nodes[node].is_open(bounds)
    }

    /// Gives back what stands below, for another search.
    pub fn into_below(self) -> B {
        self.below
    }
}

//! Propagation of bounds from children to their parents, and expansion of nodes.

use banyan_games::{Game, Move};

use super::node::Node;
use super::{Below, ParallelAlphaBeta};
use crate::bounds::Bounds;

impl<G: Game, B: Below<G>> ParallelAlphaBeta<G, B> {
    /// The most that a move is known to be worth, for the side to move at the node.
    pub(super) fn best_lower(&self, at: usize) -> i32 {
        let lower = self.nodes[at].children.clone().map(|child| self.seen_from(at, child).0);
        lower.max().unwrap_or(-B::MAX)
    }

    pub(super) fn is_same_side(&self, at: usize, child: usize) -> bool {
        self.nodes[at].position.side_to_move() == self.nodes[child].position.side_to_move()
    }

    /// Bounds of a child that matter where `bounds` matter of its parent.
    pub(super) fn bounds_of(&self, at: usize, child: usize, bounds: Bounds) -> Bounds {
        if self.is_same_side(at, child) { bounds } else { bounds.turned() }
    }

    /// A child's bounds as its parent sees them.
    pub(super) fn seen_from(&self, at: usize, child: usize) -> (i32, i32) {
        let Node { lower, upper, .. } = self.nodes[child];
        if self.is_same_side(at, child) { (lower, upper) } else { (-upper, -lower) }
    }

    pub(super) fn expand_all(&mut self, at: usize) {
        let mut moves = Vec::new();
        self.below.ranked(&self.nodes[at].position, &mut moves);
        self.expand(at, &moves);
    }

    pub(super) fn expand(&mut self, at: usize, moves: &[Move]) {
        let first = self.nodes.len();
        let plies = self.nodes[at].plies;
        for (place, &mv) in moves.iter().enumerate() {
            let mut position = self.nodes[at].position.clone();
            position.play(mv);
            let worth = self.below.finished(&position);
            let less = worth.map_or_else(|| self.below.late(place, plies), |_| 0);
            self.nodes.push(Node {
                mv,
                parent: at,
                plies: plies + 1,
                lower: worth.unwrap_or(-B::MAX),
                upper: worth.unwrap_or(B::MAX),
                less,
                ..Node::new(position, B::MAX)
            });
        }
        self.nodes[at].children = first..self.nodes.len();
        self.update(at);
    }

    /// Updates a node's bounds by those of its children, and so on up to the root.
    pub(super) fn update(&mut self, mut at: usize) {
        loop {
            if !self.nodes[at].children.is_empty() {
                let children = self.nodes[at].children.clone();
                let children = children.map(|child| self.seen_from(at, child));
                let (mut lower, mut upper) = (-B::MAX, -B::MAX);
                for (child_lower, child_upper) in children {
                    (lower, upper) = (lower.max(child_lower), upper.max(child_upper));
                }
                let node = &mut self.nodes[at];
                node.lower = node.lower.max(lower);
                node.upper = node.upper.min(upper).max(node.lower);
            }
            if at == 0 {
                return;
            }
            let Node { parent, less, .. } = self.nodes[at];
            if less > 0 && self.seen_from(parent, at).0 > -B::MAX {
                self.ask_in_full(at);
            }
            at = parent;
        }
    }

    /// A move of a late place is not as bad as was thought: what was found less deep does not count.
    pub(super) fn ask_in_full(&mut self, at: usize) {
        self.nodes[at].less = 0;
        let mut forgotten = vec![at];
        while let Some(at) = forgotten.pop() {
            forgotten.extend(self.nodes[at].children.clone());
            let worth = self.below.finished(&self.nodes[at].position);
            let node = &mut self.nodes[at];
            node.lower = worth.unwrap_or(-B::MAX);
            node.upper = worth.unwrap_or(B::MAX);
        }
        // What was concluded from it on the way to the root is found again from what is left.
        let mut above = at;
        while above > 0 {
            above = self.nodes[above].parent;
            (self.nodes[above].lower, self.nodes[above].upper) = (-B::MAX, B::MAX);
        }
    }

    /// By how many plies less deep is asked about a node.
    pub(super) fn less(&self, mut at: usize) -> u32 {
        let mut less = 0;
        while let Some(node) = self.nodes.get(at).filter(|_| at > 0) {
            less += node.less;
            at = node.parent;
        }
        less
    }

    pub(super) fn path(&self, mut at: usize) -> Vec<Move> {
        let mut path = Vec::new();
        while at > 0 {
            path.push(self.nodes[at].mv);
            at = self.nodes[at].parent;
        }
        path.reverse();
        path
    }
}

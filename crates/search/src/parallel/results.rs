//! Results of a shared search: the best move, and the line of best play.

use banyan_games::{Game, Move};

use super::{Below, Leaf, ParallelAlphaBeta};

impl<G: Game, B: Below<G>> ParallelAlphaBeta<G, B> {
    /// The move that is worth most for certain, if anything is known of any.
    pub fn best(&self) -> Option<Move> {
        let worth = |&child: &usize| self.seen_from(0, child).0;
        let known = self.nodes[0].children.clone().rev().filter(|child| worth(child) > -B::MAX);
        known.max_by_key(worth).map(|child| self.nodes[child].mv)
    }

    /// A move at the root that is known to be worth more than `other` can be, what at least, and the leaves on whose
    /// answers that rests.
    pub fn better_than(&self, other: Move) -> Option<(Move, i32, Vec<Leaf>)> {
        let children = self.nodes[0].children.clone();
        let beaten = children.clone().find(|&child| self.nodes[child].mv == other)?;
        let (_, most) = self.seen_from(0, beaten);
        let worth = |&child: &usize| self.seen_from(0, child).0;
        let best = children.rev().max_by_key(worth).filter(|child| worth(child) > most)?;
        let mut leaves = Vec::new();
        self.rests_on(best, self.is_same_side(0, best), &mut leaves);
        self.rests_on(beaten, !self.is_same_side(0, beaten), &mut leaves);
        Some((self.nodes[best].mv, worth(&best), leaves))
    }

    /// The best move known of each position that was looked into, by its hash.
    pub fn best_moves(&self) -> impl Iterator<Item = (u64, Move)> {
        (0..self.nodes.len()).filter_map(|at| {
            // What is too good for the other side, or else what was shown to be bad the least.
            let worth = |&child: &usize| self.seen_from(at, child);
            let best = self.nodes[at].children.clone().rev().max_by_key(worth)?;
            Some((self.nodes[at].position.hash(), self.nodes[best].mv))
        })
    }

    /// Once the value is found: the leaves on whose answers it rests that the best move is worth as much,
    /// and that `other` is worth no more.
    pub fn deciding(&self, other: Option<Move>) -> Vec<Leaf> {
        let (mut leaves, root) = (Vec::new(), &self.nodes[0]);
        let is_best = |&child: &usize| self.seen_from(0, child).0 >= root.lower;
        let best = root.children.clone().find(is_best);
        let other = root.children.clone().find(|&child| Some(self.nodes[child].mv) == other);
        if let Some(best) = best {
            self.rests_on(best, self.is_same_side(0, best), &mut leaves);
        }
        if let Some(other) = other.filter(|&other| Some(other) != best) {
            self.rests_on(other, !self.is_same_side(0, other), &mut leaves);
        }
        leaves
    }

    /// The leaves that a node's lower bound rests on, or its upper one.
    fn rests_on(&self, at: usize, is_lower: bool, leaves: &mut Vec<Leaf>) {
        let node = &self.nodes[at];
        let below = |child| is_lower == self.is_same_side(at, child);
        let is_enough = |&child: &usize| self.seen_from(at, child).0 >= node.lower;
        let is_too_good = |child| self.seen_from(at, child).1 > node.upper;
        let mut children = node.children.clone();
        if is_lower && let Some(child) = children.clone().find(is_enough) {
            self.rests_on(child, below(child), leaves);
        } else if is_lower || node.children.is_empty() || children.any(is_too_good) {
            leaves.push(Leaf(at));
        } else {
            node.children.clone().for_each(|child| self.rests_on(child, below(child), leaves));
        }
    }

    /// Once the value is found: best play as far as it was looked into here, the position where it
    /// ends, and what that is worth to its side to move.
    pub fn line(&self) -> (Vec<Move>, &G, i32) {
        let (mut at, mut line, mut worth) = (0, Vec::new(), self.nodes[0].lower);
        loop {
            let mut children = self.nodes[at].children.clone();
            let Some(child) = children.find(|&child| self.seen_from(at, child).0 >= worth) else {
                return (line, &self.nodes[at].position, worth);
            };
            line.push(self.nodes[child].mv);
            worth = if self.is_same_side(at, child) { worth } else { -worth };
            at = child;
        }
    }
}

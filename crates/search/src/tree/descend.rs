//! One walk from the root to a leaf.

use crate::searchable::Searchable;
use banyan_games::{Move, Outcome, Rng};

use super::{NodeId, Path, Tree};

/// Place where a descent stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Descent {
    /// At a leaf that wants playouts.
    Leaf(Path),
    /// At the end of a game, whose outcome is known without any.
    Ended(Path, Outcome),
}

impl Tree {
    /// Walks from the root, choosing the best child each time, and expands on the way.
    ///
    /// - `position` must be the root's; it is played forward to the leaf.
    /// - `visits_min`: a node with fewer visits is a leaf even if it has children.
    pub fn descend<G: Searchable>(&mut self, position: &mut G, visits_min: u64) -> Descent {
        let mut path = Vec::with_capacity(32);
        path.push(self.root);
        self.board_scale = G::board_scale(position.size());
        self.area = position.size().area() as u16;
        self.set_criticality_priors(position);
        self.walk(path, position, visits_min)
    }

    /// The same with a given first move, that of the root's child `first`. Where the rules forbid it, as
    /// they may what a worker made, the tree chooses.
    pub fn descend_through<G: Searchable>(
        &mut self,
        first: NodeId,
        position: &mut G,
        visits_min: u64,
    ) -> Descent {
        if self.nodes.flags[first.index()].is_doubtful()
            && !self.check_legality(self.root, first, position)
        {
            return self.descend(position, visits_min);
        }
        self.board_scale = G::board_scale(position.size());
        self.area = position.size().area() as u16;
        self.set_criticality_priors(position);
        position.play(self.move_into(first));
        self.walk(vec![self.root, first], position, visits_min)
    }

    /// Goes on from the end of `path`, whose position is given.
    fn walk<G: Searchable>(
        &mut self,
        mut path: Path,
        position: &mut G,
        visits_min: u64,
    ) -> Descent {
        if self.is_all_judged() {
            return self.walk_judged(path, position, visits_min);
        }
        let mut node = *path.last().expect("a path holds the root");
        while self.visits(node) >= visits_min
            && (self.is_expanded(node) || self.expand_when_visited(&path, position))
        {
            self.set_priors_once(node, position);
            self.step(&mut node, &mut path, position);
        }
        if let Some(outcome) = position.outcome() {
            return Descent::Ended(path, outcome);
        }
        self.set_implicit_value(&path, position);
        // A private tree that grows there cannot know which pairs are met elsewhere: it is told.
        if visits_min > 0 && path.len() > 1 && !self.is_expanded(node) && !self.is_full() {
            let side = position.side_to_move();
            if self.is_within_turn(node, side) {
                self.expand(&path, position);
            }
        }
        Descent::Leaf(path)
    }

    /// The same where every leaf waits for its judgement: it stops at a node whose children have no priors
    /// yet, which the judgement brings.
    fn walk_judged<G: Searchable>(
        &mut self,
        mut path: Path,
        position: &mut G,
        visits_min: u64,
    ) -> Descent {
        let mut node = *path.last().expect("a path holds the root");
        while self.visits(node) >= visits_min && self.has_policy(node) {
            self.step(&mut node, &mut path, position);
        }
        if let Some(outcome) = position.outcome() {
            return Descent::Ended(path, outcome);
        }
        // A private tree that grows there finds out by itself which moves are likely, unless it cannot know which pairs
        // are met elsewhere.
        let is_wanted = visits_min == 0 || self.is_within_turn(node, position.side_to_move());
        if is_wanted && !self.is_expanded(node) && !self.is_full() {
            self.expand(&path, position);
        }
        Descent::Leaf(path)
    }

    /// Goes on to the best child, unless the rules forbid it.
    #[inline(always)]
    fn step<G: Searchable>(&mut self, node: &mut NodeId, path: &mut Path, position: &mut G) {
        let child = self.select(*node);
        if self.nodes.flags[child.index()].is_doubtful()
            && !self.check_legality(*node, child, position)
        {
            return;
        }
        *node = child;
        path.push(child);
        position.play(self.move_into(child));
    }

    /// Gives the root its children, as an expansion does, without waiting for visits. `position` must
    /// be the root's.
    pub fn expand_root<G: Searchable>(&mut self, position: &G) {
        if !self.is_expanded(self.root) {
            self.expand(&[self.root], position);
        }
    }

    /// Gives a leaf its children once it has been played out, or soon will be; returns whether it has them
    /// now.
    ///
    /// What is in flight counts: otherwise all that comes by until the first answer would play out the
    /// same position.
    fn expand_when_visited<G: Searchable>(&mut self, path: &[NodeId], position: &G) -> bool {
        let node = path[path.len() - 1];
        let tried = self.visits(node) + u64::from(self.unobserved(node));
        if tried < u64::from(self.parameters.expand_after) || self.is_full() {
            return false;
        }
        self.expand(path, position)
    }

    /// The moves that become children of a position: its candidates. In games of territory these leave out
    /// what fills an own eye, as playouts must to end; who judges positions knows which of these are false,
    /// and when they must be filled.
    pub(super) fn moves_of<G: Searchable>(&self, position: &G) -> Vec<Move> {
        let mut moves = Vec::with_capacity(position.size().area() + 1);
        if G::TERRITORY && self.is_judged_by_evaluators() {
            position.legal_moves(&mut moves);
        } else {
            position.candidates(&mut moves);
            self.leave_out_bad(position, &mut moves);
        }
        moves
    }

    /// Takes what reads as bad out of the moves of a position, where the parameters say so and nobody judges
    /// positions.
    ///
    /// # Source
    /// S4.
    pub fn leave_out_bad<G: Searchable>(&self, position: &G, moves: &mut Vec<Move>) {
        if self.parameters.exclude_bad && !self.is_judged_by_evaluators() {
            position.leave_out_bad(moves);
        }
    }

    /// Gives the last node of `path` its children, whatever is in flight there.
    pub(super) fn expand<G: Searchable>(&mut self, path: &[NodeId], position: &G) -> bool {
        let (node, side) = (path[path.len() - 1], position.side_to_move());
        let moves = self.ordered_moves_of(path, position);
        if moves.is_empty()
            && path.len() > 1
            && self.is_within_turn(node, side)
            && position.outcome().is_none()
        {
            self.prune(node);
        }
        self.add_children(node, side, &moves);
        !moves.is_empty()
    }

    /// The moves from the last node of `path`, in the order of its children.
    pub(super) fn ordered_moves_of<G: Searchable>(
        &self,
        path: &[NodeId],
        position: &G,
    ) -> Vec<Move> {
        let (node, side) = (path[path.len() - 1], position.side_to_move());
        let mut moves = self.moves_of(position);
        shuffle(&mut moves, self.seed ^ position.hash());
        if let &[.., parent, _] = path
            && self.is_within_turn(node, side)
        {
            self.leave_out_pairs(parent, node, &mut moves);
        }
        moves
    }
}

/// Fisher-Yates by a seed.
fn shuffle(moves: &mut [Move], seed: u64) {
    let mut rng = Rng::from_seed(seed);
    for last in (1..moves.len()).rev() {
        moves.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

//! Answers of the tree: candidates, the move to play, the principal variation, the digest.

use std::cmp::Ordering;

use banyan_games::Move;
use banyan_games::rng::mix;

use super::{Judged, NodeId, Proof, Tree};
use crate::parameters::Parameters;

/// Choice of the root child that is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FinalMove {
    /// The one with most visits.
    #[default]
    Visits,
    /// The one with the highest value (S1). Needs visits to mean anything.
    Mean,
    /// The one whose value is sure to be the highest: of the moves with a [`BOUND_SHARE`] of the most visits,
    /// that with the highest value less [`BOUND_WIDTH`] / √visits; a proven draw is sure to be worth a half.
    ///
    /// # Source
    /// KataGo's choice by lower confidence bounds (Wu); the width is a constant here, by matches
    /// (docs/experiments/search.md).
    Bound,
}

/// Bound on the error of a value, times the root of its visits; in shares of a win.
pub const BOUND_WIDTH: f64 = 0.45;

/// Moves with a smaller part of the most visits are not considered.
pub const BOUND_SHARE: f64 = 0.15;

impl FinalMove {
    /// The choice that plays best where nothing else is said: by bounds where evaluations are all that counts, else
    /// by visits.
    pub fn usual(parameters: &Parameters) -> FinalMove {
        if parameters.lambda >= 1.0 { FinalMove::Bound } else { FinalMove::Visits }
    }
}

/// One move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Playouts counted through it.
    pub visits: u64,
    /// In `0.0..=1.0`, for the side to move at the root.
    pub value: f64,
    /// Belief before visits, a share of 1 over all candidates: the same for each where the game has no
    /// opinion.
    pub prior: f64,
    /// The proof, for the side to move at the root.
    pub proof: Proof,
}

impl Tree {
    /// The moves allowed at the root, the one to play first.
    pub fn candidates(&self, by: FinalMove) -> Vec<Candidate> {
        let nodes = self.ranked(by);
        let odds: f32 = nodes.iter().map(|&node| self.odds(node)).sum();
        let candidate = |node| Candidate {
            mv: self.move_into(node),
            visits: self.visits(node),
            value: self.value(node),
            prior: f64::from(self.odds(node) / odds),
            proof: self.proof(node),
        };
        nodes.into_iter().map(candidate).collect()
    }

    /// The most visited line from the root, at most `length` plies.
    pub fn principal_variation(&self, by: FinalMove, length: usize) -> Vec<Move> {
        let first = self.ranked(by).into_iter().find(|&child| self.visits(child) > 0);
        let line = first.map_or_else(Vec::new, |first| self.line_through(first, length));
        line.into_iter().map(|node| self.move_into(node)).collect()
    }

    /// The most visited line through each of the first `count` candidates, in their order: at most
    /// `length` plies, each with its visits. A candidate without visits is a line of one ply.
    pub fn lines(&self, by: FinalMove, count: usize, length: usize) -> Vec<Vec<(Move, u64)>> {
        let ply = |node| (self.move_into(node), self.visits(node));
        let line = |first| self.line_through(first, length).into_iter().map(ply).collect();
        self.ranked(by).into_iter().take(count).map(line).collect()
    }

    /// The most visited line through a move of the root, at most `length` plies, each with its visits.
    pub fn line(&self, first: Move, length: usize) -> Vec<(Move, u64)> {
        let ply = |node| (self.move_into(node), self.visits(node));
        let line = self.child(self.root, first).map(|child| self.line_through(child, length));
        line.unwrap_or_default().into_iter().map(ply).collect()
    }

    fn line_through(&self, mut node: NodeId, length: usize) -> Vec<NodeId> {
        let mut line = Vec::new();
        while line.len() < length {
            line.push(node);
            let Some(next) = self.most_visited(node) else { break };
            node = next;
        }
        line
    }

    /// The child with most visits, if any has some.
    fn most_visited(&self, node: NodeId) -> Option<NodeId> {
        let children = self.allowed_children(node).filter(|&child| self.visits(child) > 0);
        children.max_by(|&a, &b| self.order(a, b, FinalMove::Visits))
    }

    /// The children allowed at the root, the best first.
    fn ranked(&self, by: FinalMove) -> Vec<NodeId> {
        let mut nodes: Vec<NodeId> = self.allowed_children(self.root).collect();
        nodes.sort_by(|&a, &b| self.order(b, a, by));
        if by == FinalMove::Bound {
            let best = self.best_by_bound(&nodes);
            if let Some(before) = nodes.get_mut(..=best) {
                before.rotate_right(1);
            }
        }
        nodes
    }

    /// Finds the one of these children, most visits first, with the highest lower bound; the first where somebody is
    /// proven to win or nobody has visits.
    fn best_by_bound(&self, nodes: &[NodeId]) -> usize {
        let visits = |node: NodeId| self.visits(node) as f64;
        let bound = |node: NodeId| match self.proof(node).value() {
            Some(sure) => sure,
            None => self.value(node) - BOUND_WIDTH / visits(node).sqrt(),
        };
        let is_undecided = |node: NodeId| matches!(self.proof(node), Proof::Open | Proof::Draw);
        let Some(&first) = nodes.first().filter(|&&it| is_undecided(it) && visits(it) > 0.0) else {
            return 0;
        };
        let is_known = |node: NodeId| {
            let is_drawn = self.proof(node) == Proof::Draw;
            is_drawn || visits(node) >= BOUND_SHARE * visits(first) && visits(node) > 0.0
        };
        let fits = |&(_, node): &(usize, NodeId)| is_undecided(node) && is_known(node);
        let known = nodes.iter().copied().enumerate().filter(fits);
        let best = known
            .map(|(at, node)| (at, bound(node)))
            .reduce(|best, other| if other.1 > best.1 { other } else { best });
        best.map_or(0, |(at, _)| at)
    }

    fn order(&self, a: NodeId, b: NodeId, by: FinalMove) -> Ordering {
        self.rank(a, by).partial_cmp(&self.rank(b, by)).expect("no NaN")
    }

    /// A hash over every living node's move and integer statistics.
    ///
    /// The same on every machine and in every process for the same tree.
    pub fn digest(&self) -> u64 {
        let mut digest = 0;
        let mut left = vec![self.root];
        while let Some(node) = left.pop() {
            let at = node.index();
            for number in [
                u64::from(self.nodes.moves[at].0),
                self.nodes.visits[at],
                self.nodes.half_wins[at],
                u64::from(self.nodes.amaf[at].visits()),
                u64::from(self.nodes.amaf[at].half_wins()),
                u64::from(self.nodes.flags[at].counted()),
                self.nodes.child_count[at].count().into(),
            ] {
                digest = mix(digest ^ number);
            }
            if self.nodes.judged[at] != Judged::NONE {
                digest = mix(digest ^ self.nodes.judged[at].0);
                digest = mix(digest ^ u64::from(self.nodes.priors[at].0));
            }
            left.extend(self.children(node).rev());
        }
        digest
    }

    /// The children allowed at the root, in the order of the arena.
    pub(crate) fn allowed_at_root(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.allowed_children(self.root)
    }

    fn allowed_children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children(node).filter(|child| !self.nodes.flags[child.index()].is_banned())
    }

    /// Proven wins before all, proven losses after all, then as `by` says, then the lower point.
    fn rank(&self, node: NodeId, by: FinalMove) -> (i8, f64, f64, i32) {
        let proof = match self.proof(node) {
            Proof::Win => 1,
            Proof::Loss => -1,
            Proof::Open | Proof::Draw => 0,
        };
        let visits = self.visits(node) as f64;
        let value = if visits > 0.0 { self.value(node) } else { -1.0 };
        let point = -i32::from(self.move_into(node).0);
        match by {
            FinalMove::Visits | FinalMove::Bound => (proof, visits, value, point),
            FinalMove::Mean => (proof, value, visits, point),
        }
    }
}

//! Choice of the leaf that is asked about next, and of what is asked of it.

use banyan_games::Game;

use super::node::Node;
use super::subproblem::{Asked, Asking};
use super::{Below, ParallelAlphaBeta};
use crate::bounds::Bounds;

/// Subproblems may be asked so far ahead of what is known: a subproblem costs 1 for each brother on its way
/// that should have been waited for. (Measured: 1 leaves 16 solvers idle, 8 is no better than 3.)
pub(super) const AHEAD_MAX: u32 = 3;

impl<G: Game, B: Below<G>> ParallelAlphaBeta<G, B> {
    /// When what was asked of the root is known, the next subproblem: just beyond what was found.
    pub(super) fn asked_of_root(&mut self) -> Asked {
        let Node { lower, upper, .. } = self.nodes[0];
        if let Asking::AtLeast(at_least, _) = self.asking {
            if lower >= at_least {
                self.asking = Asking::AtLeast(lower + B::UNIT, false);
            } else if upper < at_least {
                self.asking = Asking::AtLeast(upper, true);
            }
        }
        let guess = self.guess;
        match self.asking {
            Asking::AtLeast(at_least, expects_yes) => {
                Asked { bounds: Bounds::below(at_least), expects_yes, guess }
            }
            Asking::Value => {
                let bounds = Bounds { alpha: -B::MAX, beta: B::MAX };
                Asked { bounds, expects_yes: false, guess }
            }
        }
    }

    /// A leaf that decides something of what is asked of the node, and what is asked of it.
    pub(super) fn open_leaf(
        &self,
        at: usize,
        asked: Asked,
        mut ahead: u32,
    ) -> Option<(usize, Bounds)> {
        let Node { children, is_asked, .. } = &self.nodes[at];
        if children.is_empty() {
            return (!is_asked).then_some((at, asked.bounds));
        }
        let (first, of_others) = match asked.bounds {
            Bounds { alpha, beta } if alpha + 1 < beta => self.principal(at, asked),
            _ => (Some((children.start, asked)), asked),
        };
        let head = first.map(|(child, _)| child);
        let others = children.clone().filter(|&child| Some(child) != head);
        let others = others.map(|child| (child, of_others));
        for (child, of_child) in first.into_iter().chain(others) {
            let below = self.asked_of(at, child, of_child);
            if !self.nodes[child].is_open(below.bounds) {
                continue;
            }
            if let Some(found) = self.open_leaf(child, below, ahead) {
                return Some(found);
            }
            if asked.expects_yes || Some(child) == head {
                ahead = ahead.checked_sub(1)?;
            }
        }
        None
    }

    /// Finds, for a node that is asked what it is worth, the child that the others are compared with, what is asked
    /// of it, and what is asked of the others. That child is one known to be worth as much as any and maybe more;
    /// while nothing is known, the first.
    pub(super) fn principal(
        &self,
        at: usize,
        Asked { bounds, guess, .. }: Asked,
    ) -> (Option<(usize, Asked)>, Asked) {
        let best = bounds.alpha.max(self.best_lower(at));
        let is_known = best > bounds.alpha;
        let mut children = self.nodes[at].children.clone();
        let principal = children.find(|&child| {
            let (lower, upper) = self.seen_from(at, child);
            upper > best && (!is_known || lower == best)
        });
        let alpha = if is_known { best } else { guess.clamp(bounds.alpha, bounds.beta - 2) };
        let scout = Asked { bounds: Bounds::below(alpha + 1), expects_yes: false, guess };
        let value = Asked { bounds: Bounds { alpha: best, ..bounds }, ..scout };
        (principal.map(|child| (child, value)), scout)
    }

    /// The question to a child for its parent's sake.
    pub(super) fn asked_of(&self, at: usize, child: usize, asked: Asked) -> Asked {
        let Asked { bounds, expects_yes, guess } = asked;
        let is_same_side = self.is_same_side(at, child);
        Asked {
            bounds: self.bounds_of(at, child, bounds),
            expects_yes: expects_yes == is_same_side,
            guess: if is_same_side { guess } else { -guess },
        }
    }
}

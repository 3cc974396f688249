//! Few evaluations: each visit of the root is planned.

use banyan_games::Rng;
use banyan_search::gumbel::Considered;
use banyan_search::{Gumbel, NodeId, Tree};

/// Moves that are told apart, without chance: a search is no self-play.
const CONSIDERED: Considered = Considered { moves: 16, chance: 0.0 };

/// The plan of one search, once the root has been judged.
#[derive(Debug, Default)]
pub(super) struct Planned {
    plan: Option<Gumbel>,
    /// The search was asked, and had too many visits to plan.
    is_unplanned: bool,
}

impl Planned {
    /// The root's child that the next visit goes through; nothing where the tree shall choose.
    ///
    /// - `left`: visits that the search has yet to make, where that is known.
    pub(super) fn next(&mut self, tree: &Tree, left: Option<u64>) -> Option<NodeId> {
        if self.is_unplanned || !tree.is_all_judged() {
            return None;
        }
        if self.plan.is_none() {
            if !tree.has_policy(tree.root()) {
                return None;
            }
            let few = left.filter(|&left| left <= u64::from(tree.parameters().gumbel_visits));
            let Some(left) = few else {
                self.is_unplanned = true;
                return None;
            };
            let mut no_chance = Rng::from_seed(0);
            self.plan = Some(Gumbel::new(tree, left as usize, CONSIDERED, &mut no_chance));
        }
        self.plan.as_mut().and_then(|plan| plan.next(tree))
    }

    /// The last visit was not made.
    pub(super) fn again(&mut self) {
        if let Some(plan) = &mut self.plan {
            plan.again();
        }
    }
}

//! PUCT: which child a descent takes where priors lead, as AlphaGo Zero has it.

use super::formula::{Child, Formula, Own};
use super::{NodeId, Proof, Tree};

/// Parent's visits from which on its logarithm counts.
const GROWTH_VISITS: f32 = 500.0;

/// The formula that ranks the children of one node.
///
/// - value: that of playouts and evaluations together; without any, the parent's for the side that
///   chooses, less reduction·√(sum of the priors of children with visits);
/// - times n / (n + w·√T), T what is in flight through the child, w the weight of the virtual loss;
/// - plus c·P·√N / (1 + n + T), P the prior, N and T counting what is in flight as well, and
///   c = exploration + growth·ln((N + 500) / 500).
///
/// # Source
/// Silver et al. 2017 and 2018; Wu 2019 for the value without visits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Puct {
    own: Own,
    first_play: f32,
    virtual_loss: f32,
    /// c·√N.
    exploration: f32,
    /// Share of a child whose prior nobody has set.
    even_share: f32,
}

impl Puct {
    pub(super) fn at(tree: &Tree, node: NodeId) -> Puct {
        let parameters = &tree.parameters;
        let tried = tree.visits(node) as f32 + tree.unobserved(node) as f32;
        // A library's logarithm differs between machines by a last bit; libm's is our own code's.
        let growth = libm::logf((tried + GROWTH_VISITS) / GROWTH_VISITS);
        let factor = parameters.puct_exploration + parameters.puct_growth * growth;
        Puct {
            own: Own { lambda: parameters.lambda },
            first_play: tree.first_play_value(node),
            virtual_loss: parameters.virtual_loss,
            exploration: factor * tried.max(1.0).sqrt(),
            even_share: 1.0 / f32::from(tree.nodes.child_count[node.index()].count().max(1)),
        }
    }
}

#[cfg(test)]
impl Puct {
    /// - `numbers`: value of a child without visits, virtual loss, c·√N, share of a child without prior.
    pub(super) fn of_numbers(lambda: f32, numbers: [f32; 4]) -> Puct {
        let [first_play, virtual_loss, exploration, even_share] = numbers;
        Puct { own: Own { lambda }, first_play, virtual_loss, exploration, even_share }
    }
}

impl Formula for Puct {
    #[inline(always)]
    fn of(&self, child: Child) -> f32 {
        let visits = child.visits as f32;
        let in_flight = child.unobserved as f32;
        let is_known = (child.visits > 0) | (child.judged.count() > 0);
        let own = if is_known { self.own.value(child) } else { self.first_play };
        let weighed = if visits > 1.0 { visits } else { 1.0 };
        let value = own * weighed / (weighed + self.virtual_loss * in_flight.sqrt());
        let share =
            if child.prior.is_set() { child.prior.chance().share() } else { self.even_share };
        let urgency = value + self.exploration * share / (1.0 + visits + in_flight);
        let urgency = if child.flags.is_proof(Proof::Win) { f32::MAX } else { urgency };
        let urgency = if child.flags.is_proof(Proof::Loss) { f32::MIN } else { urgency };
        if child.flags.is_banned() { f32::NEG_INFINITY } else { urgency }
    }
}

impl Tree {
    /// Value of a child without visits, for the side that chooses.
    fn first_play_value(&self, node: NodeId) -> f32 {
        let first = self.nodes.first_child[node.index()] as usize;
        let value = self.value(node) as f32;
        let is_same = self.nodes.flags[first].mover() == self.mover(node);
        let value = if is_same { value } else { 1.0 - value };
        let range = first..first + usize::from(self.nodes.child_count[node.index()].count());
        let tried = range.filter(|&at| self.nodes.visits[at] > 0);
        let shares: f32 = tried.map(|at| self.nodes.priors[at].chance().share()).sum();
        value - self.parameters.puct_reduction * shares.min(1.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::{Color, Counts, Game, Kind};

    use super::*;
    use crate::Parameters;

    #[test]
    fn a_private_tree_knows_what_its_root_is_worth() {
        let parameters = Parameters { puct: true, ..Parameters::of(Kind::Go) };
        let start = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
        let mut tree = Tree::new(parameters, 7, 1 << 24, Color::White);
        tree.expand_root(&start);
        for child in tree.children(tree.root()).take(10) {
            let half = Counts { wins: 3, losses: 3, ..Counts::default() };
            tree.merge(&vec![tree.root(), child], &half);
        }
        let (known, _) = tree.known(tree.root(), 1, 16);
        assert_eq!(known.visits, 60);
        let mut part = Tree::new(parameters, 7, 1 << 24, Color::White);
        part.import_subtree(&known);
        assert_eq!(part.value(part.root()), tree.value(tree.root()));
        assert_eq!(part.first_play_value(part.root()), tree.first_play_value(tree.root()));
        // Nothing was known of it: it is worth a half.
        let mut empty = Tree::new(parameters, 7, 1 << 24, Color::White);
        empty.import_subtree(&crate::Known { visits: 4, ..Default::default() });
        assert_eq!(empty.value(empty.root()), 0.5);
    }
}

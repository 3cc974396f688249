//! Priors: how likely a game says that a node's children are, before any is tried.
//!
//! A prior stands beside the AMAF tally and counts in selection as AMAF playouts that never were. So no
//! sum of the tree holds it: whoever descends through a node first asks the game, once, and what travels of
//! a tree brings its priors along.
//! On large boards of Go priors grow on critical points, once these are known (see [`super::owners`]), and
//! at the root of a search what is proven of life and death comes on top.

use std::ops::Range;
use std::sync::Arc;

use banyan_knowledge::{Chance, Knowledge};
use banyan_proofs::life;

use super::{NodeId, Prior, Tree};
use crate::{Parameters, Searchable};

impl Tree {
    /// Sets the priors of a node's children, unless they are set or weigh nothing. `position` must be the
    /// node's.
    #[inline(always)]
    pub(super) fn set_priors_once<G: Knowledge>(&mut self, node: NodeId, position: &G) {
        let first = self.nodes.first_child[node.index()] as usize;
        if self.listens_to_priors() && !self.nodes.priors[first].is_set() {
            self.set_priors(node, position);
        }
    }

    /// Tells whether selection asks how likely moves are.
    fn listens_to_priors(&self) -> bool {
        self.parameters.prior_visits > 0.0 || self.parameters.puct
    }

    /// Gives the root's moves by which a chain of Go lives or dies, as far as a short search proves it, the
    /// highest priors, or where a network judges, at least some. `position` must be the root's.
    ///
    /// - `nodes_max`: positions looked into, where the parameters do not allow fewer.
    pub fn set_life_and_death_priors<G: Searchable>(&mut self, position: &G, nodes_max: u64) {
        let nodes_max = nodes_max.min(self.parameters.life_nodes.into());
        self.board_scale = G::board_scale(position.size());
        self.vital.clear();
        // A network's priors may come later.
        let has_room = self.parameters.puct || self.is_expanded(self.root);
        let asks = self.parameters.asks_for_vital_moves(self.is_large());
        if nodes_max == 0 || !has_room || !asks {
            return;
        }
        let vital = position.vital_moves(nodes_max, self.zone_rules.as_deref());
        if self.parameters.puct {
            self.vital = vital;
            self.raise_vital_priors();
        } else if !vital.is_empty() {
            self.set_priors_once(self.root, position);
            for mv in vital {
                if let Some(child) = self.child(self.root, mv) {
                    self.nodes.priors[child.index()] = Prior::VITAL;
                }
            }
        }
    }

    /// Lets the search for moves by which a chain lives or dies use rules about local fights, from now on.
    pub fn use_zone_rules(&mut self, rules: Option<Arc<life::rules::Rules>>) {
        self.zone_rules = rules;
    }

    /// Gives vital moves of the root their least prior, where the root's moves have any.
    pub(super) fn raise_vital_priors(&mut self) {
        let least = Chance::of(self.parameters.vital_prior);
        for &mv in &self.vital {
            let Some(child) = self.child(self.root, mv) else { continue };
            let prior = &mut self.nodes.priors[child.index()];
            if prior.is_set() && prior.chance().share() < least.share() {
                *prior = Prior::of_chance(least);
            }
        }
    }

    /// Sets the priors of a node's children by what the game says of them.
    #[inline(never)]
    fn set_priors<G: Knowledge>(&mut self, node: NodeId, position: &G) {
        let first = self.nodes.first_child[node.index()] as usize;
        let range = first..first + usize::from(self.nodes.child_count[node.index()].count());
        let mut weights = Vec::with_capacity(range.len());
        position.priors(&self.nodes.moves[range.clone()], &mut weights);
        self.weigh_by_criticality(range.clone(), &mut weights);
        self.put_priors(range, &weights);
    }

    /// Makes priors of weights, of which only the proportions matter.
    pub(super) fn put_priors(&mut self, range: Range<usize>, weights: &[f32]) {
        let sum = weights.iter().sum::<f32>();
        let mean = sum / weights.len() as f32;
        let Parameters { prior_sharpness, puct, .. } = self.parameters;
        for (prior, weight) in self.nodes.priors[range].iter_mut().zip(weights) {
            *prior = match *prior {
                _ if puct => Prior::of_chance(Chance::of(weight / sum)),
                Prior::VITAL => Prior::VITAL,
                _ => Prior::of_value(prior_value(weight / mean, prior_sharpness)),
            };
        }
    }

    /// Tells whether the board is one of Go that is larger than 9x9.
    fn is_large(&self) -> bool {
        self.board_scale > 1.0
    }

    /// Tells whether moves are weighed by what is critical.
    fn uses_criticality(&self) -> bool {
        let Parameters { prior_criticality, prior_settled, .. } = self.parameters;
        (prior_criticality > 0.0 || prior_settled > 0.0)
            && self.is_large()
            && !self.is_judged_by_evaluators()
    }

    /// Sets the priors of the root's moves again as soon as it is known what is critical. `position` must be the
    /// root's.
    #[inline(always)]
    pub(super) fn set_criticality_priors<G: Knowledge>(&mut self, position: &G) {
        if !self.owners.is_used && self.owners.is_known() && self.uses_criticality() {
            self.owners.is_used = true;
            if self.is_expanded(self.root) && self.parameters.prior_visits > 0.0 {
                self.set_priors(self.root, position);
            }
        }
    }

    /// Weighs moves on points that decide the game as more likely, those on settled ones as less.
    fn weigh_by_criticality(&self, range: Range<usize>, weights: &mut [f32]) {
        if !self.owners.is_known() || !self.uses_criticality() {
            return;
        }
        let Parameters { prior_criticality, prior_settled, .. } = self.parameters;
        for (mv, weight) in self.nodes.moves[range].iter().zip(weights) {
            let Some(point) = mv.index() else { continue };
            let logit = prior_criticality * self.owners.criticality(point)
                - prior_settled * self.owners.settled(point);
            // A library's exponential differs between machines by a last bit; libm's is our own code's.
            *weight *= libm::expf(logit);
        }
    }

    /// Tells whether the priors of a node's children are those that anybody would set, so that they may travel: not
    /// where only this tree knows what is critical, or vital.
    pub(super) fn has_priors_that_travel(&self, node: NodeId) -> bool {
        let first = self.nodes.first_child[node.index()] as usize;
        let range = first..first + usize::from(self.nodes.child_count[node.index()].count());
        let is_vital = |prior: &Prior| !self.parameters.puct && *prior == Prior::VITAL;
        !self.uses_criticality() && !self.nodes.priors[range].iter().any(is_vital)
    }

    /// Clears the priors of a node's children: the next descent sets them again.
    pub(super) fn clear_priors(&mut self, node: NodeId) {
        for child in self.children(node) {
            self.nodes.priors[child.index()] = Prior::UNSET;
        }
    }

    /// The odds of a node's prior, of which only the proportions among siblings matter. All are 1 where
    /// priors are not set.
    pub(crate) fn odds(&self, node: NodeId) -> f32 {
        let prior = self.nodes.priors[node.index()];
        if self.parameters.puct { prior.chance().share() } else { prior.odds() }
    }
}

/// The prior value of a move, in `0.0..=1.0`.
///
/// w^s / (w^s + 1): ½ for a move as likely as the mean of all.
///
/// - `weight` (w): how likely the move is over the mean of all candidates, above 0.
/// - `sharpness` (s): how far values lie apart; 0 makes all the same.
pub fn prior_value(weight: f32, sharpness: f32) -> f32 {
    // A library's power differs between machines by a last bit; libm's is our own code's.
    let power = libm::powf(weight, sharpness);
    power / (power + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Descent, FinalMove};
    use banyan_games::Game;
    use banyan_games::counts::Asked;
    use banyan_games::go::{Go, GoRules};
    use banyan_games::{Color, Counts, Move, Outcome, Rng};
    use banyan_knowledge::Judgement;
    use banyan_proofs::Effort;
    use banyan_proofs::life::Learned;
    use banyan_proofs::life::rules::Lessons;

    /// White's stone in the middle of Black's tiger mouth, to be taken at once.
    fn position() -> Go {
        let mut position = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
        let stones = [30, 38, 48].map(|point| (Color::Black, Move(point)));
        position.set_up(&stones, Color::White).expect("a position that can stand");
        position.play(Move(39));
        position
    }

    fn tree(prior_visits: f32) -> Tree {
        let parameters = Parameters { prior_visits, ..Parameters::of(Go::KIND) };
        let mut tree = Tree::new(parameters, 1, 1 << 22, Color::White);
        tree.expand_root(&position());
        tree
    }

    /// A sequential search of single playouts.
    fn grow(tree: &mut Tree, playouts: u64) {
        for seed in 0..playouts {
            let mut leaf = position();
            let Descent::Leaf(path) = tree.descend(&mut leaf, 0) else { continue };
            let mut counts = Counts::new(81, Asked { amaf: true, ownership: false });
            leaf.playouts(1, &mut Rng::from_seed(seed), &mut counts);
            tree.merge(&path, &counts);
        }
    }

    #[test]
    fn the_first_descent_takes_the_move_of_the_highest_prior() {
        let mut tree = tree(10.0);
        let Descent::Leaf(path) = tree.descend(&mut position(), 0) else { panic!("no end") };
        assert_eq!(tree.move_into(path[1]), Move(40));
        let [take, corner] = [40, 0].map(|point| {
            let child = tree.child(tree.root, Move(point)).expect("a candidate");
            tree.nodes.priors[child.index()].value()
        });
        assert!(take > 0.5 && corner < 0.5, "{take} {corner}");
        let shares: f64 = tree.candidates(FinalMove::Visits).iter().map(|c| c.prior).sum();
        assert!((shares - 1.0).abs() < 1e-5);
    }

    /// White's corner lives or dies by b1, whoever plays there first.
    fn corner(side: Color) -> Go {
        let mut position = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
        let black = [27, 28, 29, 30, 31, 22, 13, 4].map(|point| (Color::Black, Move(point)));
        let white = [18, 19, 20, 21, 12, 3, 9, 11].map(|point| (Color::White, Move(point)));
        position.set_up(&[black, white].concat(), side).expect("a position that can stand");
        position
    }

    #[test]
    fn the_move_by_which_a_chain_lives_or_dies_has_the_highest_prior() {
        for side in Color::BOTH {
            let position = corner(side);
            let vital = banyan_proofs::life::vital_moves(&position, 2_000, None);
            assert!(!vital.is_empty(), "{side}");
            let prior = |life_nodes: u32, mv| {
                let base = Parameters { prior_visits: 10.0, ..Parameters::of(Go::KIND) };
                let parameters = Parameters { life_nodes, ..base };
                let mut tree = Tree::new(parameters, 1, 1 << 22, !side);
                tree.expand_root(&position);
                tree.set_life_and_death_priors(&position, u64::MAX);
                let child = tree.child(tree.root, mv).expect("a candidate");
                tree.set_priors_once(tree.root, &position);
                tree.nodes.priors[child.index()]
            };
            assert_eq!(prior(2_000, vital[0].mv), Prior::VITAL, "{side}");
            assert!(prior(0, vital[0].mv) < Prior::VITAL, "{side}");
        }
    }

    #[test]
    fn where_a_network_judges_a_vital_move_has_at_least_some_prior() {
        let position = corner(Color::Black);
        let vital = banyan_proofs::life::vital_moves(&position, 2_000, None)[0].mv;
        let prior = |vital_prior: f32, is_known_first: bool| {
            let base = Parameters { lambda: 1.0, puct: true, ..Parameters::of(Go::KIND) };
            let mut tree = Tree::new(Parameters { vital_prior, ..base }, 1, 1 << 22, Color::White);
            tree.expand_root(&position);
            // The network's policy comes before the solver is asked, as in a kept tree, or after it.
            let mut policy = vec![Chance::of(0.0); 82];
            policy[80] = Chance::of(1.0);
            let judgement = Judgement { value: 0, policy, score: None, ownership: Vec::new() };
            if is_known_first {
                tree.merge_judgement(&vec![tree.root], &judgement);
            }
            tree.set_life_and_death_priors(&position, u64::MAX);
            if !is_known_first {
                tree.merge_judgement(&vec![tree.root], &judgement);
            }
            let child = tree.child(tree.root, vital).expect("a candidate");
            tree.nodes.priors[child.index()].chance().share()
        };
        for is_known_first in [false, true] {
            assert!(prior(0.0, is_known_first) < 0.01);
            assert!((0.2..0.3).contains(&prior(0.25, is_known_first)));
        }
    }

    #[test]
    fn rules_find_the_vital_moves_with_fewer_positions() {
        let position = corner(Color::Black);
        let lessons = Lessons::new(1);
        let learned = Learned { rules: None, lessons: Some(&lessons) };
        for chain in position.chains() {
            let effort = Effort { nodes_max: 2_000, table_bytes: 1 << 16 };
            for side in Color::BOTH {
                let mut position = position.clone();
                position.set_side_to_move(side).expect("either side");
                let _ = life::judge_with(&position, chain[0], effort, learned);
            }
        }
        let rules = Arc::new(life::rules::Rules::new(lessons.into_rules()));
        let vital = |nodes_max, rules: Option<&Arc<life::rules::Rules>>| {
            let base = Parameters { prior_visits: 10.0, ..Parameters::of(Go::KIND) };
            let mut tree = Tree::new(base, 1, 1 << 22, Color::White);
            tree.expand_root(&position);
            tree.use_zone_rules(rules.cloned());
            tree.set_life_and_death_priors(&position, nodes_max);
            let nodes = tree.children(tree.root);
            let vital = nodes.filter(|node| tree.nodes.priors[node.index()] == Prior::VITAL);
            vital.map(|node| tree.move_into(node)).collect::<Vec<_>>()
        };
        let all = vital(2_000, None);
        assert!(!all.is_empty());
        assert_eq!(vital(2_000, Some(&rules)), all);
        let few = (1..2_000).find(|&nodes| vital(nodes, Some(&rules)) == all).expect("at most all");
        assert!(vital(few, None) != all, "{few} positions are enough without rules");
    }

    /// A playout that `winner` won, who holds the first point; the second is Black's.
    fn playout(winner: Color) -> Counts {
        let mut counts = Counts::new(81, Asked { amaf: false, ownership: true });
        counts.add(Outcome::win(winner), 1);
        let held = counts.ownership.as_mut().expect("asked for");
        (held[0], held[1]) = (if winner == Color::Black { 1 } else { -1 }, 1);
        counts
    }

    #[test]
    fn a_move_on_a_point_that_decides_the_game_has_a_higher_prior() {
        let priors = |prior_criticality, prior_settled, board_scale, playouts| {
            let mut tree = tree(10.0);
            let parameters = Parameters { prior_criticality, prior_settled, ..tree.parameters };
            (tree.parameters, tree.board_scale) = (parameters, board_scale);
            let winners = Color::BOTH.into_iter().cycle().take(playouts);
            winners.for_each(|winner| tree.merge(&vec![tree.root], &playout(winner)));
            tree.set_priors_once(tree.root, &position());
            [0, 1].map(|point| {
                let child = tree.child(tree.root, Move(point)).expect("a candidate");
                tree.nodes.priors[child.index()]
            })
        };
        let (before, after) = (priors(0.0, 0.0, 2.0, 200), priors(5.0, 0.0, 2.0, 200));
        assert!(after[0].value() > before[0].value() + 0.1, "{before:?} {after:?}");
        assert!(after[1] <= before[1], "{before:?} {after:?}");
        let settled = priors(0.0, 1.5, 2.0, 200);
        assert!(
            settled[0] >= before[0] && settled[1].value() < before[1].value() - 0.02,
            "{settled:?}"
        );
        // A few playouts say nothing, and on small boards nobody asks.
        assert_eq!(priors(5.0, 1.5, 2.0, 10), before);
        assert_eq!(priors(5.0, 1.5, 1.0, 200), before);
    }

    #[test]
    fn priors_of_the_roots_moves_are_set_again_as_soon_as_it_is_known_what_is_critical() {
        let start = Go::new(&GoRules::new(11, 15).expect("a size of Go"));
        let mut tree = Tree::new(Parameters::of(Go::KIND), 1, 1 << 22, Color::White);
        tree.expand_root(&start);
        let first = |tree: &mut Tree| {
            let _ = tree.descend(&mut start.clone(), 0);
            let child = tree.child(tree.root, Move(0)).expect("a candidate");
            tree.nodes.priors[child.index()]
        };
        let before = first(&mut tree);
        let vital = tree.child(tree.root, Move(5)).expect("a candidate");
        tree.nodes.priors[vital.index()] = Prior::VITAL;
        let winners = Color::BOTH.into_iter().cycle();
        winners.take(200).for_each(|winner| tree.merge(&vec![tree.root], &playout(winner)));
        let after = first(&mut tree);
        assert!(after.value() > before.value() + 0.1, "{before:?} {after:?}");
        assert_eq!(tree.nodes.priors[vital.index()], Prior::VITAL);
        // Once: what is asked again and again would never be the same after a checkpoint.
        (0..50).for_each(|_| tree.merge(&vec![tree.root], &playout(Color::White)));
        assert_eq!(first(&mut tree), after);
    }

    #[test]
    fn priors_of_a_new_roots_moves_are_set_again() {
        let mut tree = tree(10.0);
        grow(&mut tree, 200);
        let best = tree.candidates(FinalMove::Visits)[0].mv;
        assert!(tree.advance(best));
        let asked = |tree: &Tree| {
            tree.children(tree.root).filter(|at| tree.nodes.priors[at.index()].is_set()).count()
        };
        assert_eq!(asked(&tree), 0);
        let mut next = position();
        next.play(best);
        let _ = tree.descend(&mut next, 0);
        assert!(asked(&tree) > 50);
    }

    #[test]
    fn on_a_large_board_no_chain_sets_a_prior() {
        let moved = |point: u16| point / 9 * 13 + point % 9;
        let stones = |points: &[u16], color| {
            points.iter().map(|&at| (color, Move(moved(at)))).collect::<Vec<_>>()
        };
        let mut large = Go::new(&GoRules::new(13, 15).expect("a size of Go"));
        let black = stones(&[27, 28, 29, 30, 31, 22, 13, 4], Color::Black);
        let white = stones(&[18, 19, 20, 21, 12, 3, 9, 11], Color::White);
        large.set_up(&[black, white].concat(), Color::Black).expect("a position that can stand");
        assert!(!banyan_proofs::life::vital_moves(&large, 2_000, None).is_empty());
        let base = Parameters { prior_visits: 10.0, ..Parameters::of(Go::KIND) };
        let mut tree = Tree::new(base, 1, 1 << 22, Color::White);
        tree.expand_root(&large);
        tree.set_life_and_death_priors(&large, u64::MAX);
        assert!(
            tree.children(tree.root).all(|child| tree.nodes.priors[child.index()] != Prior::VITAL)
        );
    }

    #[test]
    fn who_does_not_listen_does_not_ask() {
        let mut tree = tree(0.0);
        grow(&mut tree, 50);
        assert!(tree.nodes.priors.iter().all(|prior| !prior.is_set()));
    }

    #[test]
    fn a_move_of_a_low_prior_waits_for_visits() {
        // How many moves were tried, and how likely the least likely of them is over the mean of all.
        let tried = |prior_widening: f32, playouts| {
            let base = Parameters { prior_visits: 10.0, ..Parameters::of(Go::KIND) };
            let parameters = Parameters { exploration: 2.0, prior_widening, ..base };
            let mut tree = Tree::new(parameters, 1, 1 << 22, Color::White);
            tree.expand_root(&position());
            grow(&mut tree, playouts);
            let tried = tree.children(tree.root).filter(|&child| tree.visits(child) > 0);
            let weights: Vec<f32> = tried.map(|child| tree.odds(child).powi(2)).collect();
            (weights.len(), weights.into_iter().fold(f32::MAX, f32::min))
        };
        assert_eq!(tried(0.0, 200).0, 78);
        let (few, least) = tried(100.0, 100);
        assert!(few > 3 && few < 40 && least > 0.9, "{few} {least}");
        let (more, least) = tried(100.0, 400);
        assert!(more > few && more < 78 && least > 0.2 && least < 0.9, "{more} {least}");
        // Where all wait, none does: the likeliest is the first all the same.
        assert!(tried(1e6, 100).0 > few);
    }

    #[test]
    fn no_sum_of_the_tree_holds_a_prior() {
        let mut tree = tree(30.0);
        let _ = tree.descend(&mut position(), 0);
        assert!(tree.nodes.priors[1].is_set());
        assert!(tree.nodes.amaf.iter().all(|amaf| amaf.visits() == 0));
        let reported = tree.grown(0, 1);
        assert!(reported.amaf_visits.iter().all(|&visits| visits == 0));
    }

    /// Groups of siblings with priors in both trees, which must have the same priors.
    fn siblings_alike(a: &Tree, b: &Tree) -> usize {
        let mut left = vec![(a.root, b.root)];
        let mut alike = 0;
        while let Some((of_a, of_b)) = left.pop() {
            for child in a.children(of_a) {
                let Some(other) = b.child(of_b, a.move_into(child)) else { continue };
                let [prior, same] = [a.nodes.priors[child.index()], b.nodes.priors[other.index()]];
                if prior.is_set() && same.is_set() {
                    assert_eq!(prior, same);
                    alike += usize::from(Some(child) == a.children(of_a).next());
                }
                left.push((child, other));
            }
        }
        alike
    }

    #[test]
    fn what_travels_brings_its_priors_along() {
        let mut whole = tree(30.0);
        grow(&mut whole, 400);
        let mut imported = Tree::new(whole.parameters, 1, 1 << 22, Color::White);
        imported.import_subtree(&whole.known(whole.root, 2, 16).0);
        assert_eq!(siblings_alike(&whole, &imported), 16);
        grow(&mut imported, 400);
        let mut merged = Tree::new(whole.parameters, 1, 1 << 22, Color::White);
        let grown = imported.grown(1, 64);
        merged.merge_subtree(&vec![merged.root], &grown, true, crate::Word::Own);
        assert!(siblings_alike(&imported, &merged) > 10);
        let priors = |tree: &Tree| tree.nodes.priors.iter().filter(|it| it.is_set()).count();
        assert!(priors(&merged) > 500);
        // What a liar brought is asked for again.
        merged.unmerge_subtree(&vec![merged.root], &grown, true);
        assert_eq!(priors(&merged), 0);
    }

    #[test]
    fn what_only_this_tree_knows_does_not_travel() {
        let mut whole = tree(30.0);
        grow(&mut whole, 400);
        let vital = whole.children(whole.root).next().expect("a candidate");
        whole.nodes.priors[vital.index()] = Prior::VITAL;
        let known = whole.known(whole.root, 2, 16).0.subtree;
        let first = usize::from(known.groups[0].children);
        assert!(known.priors[..first].iter().all(|&prior| prior == 0));
        assert!(known.priors[first..].iter().all(|&prior| prior > 0));
    }

    #[test]
    fn a_prior_value_is_half_at_the_mean_and_grows_with_the_weight() {
        assert_eq!(prior_value(1.0, 0.5), 0.5);
        assert_eq!(prior_value(4.0, 0.5), 2.0 / 3.0);
        assert_eq!(prior_value(0.25, 0.5), 1.0 / 3.0);
        assert_eq!(prior_value(7.0, 0.0), 0.5);
        assert_eq!(Prior::of_value(0.5).value(), 0.5);
        assert_eq!([0.0, 1.0].map(|value| Prior::of_value(value).0), [1, 254]);
    }
}

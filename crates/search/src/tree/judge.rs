//! Judgements by evaluators: a value for each node above the leaf, a policy for the leaf's children.
//!
//! `lambda` says how much evaluations count against playouts. Where they are all that counts, a leaf waits
//! for its judgement and a visit is an evaluation; where both count, playouts go on meanwhile, by the
//! game's own priors until those of the evaluator come.

use banyan_games::Outcome;
use banyan_knowledge::Judgement;
use banyan_knowledge::evaluator::VALUE_ONE;

use super::{Judged, NodeId, Path, Tree};

impl Tree {
    /// Tells whether evaluators are asked at all.
    pub(super) fn is_judged_by_evaluators(&self) -> bool {
        self.parameters.lambda > 0.0
    }

    /// Tells whether nothing is played out.
    pub fn is_all_judged(&self) -> bool {
        self.parameters.lambda >= 1.0
    }

    /// Tells whether a node's children have priors.
    pub fn has_policy(&self, node: NodeId) -> bool {
        let first = self.nodes.first_child[node.index()] as usize;
        self.is_expanded(node) && self.nodes.priors[first].is_set()
    }

    /// Tells whether another descent has led to the leaf of a path and is not back: its judgement would come twice.
    pub fn is_awaited(&self, path: &Path) -> bool {
        path.last().is_some_and(|&leaf| self.unobserved(leaf) > 0)
    }

    /// The part of a path that ends at the first node worth a judgement beside playouts which nobody has
    /// asked for: one that has children. From then on it is asked for.
    pub fn ask_judgement(&mut self, path: &Path) -> Option<Path> {
        let is_open =
            |node: &NodeId| self.is_expanded(*node) && !self.nodes.flags[node.index()].is_asked();
        let last = path.iter().position(is_open)?;
        self.set_asked(path[last], true);
        Some(path[..=last].to_vec())
    }

    /// The judgement of the last node of a path will not come: it may be asked for again.
    pub fn forget_asking(&mut self, path: &Path) {
        path.last().into_iter().for_each(|&node| self.set_asked(node, false));
    }

    pub(super) fn set_asked(&mut self, node: NodeId, asked: bool) {
        self.nodes.flags[node.index()] = self.nodes.flags[node.index()].with_asked(asked);
    }

    /// Adds the judgement of the leaf of a path: its value to every node of the path, its policy to the
    /// leaf's children.
    pub fn merge_judgement(&mut self, path: &Path, judgement: &Judgement) {
        if let Some(&leaf) = path.last() {
            self.set_policy(leaf, judgement);
        }
        self.merge_judged_value(path, judgement);
    }

    /// Adds the value alone of a judgement of a position below a path's last node.
    pub fn merge_judged_value(&mut self, path: &Path, judgement: &Judgement) {
        let black = judgement.value.min(VALUE_ONE);
        self.add_value(path, [black, VALUE_ONE - black]);
        if self.is_all_judged() {
            path.iter().for_each(|node| self.nodes.visits[node.index()] += 1);
        }
    }

    /// Adds the sum of as many evaluations as visits below the last node of a path to all of the path, where
    /// nothing is played out.
    ///
    /// - `black`: their sum for Black, at most `visits` times [`VALUE_ONE`].
    pub fn merge_judged_sum(&mut self, path: &Path, visits: u32, black: u64) {
        let by_side = by_side(visits, black);
        for &node in path {
            let sum = by_side[self.mover(node).index()];
            let at = node.index();
            self.nodes.judged[at] = self.nodes.judged[at].plus(Judged::new(visits, sum));
            self.nodes.visits[at] += u64::from(visits);
        }
    }

    /// Takes back what [`Tree::merge_judged_sum`] added.
    pub fn unmerge_judged_sum(&mut self, path: &Path, visits: u32, black: u64) {
        let by_side = by_side(visits, black);
        for &node in path {
            let sum = by_side[self.mover(node).index()];
            let at = node.index();
            self.nodes.judged[at] = self.nodes.judged[at].without(Judged::new(visits, sum));
            self.nodes.visits[at] = self.nodes.visits[at].saturating_sub(visits.into());
        }
    }

    /// Takes back what [`Tree::merge_judgement`] added along a path; the policy stays.
    pub fn unmerge_judgement(&mut self, path: &Path, judgement: &Judgement) {
        let black = judgement.value.min(VALUE_ONE);
        let by_side = [black, VALUE_ONE - black];
        for &node in path {
            let value = by_side[self.mover(node).index()];
            let judged = &mut self.nodes.judged[node.index()];
            *judged = judged.without(Judged::new(1, value.into()));
            if self.is_all_judged() {
                let visits = &mut self.nodes.visits[node.index()];
                *visits = visits.saturating_sub(1);
            }
        }
    }

    /// Adds how the game ended at the leaf of a path, whose visits are counted already.
    pub(super) fn judge_ended(&mut self, path: &Path, outcome: Outcome) {
        if !self.is_judged_by_evaluators() {
            return;
        }
        let black = match outcome.margin.0.signum() {
            1 => VALUE_ONE,
            0 => VALUE_ONE / 2,
            _ => 0,
        };
        self.add_value(path, [black, VALUE_ONE - black]);
    }

    fn add_value(&mut self, path: &Path, by_side: [u16; 2]) {
        for &node in path {
            let value = by_side[self.mover(node).index()];
            let judged = &mut self.nodes.judged[node.index()];
            *judged = judged.plus(Judged::new(1, value.into()));
        }
    }

    /// Gives a node's children the priors that a judgement says.
    fn set_policy(&mut self, node: NodeId, judgement: &Judgement) {
        // They may have been folded away meanwhile.
        if !self.is_expanded(node) {
            return;
        }
        let children = self.children(node);
        let chances: Vec<f32> = children
            .map(|child| judgement.chance(self.move_into(child)))
            .map(|chance| if chance.is_some() { chance.share() } else { 0.0 })
            .collect();
        // A policy that says nothing of these moves says the same of all.
        let says_nothing = chances.iter().all(|&share| share == 0.0);
        let mut chances = if says_nothing { vec![1.0; chances.len()] } else { chances };
        self.leave_out_unlikely(node, &mut chances);
        let first = self.nodes.first_child[node.index()] as usize;
        self.put_priors(first..first + chances.len(), &chances);
        if node == self.root {
            self.raise_vital_priors();
        }
    }

    /// A node's value by playouts and evaluations together, for the player who moved into it.
    ///
    /// - `played`: its value by playouts alone, if there were any.
    pub(super) fn mixed_value(&self, node: NodeId, played: Option<f64>) -> Option<f64> {
        let judged = self.nodes.judged[node.index()];
        if judged.count() == 0 {
            return played;
        }
        let mean = judged.sum() as f64 / (f64::from(judged.count()) * f64::from(VALUE_ONE));
        let lambda = f64::from(self.parameters.lambda);
        Some(played.map_or(mean, |played| played + lambda * (mean - played)))
    }
}

/// A sum of evaluations, for each side.
fn by_side(visits: u32, black: u64) -> [u64; 2] {
    let all = u64::from(visits) * u64::from(VALUE_ONE);
    [black.min(all), all - black.min(all)]
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::{Color, Game, Kind};
    use banyan_knowledge::Judgement;

    use super::super::tests::candidates;
    use crate::{Descent, Parameters, Tree};

    #[test]
    fn a_judgement_of_a_node_whose_children_were_folded_meanwhile_counts_for_its_value() {
        let position = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
        let parameters = Parameters { lambda: 1.0, puct: true, ..Parameters::of(Kind::Go) };
        let mut tree = Tree::new(parameters, 7, 0, Color::White);
        tree.allow_at_root(Color::Black, &candidates(&position));
        let judgement = Judgement { value: 20_000, ..Judgement::default() };
        let (mut waiting, mut folded) = (Vec::new(), 0);
        for nth in 0..20_000 {
            if tree.is_full() {
                tree.compact(waiting.iter_mut());
                folded += 1;
            }
            let Descent::Leaf(path) = tree.descend(&mut position.clone(), 0) else {
                panic!("games hardly end")
            };
            tree.add_virtual_loss(&path, 1);
            waiting.push(path);
            if waiting.len() > 50 {
                let path = waiting.remove(if nth % 3 == 0 { 49 } else { 0 });
                tree.remove_virtual_loss(&path, 1);
                tree.merge_judgement(&path, &judgement);
            }
        }
        assert!(folded > 1, "{folded}");
        assert_eq!(tree.visits(tree.root()), 20_000 - 50);
    }
}

//! Implicit minimax values: the static evaluations below a node, backed up by minimax beside the mean of its
//! playouts.
//!
//! A leaf's evaluation is asked for where a descent first ends at it, in the coordinator's tree as in a
//! worker's private one; a node above is worth what its best child is, of those that were asked about.
//! No tally holds it: whoever descends asks the game itself.
//!
//! # Source
//! Lanctot, Winands, Pepels & Sturtevant 2014, implicit minimax back-ups.

use super::{ImplicitValue, NodeId, Tree};
use crate::leaf;
use crate::searchable::Searchable;

impl Tree {
    /// Asks the game for the value at the end of a path, unless it was asked or is not listened to,
    /// and carries it up. `position` must be that of the path's last node, where the game goes on.
    pub(super) fn set_implicit_value<G: Searchable>(&mut self, path: &[NodeId], position: &G) {
        let Some((&leaf, above)) = path.split_last() else { return };
        let at = leaf.index();
        if self.parameters.implicit_minimax <= 0.0 || self.nodes.implicit_values[at].is_known() {
            return;
        }
        let Some(share) = leaf::expected_share(position) else { return };
        let implicit_value = ImplicitValue::of_share(share);
        let is_same = self.mover(leaf) == position.side_to_move();
        self.nodes.implicit_values[at] =
            if is_same { implicit_value } else { implicit_value.reversed() };
        for &node in above.iter().rev() {
            if !self.back_up_implicit_value(node) {
                return;
            }
        }
    }

    /// Gives a node the implicit value of its best child; returns whether that is news.
    fn back_up_implicit_value(&mut self, node: NodeId) -> bool {
        let first = self.nodes.first_child[node.index()] as usize;
        let range = first..first + usize::from(self.nodes.child_count[node.index()].count());
        let best = self.nodes.implicit_values[range].iter().copied().max().unwrap_or_default();
        if !best.is_known() {
            return false;
        }
        // A turn of two plies leaves the chooser and the player before the same side.
        let is_same = self.nodes.flags[first].mover() == self.mover(node);
        let implicit_value = if is_same { best } else { best.reversed() };
        std::mem::replace(&mut self.nodes.implicit_values[node.index()], implicit_value)
            != implicit_value
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use banyan_games::connect6::{Connect6, Connect6Rules};
    use banyan_games::othello::{Othello, OthelloRules};

    use super::*;
    use crate::Parameters;
    use crate::tree::tests::{grow, tree_of};

    fn grown<G: Searchable>(position: &G, weight: f32) -> Tree {
        let mut tree = tree_of(position, 1 << 24);
        tree.parameters = Parameters { implicit_minimax: weight, ..tree.parameters };
        grow(&mut tree, position, 3_000, 1);
        tree
    }

    /// The implicit value that a node should have, asked of the game itself: minimax over what descents ended
    /// at.
    fn expected<G: Searchable>(tree: &Tree, node: NodeId, position: &G) -> Option<f64> {
        let children = tree
            .children(node)
            .filter(|&child| tree.nodes.implicit_values[child.index()].is_known());
        let below = children.filter_map(|child| {
            let mut after = position.clone();
            after.play(tree.move_into(child));
            let share = expected(tree, child, &after)?;
            Some(if tree.mover(child) == position.side_to_move() { share } else { 1.0 - share })
        });
        let best = below.reduce(f64::max).or_else(|| leaf::expected_share(position))?;
        // For who moved into the node.
        Some(if tree.mover(node) == position.side_to_move() { best } else { 1.0 - best })
    }

    fn check<G: Searchable>(position: &G) {
        let tree = grown(position, 0.3);
        let known = tree
            .nodes
            .implicit_values
            .iter()
            .filter(|implicit_value| implicit_value.is_known())
            .count();
        assert!(known > 1_000, "{known}");
        for node in std::iter::once(tree.root()).chain(tree.children(tree.root())) {
            let mut at = position.clone();
            if node != tree.root() {
                at.play(tree.move_into(node));
            }
            if tree.nodes.implicit_values[node.index()].is_known() {
                let share = expected(&tree, node, &at).expect("a game that goes on");
                let found = f64::from(tree.nodes.implicit_values[node.index()].share());
                assert!((found - share).abs() < 1e-4, "{found} {share}");
            }
        }
    }

    #[test]
    fn a_nodes_implicit_value_is_minimax_over_the_leaves_below_it() {
        check(&Othello::new(&OthelloRules));
        let mut position = Connect6::new(&Connect6Rules::new(7).expect("a size"));
        position.play(banyan_games::Move(24));
        check(&position);
    }

    #[test]
    fn who_does_not_listen_does_not_ask() {
        let tree = grown(&Othello::new(&OthelloRules), 0.0);
        assert!(tree.nodes.implicit_values.iter().all(|implicit_value| !implicit_value.is_known()));
    }

    #[test]
    fn an_implicit_value_is_a_share_and_the_other_side_has_the_rest() {
        for share in [0.0, 0.25, 0.5, 1.0] {
            let implicit_value = ImplicitValue::of_share(share);
            assert!(implicit_value.is_known());
            assert!((f64::from(implicit_value.share()) - share).abs() < 1e-4, "{share}");
            let rest = f64::from(implicit_value.reversed().share());
            assert!((rest - (1.0 - share)).abs() < 1e-4, "{share}");
            assert_eq!(implicit_value.reversed().reversed(), implicit_value);
        }
        assert_eq!(ImplicitValue::UNKNOWN.reversed(), ImplicitValue::UNKNOWN);
    }

    #[test]
    fn a_tree_that_is_taken_up_again_has_the_same_implicit_values() {
        let position = Othello::new(&OthelloRules);
        let tree = grown(&position, 0.3);
        let fresh = tree_of(&position, 1 << 24);
        let again = fresh.with_image(tree.image(), &position).expect("our own image");
        assert_eq!(again.nodes.implicit_values, tree.nodes.implicit_values);
        let mut folded = tree.clone();
        folded.compact(std::iter::empty());
        let root = |tree: &Tree| tree.nodes.implicit_values[tree.root().index()];
        assert_eq!(root(&folded), root(&tree));
    }
}

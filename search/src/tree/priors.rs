//! What a game believes of the children of a node before they are tried, as AMAF playouts that never were.

use banyan_games::Game;

use super::{Amaf, NodeId, Tree};

impl Tree {
    /// Gives the root's children their priors where none of them has been counted yet. `position` must
    /// be the root's.
    pub fn believe_at_root<G: Game>(&mut self, position: &G) {
        let is_new = |child: NodeId| self.amaf[child.index()] == Amaf::default();
        if self.visits(self.root) == 0 && self.children(self.root).all(is_new) {
            self.believe(self.root, position);
        }
    }

    /// Counts the priors of a node's new children into their AMAF tallies.
    pub(super) fn believe<G: Game>(&mut self, node: NodeId, position: &G) {
        let visits = self.parameters.prior_visits;
        if visits <= 0.0 {
            return;
        }
        let first = self.first_child[node.index()] as usize;
        let range = first..first + usize::from(self.child_count[node.index()]);
        let mut weights = Vec::with_capacity(range.len());
        position.priors(&self.moves[range.clone()], &mut weights);
        let mean = weights.iter().sum::<f32>() / weights.len() as f32;
        for (amaf, weight) in self.amaf[range].iter_mut().zip(weights) {
            let value = prior_value(weight / mean, self.parameters.prior_sharpness);
            *amaf = Amaf::new(visits as u32, (2.0 * visits * value).round() as u32);
        }
    }
}

/// The value in `0.0..=1.0` that a move is believed to have.
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
    use crate::Parameters;
    use banyan_games::go::{Go, GoRules};
    use banyan_games::{Color, Move};

    /// White's stone in the middle of Black's tiger mouth, to be taken; a corner, which is far away.
    #[test]
    fn the_root_begins_with_playouts_that_never_were_and_keeps_what_it_counted() {
        let mut position = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
        let stones = [30, 38, 48].map(|point| (Color::Black, Move(point)));
        position.set_up(&stones, Color::White).expect("a position that can stand");
        position.play(Move(39));
        let (take, corner) = (Move(40), Move(0));
        let parameters = Parameters { prior_visits: 10.0, ..Parameters::of(Go::KIND) };
        let mut tree = Tree::new(parameters, 1, 0, Color::White);
        tree.allow_at_root(Color::Black, &[corner, take]);
        tree.believe_at_root(&position);
        let amaf = |tree: &Tree, mv| tree.amaf[tree.child(tree.root, mv).expect("allowed").index()];
        assert_eq!([corner, take].map(|mv| amaf(&tree, mv).visits()), [10, 10]);
        assert!(amaf(&tree, take).half_wins() > 10 && amaf(&tree, corner).half_wins() < 10);
        let before = tree.digest();
        tree.believe_at_root(&position);
        assert_eq!(tree.digest(), before);
    }

    #[test]
    fn a_prior_value_is_half_at_the_mean_and_grows_with_the_weight() {
        assert_eq!(prior_value(1.0, 0.5), 0.5);
        assert_eq!(prior_value(4.0, 0.5), 2.0 / 3.0);
        assert_eq!(prior_value(0.25, 0.5), 1.0 / 3.0);
        assert_eq!(prior_value(7.0, 0.0), 0.5);
    }
}

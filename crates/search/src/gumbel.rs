//! Choice of the root's moves to look at where visits are few: as many of the likeliest as can be told apart, and
//! of these the better half again and again.
//!
//! With so few visits PUCT tries what priors say and hardly learns from it; here each visit is planned.
//! Below the root the tree chooses. The root's policy must be known: it is judged first.
//!
//! # Source
//! Danihelka, Guez, Schrittwieser & Silver 2022, *Policy improvement by planning with Gumbel*.

use banyan_games::{Move, Rng};

use crate::tree::{NodeId, Tree};

/// Weight of values against logits: values count (this + most visits of a child) times.
const VALUE_VISITS: f32 = 50.0;

/// One search's plan for the root.
#[derive(Clone, Debug)]
pub struct Gumbel {
    /// The moves that are considered, the likeliest first.
    actions: Vec<Action>,
    /// For each visit to come: how many visits its move has had of this plan.
    sequence: Vec<u32>,
    made: usize,
}

#[derive(Clone, Copy, Debug)]
struct Action {
    mv: Move,
    /// Logarithm of its prior, and its share of chance.
    logit: f32,
    /// Visits that it had before.
    before: u64,
}

/// Number of the root's moves that are considered, and the part left to chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Considered {
    /// Moves, above 0.
    pub moves: usize,
    /// Factor of the chance that is added to logits: 1 for self-play, 0 for none.
    pub chance: f32,
}

impl Gumbel {
    /// A plan for so many visits of a root whose policy is known.
    pub fn new(tree: &Tree, visits: usize, considered: Considered, rng: &mut Rng) -> Gumbel {
        let mut actions: Vec<Action> = tree
            .allowed_at_root()
            .map(|child| Action {
                mv: tree.move_into(child),
                logit: logit(tree, child) + considered.chance * gumbel(rng),
                before: tree.visits(child),
            })
            .collect();
        actions.sort_by(|a, b| b.logit.total_cmp(&a.logit).then(a.mv.cmp(&b.mv)));
        actions.truncate(considered.moves.min(visits).max(1));
        let sequence = sequence(actions.len(), visits);
        Gumbel { actions, sequence, made: 0 }
    }

    /// The child of the root that the next visit goes through; nothing when all are made.
    pub fn next(&mut self, tree: &Tree) -> Option<NodeId> {
        let wanted = *self.sequence.get(self.made)?;
        self.made += 1;
        let (best, _) = self.best_where(tree, |visits| visits == u64::from(wanted))?;
        tree.child(tree.root(), best)
    }

    /// The visit that came last was not made: its leaf is on its way already.
    pub fn again(&mut self) {
        self.made = self.made.saturating_sub(1);
    }

    /// The move to play: of those with most visits the one that is worth most.
    pub fn best(&self, tree: &Tree) -> Option<Move> {
        let most = self.actions.iter().map(|action| action.visits(tree)).max()?;
        self.best_where(tree, |visits| visits == most).map(|(mv, _)| mv)
    }

    fn best_where(&self, tree: &Tree, fits: impl Fn(u64) -> bool) -> Option<(Move, f32)> {
        let weight = value_weight(tree);
        let fitting = self.actions.iter().filter(|action| fits(action.visits(tree)));
        let scored = fitting.map(|action| {
            let child = tree.child(tree.root(), action.mv);
            let value = child.map_or(0.0, |child| completed_value(tree, child));
            (action.mv, action.logit + weight * value)
        });
        scored.reduce(|best, other| if other.1 > best.1 { other } else { best })
    }
}

impl Action {
    /// Visits of this plan, those in flight with them.
    fn visits(&self, tree: &Tree) -> u64 {
        let child = tree.child(tree.root(), self.mv);
        let visits = |child| tree.visits(child) + u64::from(tree.unobserved(child));
        child.map_or(0, visits).saturating_sub(self.before)
    }
}

/// The root's policy as the search improves it: shares of 1 over the moves allowed there.
///
/// Each move's logit, and its value or without visits the root's; so a move that was never tried keeps
/// its place among the others.
pub fn improved_policy(tree: &Tree) -> Vec<(Move, f32)> {
    let weight = value_weight(tree);
    let score = |child| logit(tree, child) + weight * completed_value(tree, child);
    let scores: Vec<(Move, f32)> =
        tree.allowed_at_root().map(|child| (tree.move_into(child), score(child))).collect();
    let most = scores.iter().map(|&(_, score)| score).fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = scores.iter().map(|&(_, score)| libm::expf(score - most)).collect();
    let sum: f32 = powers.iter().sum();
    scores.into_iter().zip(powers).map(|((mv, _), power)| (mv, power / sum)).collect()
}

/// Visits that each visit's move has had: halving, so that all that are left have had the same.
fn sequence(moves: usize, visits: usize) -> Vec<u32> {
    if moves <= 1 {
        return (0..visits as u32).collect();
    }
    let rounds = moves.next_power_of_two().ilog2() as usize;
    let (mut sequence, mut had, mut left) = (Vec::with_capacity(visits), 0, moves);
    while sequence.len() < visits {
        for _ in 0..(visits / (rounds * left)).max(1) {
            sequence.extend(std::iter::repeat_n(had, left));
            had += 1;
        }
        left = (left / 2).max(2);
    }
    sequence.truncate(visits);
    sequence
}

fn value_weight(tree: &Tree) -> f32 {
    let most = tree.allowed_at_root().map(|child| tree.visits(child)).max().unwrap_or(0);
    VALUE_VISITS + most as f32
}

/// A child's value for the side that chooses; without visits the root's.
fn completed_value(tree: &Tree, child: NodeId) -> f32 {
    if tree.visits(child) > 0 {
        return tree.value(child) as f32;
    }
    let value = tree.value(tree.root()) as f32;
    if tree.mover(child) == tree.mover(tree.root()) { value } else { 1.0 - value }
}

fn logit(tree: &Tree, child: NodeId) -> f32 {
    libm::logf(tree.odds(child).max(f32::MIN_POSITIVE))
}

/// A draw of the standard Gumbel distribution.
fn gumbel(rng: &mut Rng) -> f32 {
    let share = ((rng.bits() >> 40) as f32 + 0.5) / (1u64 << 24) as f32;
    -libm::logf(-libm::logf(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_moves_go_on_until_two_are_left() {
        assert_eq!(sequence(1, 4), [0, 1, 2, 3]);
        assert_eq!(sequence(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
        // Twice each of four, then four times each of two.
        assert_eq!(sequence(4, 16), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(sequence(16, 5), [0; 5]);
    }

    #[test]
    fn chance_has_the_mean_of_a_gumbel_distribution() {
        let mut rng = Rng::from_seed(1);
        let mean = (0..20_000).map(|_| f64::from(gumbel(&mut rng))).sum::<f64>() / 20_000.0;
        assert!((mean - 0.5772).abs() < 0.03, "{mean}");
    }
}

//! Values of a leaf of the tree: playouts to the end, an evaluation, or some plies and then one.
//!
//! An evaluation becomes wins and losses, so that tallies stay whole numbers: of the playouts that it
//! stands for as many are won as it expects, the odd one by chance.

use banyan_games::counts::{Collector, Observer};
use banyan_games::{Color, Counts, Leaf, Margin, Move, Outcome, Rng};
use banyan_knowledge::evaluation::share_of;
use banyan_knowledge::{Evaluation, Knowledge, Policy};

use crate::parameters::Parameters;

/// Runs the playouts of many leaves, as [`Knowledge::play_out_by`] does, or evaluates as `parameters` say. A game
/// without an evaluation is always played out.
///
/// The sums depend on nothing but the arguments.
pub fn play_out<G: Knowledge>(parameters: &Parameters, policy: Policy, leaves: &mut [Leaf<'_, G>]) {
    match (parameters.leaf_plies, G::evaluations().first()) {
        (Some(0), Some(evaluation)) => evaluate(leaves, &**evaluation),
        (Some(plies), Some(evaluation)) => {
            leaves.iter_mut().for_each(|leaf| cut_short(leaf, plies, &**evaluation));
        }
        _ => G::play_out_by(policy, leaves),
    }
}

/// Tells whether playouts of leaves have anything to count for AMAF: not where none is made, nor where nobody
/// listens.
pub fn counts_amaf<G: Knowledge>(parameters: &Parameters) -> bool {
    let is_played = parameters.leaf_plies != Some(0) || G::evaluations().is_empty();
    is_played && parameters.rave_equivalence > 0.0
}

/// The side to move's share of wins, 0 to 1, that an evaluation expects of a position.
fn share<G: Knowledge>(position: &G, evaluation: &dyn Evaluation<G>) -> f64 {
    share_of(evaluation.value(position), evaluation.scale())
}

/// The side to move's share of wins that the game's first evaluation expects; nothing where it has none.
pub(crate) fn expected_share<G: Knowledge>(position: &G) -> Option<f64> {
    G::evaluations().first().map(|evaluation| share(position, &**evaluation))
}

/// A number in 0..1.
fn chance(rng: &mut Rng) -> f64 {
    (rng.bits() >> 11) as f64 / (1u64 << 53) as f64
}

/// Counts the leaves as the evaluation has them, which is asked about all of them at once.
fn evaluate<G: Knowledge>(leaves: &mut [Leaf<'_, G>], evaluation: &dyn Evaluation<G>) {
    let positions: Vec<&G> = leaves.iter().map(|leaf| leaf.position).collect();
    let mut values = Vec::with_capacity(positions.len());
    evaluation.evaluate_many(&positions, &mut values);
    for (leaf, value) in leaves.iter_mut().zip(values) {
        count(leaf, share_of(value, evaluation.scale()));
    }
}

/// Counts as many wins of a leaf's side to move as its share says.
fn count<G: Knowledge>(leaf: &mut Leaf<'_, G>, share: f64) {
    let wins = ((share * f64::from(leaf.playouts) + chance(leaf.rng)) as u32).min(leaf.playouts);
    let counts = &mut *leaf.counts;
    let (own, other) = (wins, leaf.playouts - wins);
    let (black, white) = match leaf.position.side_to_move() {
        Color::Black => (own, other),
        Color::White => (other, own),
    };
    counts.wins += black;
    counts.losses += white;
    hold(leaf.position, leaf.playouts, counts);
}

/// Counts the side that has a stone on a point now as its owner.
fn hold<G: Knowledge>(position: &G, playouts: u32, counts: &mut Counts) {
    let Some(ownership) = &mut counts.ownership else { return };
    for (point, held) in ownership.iter_mut().enumerate() {
        *held += match position.stone(Move::point(point)) {
            Some(Color::Black) => playouts as i32,
            Some(Color::White) => -(playouts as i32),
            None => 0,
        };
    }
}

/// Random plies, then a win with the chance that the evaluation expects. A game that ends on the way is
/// counted as it ended.
fn cut_short<G: Knowledge>(leaf: &mut Leaf<'_, G>, plies: u32, evaluation: &dyn Evaluation<G>) {
    let area = leaf.position.size().area();
    let mut counted = leaf.counts.clone();
    let mut moves = Vec::with_capacity(area + 1);
    let mut collector = Collector::new(&mut counted, area);
    for _ in 0..leaf.playouts {
        let mut position = leaf.position.clone();
        let mut played = 0;
        while played < plies {
            moves.clear();
            position.candidates(&mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[leaf.rng.below(moves.len() as u32) as usize];
            if !mv.is_pass() {
                collector.played(position.side_to_move(), mv);
            }
            position.play(mv);
            played += 1;
        }
        let outcome = position.outcome().unwrap_or_else(|| drawn(&position, evaluation, leaf.rng));
        collector.ended(outcome, |point| position.stone(Move::point(point)));
        leaf.counts.add(outcome, played);
    }
    leaf.counts.amaf = counted.amaf;
    leaf.counts.ownership = counted.ownership;
}

/// A win of one side or the other, by as little as possible.
fn drawn<G: Knowledge>(position: &G, evaluation: &dyn Evaluation<G>, rng: &mut Rng) -> Outcome {
    let side = position.side_to_move();
    let winner = if chance(rng) < share(position, evaluation) { side } else { !side };
    let points = if winner == Color::Black { 1 } else { -1 };
    Outcome { margin: Margin::points(points) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Valuing;
    use banyan_games::Game;
    use banyan_games::counts::Asked;
    use banyan_games::othello::{Othello, OthelloRules};
    use banyan_games::{Kind, go};

    fn counts<G: Knowledge>(position: &G, valuing: Valuing, playouts: u32) -> Counts {
        let parameters = Parameters::of(Kind::Othello).valued_by(valuing);
        let mut counts = Counts::new(
            position.size().area(),
            Asked { amaf: valuing != Valuing::Evaluate, ownership: true },
        );
        let rng = &mut Rng::from_seed(5);
        let leaf = Leaf { position, playouts, rng, counts: &mut counts };
        play_out(&parameters, Policy::Uniform, &mut [leaf]);
        counts
    }

    /// White to move, with a corner that Black can no longer take back.
    fn uneven() -> Othello {
        let mut position = Othello::new(&OthelloRules);
        for mv in ["f5", "f6", "e6", "f4", "g5", "h5", "g7", "h8", "h6"] {
            let mv = position.parse_move(mv).expect("a point");
            if position.is_legal(mv) {
                position.play(mv);
            }
        }
        position
    }

    #[test]
    fn an_evaluation_becomes_as_many_wins_as_it_expects() {
        let position = uneven();
        let value = f64::from(Othello::evaluations()[0].value(&position));
        let scale = f64::from(Othello::evaluations()[0].scale());
        let own = 1.0 / (1.0 + (-value / scale).exp());
        let black = if position.side_to_move() == Color::Black { own } else { 1.0 - own };
        assert!((black - 0.5).abs() > 0.02, "{black}");
        let found = counts(&position, Valuing::Evaluate, 1000);
        assert_eq!((found.playouts(), found.draws), (1000, 0));
        assert!((f64::from(found.wins) / 1000.0 - black).abs() <= 0.001, "{found:?} {black}");
        let few: u32 = (0..64).map(|_| counts(&position, Valuing::Evaluate, 1).playouts()).sum();
        assert_eq!(few, 64);
        let held = found.ownership.expect("asked for");
        let (discs, other) = position.own_and_other();
        assert_eq!(
            held.iter().filter(|&&held| held != 0).count(),
            (discs | other).count_ones() as usize
        );
    }

    #[test]
    fn a_playout_that_is_cut_short_plays_no_more_plies_than_that() {
        let found = counts(&uneven(), Valuing::Mixed, 200);
        assert_eq!((found.playouts(), found.plies), (200, 200 * u64::from(Valuing::MIXED_PLIES)));
        let stones: u32 = found.amaf.expect("asked for").visits.iter().sum();
        assert!(stones <= 200 * Valuing::MIXED_PLIES && stones > 1_000, "{stones}");
        assert!(found.wins > 0 && found.losses > 0);
    }

    #[test]
    fn without_an_evaluation_everything_is_played_out() {
        let position = go::Go::new(&go::GoRules::new(5, 15).expect("a size"));
        let found = counts(&position, Valuing::Evaluate, 20);
        assert!(found.playouts() == 20 && found.plies > 20 * 10, "{found:?}");
    }

    #[test]
    fn amaf_is_counted_where_something_is_played_and_somebody_listens() {
        let by = |valuing| Parameters::of(Kind::Othello).valued_by(valuing);
        assert!(by(Valuing::Evaluate).rave_equivalence > 0.0);
        assert!(!counts_amaf::<Othello>(&by(Valuing::Evaluate)));
        assert!(counts_amaf::<Othello>(&by(Valuing::Mixed)));
        assert!(counts_amaf::<go::Go>(&by(Valuing::Evaluate)));
        let deaf = Parameters { rave_equivalence: 0.0, ..by(Valuing::Playout) };
        assert!(!counts_amaf::<Othello>(&deaf));
    }
}

//! Playouts as an evaluator: what stands in where another one is gone.

use std::fmt;

use banyan_games::counts::Asked;
use banyan_games::{Counts, Move, Rng};

use crate::evaluator::{
    Chance, Evaluator, EvaluatorError, Judgement, ModelDigest, Query, VALUE_ONE,
};
use crate::knowledge::Knowledge;

/// Playouts of one judgement.
const PLAYOUTS: u32 = 32;

/// Judges by a few playouts, and by what the game expects of moves.
///
/// The same position has the same judgement everywhere: the playouts are drawn from its hash.
#[derive(Clone, Copy)]
pub struct Playouts {
    /// The digest that it answers to.
    pub digest: ModelDigest,
}

impl fmt::Debug for Playouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Playouts")
    }
}

impl<G: Knowledge> Evaluator<G> for Playouts {
    fn name(&self) -> &str {
        "playouts"
    }

    fn digest(&self) -> ModelDigest {
        self.digest
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn evaluate(
        &self,
        queries: &[Query<'_, G>],
        judgements: &mut Vec<Judgement>,
    ) -> Result<(), EvaluatorError> {
        judgements.clear();
        judgements.extend(queries.iter().map(|query| judge(query.position)));
        Ok(())
    }
}

fn judge<G: Knowledge>(position: &G) -> Judgement {
    let area = position.size().area();
    let mut counts = Counts::new(area, Asked { amaf: false, ownership: true });
    position.playouts_by(G::POLICY, PLAYOUTS, &mut Rng::from_seed(position.hash()), &mut counts);
    let half_wins = 2 * counts.wins + counts.draws;
    let owners = counts.ownership.unwrap_or_default();
    Judgement {
        value: (half_wins * u32::from(VALUE_ONE) / (2 * PLAYOUTS)) as u16,
        policy: policy(position),
        score: Some((counts.margin_sum * 128 / i64::from(PLAYOUTS)) as i32),
        ownership: owners.iter().map(|&held| (held * 127 / PLAYOUTS as i32) as i8).collect(),
    }
}

fn policy<G: Knowledge>(position: &G) -> Vec<Chance> {
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    let mut weights = Vec::new();
    position.priors(&moves, &mut weights);
    weights.resize(moves.len(), 1.0);
    let sum: f32 = weights.iter().sum();
    let area = position.size().area();
    let mut policy = vec![Chance::NONE; area + 1];
    for (mv, weight) in moves.iter().zip(weights) {
        policy[mv.index().map_or(area, |point: usize| point.min(area))] = Chance::of(weight / sum);
    }
    debug_assert!(moves.iter().all(|mv: &Move| mv.index().is_none_or(|point| point < area)));
    policy
}

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use banyan_games::go::{Go, GoRules};

    use super::*;

    fn judged(setup: &[(banyan_games::Color, Move)], side: banyan_games::Color) -> Judgement {
        let mut position = Go::new(&GoRules::new(9, 15).expect("a board"));
        position.set_up(setup, side).expect("stones that can stand");
        let mut judgements = Vec::new();
        let playouts = Playouts { digest: ModelDigest([1; 32]) };
        playouts.evaluate(&[Query::of(&position)], &mut judgements).expect("any position");
        judgements.remove(0)
    }

    #[test]
    fn who_has_more_stones_is_ahead_whoever_moves() {
        use banyan_games::Color::{Black, White};
        let wall: Vec<_> = (27..54).map(|point| (Black, Move::point(point))).collect();
        for side in [Black, White] {
            let judgement = judged(&wall, side);
            assert!(judgement.value > VALUE_ONE / 4 * 3, "{judgement:?}");
            assert!(judgement.score.is_some_and(|score| score > 10 * 256));
            assert!(judgement.ownership[40] > 100);
            assert_eq!(judgement.policy.len(), 82);
            assert_eq!(judgement.policy[40], Chance::NONE, "there is a stone");
            assert_eq!(judgement, judged(&wall, side), "the same each time");
        }
    }
}

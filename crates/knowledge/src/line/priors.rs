//! Likelihoods of moves of a game of lines, by the rank that an evaluation gives them.

use banyan_games::line::{LineRules, Position};
use banyan_games::{Game, Move};

use crate::evaluation::Ranked;
use crate::knowledge::Knowledge;

/// The odds by the rank of the best evaluation; what is no free point has the least there are.
pub(crate) fn priors<R: LineRules>(position: &Position<R>, moves: &[Move], weights: &mut Vec<f32>)
where
    Position<R>: Knowledge,
{
    weights.clear();
    weights.resize(moves.len(), odds(i32::MIN));
    let area = position.size().area();
    let is_free = |mv: Move| usize::from(mv.0) < area && position.stone(mv).is_none();
    let free: Vec<usize> = (0..moves.len()).filter(|&at| is_free(moves[at])).collect();
    let mut ranked: Vec<Ranked> = free.iter().map(|&at| Ranked::new(moves[at])).collect();
    if let Some(evaluation) = Position::<R>::evaluations().first() {
        evaluation.rank(position, &mut ranked);
    }
    for (at, Ranked { rank, .. }) in free.into_iter().zip(ranked) {
        weights[at] = odds(rank);
    }
}

/// Odds that a move to which the best evaluation gives this rank is the one to play; those of `i32::MIN` are
/// for what is out of the question. Ranks are logits.
///
/// - `rank`: hundredths.
fn odds(rank: i32) -> f32 {
    libm::expf((rank as f32 / LOGIT).clamp(-LOG_ODDS_MAX, LOG_ODDS_MAX))
}

/// Values and ranks that were learned are in hundredths.
pub(crate) const LOGIT: f32 = 100.0;

/// Greatest trust in a rank.
const LOG_ODDS_MAX: f32 = 16.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_become_odds_within_bounds() {
        assert_eq!(odds(0), 1.0);
        assert!((odds(100) - std::f32::consts::E).abs() < 1e-5);
        assert!(odds(i32::MAX).is_finite() && odds(i32::MIN) > 0.0);
    }
}

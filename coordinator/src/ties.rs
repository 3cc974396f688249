//! Which of several moves that win as often is played: the one that wins by more.
//!
//! A tree counts wins alone, so that a move that gives points away without giving the game away is as good
//! to it as any other; people see it otherwise. Pure.

use banyan_games::Color;
use banyan_search::Candidate;

use crate::growth::Sums;

/// Values that differ by less are the same.
const TIE: f64 = 0.01;

/// A move with less than this part of the best one's visits is not known well enough.
const VISITS_SHARE: u64 = 4;

/// The index of the candidate to play: the first, or one as good by value whose playouts `side` wins by
/// more points.
///
/// - `candidates`: the best first.
pub fn best_by_score(candidates: &[Candidate], sums: &Sums, side: Color) -> usize {
    let Some(first) = candidates.first() else { return 0 };
    let score = |candidate: &Candidate| sums.score(candidate.mv, side);
    let Some(mut best) = score(first) else { return 0 };
    let mut index = 0;
    for (nth, candidate) in candidates.iter().enumerate().skip(1) {
        let is_known = candidate.visits >= first.visits.div_ceil(VISITS_SHARE);
        let is_as_good = candidate.value + TIE >= first.value && candidate.proof == first.proof;
        if let Some(score) = score(candidate).filter(|_| is_known && is_as_good)
            && score > best
        {
            (best, index) = (score, nth);
        }
    }
    index
}

#[cfg(test)]
mod tests {
    use banyan_games::Move;
    use banyan_search::Proof;

    use super::*;

    fn candidate(point: usize, visits: u64, value: f64) -> Candidate {
        Candidate { mv: Move::point(point), visits, value, prior: 0.1, proof: Proof::Open }
    }

    /// Black wins by so many points through each of the moves, in their order.
    fn sums(points: &[i64]) -> Sums {
        let mut sums = Sums::default();
        for (point, won) in points.iter().enumerate() {
            sums.add_score(Move::point(point), 10, 10 * 2 * won);
        }
        sums
    }

    #[test]
    fn of_moves_that_win_as_often_the_one_is_played_that_wins_by_more() {
        let close = [candidate(0, 800, 0.97), candidate(1, 300, 0.965), candidate(2, 200, 0.968)];
        assert_eq!(best_by_score(&close, &sums(&[3, 9, 5]), Color::Black), 1);
        assert_eq!(best_by_score(&close, &sums(&[3, 2, 5]), Color::Black), 2);
        assert_eq!(best_by_score(&close, &sums(&[9, 3, 5]), Color::Black), 0);
        // For White the fewest points of Black's.
        assert_eq!(best_by_score(&close, &sums(&[9, 3, 5]), Color::White), 1);
    }

    #[test]
    fn a_move_that_wins_less_often_or_is_hardly_known_is_not() {
        let first = candidate(0, 800, 0.97);
        let points = sums(&[3, 9]);
        for other in [candidate(1, 700, 0.955), candidate(1, 199, 0.97)] {
            assert_eq!(best_by_score(&[first, other], &points, Color::Black), 0);
        }
        let proven = Candidate { proof: Proof::Win, ..first };
        assert_eq!(best_by_score(&[proven, candidate(1, 700, 0.99)], &points, Color::Black), 0);
    }

    #[test]
    fn without_scores_nothing_changes() {
        let close = [candidate(0, 800, 0.97), candidate(1, 800, 0.97)];
        assert_eq!(best_by_score(&close, &Sums::default(), Color::Black), 0);
        assert_eq!(best_by_score(&[], &Sums::default(), Color::Black), 0);
    }
}

//! Sums of a search beside its tree: playouts, owners of points, scores.

use banyan_games::go::GoRules;
use banyan_games::{Color, Move, Size};
use banyan_knowledge::Judgement;

use crate::answer::Tally;
use crate::limits::{LimitError, at_most};

/// Half points by which a game can be won: the largest board and the largest komi.
pub const MARGIN_MAX: u64 = 2 * Size::AREA_MAX as u64 + GoRules::KOMI_MAX as u64;

/// Playouts that a judgement of all points' owners counts for, since it says in so many parts how sure it is.
pub const OWNERSHIP_ONE: u64 = 127;

/// A judgement's score is in 1/256 of a point.
pub(crate) const UNITS_PER_HALF_POINT: i64 = 128;

/// Sums over a search beyond the tree's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Playouts counted into the tree.
    pub playouts: u64,
    /// Playouts that were counted and taken back out: lies.
    pub taken_back: u64,
    /// Playouts that the next sums are over.
    pub owner_playouts: u64,
    /// Per point: playouts that Black held it in at the end, minus White.
    pub ownership: Vec<i64>,
    /// Scores of the playouts through the root's moves, each move once; only in games of territory.
    pub scores: Vec<Scores>,
}

/// Scores of the playouts through one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scores {
    /// The move.
    pub mv: Move,
    /// Playouts, count.
    pub playouts: u64,
    /// Sum of their margins, half points, from Black's view; at most [`MARGIN_MAX`] each.
    pub margin_sum: i64,
}

impl Scores {
    /// Tells whether they can be those of a search of so many playouts.
    ///
    /// # Errors
    /// [`LimitError`] names what is too large.
    pub fn check(&self, playouts: u64) -> Result<(), LimitError> {
        at_most("playouts of a score", self.playouts, playouts)?;
        let margins_max = self.playouts.saturating_mul(MARGIN_MAX);
        at_most("margin sum of a score", self.margin_sum.unsigned_abs(), margins_max)
    }
}

impl Sums {
    /// Adds the counts of a tally, or with `sign` -1 takes them back; a solved one has none, and a
    /// judgement counts as a playout.
    ///
    /// - `first`: the move from the root that it belongs to, where scores are kept.
    /// - `are_judged`: counts are of evaluations, which tell scores and owners only where they were asked for.
    pub fn add(&mut self, tally: &Tally, first: Option<Move>, are_judged: bool, sign: i64) {
        if let Some(judgement) = tally.answer.judged() {
            return self.add_judgement(judgement, first, sign);
        }
        let Some(counts) = tally.answer.counts() else { return };
        let playouts = sign * i64::from(counts.playouts());
        self.playouts = self.playouts.saturating_add_signed(playouts);
        self.taken_back += playouts.min(0).unsigned_abs();
        if let Some(mv) = first.filter(|_| !are_judged || counts.ownership.is_some()) {
            self.add_score(mv, playouts, sign * counts.margin_sum);
        }
        let Some(owners) = &counts.ownership else { return };
        let weight = if are_judged { OWNERSHIP_ONE as i64 } else { 1 };
        self.owner_playouts = self.owner_playouts.saturating_add_signed(weight * playouts);
        for (sum, &held) in self.ownership.iter_mut().zip(owners) {
            *sum += sign * weight * i64::from(held);
        }
    }

    /// A judgement counts like a playout that ended as it says.
    fn add_judgement(&mut self, judgement: &Judgement, first: Option<Move>, sign: i64) {
        self.playouts = self.playouts.saturating_add_signed(sign);
        self.taken_back += sign.min(0).unsigned_abs();
        if let (Some(mv), Some(score)) = (first, judgement.score) {
            self.add_score(mv, sign, sign * i64::from(score) / UNITS_PER_HALF_POINT);
        }
        if judgement.ownership.is_empty() {
            return;
        }
        let weight = OWNERSHIP_ONE as i64;
        self.owner_playouts = self.owner_playouts.saturating_add_signed(weight * sign);
        for (sum, &held) in self.ownership.iter_mut().zip(&judgement.ownership) {
            *sum += sign * i64::from(held);
        }
    }

    /// Adds playouts through a move of the root, or takes them back where there are fewer than none.
    ///
    /// - `margin_sum`: of their margins, half points, Black's.
    pub fn add_score(&mut self, mv: Move, playouts: i64, margin_sum: i64) {
        let index = self.scores.iter().position(|scores| scores.mv == mv).unwrap_or_else(|| {
            self.scores.push(Scores { mv, playouts: 0, margin_sum: 0 });
            self.scores.len() - 1
        });
        let scores = &mut self.scores[index];
        scores.playouts = scores.playouts.saturating_add_signed(playouts);
        // Sums that came from elsewhere may be large.
        scores.margin_sum = scores.margin_sum.saturating_add(margin_sum);
    }

    /// By how many points `side` wins in the mean over the playouts through a move of the root; nothing
    /// where there are none.
    pub fn score(&self, mv: Move, side: Color) -> Option<f64> {
        let scores = self.scores.iter().find(|scores| scores.mv == mv && scores.playouts > 0)?;
        let black = scores.margin_sum as f64 / 2.0 / scores.playouts as f64;
        Some(if side == Color::Black { black } else { -black })
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::{Counts, Margin, Outcome};

    use super::*;
    use crate::{Answer, BatchId};

    fn tally(margins: &[i32]) -> Tally {
        let mut counts = Counts::default();
        margins.iter().for_each(|&half| counts.add(Outcome { margin: Margin(half) }, 1));
        Tally { batch: BatchId(1), answer: Answer::Counts(counts) }
    }

    #[test]
    fn a_moves_score_is_the_mean_of_its_playouts_margins_in_points() {
        let (a, b) = (Move::point(1), Move::point(2));
        let mut sums = Sums::default();
        sums.add(&tally(&[13, -7]), Some(a), false, 1);
        sums.add(&tally(&[-1]), Some(b), false, 1);
        sums.add(&tally(&[99]), None, false, 1);
        // Evaluations that were not asked for scores say nothing of them.
        sums.add(&tally(&[0, 0, 0]), Some(a), true, 1);
        sums.add_score(a, 1, Outcome::win(Color::Black).margin.0.into());
        assert_eq!(sums.score(a, Color::Black), Some(8.0 / 2.0 / 3.0));
        assert_eq!(sums.score(b, Color::White), Some(0.5));
        assert_eq!(sums.score(Move::PASS, Color::Black), None);
        assert_eq!(sums.playouts, 7);
    }

    #[test]
    fn more_playouts_than_there_were_and_margins_that_cannot_be_are_refused() {
        let scores = Scores { mv: Move::PASS, playouts: 3, margin_sum: -3 * MARGIN_MAX as i64 };
        assert_eq!(scores.check(3), Ok(()));
        assert!(scores.check(2).is_err());
        assert!(Scores { margin_sum: i64::MIN, ..scores }.check(3).is_err());
    }

    #[test]
    fn the_largest_sums_that_are_let_in_can_be_read_and_added_to() {
        let mv = Move::PASS;
        for margin_sum in [i64::MIN, i64::MAX] {
            let scores = Scores { mv, playouts: u64::MAX, margin_sum };
            assert_eq!(scores.check(u64::MAX), Ok(()));
            let mut sums = Sums { scores: vec![scores], ..Sums::default() };
            sums.add_score(mv, 1, margin_sum.signum());
            for side in Color::BOTH {
                assert!(sums.score(mv, side).is_some_and(f64::is_finite));
            }
        }
    }

    #[test]
    fn what_is_taken_back_leaves_no_score() {
        let (mv, lie) = (Move::point(1), tally(&[90, 90]));
        let mut sums = Sums::default();
        sums.add(&lie, Some(mv), false, 1);
        sums.add(&tally(&[3]), Some(mv), false, 1);
        sums.add(&lie, Some(mv), false, -1);
        assert_eq!(
            (sums.score(mv, Color::Black), sums.playouts, sums.taken_back),
            (Some(1.5), 1, 2)
        );
        sums.add(&tally(&[3]), Some(mv), false, -1);
        assert_eq!(sums.score(mv, Color::Black), None);
    }
}

//! The worth of a position by the shapes that stones would make, seen afresh.

use banyan_games::Game;
use banyan_games::gomoku::Gomoku;

use crate::evaluation::{Ranked, rank_each};

use super::board::Board;
use super::weights::{Threat, Weights};

/// A win that is certain although it is not on the board yet; sooner ones are worth more.
pub(super) const SURE: i32 = 100_000;

/// The log-odds of a win: a sum over the empty points near a stone, of what a stone of each side would
/// make there, and a term for the best that each side threatens.
pub(super) fn by_shapes(weights: &Weights, position: &Gomoku) -> i32 {
    let own = position.side_to_move().index();
    let mut sum = Sum { points: 0, best: [Threat::None; 2], fives: 0 };
    Board::of(position).each_near(|_, crossings| {
        for (whose, side) in [own, 1 - own].into_iter().enumerate() {
            let entry = weights.of(crossings[side]);
            sum.points += i32::from(entry.value[whose]);
            sum.best[whose] = sum.best[whose].max(entry.threat);
            sum.fives += u32::from(whose == 1 && entry.threat == Threat::Five);
        }
    });
    sum.value(weights)
}

/// A position as an evaluation by shapes sees it.
pub(super) struct Sum {
    /// Worth of both sides' crossings.
    pub points: i32,
    /// Best threats of the side to move, and of the other side.
    pub best: [Threat; 2],
    /// Points at which the other side makes five.
    pub fives: u32,
}

impl Sum {
    pub fn value(&self, weights: &Weights) -> i32 {
        match self.best {
            [Threat::Five, _] => SURE,
            _ if self.fives > 1 => -SURE,
            _ => self.at_rest(weights),
        }
    }

    /// The value where nobody has a five to make.
    pub fn at_rest(&self, weights: &Weights) -> i32 {
        let [own, other] = self.best;
        self.points + weights.of_threats(own, other)
    }
}

pub(super) fn rank_by_shapes(weights: &Weights, position: &Gomoku, moves: &mut [Ranked]) {
    let board = Board::of(position);
    let (own, width) = (position.side_to_move().index(), usize::from(position.size().width));
    rank_each(moves, |mv| {
        let point = usize::from(mv.0);
        weights.rank(board.crossings(point / width, point % width), own)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Color;
    use banyan_games::gomoku::{GomokuRules, Variant};

    fn position((black, white): (&str, &str), side: Color) -> Gomoku {
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
        Gomoku::with_stones(&rules, [black, white], side).expect("free points")
    }

    #[test]
    fn shapes_are_learned_to_be_good_for_who_can_make_them() {
        let value =
            |(black, white), side| by_shapes(Weights::learned(), &position((black, white), side));
        for (stones, better) in
            [(("h8 h9", "a1 o1"), Color::Black), (("a1 o1", "h8 h9"), Color::White)]
        {
            for side in Color::BOTH {
                let own = if side == better { 1 } else { -1 };
                assert!(own * value(stones, side) > 0, "{stones:?} {side}");
            }
        }
        let three = ("g8 h8 i8", "a1 o1 a15");
        assert!(value(three, Color::Black) > 100, "an open three and the move");
        assert_eq!(value(("f8 g8 h8 i8", "e8 a1 c1"), Color::Black), SURE);
        assert_eq!(
            value(("f8 g8 h8 i8", "a1 c1 a3"), Color::White),
            -SURE,
            "two points to be stopped"
        );
    }
}

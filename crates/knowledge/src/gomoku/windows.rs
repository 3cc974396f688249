//! The worth of a position by what its windows could become.

use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::line::{LineRules, Windows, segments};
use banyan_games::{Color, Game, Move};

use crate::evaluation::{Ranked, rank_each};

use super::value::SURE;

/// Worth of a window by the stones that one side has in it alone. A three that is open stands in three
/// windows, so that it need not be told from one that is shut.
const WINDOW: [i32; 6] = [0, 1, 4, 16, 50, 0];

/// The side to move counts an own window as much as so many halves of one of the other side's.
const TEMPO_HALVES: i32 = 3;

const FOUR: usize = GomokuRules::LENGTH - 1;

/// For the side to move.
pub(super) fn value(position: &Gomoku) -> i32 {
    let tally = segments::tally(position);
    let side = position.side_to_move();
    let (own, other) = (&tally[side.index()], &tally[(!side).index()]);
    if own[FOUR] > 0 && !fives(position, side).is_empty() {
        return SURE;
    }
    if own[FOUR - 1] > 1 && other[FOUR] == 0 && makes_straight_four(position, side) {
        return SURE / 2;
    }
    let worth = |tally: &[u32; 9]| -> i32 {
        WINDOW.iter().zip(tally).map(|(worth, &windows)| worth * windows as i32).sum()
    };
    TEMPO_HALVES * worth(own) / 2 - worth(other)
}

/// Tells whether one stone of `side` leaves two points to make five.
fn makes_straight_four(position: &Gomoku, side: Color) -> bool {
    let windows = Windows::of(position);
    let mut threes: Vec<(Move, Move)> = windows
        .alone(side, FOUR as u8 - 1)
        .flat_map(|window| {
            let points: Vec<Move> = windows.empties(window).collect();
            [(points[0], points[1]), (points[1], points[0])]
        })
        .collect();
    threes.sort();
    threes.dedup();
    let several = |(point, _): &(Move, Move)| windows.allows(side, *point);
    threes.chunk_by(|a, b| a.0 == b.0).any(|same| same.len() > 1 && several(&same[0]))
}

/// A five to be made, or to be kept from the other side.
pub(super) fn urgent(position: &Gomoku, moves: &mut Vec<Move>) {
    let tally = segments::tally(position);
    let side = position.side_to_move();
    let has_fours = |of: &Color| tally[of.index()][FOUR] > 0;
    let fives = [side, !side].into_iter().filter(has_fours).map(|of| fives(position, of));
    let urgent = fives.into_iter().find(|fives| !fives.is_empty()).unwrap_or_default();
    moves.extend(urgent.into_iter().filter(|&mv| position.is_legal(mv)));
}

/// The points where a stone of `of` wins, in ascending order: by standard rules six in a row are no five.
fn fives(position: &Gomoku, of: Color) -> Vec<Move> {
    let windows = Windows::of(position);
    let points = windows.alone(of, FOUR as u8).flat_map(|window| windows.empties(window));
    let mut points: Vec<Move> = points.filter(|&point| windows.wins_at(of, point)).collect();
    points.sort();
    points.dedup();
    points
}

/// Additions of a stone on an empty point to its own windows, and losses of the other side's: by the stones
/// in each window through it.
const RANK_OWN: [i32; 5] = [1, 5, 25, 150, 5000];
const RANK_OTHER: [i32; 5] = [0, 3, 15, 70, 1000];

/// Ranks moves by the windows through them.
pub(super) fn rank_all(position: &Gomoku, moves: &mut [Ranked]) {
    rank_each(moves, |mv| rank(position, mv));
}

fn rank(position: &Gomoku, mv: Move) -> i32 {
    let side = position.side_to_move();
    position
        .windows_through(mv)
        .map(|stones| match stones.alone(side) {
            Some(0) | None => {
                stones.alone(!side).map_or(0, |n| RANK_OTHER[usize::from(n).min(FOUR)])
            }
            Some(own) => RANK_OWN[usize::from(own).min(FOUR)],
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::gomoku::Variant;

    fn position((black, white): (&str, &str), side: Color) -> Gomoku {
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
        Gomoku::with_stones(&rules, [black, white], side).expect("free points")
    }

    #[test]
    fn windows_are_worth_what_stands_in_them_alone() {
        // h8 is in 5 windows of each direction, a1 in 1 of three.
        let one = position(("h8", "a1"), Color::Black);
        assert_eq!(value(&one), 3 * 20 / 2 - 3);
        let white = position(("h8", "a1"), Color::White);
        assert_eq!(value(&white), 3 * 3 / 2 - 20);
        // In the row two windows hold one stone each, four both; g8 has 15 more windows, as h8 has.
        let two = position(("h8 g8", "a1"), Color::Black);
        assert_eq!(value(&two), 3 * (4 * 4 + 2 + 30) / 2 - 3);
    }

    #[test]
    fn a_five_or_a_straight_four_to_come_is_as_good_as_won() {
        let four = ("f8 g8 h8 i8", "e8 a1 c1");
        assert_eq!(value(&position(four, Color::Black)), SURE);
        let three = ("f8 g8 h8", "a1 c1");
        assert_eq!(value(&position(three, Color::Black)), SURE / 2);
        let shut = ("f8 g8 h8", "e8 a1");
        assert!(value(&position(shut, Color::Black)) < SURE / 2);
    }

    #[test]
    fn what_must_be_played_at_once_is_the_five_before_the_answer() {
        let mut moves = Vec::new();
        let both = position(("f8 g8 h8 i8", "e8 a1 a2 a3 a4"), Color::Black);
        urgent(&both, &mut moves);
        assert_eq!(moves, [both.parse_move("j8").expect("a point")]);
        moves.clear();
        let answer = position(("f8 g8 h8 i8", "e8"), Color::White);
        urgent(&answer, &mut moves);
        assert_eq!(moves, [answer.parse_move("j8").expect("a point")]);
        moves.clear();
        urgent(&position(("f8 g8 h8", ""), Color::White), &mut moves);
        assert_eq!(moves, []);
    }

    #[test]
    fn six_in_a_row_are_no_five_by_standard_rules() {
        let gap = ["d8 e8 f8 g8 i8", "a1 c1 a3 c3 a5"];
        for (variant, wins) in [(Variant::Freestyle, true), (Variant::Standard, false)] {
            let rules = GomokuRules::new(15, 15, variant).expect("a size");
            for side in Color::BOTH {
                let position = Gomoku::with_stones(&rules, gap, side).expect("free points");
                // c8 makes five, whatever the rules.
                let closed = [gap[0], "a1 c1 a3 c8 a5"];
                let shut = Gomoku::with_stones(&rules, closed, side).expect("free points");
                let (mut open, mut only) = (Vec::new(), Vec::new());
                urgent(&position, &mut open);
                urgent(&shut, &mut only);
                assert_eq!((open.len(), only.len()), (1 + usize::from(wins), usize::from(wins)));
                assert_eq!(value(&shut) == SURE, wins && side == Color::Black, "{variant:?}");
            }
        }
    }

    #[test]
    fn the_point_that_makes_a_four_ranks_before_a_far_one() {
        let three = position(("f8 g8 h8", "a1 c1"), Color::Black);
        let of = |text| rank(&three, three.parse_move(text).expect("a point"));
        assert!(of("i8") > of("g9") && of("g9") > of("o15"));
    }
}

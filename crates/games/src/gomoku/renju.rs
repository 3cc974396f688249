//! Renju's points that Black must not take: double three, double four, overline. A five always comes first.
//!
//! # Source
//! The rules of the Renju International Federation. A three counts only where its four could be made,
//! so threes are judged by looking again, with the stone on the board, whether that point is forbidden.

use crate::line::Stones;
use crate::types::{Color, Size};

/// Along a row, down a column, falling, rising: rows down and columns to the right.
const WAYS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// A point by row and column; it may lie outside the board.
type Spot = (i32, i32);

/// Black's and White's stones, with the one that is tried.
#[derive(Clone)]
struct Board {
    stones: Stones,
    size: Size,
}

/// Tells whether Black may not play on this empty point.
pub(super) fn is_forbidden(stones: &Stones, size: Size, (row, column): (usize, usize)) -> bool {
    let board = Board { stones: *stones, size };
    board.forbids((row as i32, column as i32))
}

impl Board {
    fn is_on_board(&self, (row, column): Spot) -> bool {
        (0..i32::from(self.size.height)).contains(&row)
            && (0..i32::from(self.size.width)).contains(&column)
    }

    fn has(&self, color: Color, (row, column): Spot) -> bool {
        self.is_on_board((row, column))
            && self.stones[color.index()][row as usize] >> column & 1 == 1
    }

    fn is_black(&self, spot: Spot) -> bool {
        self.has(Color::Black, spot)
    }

    fn is_empty(&self, spot: Spot) -> bool {
        self.is_on_board(spot) && !self.is_black(spot) && !self.has(Color::White, spot)
    }

    fn with(&self, (row, column): Spot) -> Board {
        let mut board = self.clone();
        board.stones[Color::Black.index()][row as usize] |= 1 << column;
        board
    }

    fn forbids(&self, spot: Spot) -> bool {
        let board = self.with(spot);
        let runs = WAYS.map(|way| board.run(spot, way));
        if runs.contains(&5) {
            return false;
        }
        if runs.iter().any(|&run| run > 5) {
            return true;
        }
        let fours = WAYS.map(|way| board.fours(spot, way));
        if fours.iter().sum::<usize>() >= 2 {
            return true;
        }
        let is_three = |&way: &usize| fours[way] == 0 && board.is_three(spot, WAYS[way]);
        (0..WAYS.len()).filter(is_three).take(2).count() == 2
    }

    /// Black stones in a row through `spot`.
    fn run(&self, spot: Spot, (down, right): (i32, i32)) -> usize {
        1 + self.stones_from(spot, (down, right)) + self.stones_from(spot, (-down, -right))
    }

    fn stones_from(&self, (row, column): Spot, (down, right): (i32, i32)) -> usize {
        let at = |n: i32| (row + n * down, column + n * right);
        (1..).take_while(|&n| self.is_black(at(n))).count()
    }

    /// The first point that is not Black's to one side of a run.
    fn end(&self, (row, column): Spot, (down, right): (i32, i32)) -> Spot {
        let n = self.stones_from((row, column), (down, right)) as i32 + 1;
        (row + n * down, column + n * right)
    }

    /// Empty points within four of `spot` on its line.
    fn around(&self, (row, column): Spot, (down, right): (i32, i32)) -> impl Iterator<Item = Spot> {
        let at = move |n: i32| (row + n * down, column + n * right);
        (-4..=4).map(at).filter(|&spot| self.is_empty(spot))
    }

    /// Tells whether a stone on the empty point `at` makes five with the one on `spot`, no more and no less.
    fn makes_five(&self, spot: Spot, way: (i32, i32), at: Spot) -> bool {
        self.with(at).run(spot, way) == 5
    }

    /// Fours on one line, 0 to 2: a four that can be completed at both ends is one, two that lie in one
    /// another are two.
    fn fours(&self, spot: Spot, way: (i32, i32)) -> usize {
        let fives = self.around(spot, way).filter(|&at| self.makes_five(spot, way, at)).count();
        if fives == 2 && self.run(spot, way) == 4 { 1 } else { fives }
    }

    /// Tells whether the stone on `spot` makes a three on this line: one that can become a straight four by a
    /// stone that Black may play.
    fn is_three(&self, spot: Spot, way: (i32, i32)) -> bool {
        self.around(spot, way).any(|at| {
            let next = self.with(at);
            next.is_straight_four(spot, way)
                && !WAYS.iter().any(|&other| next.run(at, other) == 5)
                && !self.forbids(at)
        })
    }

    /// Tells whether the run through `spot` is a four that can be made a five at both ends.
    fn is_straight_four(&self, spot: Spot, (down, right): (i32, i32)) -> bool {
        self.run(spot, (down, right)) == 4
            && [(down, right), (-down, -right)].into_iter().all(|way| {
                let end = self.end(spot, way);
                self.is_empty(end) && self.makes_five(spot, way, end)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::gomoku::{Gomoku, GomokuRules, Variant};

    fn position(black: &str, white: &str) -> Gomoku {
        let rules = GomokuRules::new(15, 15, Variant::Renju).expect("a size");
        Gomoku::with_stones(&rules, [black, white], Color::Black).expect("free points")
    }

    /// Points that Black may not play, of `asked`.
    fn forbidden<'a>((black, white): (&str, &str), asked: &'a str) -> Vec<&'a str> {
        let position = position(black, white);
        let is_forbidden = |text: &&str| {
            let mv = position.parse_move(text).expect("a point");
            assert_eq!(position.stone(mv), None, "{text}");
            !position.is_legal(mv)
        };
        asked.split_whitespace().filter(is_forbidden).collect()
    }

    #[test]
    fn two_threes_two_fours_and_six_are_forbidden_and_a_four_with_a_three_is_not() {
        assert_eq!(forbidden(("f8 g8 h6 h7", ""), "h8 e8"), ["h8"], "three and three");
        assert_eq!(forbidden(("f8 g8 h6 h7", "e8"), "h8"), [""; 0], "one three is shut");
        assert_eq!(forbidden(("e8 f8 g8 h5 h6 h7", "d8 h4"), "h8"), ["h8"], "four and four");
        assert_eq!(forbidden(("e8 f8 g8 h6 h7", "d8"), "h8"), [""; 0], "four and three");
        assert_eq!(forbidden(("d8 e8 f8 h8 i8", ""), "g8"), ["g8"], "six in a row");
    }

    #[test]
    fn two_fours_on_one_line_are_two_and_a_straight_four_is_one() {
        assert_eq!(forbidden(("d8 g8 h8", ""), "f8"), [""; 0], "d_fgh");
        assert_eq!(forbidden(("d8 f8 h8 j8", ""), "g8"), ["g8"], "d_fgh_j");
        assert_eq!(forbidden(("d8 e8 i8 j8", ""), "g8"), [""; 0], "de_g_ij has no four");
        assert_eq!(forbidden(("d8 e8 g8 j8 k8", ""), "h8"), ["h8"], "de_gh_jk");
        assert_eq!(forbidden(("f8 g8 h8", ""), "e8 i8"), [""; 0], "a straight four");
    }

    #[test]
    fn a_five_is_never_forbidden() {
        let cross = "d8 e8 f8 g8 h4 h5 h6 h7";
        assert_eq!(forbidden((cross, ""), "h8"), [""; 0]);
        let with_six = "d8 e8 f8 g8 h5 h6 h7 h9 h10";
        let mut won = position(with_six, "");
        won.play(won.parse_move("h8").expect("a point"));
        assert_eq!(won.outcome().and_then(|end| end.winner()), Some(Color::Black));
    }

    #[test]
    fn a_three_whose_four_would_be_forbidden_is_none() {
        // The row's three could become a straight four at i8 or e8 alone: Black may play neither when
        // each would be an overline of its column.
        let threes = "f8 g8 h6 h7";
        let shut = "e5 e6 e7 e9 e10 i5 i6 i7 i9 i10";
        assert_eq!(forbidden((&format!("{threes} {shut}"), "d8"), "i8 e8"), ["i8", "e8"]);
        assert_eq!(forbidden((&format!("{threes} {shut}"), ""), "h8"), [""; 0]);
        let one_shut = "e5 e6 e7 e9 e10";
        assert_eq!(forbidden((&format!("{threes} {one_shut}"), ""), "h8"), ["h8"]);
    }

    #[test]
    fn white_may_play_anywhere_and_wins_with_six() {
        let mut position = position("a1", "d8 e8 f8 h8 i8");
        position.set_side_to_move(Color::Black).expect("Black's ply");
        position.play(position.parse_move("o15").expect("a point"));
        let six = position.parse_move("g8").expect("a point");
        assert!(position.is_legal(six));
        position.play(six);
        assert_eq!(position.outcome().and_then(|end| end.winner()), Some(Color::White));
    }
}

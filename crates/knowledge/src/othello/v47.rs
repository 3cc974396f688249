//! The evaluation of the engine "v4.7", exactly as its document has it; and with regions that the opponent cannot
//! enter, of which the document has no formula.
//!
//! # Source
//! S8.

use crate::digest::Digest;

use super::regions::reserved;
use super::squares::beside;
use banyan_games::othello::Othello;

/// Worth of a disc by the square it stands on, row by row.
const SQUARES: [i32; 64] = [
    100, -5, 10, 5, 5, 10, -5, 100, //
    -5, -45, 1, 1, 1, 1, -45, -5, //
    10, 1, 3, 2, 2, 3, 1, 10, //
    5, 1, 2, 1, 1, 2, 1, 5, //
    5, 1, 2, 1, 1, 2, 1, 5, //
    10, 1, 3, 2, 2, 3, 1, 10, //
    -5, -45, 1, 1, 1, 1, -45, -5, //
    100, -5, 10, 5, 5, 10, -5, 100,
];

/// The different weights, each with its squares.
const WEIGHTS: [(i32, u64); 8] = [
    with_squares(100),
    with_squares(-45),
    with_squares(10),
    with_squares(5),
    with_squares(-5),
    with_squares(3),
    with_squares(2),
    with_squares(1),
];

const fn with_squares(weight: i32) -> (i32, u64) {
    let (mut squares, mut at) = (0, 0);
    while at < 64 {
        if SQUARES[at] == weight {
            squares |= 1 << at;
        }
        at += 1;
    }
    (weight, squares)
}

// The document's own conditions: a corner a is good, an X-square b is bad, and a + b > -b.
const _: () = assert!(SQUARES[0] > 0 && SQUARES[9] < 0 && SQUARES[0] + SQUARES[9] > -SQUARES[9]);

/// The contents of the weights.
pub(super) fn model() -> Digest {
    Digest::EMPTY.and_numbers(SQUARES)
}

/// 3 · a1 + 7 · a2 for the side to move.
///
/// - a1: the weights of its squares, minus those of the opponent's.
/// - a2: the opponent's discs next to an empty square, minus its own.
pub(super) fn value(position: &Othello) -> i32 {
    let (own, other) = position.own_and_other();
    let open = beside(!(own | other));
    let a1 = squares(own) - squares(other);
    let a2 = count(other & open) - count(own & open);
    3 * a1 + 7 * a2
}

fn count(discs: u64) -> i32 {
    discs.count_ones() as i32
}

/// The weights of a side's discs.
fn squares(discs: u64) -> i32 {
    WEIGHTS.iter().map(|&(weight, at)| weight * count(discs & at)).sum()
}

/// The same where the squares of a region that only one side can enter count as its discs for a1.
pub(super) fn value_with_regions(position: &Othello) -> i32 {
    let (own, other) = position.own_and_other();
    let [own, other] = reserved(own, other);
    value(position) + 3 * (squares(own) - squares(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::tests::position;

    #[test]
    fn every_square_has_its_weight() {
        assert_eq!(WEIGHTS.iter().fold(0, |all, (_, at)| all | at), u64::MAX);
        assert_eq!(WEIGHTS.iter().map(|(_, at)| at.count_ones()).sum::<u32>(), 64);
    }

    #[test]
    fn squares_and_open_discs_by_hand() {
        // Black: a1 100, a2 -5, d4 1, e5 1: 97. White: b2 -45, d5 1, e4 1: -43. So a1 = 140.
        // Each of the seven discs has an empty neighbour but a1 (b1 is empty: it has one too).
        // a2 = 3 - 4 = -1.
        let text = "X-------XO-----------------XO------OX---------------------------";
        assert_eq!(value(&position(text, 'X')), 3 * 140 - 7);
        assert_eq!(value(&position(text, 'O')), -(3 * 140 - 7));
    }

    #[test]
    fn a_region_that_one_side_alone_can_enter_counts_as_its_discs() {
        // Black alone can play b1: a1 and b1 weigh 100 - 5. White alone can play c6, of 3.
        let text = format!("--OXXXXX{}XX-XOXXX{}", "X".repeat(32), "X".repeat(16));
        let (black, white) = (position(&text, 'X'), position(&text, 'O'));
        assert_eq!(value_with_regions(&black) - value(&black), 3 * (95 - 3));
        assert_eq!(value_with_regions(&white) - value(&white), 3 * (3 - 95));
    }

    #[test]
    fn a_disc_without_an_empty_neighbour_is_not_open() {
        // Black fills a1 to c3 but for its rim, which White holds: b2 alone has no empty neighbour.
        // Black: b2 -45. White: a1 100, b1 -5, c1 10, a2 -5, c2 1, a3 10, b3 1, c3 3: 115.
        // a1, b1 and a2 touch nothing empty either: White has 5 open discs.
        let text = format!("OOO-----OXO-----OOO-----{}", "-".repeat(40));
        assert_eq!(value(&position(&text, 'X')), 3 * (-45 - 115) + 7 * 5);
    }
}

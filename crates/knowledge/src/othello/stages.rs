//! Sixteen features of a position, weighed by the stage of the game.
//!
//! The weights were fitted by least squares to how games of Banyan against itself ended; the match runner
//! then preferred them to v4.7's. `banyan-fit` in tests/ makes them again.
//!
//! # Source
//! S8 for the three stages and for stable discs, frontier discs, parity and mobility; Rosenbloom 1982 for
//! mobility and potential mobility.

use crate::digest::Digest;

use super::squares::beside;
use banyan_games::othello::{Othello, discs, stability::stable};

/// The features there are.
pub const FEATURES: usize = 16;

/// Discs on the board at which weights are given; between two they change evenly. The opening, twice the
/// middle, and twice the end.
pub const KNOTS: [u32; 5] = [12, 24, 36, 48, 60];

/// Features in units of a hundredth of a disc, a row for each of [`KNOTS`].
const WEIGHTS: [[i32; FEATURES]; KNOTS.len()] = [
    [-369, -173, -68, 16, 34, 79, 1935, 114, -1353, -41, 548, 299, 450, -269, 284, 49],
    [-273, -76, -107, 50, 37, 211, 1271, 374, -696, -85, 351, 286, 262, -51, 128, -2],
    [-317, -69, -31, 38, 37, 138, 791, 493, -226, 144, 135, 33, 134, -25, 48, 12],
    [-356, -44, 80, 30, -61, 119, 316, 233, -187, -4, 4, -14, 98, 11, -3, 47],
    [-17, -14, 230, 50, -337, 98, 247, 358, -205, -208, -42, -120, 52, 36, 50, 58],
];

const CORNERS: u64 = 0x8100_0000_0000_0081;
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
const C_SQUARES: u64 = 0x4281_0000_0000_8142;
const A_SQUARES: u64 = 0x2400_8100_0081_0024;
const B_SQUARES: u64 = 0x1800_0081_8100_0018;
const CENTRE: u64 = 0x0000_3C3C_3C3C_0000;

/// The contents of the weights.
pub(super) fn model() -> Digest {
    Digest::EMPTY.and_numbers(WEIGHTS.into_iter().flatten())
}

/// Features of a position, for the side to move: mostly its count of something minus the opponent's.
///
/// In order: one, always; whether it plays last if nobody passes (1 or -1); moves; moves as a share of
/// both sides' (in 1/64); empty points beside the opponent's discs; frontier discs (the opponent's minus
/// its own); corners; moves to corners; X-squares and C-squares by an empty corner; A-squares; B-squares;
/// stable discs, behind corners; discs; discs in the centre of 16; quarters with an odd number of empty
/// points, of four.
pub fn features(own: u64, other: u64) -> [i32; FEATURES] {
    let empty = !(own | other);
    let count = |points: u64| points.count_ones() as i32;
    let (own_moves, other_moves) = (discs::moves(own, other), discs::moves(other, own));
    let (moves, replies) = (count(own_moves), count(other_moves));
    let open = beside(empty);
    let by_open_corner = beside(empty & CORNERS);
    let of = |squares: u64| count(own & squares) - count(other & squares);
    let safe = |own: u64, other: u64| match own & CORNERS {
        0 => 0,
        _ => count(stable(own, other)),
    };
    [
        1,
        2 * (count(empty) % 2) - 1,
        moves - replies,
        64 * (moves - replies) / (moves + replies + 2),
        count(beside(other) & empty) - count(beside(own) & empty),
        -of(open),
        of(CORNERS),
        count(own_moves & CORNERS) - count(other_moves & CORNERS),
        of(X_SQUARES & by_open_corner),
        of(C_SQUARES & by_open_corner),
        of(A_SQUARES),
        of(B_SQUARES),
        safe(own, other) - safe(other, own),
        of(u64::MAX),
        of(CENTRE),
        odd_quarters(empty),
    ]
}

fn odd_quarters(empty: u64) -> i32 {
    const QUARTER: u64 = 0x0F0F_0F0F;
    [0, 4, 32, 36].iter().map(|corner| (empty & QUARTER << corner).count_ones() as i32 % 2).sum()
}

/// The share of each knot's weights that a position with so many discs has, in parts of [`SHARES`].
pub const fn shares(discs: u32) -> [i32; KNOTS.len()] {
    let mut shares = [0; KNOTS.len()];
    let last = KNOTS.len() - 1;
    if discs <= KNOTS[0] {
        shares[0] = SHARES;
        return shares;
    }
    if discs >= KNOTS[last] {
        shares[last] = SHARES;
        return shares;
    }
    let mut knot = 0;
    while discs >= KNOTS[knot + 1] {
        knot += 1;
    }
    let width = (KNOTS[knot + 1] - KNOTS[knot]) as i32;
    shares[knot + 1] = SHARES * (discs - KNOTS[knot]) as i32 / width;
    shares[knot] = SHARES - shares[knot + 1];
    shares
}

/// The whole of which [`shares`] are parts.
pub const SHARES: i32 = 12;

/// The weights for each number of discs, times [`SHARES`].
static BY_DISCS: [[i32; FEATURES]; 65] = {
    let mut table = [[0; FEATURES]; 65];
    let mut discs = 0;
    while discs <= 64 {
        let shares = shares(discs as u32);
        let mut knot = 0;
        while knot < KNOTS.len() {
            let mut feature = 0;
            while feature < FEATURES {
                table[discs][feature] += shares[knot] * WEIGHTS[knot][feature];
                feature += 1;
            }
            knot += 1;
        }
        discs += 1;
    }
    table
};

/// The weighed features, in hundredths of a disc: what the side to move is expected to win by.
pub(super) fn value(position: &Othello) -> i32 {
    let (own, other) = position.own_and_other();
    let weights = &BY_DISCS[(own | other).count_ones() as usize];
    let seen = features(own, other);
    seen.iter().zip(weights).map(|(seen, weight)| seen * weight).sum::<i32>() / SHARES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::tests::position;
    use banyan_games::rng::Rng;

    #[test]
    fn features_by_hand() {
        // Black: a1 and b1, d4 and e5; White: c1, b2, and d5, e4; Black to move.
        let text = "XXO------O-----------------XO------OX---------------------------";
        let (own, other) = position(text, 'X').own_and_other();
        let seen = features(own, other);
        // 56 empty points: White plays last. Black moves to d1, b3, c3, e3, f4, c5 and d6, White to d3,
        // c4, f5 and e6.
        assert_eq!((seen[0], seen[1]), (1, -1));
        assert_eq!((seen[2], seen[3]), (7 - 4, 64 * 3 / 13));
        // Corners a1; c1 and b2 stand by it, but it is no longer open. a1 and b1 are stable.
        assert_eq!((seen[6], seen[7], seen[8], seen[9]), (1, 0, 0, 0));
        assert_eq!((seen[10], seen[11], seen[12]), (-1, 0, 2));
        assert_eq!((seen[13], seen[14]), (0, 0));
        // a1 to d4 has 11 empty points, the others 15, 15 and 15.
        assert_eq!(seen[15], 4);
    }

    /// The board seen from another corner.
    fn turned(bits: u64) -> u64 {
        (0..64)
            .filter(|at| bits >> at & 1 != 0)
            .fold(0, |all, at| all | 1 << (8 * (at % 8) + 7 - at / 8))
    }

    #[test]
    fn features_are_the_same_from_every_corner_and_on_both_sides_of_the_mirror() {
        let mut rng = Rng::from_seed(8);
        for _ in 0..500 {
            let own = rng.bits() & rng.bits();
            let other = rng.bits() & !own;
            let seen = features(own, other);
            assert_eq!(seen, features(turned(own), turned(other)));
            assert_eq!(seen, features(own.swap_bytes(), other.swap_bytes()));
        }
    }

    #[test]
    fn shares_are_a_whole_and_weights_change_evenly_between_knots() {
        for discs in 0..=64 {
            assert_eq!(shares(discs).iter().sum::<i32>(), SHARES, "{discs}");
        }
        for (knot, &discs) in KNOTS.iter().enumerate() {
            assert_eq!(BY_DISCS[discs as usize], WEIGHTS[knot].map(|weight| SHARES * weight));
        }
        let middle = BY_DISCS[30].iter().zip(WEIGHTS[1].iter().zip(WEIGHTS[2]));
        assert!(middle.into_iter().all(|(&found, (&a, b))| found == SHARES / 2 * (a + b)));
    }
}

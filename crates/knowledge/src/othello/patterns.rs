//! The 46 instances of eleven patterns that tables are over, and what a position has of moves and open discs.
//!
//! # Source
//! Buro 1997 and Delorme's Edax for the kinds of patterns; the weights were learned here.

use std::sync::LazyLock;

use super::squares::beside;
use crate::tuples::{Layout, Shape};
use banyan_games::othello::discs;

/// Instances of all patterns, rounded up to whole vectors.
pub const LANES: usize = 48;

/// Things that are counted besides.
pub const COUNTERS: usize = 6;

/// The patterns.
const SHAPES: [Shape; 11] = [
    Shape { name: "corner of 3x3", cells: &[0, 1, 2, 8, 9, 10, 16, 17, 18] },
    Shape { name: "edge and X squares", cells: &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14] },
    Shape { name: "corner of 2x5", cells: &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12] },
    Shape { name: "second row", cells: &[8, 9, 10, 11, 12, 13, 14, 15] },
    Shape { name: "third row", cells: &[16, 17, 18, 19, 20, 21, 22, 23] },
    Shape { name: "fourth row", cells: &[24, 25, 26, 27, 28, 29, 30, 31] },
    Shape { name: "diagonal of 8", cells: &[0, 9, 18, 27, 36, 45, 54, 63] },
    Shape { name: "diagonal of 7", cells: &[1, 10, 19, 28, 37, 46, 55] },
    Shape { name: "diagonal of 6", cells: &[2, 11, 20, 29, 38, 47] },
    Shape { name: "diagonal of 5", cells: &[3, 12, 21, 30, 39] },
    Shape { name: "diagonal of 4", cells: &[4, 13, 22, 31] },
];

/// Different counts of each counter: moves of either side, empty points beside either side's discs, empty
/// points odd or even, quarters with an odd number of them.
const COUNTS: [usize; COUNTERS] = [32, 32, 48, 48, 2, 5];

/// Layout of the weights that a position asks for.
pub static LAYOUT: LazyLock<Layout<LANES>> =
    LazyLock::new(|| Layout::new(64, &SHAPES, &symmetries(), &COUNTS));

/// The image of each point under each of the eight symmetries of the board.
fn symmetries() -> Vec<Vec<u16>> {
    let image = |symmetry: u16, point: u16| {
        let (mut x, mut y) = (point % 8, point / 8);
        if symmetry & 1 != 0 {
            x = 7 - x;
        }
        if symmetry & 2 != 0 {
            y = 7 - y;
        }
        if symmetry & 4 != 0 { 8 * x + y } else { 8 * y + x }
    };
    (0..8).map(|symmetry| (0..64).map(|point| image(symmetry, point)).collect()).collect()
}

/// The counters' counts, for the side to move.
#[inline]
pub fn counts(own: u64, other: u64) -> [usize; COUNTERS] {
    let empty = !(own | other);
    let count = |points: u64| points.count_ones() as usize;
    let quarters = [0, 4, 32, 36].map(|corner| count(empty & 0x0F0F_0F0F << corner) % 2);
    let all = [
        count(discs::moves(own, other)),
        count(discs::moves(other, own)),
        count(beside(own) & empty),
        count(beside(other) & empty),
        count(empty) % 2,
        quarters.into_iter().sum(),
    ];
    std::array::from_fn(|counter| all[counter].min(COUNTS[counter] - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::rng::Rng;

    #[test]
    fn there_are_46_instances_and_mirrored_indices_share_a_weight() {
        assert_eq!(LAYOUT.asked(), 46 + COUNTERS);
        assert_eq!((LAYOUT.len(), LAYOUT.stored_len()), (167_433, 114_045));
    }

    #[test]
    fn a_position_asks_for_the_same_stored_weights_from_every_side() {
        let mut rng = Rng::from_seed(3);
        for _ in 0..100 {
            let own = rng.bits() & rng.bits();
            let other = rng.bits() & !own;
            let asked = |own: u64, other: u64| {
                let (indices, counts) = (LAYOUT.indices(own, other), counts(own, other));
                let weights = LAYOUT.weights(&indices, &counts);
                let mut stored: Vec<u32> = weights.map(|weight| LAYOUT.stored()[weight]).collect();
                stored.sort_unstable();
                stored
            };
            for symmetry in symmetries() {
                let image = |discs: u64| {
                    let points = (0..64).filter(|point| discs >> point & 1 == 1);
                    points.fold(0, |all, point: usize| all | 1 << symmetry[point])
                };
                assert_eq!(asked(own, other), asked(image(own), image(other)));
            }
        }
    }
}

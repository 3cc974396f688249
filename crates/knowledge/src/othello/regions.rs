//! Regions of empty squares, and those that only one side can enter.
//!
//! # Source
//! S8: a region that the opponent cannot enter counts for whoever can play there; parity.

use banyan_games::othello::discs::moves;

/// The regions of empty squares, joined along rows and columns.
pub(super) fn regions(empty: u64) -> impl Iterator<Item = u64> {
    let mut left = empty;
    std::iter::from_fn(move || {
        let mut region = left & left.wrapping_neg();
        if region == 0 {
            return None;
        }
        loop {
            let wider = (region | around(region)) & empty;
            if wider == region {
                break;
            }
            region = wider;
        }
        left &= !region;
        Some(region)
    })
}

/// Empty squares of the regions in which `own` has a legal move and `other` has none, and the same with sides
/// exchanged.
///
/// A side that can move nowhere is not let off: then all regions that the other can enter are the other's.
pub(super) fn reserved(own: u64, other: u64) -> [u64; 2] {
    let mut reserved = [0; 2];
    let [own_moves, other_moves] = [moves(own, other), moves(other, own)];
    for region in regions(!(own | other)) {
        match [own_moves & region != 0, other_moves & region != 0] {
            [true, false] => reserved[0] |= region,
            [false, true] => reserved[1] |= region,
            _ => {}
        }
    }
    reserved
}

/// The squares beside those of a set.
fn around(set: u64) -> u64 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    (set << 8) | (set >> 8) | (set << 1 & NOT_A) | (set & NOT_A) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::tests::position;

    #[test]
    fn regions_do_not_reach_around_the_edge() {
        // h1 and a2 are next to each other in the word, and not on the board.
        assert_eq!(regions(1 << 7 | 1 << 8).count(), 2);
        assert_eq!(regions(1 << 7 | 1 << 15).collect::<Vec<_>>(), [1 << 7 | 1 << 15]);
    }

    #[test]
    fn a_region_is_reserved_for_the_one_side_that_has_a_move_in_it() {
        // Black alone can play b1, which turns c1; White alone g8, which turns f8.
        let text = format!("--OXXXXX{}XXXXOX--", "X".repeat(48));
        let (black, white) = position(&text, 'X').own_and_other();
        assert_eq!(reserved(black, white), [0b11, 0b11 << 62]);
        assert_eq!(reserved(white, black), [0b11 << 62, 0b11]);
    }

    #[test]
    fn a_region_that_both_or_nobody_can_enter_is_nobody_s() {
        let (black, white) =
            position("---------------------------OX------XO---------------------------", 'X')
                .own_and_other();
        assert_eq!(reserved(black, white), [0, 0], "both");
        let text = format!("-{}", "X".repeat(63));
        let (black, white) = position(&text, 'X').own_and_other();
        assert_eq!(reserved(black, white), [0, 0], "nobody");
    }
}

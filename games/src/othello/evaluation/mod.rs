//! What Othello knows of a position: two evaluations, and which moves to look at first.

pub mod stages;

mod v47;

use super::{Othello, discs};
use crate::evaluation::{Evaluation, all_kept, at_rest};
use crate::types::Move;

/// The evaluations of Othello, the best first.
pub(super) const ALL: &[Evaluation<Othello>] = &[
    Evaluation {
        name: "stages",
        value: stages::value,
        rank,
        urgent: at_rest,
        scale: 1000.0,
        keeps: all_kept,
        of_root: |_| None,
    },
    Evaluation {
        name: "v4.7",
        value: v47::value,
        rank,
        urgent: at_rest,
        scale: 300.0,
        keeps: all_kept,
        of_root: |_| None,
    },
];

/// Moves that leave the opponent few replies are looked at first, corners before others, and those that
/// give a corner away last.
fn rank(position: &Othello, mv: Move) -> i32 {
    if mv.is_pass() {
        return 0;
    }
    let (own, other) = position.own_and_other();
    let at = 1 << mv.0;
    let flips = discs::flips(own, other, at);
    let replies = discs::moves(other ^ flips, own | flips | at);
    let corners = (replies & CORNERS).count_ones() as i32;
    let corner = i32::from(at & CORNERS != 0);
    4 * corner - (replies.count_ones() as i32 + 2 * corners)
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The points with at least one of `points` among their eight neighbours.
fn beside(points: u64) -> u64 {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let row = (points & NOT_H) << 1 | (points & NOT_A) >> 1;
    let three = points | row;
    row | three << 8 | three >> 8
}

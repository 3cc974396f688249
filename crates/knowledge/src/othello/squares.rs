//! Neighbours on the board of Othello.

/// The points with at least one of `points` among their eight neighbours.
pub(super) fn beside(points: u64) -> u64 {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let row = (points & NOT_H) << 1 | (points & NOT_A) >> 1;
    let three = points | row;
    row | three << 8 | three >> 8
}

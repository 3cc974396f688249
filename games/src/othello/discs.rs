//! Othello's two questions, asked of bitboards: where may a side play, and what does it turn?
//!
//! A bitboard is a `u64` with a1 as bit 0 and h8 as bit 63, so a row is eight bits and the row below
//! is eight bits up.

/// The columns b to g: a run of discs to be turned sideways or slantwise lies within them.
const INNER: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// Every empty point where the side with `own` discs would turn some of `other`.
#[inline]
pub fn moves(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    let reached = beyond_runs::<1>(own, inner)
        | beyond_runs::<7>(own, inner)
        | beyond_runs::<8>(own, other)
        | beyond_runs::<9>(own, inner);
    reached & !(own | other)
}

/// The discs of `other` that a disc of `own` on the one point of `at` turns.
#[inline]
pub fn flips(own: u64, other: u64, at: u64) -> u64 {
    let inner = other & INNER;
    turned::<1>(own, inner, at)
        | turned::<7>(own, inner, at)
        | turned::<8>(own, other, at)
        | turned::<9>(own, inner, at)
}

/// The discs of `over` in unbroken runs that start next to `from`, on the higher and lower side.
///
/// A run has at most six discs: one step, then one, then two and two.
#[inline(always)]
fn runs<const STEP: u32>(from: u64, over: u64) -> (u64, u64) {
    let pairs_up = over & (over << STEP);
    let pairs_down = pairs_up >> STEP;
    let mut up = over & (from << STEP);
    let mut down = over & (from >> STEP);
    up |= over & (up << STEP);
    down |= over & (down >> STEP);
    for _ in 0..2 {
        up |= pairs_up & (up << (2 * STEP));
        down |= pairs_down & (down >> (2 * STEP));
    }
    (up, down)
}

#[inline(always)]
fn beyond_runs<const STEP: u32>(own: u64, over: u64) -> u64 {
    let (up, down) = runs::<STEP>(own, over);
    (up << STEP) | (down >> STEP)
}

#[inline(always)]
fn turned<const STEP: u32>(own: u64, over: u64, at: u64) -> u64 {
    let (up, down) = runs::<STEP>(at, over);
    let up_held = if (up << STEP) & own != 0 { up } else { 0 };
    let down_held = if (down >> STEP) & own != 0 { down } else { 0 };
    up_held | down_held
}

//! Othello's two questions, asked of bitboards: where may a side play, and what does it turn?
//!
//! A bitboard is a `u64` with a1 as bit 0 and h8 as bit 63, so a row is eight bits and the row below
//! is eight bits up. Nothing here branches, so that a loop over several games can be vectorised.

/// The columns b to g: a run of discs to be turned sideways or slantwise lies within them.
const INNER: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// Every empty point where the side with `own` discs would turn some of `other`.
#[inline(always)]
pub fn moves(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    let (row, column) = (beyond_runs::<1>(own, inner), beyond_runs::<8>(own, other));
    let (rising, falling) = (beyond_runs::<7>(own, inner), beyond_runs::<9>(own, inner));
    (row | column | rising | falling) & !(own | other)
}

/// The discs of `other` that a disc of `own` on the one point of `at` turns; none if `at` is 0.
#[inline(always)]
pub fn flips(own: u64, other: u64, at: u64) -> u64 {
    let inner = other & INNER;
    let (row, column) = (held_runs::<1>(own, inner, at), held_runs::<8>(own, other, at));
    row | column | held_runs::<7>(own, inner, at) | held_runs::<9>(own, inner, at)
}

/// The points just beyond the runs of `over` that begin next to `own`, both ways.
#[inline(always)]
fn beyond_runs<const STEP: u32>(own: u64, over: u64) -> u64 {
    (runs_up::<STEP>(own, over) << STEP) | (runs_down::<STEP>(own, over) >> STEP)
}

/// The runs of `over` from `at` to a disc of `own`, both ways.
#[inline(always)]
fn held_runs<const STEP: u32>(own: u64, over: u64, at: u64) -> u64 {
    let (up, down) = (runs_up::<STEP>(at, over), runs_down::<STEP>(at, over));
    let held_up = if (up << STEP) & own != 0 { up } else { 0 };
    let held_down = if (down >> STEP) & own != 0 { down } else { 0 };
    held_up | held_down
}

/// The discs of `over` in unbroken runs that begin `STEP` bits above one of `from`.
///
/// `from` and `over` have no point in common. A run has at most six discs: the first, the second,
/// then two and two more.
#[inline(always)]
fn runs_up<const STEP: u32>(from: u64, over: u64) -> u64 {
    let first = over & (from << STEP);
    if STEP == 1 {
        // Added to its run, the first disc carries to the end of it and clears it on the way.
        return over & !over.wrapping_add(first);
    }
    let pairs = over & (over << STEP);
    let two = first | over & (first << STEP);
    let four = two | pairs & (two << (2 * STEP));
    four | pairs & (four << (2 * STEP))
}

/// The discs of `over` in unbroken runs that begin `STEP` bits below one of `from`.
#[inline(always)]
fn runs_down<const STEP: u32>(from: u64, over: u64) -> u64 {
    let first = over & (from >> STEP);
    let pairs = over & (over >> STEP);
    let two = first | over & (first >> STEP);
    let four = two | pairs & (two >> (2 * STEP));
    four | pairs & (four >> (2 * STEP))
}

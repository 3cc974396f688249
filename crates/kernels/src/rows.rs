//! The stones of one side: a row of the board in each word, column 0 in its lowest bit.
//!
//! All rows are asked at once whether a run begins in them, in loops that the compiler vectorises.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Shl, Shr};

/// A word of bits; the narrower the row, the more rows the processor handles at a time.
pub trait Row:
    Copy
    + Debug
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
{
    /// No bit set.
    const ZERO: Self;
    /// The lowest bit set.
    const ONE: Self;
    /// Bits in the word.
    const BITS: usize;

    /// The same bits in a word of the widest kind.
    fn wide(self) -> u64;

    /// The same bits in this kind of word, which must have room for them.
    fn narrowed(row: u64) -> Self;

    /// Tells whether the bit is set; bits beyond the word never are.
    #[inline(always)]
    fn has(self, column: usize) -> bool {
        column < Self::BITS && (self >> column) & Self::ONE != Self::ZERO
    }
}

macro_rules! impl_row {
    ($($word:ty),*) => {$(
        impl Row for $word {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const BITS: usize = <$word>::BITS as usize;

            #[inline(always)]
            fn wide(self) -> u64 {
                u64::from(self)
            }

            #[inline(always)]
            fn narrowed(row: u64) -> Self {
                debug_assert!(row <= u64::from(<$word>::MAX));
                row as $word
            }
        }
    )*};
}

impl_row!(u16, u32, u64);

/// Rows below the last of the board, always empty, so that a run may be looked for from any row.
pub const PADDING: usize = 8;

/// The four directions as steps of rows down and columns to the right.
pub const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Tells whether `wanted` holds for the length of a run through a point, which counts as set.
#[inline]
pub fn any_run_through<R: Row>(
    rows: &[R],
    row: usize,
    column: usize,
    wanted: impl Fn(usize) -> bool,
) -> bool {
    DIRECTIONS.into_iter().any(|(down, right)| {
        let forth = steps_over(rows, row, column, (down, right));
        let back = steps_over(rows, row, column, (-down, -right));
        wanted(1 + forth + back)
    })
}

/// Set points that follow a point one after the other.
#[inline(always)]
fn steps_over<R: Row>(rows: &[R], row: usize, column: usize, step: (isize, isize)) -> usize {
    let (mut row, mut column, mut steps) = (row, column, 0);
    loop {
        // Stepping over the upper or left edge wraps to where no bit is.
        row = row.wrapping_add_signed(step.0);
        column = column.wrapping_add_signed(step.1);
        if !rows.get(row).is_some_and(|bits| bits.has(column)) {
            return steps;
        }
        steps += 1;
    }
}

/// Tells whether `length` or more in a row are set anywhere; the last [`PADDING`] rows are empty.
#[inline(always)]
pub fn has_run<R: Row, const ROWS: usize>(rows: &[R; ROWS], length: usize) -> bool {
    let mut any = R::ZERO;
    for row in 0..ROWS - PADDING {
        let [right, down, falling, rising] = starts_in_row(rows, row, length);
        any = any | right | down | falling | rising;
    }
    any != R::ZERO
}

/// The points of `row` from which `length` in a row are set: to the right, down, and slantwise down.
#[inline(always)]
fn starts_in_row<R: Row, const ROWS: usize>(rows: &[R; ROWS], row: usize, length: usize) -> [R; 4] {
    debug_assert!(length <= PADDING);
    let first = rows[row];
    let [mut right, mut down, mut falling, mut rising] = [first; 4];
    for n in 1..length {
        let below = rows[row + n];
        right = right & (first >> n);
        down = down & below;
        falling = falling & (below >> n);
        rising = rising & (below << n);
    }
    [right, down, falling, rising]
}

/// The points in runs of `length` or more.
#[inline(always)]
pub fn points_of_runs<R: Row, const ROWS: usize>(rows: &[R; ROWS], length: usize) -> [R; ROWS] {
    let mut starts = [R::ZERO; ROWS];
    for (row, starts) in starts.iter_mut().enumerate().take(ROWS - PADDING) {
        let [right, down, falling, rising] = starts_in_row(rows, row, length);
        *starts = right | down | falling | rising;
    }
    let mut points = [R::ZERO; ROWS];
    for row in (0..ROWS - PADDING).filter(|&row| starts[row] != R::ZERO) {
        let [right, down, falling, rising] = starts_in_row(rows, row, length);
        for n in 0..length {
            points[row] = points[row] | (right << n);
            points[row + n] = points[row + n] | down | (falling << n) | (rising >> n);
        }
    }
    points
}

//! One-dimensional transforms in whole numbers, for three and for four outputs at once.
//!
//! Polynomials are multiplied by way of their values at some points (Toom 1963, Cook 1966; Winograd 1980); turned
//! round, that is a convolution with three weights. The points are 0, 1, −1, 2, for four outputs −2 too, and
//! infinity. What the customary matrices have in fractions is taken out: all of a transform's outputs come out
//! [`Transform::SCALE`] times too large, and stay whole.
//!
//! In both directions, inputs of 0 to 255 and weights of −127 to 127, absolute values are at most:
//!
//! | outputs | inputs transformed | weights transformed | two products |
//! |---|---|---|---|
//! | three | 4,590 | 81 · 127 = 10,287 | 94 million |
//! | four | 68 · 255 = 17,340 | 144 · 127 = 18,288 | 634 million |

use crate::network::REACH_MAX;
use crate::vector::words::WordLanes;

/// Transforms of `N` inputs and three weights to `M` outputs; `N` is `M` + 2.
pub trait Transform<const M: usize, const N: usize> {
    /// Outputs are so many times too large.
    const SCALE: i32;
    /// True sums must stay below this to come out of [`Transform::unscale`].
    const SUMS_END: i64;
    /// Weights as they are multiplied: `[point][weight]`.
    const WEIGHTS: [[i32; 3]; N];

    /// Inputs as they are multiplied.
    fn inputs<L: WordLanes>(lanes: L, inputs: [L::Word; N]) -> [L::Word; N];

    /// Outputs of the products, [`Transform::SCALE`] times too large.
    fn outputs<L: WordLanes>(lanes: L, products: [L::Sum; N]) -> [L::Sum; M];

    /// What was transformed in both directions in its true size: [`Transform::SCALE`]² times less.
    ///
    /// The square is nine times a power of two: the inverse of nine modulo 2³² undoes the one whatever has left 32
    /// bits, and a shift the other as long as the true sum's absolute value is below [`Transform::SUMS_END`], 2³¹
    /// over that power.
    fn unscale<L: WordLanes>(lanes: L, sum: L::Sum) -> L::Sum;
}

/// Nine times this is 1 modulo 2³².
const NINTH: i32 = 954_437_177;

/// Three outputs at once.
#[derive(Clone, Copy, Debug)]
pub struct Three;

impl Transform<3, 5> for Three {
    const SCALE: i32 = 6;
    const SUMS_END: i64 = 1 << 29;
    const WEIGHTS: [[i32; 3]; 5] = [[3, 0, 0], [-3, -3, -3], [-1, 1, -1], [1, 2, 4], [0, 0, 6]];

    #[inline(always)]
    fn inputs<L: WordLanes>(lanes: L, [a, b, c, d, e]: [L::Word; 5]) -> [L::Word; 5] {
        let two_b = lanes.shl::<1>(b);
        let db = lanes.sub(d, b);
        let dc = lanes.sub(d, c);
        let ac = lanes.sub(a, c);
        let bc = lanes.sub(b, c);
        let ec = lanes.sub(e, c);
        [
            lanes.add(lanes.shl::<1>(ac), db),
            lanes.sub(dc, two_b),
            lanes.add(lanes.shl::<1>(bc), dc),
            db,
            lanes.sub(ec, lanes.shl::<1>(db)),
        ]
    }

    #[inline(always)]
    fn outputs<L: WordLanes>(lanes: L, [a, b, c, d, e]: [L::Sum; 5]) -> [L::Sum; 3] {
        let even = lanes.add_sums(b, c);
        let odd = lanes.sub_sums(b, c);
        let four_d = lanes.shl_sums::<2>(d);
        [
            lanes.add_sums(lanes.add_sums(a, even), d),
            lanes.add_sums(odd, lanes.shl_sums::<1>(d)),
            lanes.add_sums(lanes.add_sums(even, four_d), e),
        ]
    }

    #[inline(always)]
    fn unscale<L: WordLanes>(lanes: L, sum: L::Sum) -> L::Sum {
        lanes.scale::<2>(sum, NINTH)
    }
}

/// Four outputs at once.
#[derive(Clone, Copy, Debug)]
pub struct Four;

impl Transform<4, 6> for Four {
    const SCALE: i32 = 24;
    const SUMS_END: i64 = 1 << 25;
    // The last is a fourth of its size, which its products make up for, so that weights stay within 16 bits.
    const WEIGHTS: [[i32; 3]; 6] =
        [[6, 0, 0], [-4, -4, -4], [-4, 4, -4], [1, 2, 4], [1, -2, 4], [0, 0, 6]];

    #[inline(always)]
    fn inputs<L: WordLanes>(lanes: L, [a, b, c, d, e, f]: [L::Word; 6]) -> [L::Word; 6] {
        let ec = lanes.sub(e, c);
        let db = lanes.sub(d, b);
        let two_db = lanes.shl::<1>(db);
        let even = lanes.sub(e, lanes.shl::<2>(c));
        let odd = lanes.sub(d, lanes.shl::<2>(b));
        [
            lanes.add(lanes.shl::<2>(lanes.sub(a, c)), ec),
            lanes.add(even, odd),
            lanes.sub(even, odd),
            lanes.add(ec, two_db),
            lanes.sub(ec, two_db),
            lanes.sub(lanes.sub(f, d), lanes.shl::<2>(db)),
        ]
    }

    #[inline(always)]
    fn outputs<L: WordLanes>(lanes: L, [a, b, c, d, e, f]: [L::Sum; 6]) -> [L::Sum; 4] {
        let even = lanes.add_sums(b, c);
        let odd = lanes.sub_sums(b, c);
        let even_2 = lanes.add_sums(d, e);
        let odd_2 = lanes.sub_sums(d, e);
        let last = lanes.shl_sums::<2>(f);
        [
            lanes.add_sums(lanes.add_sums(a, even), even_2),
            lanes.add_sums(odd, lanes.shl_sums::<1>(odd_2)),
            lanes.add_sums(even, lanes.shl_sums::<2>(even_2)),
            lanes.add_sums(lanes.add_sums(odd, lanes.shl_sums::<3>(odd_2)), last),
        ]
    }

    #[inline(always)]
    fn unscale<L: WordLanes>(lanes: L, sum: L::Sum) -> L::Sum {
        lanes.scale::<6>(sum, NINTH)
    }
}

const _: () = assert!(NINTH.wrapping_mul(Three::SCALE * Three::SCALE) == 1 << 2);
const _: () = assert!(NINTH.wrapping_mul(Four::SCALE * Four::SCALE) == 1 << 6);
// No sum of a network that was loaded is so large: 255 times some weights is no power of two.
const _: () = assert!(REACH_MAX <= Three::SUMS_END);
const _: () = assert!(weight_max(&Three::WEIGHTS) <= i16::MAX as i32);
const _: () = assert!(weight_max(&Four::WEIGHTS) <= i16::MAX as i32);

/// Largest transformed weight, in both directions.
const fn weight_max<const N: usize>(weights: &[[i32; 3]; N]) -> i32 {
    let (mut most, mut point) = (0, 0);
    while point < N {
        let [a, b, c] = weights[point];
        let sum = a.abs() + b.abs() + c.abs();
        if sum > most {
            most = sum;
        }
        point += 1;
    }
    most * most * i8::MAX as i32
}

//! The arithmetic in whole numbers that every part of an evaluation is made of.
//!
//! Each function is a fixed sequence of additions, multiplications and shifts of whole numbers, so
//! every machine has the same bits.

/// Bits after the point of a multiplier.
pub const SHIFT: u32 = 24;

/// One of a logit's unit: logits are whole numbers of 1/4096.
pub const LOGIT_ONE: i32 = 1 << 12;

/// One of a value's unit: values are whole numbers of 1/32768.
pub const VALUE_ONE: i32 = 1 << 15;

/// One point of score: scores are whole numbers of 1/256 of a point.
pub const SCORE_ONE: i32 = 1 << 8;

/// Pooled features are whole numbers of 1/16 of their channel's unit.
pub const FEATURE_ONE: i32 = 16;

/// Largest value in the trunk.
pub const TRUNK_MAX: i32 = i16::MAX as i32;

/// The one requantisation: ⌊sum · multiplier / 2²⁴ + ½⌋.
///
/// - `sum`: what a layer added up, in its own unit.
/// - `multiplier`: that unit over the next layer's, in 1/2²⁴.
/// - returns the same in the next layer's unit, halves rounded up; the lowest 32 bits of it, which are
///   all of it for every network that was loaded ([`crate::Network`] holds each layer to that).
#[inline(always)]
pub fn requantise(sum: i32, multiplier: i32) -> i32 {
    ((i64::from(sum) * i64::from(multiplier) + (1 << (SHIFT - 1))) >> SHIFT) as i32
}

/// A trunk value as an activation: divided by 2^`shift`, halves rounded up, at most 255.
///
/// - `value`: 0 to 32,767.
/// - `shift`: 0 to 8.
#[inline(always)]
pub fn narrow(value: i32, shift: u32) -> i32 {
    ((value + ((1 << shift) >> 1)) >> shift).min(255)
}

/// Factor by which a pooled mean goes into the feature that knows the board's size:
/// (√points − 14) / 10 in 1/256, both roots and quotients rounded down.
///
/// # Source
/// Wu 2019, appendix A.1: 14 is about the mean side.
pub fn size_factor(points: usize) -> i32 {
    let side = (points * 256).isqrt() as i32 - 14 * 16;
    (side * 8).div_euclid(5)
}

/// The three pooled features of a channel, in 1/16 of its unit: mean, mean by the board's size, largest.
///
/// - `sum`, `largest`: of the channel's activations over the board.
/// - `points`: of the board, count, above 0.
#[inline(always)]
pub fn features(sum: u32, largest: u8, points: usize) -> [i32; 3] {
    let points_u32 = points as u32;
    let mean = ((sum * FEATURE_ONE as u32 + points_u32 / 2) / points_u32) as i32;
    let by_size = (mean * size_factor(points) + 128) >> 8;
    [mean, by_size, i32::from(largest) * FEATURE_ONE]
}

/// e to the power of a logit that is not above 0, in 1/2³⁰, 0 for logits below about −20.
///
/// - `logit`: in 1/4096; above 0 it counts as 0.
/// - returns 0 to 2³⁰; off by less than 2⁻²⁴ of one.
pub fn exp(logit: i32) -> u32 {
    const ONE: u64 = 1 << 30;
    const LOG2_E: u64 = 1_549_082_005;
    const LN_2: u64 = 744_261_118;
    let turns = (u64::from(logit.min(0).unsigned_abs()) * LOG2_E) >> 12;
    let (whole, part) = (turns / ONE, turns % ONE);
    if whole > 30 {
        return 0;
    }
    let power = (part * LN_2) >> 30;
    // e^-p = 1 - p(1 - p/2(1 - p/3(…))), whose ninth term is below 2^-23 of the eighth.
    let series = (1..=9).rev().fold(ONE, |inner, term| ONE - ((power * inner / term) >> 30));
    (series >> whole) as u32
}

/// Share of each logit's exponential in the sum of all, in 1/32768, each rounded down.
///
/// - `logits`: in 1/4096.
pub fn softmax<const N: usize>(logits: [i32; N]) -> [i32; N] {
    let most = logits.iter().copied().max().unwrap_or(0);
    let powers = logits.map(|logit| u64::from(exp(logit.saturating_sub(most))));
    let sum = powers.iter().sum::<u64>().max(1);
    powers.map(|power| (power * VALUE_ONE as u64 / sum) as i32)
}

/// A policy's logits as bytes: odds of each against the likeliest, which has 255.
///
/// What a policy costs on the wire. Only the logits given take part, so illegal moves are left out by
/// not giving them; never all zero, unless none is given.
///
/// - `logits`: in 1/4096.
pub fn odds(logits: &[i32]) -> Vec<u8> {
    let most = logits.iter().copied().max().unwrap_or(0);
    let byte = |&logit: &i32| (exp(logit.saturating_sub(most)) as u64 * 255 + (1 << 29)) >> 30;
    logits.iter().map(|logit| byte(logit) as u8).collect()
}

/// An ownership logit as a value: tanh, −32768 (theirs) to 32768 (one's own), in 1/32768.
pub fn ownership(logit: i32) -> i32 {
    let power = i64::from(exp(-(logit.saturating_abs().saturating_mul(2))));
    let size = (((1 << 30) - power) * i64::from(VALUE_ONE) / ((1 << 30) + power)) as i32;
    size * logit.signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn requantising_rounds_halves_up() {
        let half = 1 << (SHIFT - 1);
        assert_eq!([1, 2, 3, -1, -2, -3].map(|sum| requantise(sum, half)), [1, 1, 2, 0, -1, -1]);
    }

    #[test]
    fn narrowing_rounds_halves_up_and_stops_at_255() {
        assert_eq!([0, 3, 4, 11, 12, 32_767].map(|value| narrow(value, 3)), [0, 0, 1, 1, 2, 255]);
        assert_eq!([0, 7, 300].map(|value| narrow(value, 0)), [0, 7, 255]);
    }

    #[test]
    fn features_of_a_channel_by_hand() {
        // 81 points: side 9, (9 - 14) / 10 = -1/2; the mean of 162 is 2.
        assert_eq!(features(162, 7, 81), [32, -16, 112]);
        // 361 points: (19 - 14) / 10 = 1/2.
        assert_eq!(features(361, 255, 361), [16, 8, 4080]);
    }

    #[test]
    fn features_stay_below_what_their_layers_allow() {
        for points in [49, 625] {
            let most = features(255 * points as u32, 255, points as usize);
            assert!(most.iter().all(|feature| feature.abs() <= 4500), "{most:?}");
        }
    }

    proptest! {
        #[test]
        fn exp_is_within_a_millionth(logit in -200_000..=0i32) {
            let wanted = (f64::from(logit) / 4096.0).exp();
            let found = f64::from(exp(logit)) / f64::from(1 << 30);
            prop_assert!((found - wanted).abs() < 1e-7, "{found} for {wanted}");
        }

        #[test]
        fn any_logits_make_a_share(logits in any::<[i32; 3]>()) {
            let shares = softmax(logits);
            let sum: i32 = shares.iter().sum();
            prop_assert!((VALUE_ONE - 3..=VALUE_ONE).contains(&sum), "{shares:?}");
        }

        #[test]
        fn odds_never_sum_to_nothing(logits in prop::collection::vec(any::<i32>(), 1..30)) {
            prop_assert_eq!(odds(&logits).into_iter().max(), Some(255));
        }

        #[test]
        fn ownership_is_tanh(logit in any::<i32>()) {
            let wanted = (f64::from(logit) / 4096.0).tanh() * 32768.0;
            prop_assert!((f64::from(ownership(logit)) - wanted).abs() <= 1.01);
        }
    }
}

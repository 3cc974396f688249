//! A sequential test that stops a match as soon as it has decided between two differences in Elo.
//!
//! The unit is a pair of games, the same opening with both colours: its five possible results
//! (0, ½, 1, 1½ or 2 points) take the opening's unfairness out of the noise.

use std::str::FromStr;

use super::statistics::expected_score;

/// A result's points per game, for each count of a [`Pentanomial`].
const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// Added to every count, so that a result that was not seen yet is rare, not impossible.
const UNSEEN: f64 = 1e-3;
/// Halvings of the interval in which the tilt lies: to the last bit of an `f64`.
const BISECTIONS: u32 = 100;
/// Differences beyond this promise scores that are 0 or 1 to the last digits, where nothing can be decided.
const ELO_MAX: f64 = 2000.0;

/// Pairs of games by the first engine's points: 0, ½, 1, 1½, 2.
pub type Pentanomial = [u32; 5];

/// A sequential test: H0 "the difference is `elo0`" against H1 "it is `elo1`", and how often either
/// answer may be wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Elo under H0.
    pub elo0: f64,
    /// Elo under H1, above `elo0`.
    pub elo1: f64,
    /// Chance of accepting H1 where H0 holds.
    pub alpha: f64,
    /// Chance of accepting H0 where H1 holds.
    pub beta: f64,
}

/// The verdict of the test so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Not decided: play on.
    Open,
    /// H0 accepted: no stronger than `elo0`.
    H0,
    /// H1 accepted: stronger than `elo0`, as far as `elo1`.
    H1,
}

/// Not the settings of a test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "test '{0}': expected elo0,elo1[,alpha,beta] with elo0 < elo1, both from -{ELO_MAX} to {ELO_MAX}, and errors \
     between 0 and 0.5"
)]
pub struct SprtError(String);

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|n| n.trim().parse()).collect();
        let sprt = match numbers.as_deref() {
            Ok(&[elo0, elo1]) => Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 },
            Ok(&[elo0, elo1, alpha, beta]) => Sprt { elo0, elo1, alpha, beta },
            _ => return Err(SprtError(text.to_owned())),
        };
        let errors = [sprt.alpha, sprt.beta];
        let sound = errors.iter().all(|&error| error > 0.0 && error < 0.5);
        let possible = [sprt.elo0, sprt.elo1].iter().all(|elo| elo.abs() <= ELO_MAX);
        if sound && possible && sprt.elo0 < sprt.elo1 {
            Ok(sprt)
        } else {
            Err(SprtError(text.to_owned()))
        }
    }
}

impl Sprt {
    /// The log-likelihood ratios at which H0 and H1 are accepted: ln(β/(1−α)), ln((1−β)/α).
    pub fn bounds(self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The generalised log-likelihood ratio of H1 against H0.
    ///
    /// Each hypothesis fixes only the expected score; of all distributions with that score it is
    /// credited with the one under which the pairs seen are likeliest.
    ///
    /// # Source
    /// M. Van den Bergh, *The generalized maximum likelihood ratio for the expectation value of a
    /// distribution*, 2018.
    pub fn llr(self, pairs: &Pentanomial) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| f64::from(count) + UNSEEN);
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let h0 = likeliest(&shares, expected_score(self.elo0));
        let h1 = likeliest(&shares, expected_score(self.elo1));
        (0..POINTS.len()).map(|i| counts[i] * (h1[i] / h0[i]).ln()).sum()
    }

    /// The decision by the pairs so far.
    pub fn decide(self, pairs: &Pentanomial) -> Decision {
        let (llr, (low, high)) = (self.llr(pairs), self.bounds());
        if llr >= high {
            Decision::H1
        } else if llr <= low {
            Decision::H0
        } else {
            Decision::Open
        }
    }
}

/// The distribution with mean `mean` under which `shares` are likeliest: pᵢ / (1 + t(aᵢ − mean)),
/// with the tilt t that makes the mean come out.
fn likeliest(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    // Every 1 + t(aᵢ − mean) must stay positive: t lies between these two.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let excess = |tilt: f64| -> f64 {
        (0..POINTS.len())
            .map(|i| shares[i] * (POINTS[i] - mean) / (1.0 + tilt * (POINTS[i] - mean)))
            .sum()
    };
    for _ in 0..BISECTIONS {
        let middle = (low + high) / 2.0;
        // The excess falls as the tilt grows.
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let tilt = (low + high) / 2.0;
    std::array::from_fn(|i| shares[i] / (1.0 + tilt * (POINTS[i] - mean)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(text: &str) -> Sprt {
        text.parse().expect("settings")
    }

    #[test]
    fn bounds_are_those_of_wald() {
        // ln(0.05/0.95) = −2.944439, ln(0.95/0.05) = 2.944439.
        let (low, high) = test("0,10").bounds();
        assert!((low + 2.944_439).abs() < 1e-6 && (high - 2.944_439).abs() < 1e-6);
        // ln(0.1/0.99) = −2.292535, ln(0.9/0.01) = 4.499810.
        let (low, high) = test("0,10,0.01,0.1").bounds();
        assert!((low + 2.292_535).abs() < 1e-6 && (high - 4.499_810).abs() < 1e-6);
    }

    #[test]
    fn with_two_results_the_ratio_is_the_binomial_one() {
        // Only pairs of 0 and 2 points: each hypothesis' distribution is (1 − s, s) itself, so the
        // ratio is 60 ln(s1/s0) + 40 ln((1−s1)/(1−s0)). s0 = 1/2; s1 = 10/11 at 400 Elo:
        // 60 · 0.597837 − 40 · 1.704748 = −32.319700.
        let llr = test("0,400").llr(&[40, 0, 0, 0, 60]);
        assert!((llr + 32.319_7).abs() < 0.02, "{llr}");
        // At 100 Elo s1 = 0.640065: 60 · 0.246962 − 40 · 0.328685 = 1.670320.
        let llr = test("0,100").llr(&[40, 0, 0, 0, 60]);
        assert!((llr - 1.670_3).abs() < 0.01, "{llr}");
    }

    #[test]
    fn the_likeliest_distribution_has_its_mean() {
        let shares = [0.1, 0.2, 0.3, 0.25, 0.15];
        for mean in [0.05, 0.5, 0.537_5, 0.9] {
            let found = likeliest(&shares, mean);
            let sum: f64 = found.iter().sum();
            let got: f64 = found.iter().zip(POINTS).map(|(p, a)| p * a).sum();
            assert!((sum - 1.0).abs() < 1e-9 && (got - mean).abs() < 1e-9, "{mean}: {found:?}");
        }
        // The seen mean, 0.5375, needs no tilt.
        let found = likeliest(&shares, 0.537_5);
        assert!(found.iter().zip(shares).all(|(a, b)| (a - b).abs() < 1e-9));
    }

    #[test]
    fn the_ratio_follows_its_normal_approximation_on_many_pairs() {
        // N (s1 − s0)(2m − s0 − s1) / 2v, with v the variance of a pair's points per game:
        // counts 200, 200, 200, 200, 201: m = 501/1001, v = 376/1001 − m².
        let sprt = test("0,5");
        let pairs = [200, 200, 200, 200, 201];
        let (s0, s1) = (0.5, expected_score(5.0));
        let mean = 501.0 / 1001.0;
        let variance = 376.0 / 1001.0 - mean * mean;
        let approximate = 1001.0 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        assert!((sprt.llr(&pairs) - approximate).abs() < 0.001, "{}", sprt.llr(&pairs));
    }

    #[test]
    fn a_clear_match_is_decided_and_an_even_one_is_not() {
        assert_eq!(test("0,50").decide(&[0, 0, 0, 0, 0]), Decision::Open);
        assert_eq!(test("0,50").decide(&[2, 3, 10, 3, 2]), Decision::Open);
        assert_eq!(test("0,50").decide(&[5, 10, 30, 60, 95]), Decision::H1);
        assert_eq!(test("0,50").decide(&[95, 60, 30, 10, 5]), Decision::H0);
    }

    #[test]
    fn settings_that_make_no_test_are_refused() {
        for text in [
            "",
            "5",
            "5,0",
            "0,5,0.05",
            "0,5,0,0.05",
            "0,5,0.6,0.05",
            "0,NaN",
            "0,inf",
            "0,1e9",
            "-2001,0",
        ] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}

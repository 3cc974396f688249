//! Weights that are learned by steps against their slopes.
//!
//! # Source
//! Duchi, Hazan & Singer 2011 (AdaGrad).

/// Smoothing of the step of a weight that was hardly asked for.
const EPSILON: f64 = 1e-6;

/// A weight that is being learned, and the squares of its slopes so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Weight {
    pub(crate) at: f64,
    squares: f64,
}

impl Weight {
    /// Goes against `slope`: by `rate` at first, by less the steeper all slopes were together.
    pub(crate) fn step(&mut self, slope: f64, rate: f64) {
        self.squares += slope * slope;
        self.at -= rate * slope / (self.squares + EPSILON).sqrt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_step_is_shorter_by_the_root_of_two_and_none_depends_on_the_scale() {
        for scale in [1.0, 50.0] {
            let mut weight = Weight::default();
            weight.step(scale, 0.1);
            assert!((weight.at + 0.1).abs() < 1e-6, "{weight:?}");
            weight.step(scale, 0.1);
            assert!((weight.at + 0.1 + 0.1 / 2f64.sqrt()).abs() < 1e-6, "{weight:?}");
        }
    }

    #[test]
    fn a_weight_without_slope_stays() {
        let mut weight = Weight::default();
        weight.step(0.0, 0.1);
        assert_eq!(weight.at, 0.0);
    }
}

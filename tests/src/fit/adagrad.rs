//! Weights that are learned by steps against their slopes.
//!
//! # Source
//! Duchi, Hazan & Singer 2011 (AdaGrad).

/// Of the first slope of a weight.
const STEP: f64 = 0.03;

/// A weight that is being learned, and the squares of its slopes so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Weight {
    pub(super) at: f64,
    squares: f64,
}

impl Weight {
    /// - `decay`: draws the weight towards 0.
    pub(super) fn step(&mut self, slope: f64, decay: f64) {
        let slope = slope + decay * self.at;
        self.squares += slope * slope;
        self.at -= STEP * slope / (self.squares.sqrt() + 1e-8);
    }
}

//! What the evaluation promises of a node.

/// A share of wins for who moved into a node, in 65534ths above 1; 0 where none is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Promise(pub u16);

impl Promise {
    pub const UNKNOWN: Promise = Promise(0);
    pub const STEPS: u16 = u16::MAX - 1;

    /// - `share`: in `0.0..=1.0`; the nearest that can be held is taken.
    pub fn of_share(share: f64) -> Promise {
        Promise(1 + (share * f64::from(Promise::STEPS)).round() as u16)
    }

    #[inline(always)]
    pub fn is_known(self) -> bool {
        self != Promise::UNKNOWN
    }

    /// In `0.0..=1.0`, where it is known.
    #[inline(always)]
    pub fn share(self) -> f32 {
        (f32::from(self.0) - 1.0) / f32::from(Promise::STEPS)
    }

    /// The same for the other side.
    pub fn reversed(self) -> Promise {
        if self.is_known() { Promise(u16::MAX - (self.0 - 1)) } else { self }
    }
}

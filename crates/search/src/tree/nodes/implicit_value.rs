//! The implicit minimax value of a node.

/// A share of wins for who moved into a node, in 65534ths above 1; 0 where none is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ImplicitValue(pub u16);

impl ImplicitValue {
    pub const UNKNOWN: ImplicitValue = ImplicitValue(0);
    pub const STEPS: u16 = u16::MAX - 1;

    /// - `share`: in `0.0..=1.0`; the nearest that can be held is taken.
    pub fn of_share(share: f64) -> ImplicitValue {
        ImplicitValue(1 + (share * f64::from(ImplicitValue::STEPS)).round() as u16)
    }

    #[inline(always)]
    pub fn is_known(self) -> bool {
        self != ImplicitValue::UNKNOWN
    }

    /// In `0.0..=1.0`, where it is known.
    #[inline(always)]
    pub fn share(self) -> f32 {
        (f32::from(self.0) - 1.0) / f32::from(ImplicitValue::STEPS)
    }

    /// The same for the other side.
    pub fn reversed(self) -> ImplicitValue {
        if self.is_known() { ImplicitValue(u16::MAX - (self.0 - 1)) } else { self }
    }
}

//! The prior of the move into a node.

use banyan_knowledge::Chance;

/// Prior of a move: 0 before it is set; then, for RAVE, its prior value in 256ths; for PUCT, its [`Chance`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd)]
pub struct Prior(pub u8);

impl Prior {
    pub const UNSET: Prior = Prior(0);

    /// Prior of a move by which a chain lives or dies; no game's odds are so large.
    pub const VITAL: Prior = Prior(u8::MAX);

    /// - `value`: in `0.0..=1.0`; the nearest that can be held is taken.
    pub fn of_value(value: f32) -> Prior {
        Prior((256.0 * value).round().clamp(1.0, 254.0) as u8)
    }

    pub fn of_chance(chance: Chance) -> Prior {
        Prior(chance.0)
    }

    #[inline(always)]
    pub fn chance(self) -> Chance {
        Chance(self.0)
    }

    #[inline(always)]
    pub fn is_set(self) -> bool {
        self != Prior::UNSET
    }

    /// In `0.0..1.0`; 0 before it is set.
    #[inline(always)]
    pub fn value(self) -> f32 {
        f32::from(self.0) / 256.0
    }

    /// The odds of the move against its siblings; 1 for the mean of all, and where it is not set.
    pub fn odds(self) -> f32 {
        if self.is_set() { self.value() / (1.0 - self.value()) } else { 1.0 }
    }
}

//! Bounds of a value: what an alpha-beta search is asked within, and what it answers.

/// Beyond every value.
pub const INFINITE: i32 = 2_000_000_000;

/// The values that matter: at most `alpha` is too bad for the side to move, at least `beta` too good to
/// be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Below [`Bounds::beta`].
    pub alpha: i32,
    /// Above [`Bounds::alpha`].
    pub beta: i32,
}

impl Bounds {
    /// Every value matters.
    pub const FULL: Bounds = Bounds { alpha: -INFINITE, beta: INFINITE };

    /// Bounds with these values between them.
    pub const fn new(alpha: i32, beta: i32) -> Bounds {
        Bounds { alpha, beta }
    }

    /// Null bounds: whether the value is at least `beta`, and nothing else.
    pub const fn below(beta: i32) -> Bounds {
        Bounds { alpha: beta - 1, beta }
    }

    /// The same for the other side.
    #[inline(always)]
    pub const fn turned(self) -> Bounds {
        Bounds { alpha: -self.beta, beta: -self.alpha }
    }

    /// Bounds that still matter where `value` can be had.
    #[inline(always)]
    pub fn above(self, value: i32) -> Bounds {
        Bounds { alpha: self.alpha.max(value), ..self }
    }
}

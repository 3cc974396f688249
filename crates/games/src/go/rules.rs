//! Settings fixed before the first move of Go: size and komi.

use std::fmt;

use crate::kind::{Kind, RulesError};

/// Size and komi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoRules {
    size: u8,
    komi: i16,
}

impl GoRules {
    /// The largest komi either way, in half points.
    pub const KOMI_MAX: i16 = 2000;

    /// Rules for a square board of `size` points a side and `komi` half points for White.
    ///
    /// # Errors
    /// [`RulesError::Size`] outside 2 to 25, [`RulesError::Komi`] beyond ±1000 points.
    pub fn new(size: u32, komi: i16) -> Result<GoRules, RulesError> {
        let side = u8::try_from(size).ok().filter(|side| (2..=25).contains(side));
        let side = side.ok_or(RulesError::Size {
            game: Kind::Go,
            width: size,
            height: size,
            expected: "a square of 2 to 25",
        })?;
        if !(-Self::KOMI_MAX..=Self::KOMI_MAX).contains(&komi) {
            return Err(RulesError::Komi(format!("{}", f64::from(komi) / 2.0)));
        }
        Ok(GoRules { size: side, komi })
    }

    /// Komi typed as points, in half points.
    ///
    /// # Errors
    /// [`RulesError::Komi`] for what is no multiple of a half or beyond ±1000 points.
    pub fn komi_from_points(points: f64) -> Result<i16, RulesError> {
        let halves = points * 2.0;
        if halves.fract() == 0.0 && halves.abs() <= f64::from(Self::KOMI_MAX) {
            Ok(halves as i16)
        } else {
            Err(RulesError::Komi(points.to_string()))
        }
    }

    /// Points a side.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Komi in half points.
    pub fn komi(&self) -> i16 {
        self.komi
    }
}

impl fmt::Display for GoRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "go {0}x{0}, komi {1}", self.size, f64::from(self.komi) / 2.0)
    }
}

//! Gomoku on any board up to 25x25, by any of three rules.

mod renju;

use std::fmt;
use std::str::FromStr;

use crate::kind::{Kind, RulesError};
use crate::line::{self, LineRules, Stones};
use crate::types::{Color, Size};

/// A position of Gomoku.
pub type Gomoku = line::Position<GomokuRules>;

/// Rules on what wins and what is forbidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Five or more in a row win.
    #[default]
    Freestyle,
    /// Exactly five win; six or more win nothing.
    Standard,
    /// Black wins by exactly five and may make no double three, double four or overline; White wins
    /// by five or more.
    ///
    /// Uniform playouts leave this out: in them Black may play anywhere.
    Renju,
}

impl Variant {
    /// Every variant.
    pub const ALL: [Variant; 3] = [Variant::Freestyle, Variant::Standard, Variant::Renju];

    /// The name on command lines and in game records.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Freestyle => "freestyle",
            Variant::Standard => "standard",
            Variant::Renju => "renju",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Variant {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Variant, RulesError> {
        let found = Variant::ALL.into_iter().find(|it| it.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| RulesError::Variant(text.chars().take(20).collect()))
    }
}

/// Size and variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GomokuRules {
    size: Size,
    variant: Variant,
}

impl GomokuRules {
    /// Rules for a board of `width` by `height`, each 5 to 25.
    ///
    /// # Errors
    /// [`RulesError::Size`] outside that.
    pub fn new(width: u32, height: u32, variant: Variant) -> Result<GomokuRules, RulesError> {
        let fits = |side: &u32| (5..=u32::from(Size::SIDE_MAX)).contains(side);
        if !fits(&width) || !fits(&height) {
            let expected = "5 to 25 a side";
            return Err(RulesError::Size { game: Kind::Gomoku, width, height, expected });
        }
        Ok(GomokuRules { size: Size { width: width as u8, height: height as u8 }, variant })
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The rule on what wins and what is forbidden.
    pub fn variant(&self) -> Variant {
        self.variant
    }
}

impl LineRules for GomokuRules {
    const KIND: Kind = Kind::Gomoku;
    const STONES_A_TURN: u8 = 1;
    const LENGTH: usize = 5;

    #[inline]
    fn size(&self) -> Size {
        self.size
    }

    #[inline]
    fn overline_wins(&self, color: Color) -> bool {
        match self.variant {
            Variant::Freestyle => true,
            Variant::Standard => false,
            Variant::Renju => color == Color::White,
        }
    }

    #[inline]
    fn forbids_points(&self) -> bool {
        self.variant == Variant::Renju
    }

    #[inline]
    fn forbids(&self, stones: &Stones, color: Color, point: (usize, usize)) -> bool {
        self.variant == Variant::Renju
            && color == Color::Black
            && renju::is_forbidden(stones, self.size, point)
    }
}

impl fmt::Display for GomokuRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wins = match self.variant {
            Variant::Freestyle => "five or more",
            Variant::Standard => "exactly five",
            Variant::Renju => "renju",
        };
        write!(f, "gomoku {}x{}, {wins}", self.size.width, self.size.height)
    }
}

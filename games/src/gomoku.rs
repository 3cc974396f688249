//! Gomoku on any board up to 25x25.

use std::fmt;

use crate::line::{self, LineRules};
use crate::rules::{Kind, Rules, RulesError};
use crate::types::{Color, Size};

/// A position of Gomoku.
pub type Gomoku = line::Position<GomokuRules>;

/// What wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Five {
    /// Five or more in a row (free style).
    #[default]
    OrMore,
    /// Exactly five (standard); six or more win nothing.
    Exactly,
}

/// Size and what counts as five.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GomokuRules {
    size: Size,
    five: Five,
}

impl GomokuRules {
    /// Rules for a board of `width` by `height`, each 5 to 25.
    ///
    /// # Errors
    /// [`RulesError::Size`] outside that.
    pub fn new(width: u32, height: u32, five: Five) -> Result<GomokuRules, RulesError> {
        let fits = |side: &u32| (5..=u32::from(Size::SIDE_MAX)).contains(side);
        if !fits(&width) || !fits(&height) {
            let expected = "5 to 25 a side";
            return Err(RulesError::Size { game: Kind::Gomoku, width, height, expected });
        }
        Ok(GomokuRules { size: Size { width: width as u8, height: height as u8 }, five })
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// What wins.
    pub fn five(&self) -> Five {
        self.five
    }
}

impl LineRules for GomokuRules {
    const KIND: Kind = Kind::Gomoku;
    const STONES_A_TURN: u8 = 1;
    const LENGTH: usize = 5;

    fn size(&self) -> Size {
        self.size
    }

    fn overline_wins(&self, _: Color) -> bool {
        self.five == Five::OrMore
    }
}

impl From<GomokuRules> for Rules {
    fn from(rules: GomokuRules) -> Rules {
        Rules::Gomoku(rules)
    }
}

impl fmt::Display for GomokuRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let five = match self.five {
            Five::OrMore => "five or more",
            Five::Exactly => "exactly five",
        };
        write!(f, "gomoku {}x{}, {five}", self.size.width, self.size.height)
    }
}

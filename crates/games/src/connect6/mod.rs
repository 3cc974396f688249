//! Connect6 on any square board up to 25x25: one stone, then two stones a turn.

use std::fmt;

use crate::kind::{Kind, RulesError};
use crate::line::{self, LineRules};
use crate::types::{Color, Size};

/// A position of Connect6. A ply is one stone; a turn is two plies of the same side.
pub type Connect6 = line::Position<Connect6Rules>;

/// The size of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connect6Rules {
    size: Size,
}

impl Connect6Rules {
    /// Rules for a square board of 6 to 25 points a side.
    ///
    /// # Errors
    /// [`RulesError::Size`] outside that.
    pub fn new(size: u32) -> Result<Connect6Rules, RulesError> {
        if !(6..=u32::from(Size::SIDE_MAX)).contains(&size) {
            let expected = "a square of 6 to 25";
            let game = Kind::Connect6;
            return Err(RulesError::Size { game, width: size, height: size, expected });
        }
        Ok(Connect6Rules { size: Size::square(size as u8) })
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.size
    }
}

impl LineRules for Connect6Rules {
    const KIND: Kind = Kind::Connect6;
    const STONES_A_TURN: u8 = 2;
    const LENGTH: usize = 6;

    #[inline]
    fn size(&self) -> Size {
        self.size
    }

    #[inline]
    fn overline_wins(&self, _: Color) -> bool {
        true
    }
}

impl fmt::Display for Connect6Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "connect6 {0}x{0}", self.size.width)
    }
}

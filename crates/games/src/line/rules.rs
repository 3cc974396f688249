//! Decisions that each game of lines takes for itself.

use std::fmt::{Debug, Display};

use crate::kind::Kind;
use crate::types::{Color, Size};

/// Rules by which games of lines differ.
pub trait LineRules: Clone + Debug + PartialEq + Display + Send + Sync + 'static {
    /// Kind of the game.
    const KIND: Kind;
    /// Plies a side plays in a row; the first turn of the game has one less, but at least one.
    const STONES_A_TURN: u8;

    /// Stones in a row that win, 2 to 8.
    const LENGTH: usize;

    /// The board.
    fn size(&self) -> Size;

    /// Tells whether a run of more than [`LineRules::LENGTH`] wins for this side; if not, play goes on.
    fn overline_wins(&self, color: Color) -> bool;

    /// Tells whether some points may be closed to a side although they are empty.
    fn forbids_points(&self) -> bool {
        false
    }

    /// Tells whether an empty point, its row and column, is closed to `color`.
    fn forbids(&self, stones: &Stones, color: Color, point: (usize, usize)) -> bool {
        let _ = (stones, color, point);
        false
    }

    /// Tells whether a whole run of `length` stones wins for this side.
    #[inline]
    fn wins(&self, color: Color, length: usize) -> bool {
        length == Self::LENGTH || length > Self::LENGTH && self.overline_wins(color)
    }
}

/// The rows of each side, indexed by [`Color::index`]; column 0 is the lowest bit.
pub type Stones = [[u32; Size::SIDE_MAX as usize]; 2];

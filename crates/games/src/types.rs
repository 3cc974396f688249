//! The words every game shares: sides, moves, board sizes, outcomes.

use std::fmt;
use std::ops::Not;

/// A side. Black plays first in every game here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// The side that opens the game.
    Black = 0,
    /// The other side.
    White = 1,
}

impl Color {
    /// Both sides, Black first.
    pub const BOTH: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White: for arrays with one entry a side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

/// One ply: a point of the board, or a pass.
///
/// A point is `row * width + column`; row 0 is the row printed at the top, column 0 the one at the
/// left. The same numbering serves all games, so that a tree or a batch need not know the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Move(pub u16);

impl Move {
    /// No stone: a pass in Go, the forced pass of Othello.
    pub const PASS: Move = Move(u16::MAX);

    /// The point with this index, `0..Size::area()`.
    #[inline]
    pub const fn point(index: usize) -> Move {
        Move(index as u16)
    }

    /// Tells whether this is [`Move::PASS`].
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.0 == u16::MAX
    }

    /// The index of the point, or nothing for a pass.
    #[inline]
    pub const fn index(self) -> Option<usize> {
        if self.is_pass() { None } else { Some(self.0 as usize) }
    }
}

/// Width and height of a board in points, each at most [`Size::SIDE_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
}

impl Size {
    /// The longest side of any board: coordinates are one letter of 25 (Go leaves out the I).
    pub const SIDE_MAX: u8 = 25;
    /// Points of the largest board.
    pub const AREA_MAX: usize = Size::SIDE_MAX as usize * Size::SIDE_MAX as usize;

    /// A square board.
    pub const fn square(side: u8) -> Size {
        Size { width: side, height: side }
    }

    /// Number of points.
    #[inline]
    pub const fn area(self) -> usize {
        self.width as usize * self.height as usize
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width == self.height {
            write!(f, "{}", self.width)
        } else {
            write!(f, "{}x{}", self.width, self.height)
        }
    }
}

/// By how much a game was won, in half points, from Black's view: positive when Black won.
///
/// Go counts area minus komi, Othello discs; a game won by a line has margin ±2 (one whole point).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Margin(pub i32);

impl Margin {
    /// From whole points.
    pub const fn points(points: i32) -> Margin {
        Margin(points * 2)
    }

    /// In points, so 3 half points are 1.5.
    pub fn as_points(self) -> f64 {
        f64::from(self.0) / 2.0
    }
}

/// Result of one game.
///
/// The winner is told by the margin's sign; 0 is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Signed size of the win, from Black's view.
    pub margin: Margin,
}

impl Outcome {
    /// A drawn game.
    pub const DRAW: Outcome = Outcome { margin: Margin(0) };

    /// A game decided by a line: one point.
    pub const fn win(winner: Color) -> Outcome {
        Outcome {
            margin: Margin::points(match winner {
                Color::Black => 1,
                Color::White => -1,
            }),
        }
    }

    /// The side that won, or nothing for a draw.
    #[inline]
    pub const fn winner(self) -> Option<Color> {
        match self.margin.0 {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        }
    }
}

impl fmt::Display for Outcome {
    /// As SGF and GTP write it: `B+3.5`, `W+12`, `0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner() {
            None => f.write_str("0"),
            Some(Color::Black) => write!(f, "B+{}", self.margin.as_points()),
            Some(Color::White) => write!(f, "W+{}", -self.margin.as_points()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_print_as_gtp_writes_them() {
        assert_eq!(Outcome { margin: Margin(7) }.to_string(), "B+3.5");
        assert_eq!(Outcome { margin: Margin(-24) }.to_string(), "W+12");
        assert_eq!(Outcome::DRAW.to_string(), "0");
        assert_eq!(Outcome::win(Color::White).winner(), Some(Color::White));
    }
}

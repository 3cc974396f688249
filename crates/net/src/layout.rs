//! Activations as the convolutions read them: a border of zeros, four channels in a word.
//!
//! One word holds four channels of one point, the first in its lowest byte. A plane is the points of four
//! channels, row by row with one empty point between rows, so that the neighbour of an edge point lies in
//! a word that is always 0. Planes follow each other, a group of four channels each.

use crate::input::Input;

/// Words of activations: `[group of four channels][place]`.
pub type Words = Vec<u32>;

/// Channels in a word.
pub const WORD: usize = 4;

/// Places of a board's points in a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Points in a row, count.
    pub width: usize,
    /// Rows, count.
    pub height: usize,
}

impl Board {
    /// Words from a point to the one below it.
    pub fn stride(self) -> usize {
        self.width + 1
    }

    /// Words in a plane, border included.
    pub fn plane(self) -> usize {
        (self.height + 2) * self.stride() + 1
    }

    /// Place of a row's first point in a plane.
    pub fn row(self, row: usize) -> usize {
        (row + 1) * self.stride() + 1
    }

    /// Points of the board, count.
    pub fn points(self) -> usize {
        self.width * self.height
    }
}

/// Writes the input's planes, one channel each, over zeros.
pub fn spread_planes(input: &Input<'_>, board: Board, words: &mut [u32]) {
    words.fill(0);
    for (number, plane) in input.planes.iter().enumerate() {
        let words = &mut words[number / WORD * board.plane()..][..board.plane()];
        let bit = 1 << (8 * (number % WORD));
        for point in plane.points() {
            words[board.row(point / board.width) + point % board.width] |= bit;
        }
    }
}

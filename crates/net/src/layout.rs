//! Activations as the convolutions read them: a border of zeros, sixteen channels together.
//!
//! A plane is the points of sixteen channels, row by row with one empty point between rows, so that the
//! neighbour of an edge point lies at a place that is always 0. Planes follow each other, sixteen channels each.

use crate::input::Input;
use crate::shape::LANES;

/// Activations: `[sixteen channels][place]`.
pub type Activations = Vec<Channels>;

/// Sixteen channels of one point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub struct Channels(pub [u8; LANES]);

impl Channels {
    /// Sixteen that are 0.
    pub const ZERO: Channels = Channels([0; LANES]);

    /// Four of the channels, the first in the lowest byte.
    ///
    /// - `at`: number of the four, below [`FOURS`].
    #[inline(always)]
    pub fn four(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.0.as_chunks::<FOUR>().0[at])
    }
}

/// Channels whose products are added up at once.
pub const FOUR: usize = 4;

/// Fours in sixteen channels.
pub const FOURS: usize = LANES / FOUR;

/// Places of a board's points in a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Points in a row, count.
    pub width: usize,
    /// Rows, count.
    pub height: usize,
}

impl Board {
    /// A place that is always 0.
    pub const BORDER: usize = 0;

    /// Places from a point to the one below it.
    pub fn stride(self) -> usize {
        self.width + 1
    }

    /// Places in a plane, border included.
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
pub fn spread_planes(input: &Input<'_>, board: Board, activations: &mut [Channels]) {
    activations.fill(Channels::ZERO);
    for (number, plane) in input.planes.iter().enumerate() {
        let sixteen = &mut activations[number / LANES * board.plane()..][..board.plane()];
        for point in plane.points() {
            let place = board.row(point / board.width) + point % board.width;
            sixteen[place].0[number % LANES] = 1;
        }
    }
}

//! The stones of one side as bits, laid out so that no run can go round an edge.

use crate::types::Size;

/// Words of the largest board.
pub const WORDS_MAX: usize = 11;
const _: () = assert!(Layout::STRIDE_MAX * Size::SIDE_MAX as usize <= 64 * WORDS_MAX);

/// Where the points of a board lie in a [`Plane`]: row by row, with empty columns between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    size: Size,
    stride: u8,
}

impl Layout {
    const STRIDE_MAX: usize = Size::SIDE_MAX as usize + 1;

    /// The layout of a board: the smallest of three that has room for it.
    pub fn new(size: Size) -> Layout {
        let stride = match size.width.max(size.height) {
            0..16 => 16,
            16..20 => 20,
            _ => Self::STRIDE_MAX as u8,
        };
        Layout { size, stride }
    }

    /// The board's size in points.
    pub fn size(self) -> Size {
        self.size
    }

    /// Bits from a point to the one below it; at least one more than the board is wide.
    pub fn stride(self) -> usize {
        usize::from(self.stride)
    }

    /// The bit of a point of the board.
    #[inline]
    pub fn bit(self, point: usize) -> usize {
        let width = usize::from(self.size.width);
        point / width * self.stride() + point % width
    }
}

/// One bit a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plane([u64; WORDS_MAX]);

impl Plane {
    /// Whether the bit is set; bits beyond the plane never are.
    #[inline]
    pub fn has(&self, bit: usize) -> bool {
        self.0.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 != 0)
    }

    /// Sets the bit, which must be within the plane.
    #[inline]
    pub fn set(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// The lengths of the four runs through `bit`, which count as set.
    pub fn runs_through(&self, bit: usize, stride: usize) -> [usize; 4] {
        [1, stride - 1, stride, stride + 1].map(|step| {
            let up = (1..).take_while(|n| self.has(bit + n * step)).count();
            let down = (1..).take_while(|n| bit >= n * step && self.has(bit - n * step)).count();
            1 + up + down
        })
    }
}

//! The stones of one side as bits, laid out so that no run can go round an edge.

use crate::types::Size;

/// Where the points of a board lie in a plane: row by row, with empty columns between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    size: Size,
    stride: u8,
}

impl Layout {
    /// The three distances from a point to the one below it, each for boards of sides below it.
    pub const STRIDES: [usize; 3] = [16, 20, Size::SIDE_MAX as usize + 1];

    /// The layout of a board: the narrowest that has room for it.
    pub fn new(size: Size) -> Layout {
        let side = usize::from(size.width.max(size.height));
        let stride = Self::STRIDES.into_iter().find(|&stride| side < stride);
        Layout { size, stride: stride.expect("sides have at most 25 points") as u8 }
    }

    /// The board's size in points.
    pub fn size(self) -> Size {
        self.size
    }

    /// Bits from a point to the one below it; at least one more than the board is wide.
    #[inline]
    pub fn stride(self) -> usize {
        usize::from(self.stride)
    }

    /// The bit of a point of the board.
    #[inline]
    pub fn bit(self, point: usize) -> usize {
        let width = usize::from(self.size.width);
        point / width * self.stride() + point % width
    }

    /// The point of a bit; the reverse of [`Layout::bit`].
    #[inline]
    pub fn point(self, bit: usize) -> usize {
        bit / self.stride() * usize::from(self.size.width) + bit % self.stride()
    }
}

/// Words that hold a board of this stride.
pub const fn words(stride: usize) -> usize {
    (stride * (stride - 1)).div_ceil(64)
}

/// Words of the largest board.
pub const WORDS_MAX: usize = words(Layout::STRIDES[2]);

/// One bit a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane<const WORDS: usize = WORDS_MAX>(pub [u64; WORDS]);

impl<const WORDS: usize> Plane<WORDS> {
    /// No bit set.
    pub const EMPTY: Self = Plane([0; WORDS]);

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

    /// The bits of this plane that are not in `other`.
    #[inline]
    pub fn without(&self, other: &Self) -> Self {
        Plane(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// Calls `visit` with every set bit, ascending.
    #[inline]
    pub fn for_each(&self, mut visit: impl FnMut(usize)) {
        for (word, &bits) in self.0.iter().enumerate() {
            let mut left = bits;
            while left != 0 {
                visit(64 * word + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }

    /// The same bits in a plane of another size, which must have room for them.
    pub fn resized<const OTHER: usize>(&self) -> Plane<OTHER> {
        debug_assert!(self.0.iter().skip(OTHER).all(|&word| word == 0));
        Plane(std::array::from_fn(|word| self.0.get(word).copied().unwrap_or(0)))
    }

    /// The lengths of the four runs through `bit`, which counts as set.
    pub fn runs_through(&self, bit: usize, stride: usize) -> [usize; 4] {
        [1, stride - 1, stride, stride + 1].map(|step| {
            let up = (1..).take_while(|n| self.has(bit + n * step)).count();
            let down = (1..).take_while(|n| bit >= n * step && self.has(bit - n * step)).count();
            1 + up + down
        })
    }

    /// Whether `length` set bits or more stand in a row anywhere, in any of the four directions.
    #[inline]
    pub fn has_run(&self, length: usize, stride: usize) -> bool {
        [1, stride - 1, stride, stride + 1].into_iter().any(|step| {
            let starts = self.starts_of_runs(length, step);
            starts.0.into_iter().fold(0, |any, word| any | word) != 0
        })
    }

    /// The bits from which `length` bits in a row are set, going up by `step`.
    #[inline(always)]
    fn starts_of_runs(&self, length: usize, step: usize) -> Self {
        let (mut starts, mut found) = (*self, 1);
        while found < length {
            // At most two steps at once, so that the shift stays below a word.
            let more = found.min(length - found).min(2);
            starts = starts.and_shifted_down(more * step);
            found += more;
        }
        starts
    }

    /// The bits that are set here and `by` bits further up, 1 to 63.
    #[inline(always)]
    fn and_shifted_down(&self, by: usize) -> Self {
        debug_assert!((1..64).contains(&by));
        Plane(std::array::from_fn(|word| {
            let next = self.0.get(word + 1).copied().unwrap_or(0);
            self.0[word] & (self.0[word] >> by | next << (64 - by))
        }))
    }
}

//! Sets of points as bits, and how a square board lies in them.
//!
//! Row by row, with one bit after each row that is never set: shifting a set by one bit or by one
//! row then moves every point to its neighbour, and what falls off the board lands on unset bits.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign};

/// Words that hold the largest board: 25 rows of 26 bits.
pub const WORDS_MAX: usize = 11;

/// A set of points in `W` words of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits<const W: usize>(
    /// The lowest bits first.
    pub [u64; W],
);

impl<const W: usize> Bits<W> {
    /// No point.
    pub const EMPTY: Bits<W> = Bits([0; W]);

    /// The set of this one bit.
    #[inline(always)]
    pub fn one(bit: usize) -> Bits<W> {
        // Without an index: the set stays in registers.
        let mut set = Bits::EMPTY;
        for w in 0..W {
            let shift = bit.wrapping_sub(64 * w);
            set.0[w] = if shift < 64 { 1 << shift } else { 0 };
        }
        set
    }

    /// Tells whether the bit is in the set; it must be below 64 · `W`.
    #[inline(always)]
    pub fn contains(self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// Tells whether no bit is set.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// Counts the bits that are set.
    #[inline(always)]
    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Tells whether the sets have a bit in common.
    #[inline(always)]
    pub fn intersects(self, other: Bits<W>) -> bool {
        !(self & other).is_empty()
    }

    /// The points in this set and not in the other.
    #[inline(always)]
    pub fn minus(self, other: Bits<W>) -> Bits<W> {
        self.zip(other, |a, b| a & !b)
    }

    /// The same set in fewer words, which must suffice.
    #[inline]
    pub fn narrow<const N: usize>(&self) -> Bits<N> {
        let mut narrow = Bits::EMPTY;
        narrow.0.copy_from_slice(&self.0[..N]);
        narrow
    }

    /// The same set in as many words as any board needs.
    #[inline]
    pub fn widen(&self) -> Bits<WORDS_MAX> {
        let mut wide = Bits::EMPTY;
        wide.0[..W].copy_from_slice(&self.0);
        wide
    }

    /// The lowest bit of the set, alone.
    #[inline]
    pub fn first(self) -> Option<Bits<W>> {
        self.iter().next().map(Bits::one)
    }

    /// The bits of the set in ascending order.
    #[inline(always)]
    pub fn iter(self) -> Iter<W> {
        Iter { words: self.0, at: 0, word: self.0[0] }
    }

    /// The lowest bit of the set.
    #[inline(always)]
    pub fn lowest(self) -> Option<usize> {
        let w = self.0.iter().position(|&word| word != 0)?;
        Some(64 * w + self.0[w].trailing_zeros() as usize)
    }

    /// Every point moved up by `by` bits, 1 to 63.
    #[inline(always)]
    pub fn up(self, by: u32) -> Bits<W> {
        let mut moved = Bits::EMPTY;
        for w in 0..W {
            let carried = if w == 0 { 0 } else { self.0[w - 1] >> (64 - by) };
            moved.0[w] = self.0[w] << by | carried;
        }
        moved
    }

    /// Every point moved down by `by` bits, 1 to 63.
    #[inline(always)]
    pub fn down(self, by: u32) -> Bits<W> {
        let mut moved = Bits::EMPTY;
        for w in 0..W {
            let carried = if w + 1 == W { 0 } else { self.0[w + 1] << (64 - by) };
            moved.0[w] = self.0[w] >> by | carried;
        }
        moved
    }

    /// The points next to the set; may hold bits off the board.
    #[inline(always)]
    pub fn neighbours(self, stride: u32) -> Bits<W> {
        self.up(1) | self.down(1) | self.up(stride) | self.down(stride)
    }

    /// All points of `within` that hang together with `seed`, which must lie in `within`.
    #[inline]
    pub fn flood(self, within: Bits<W>, stride: u32) -> Bits<W> {
        let mut reached = self;
        loop {
            let next = reached | (reached.neighbours(stride) & within);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    #[inline(always)]
    fn zip(self, other: Bits<W>, f: impl Fn(u64, u64) -> u64) -> Bits<W> {
        let mut zipped = self;
        for w in 0..W {
            zipped.0[w] = f(self.0[w], other.0[w]);
        }
        zipped
    }
}

/// The bits of a set that are still to come.
pub struct Iter<const W: usize> {
    words: [u64; W],
    /// The first word that may have some.
    at: usize,
    /// The bits left of it.
    word: u64,
}

impl<const W: usize> Iterator for Iter<W> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.word == 0 {
            if self.at + 1 >= W {
                return None;
            }
            self.at += 1;
            self.word = self.words[self.at];
        }
        let bit = self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(64 * self.at + bit)
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Bits<W>;

    #[inline(always)]
    fn bitand(self, other: Bits<W>) -> Bits<W> {
        self.zip(other, |a, b| a & b)
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Bits<W>;

    #[inline(always)]
    fn bitor(self, other: Bits<W>) -> Bits<W> {
        self.zip(other, |a, b| a | b)
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bits<W>) {
        *self = *self | other;
    }
}

impl<const W: usize> BitAndAssign for Bits<W> {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Bits<W>) {
        *self = *self & other;
    }
}

impl Bits<WORDS_MAX> {
    /// The points of a row, from bit 0.
    #[inline]
    pub fn row(&self, row: usize, layout: Layout) -> u64 {
        let start = row * layout.stride() as usize;
        let (word, shift) = (start / 64, start % 64);
        let carried = self.0.get(word + 1).map_or(0, |next| next << 1 << (63 - shift));
        (self.0[word] >> shift | carried) & ((1 << layout.side()) - 1)
    }
}

/// Evaluates an expression with `$words` as the constant number of words that boards of a layout need.
#[macro_export]
macro_rules! in_words {
    ($layout:expr, $words:ident => $value:expr) => {
        match $layout.side() {
            ..=10 => {
                const $words: usize = 2;
                $value
            }
            ..=13 => {
                const $words: usize = 3;
                $value
            }
            ..=19 => {
                const $words: usize = 6;
                $value
            }
            _ => {
                const $words: usize = $crate::bits::WORDS_MAX;
                $value
            }
        }
    };
}
/// Places in the bits of the points of a square board of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    side: u8,
}

impl Layout {
    /// The layout of a board with `side` points a side, 2 to 25.
    #[inline]
    pub fn new(side: u8) -> Layout {
        debug_assert!((2..=25).contains(&side));
        Layout { side }
    }

    /// Bits from a point to the one below it.
    #[inline(always)]
    pub fn stride(self) -> u32 {
        u32::from(self.side) + 1
    }

    /// Points a side.
    #[inline(always)]
    pub fn side(self) -> usize {
        usize::from(self.side)
    }

    /// Points of the board.
    #[inline(always)]
    pub fn area(self) -> usize {
        self.side() * self.side()
    }

    /// The bit of a point `0..area`.
    #[inline(always)]
    pub fn bit(self, point: usize) -> usize {
        point + point / self.side()
    }

    /// The point of a bit that [`Layout::bit`] gave.
    #[inline(always)]
    pub fn point(self, bit: usize) -> usize {
        bit - bit / (self.side() + 1)
    }

    /// Every point of the board.
    #[inline]
    pub fn full(self) -> &'static Bits<WORDS_MAX> {
        &FULL[self.side()]
    }

    /// The points of the board's rim.
    #[inline]
    pub fn edge(self) -> &'static Bits<WORDS_MAX> {
        &EDGE[self.side()]
    }
}

static FULL: [Bits<WORDS_MAX>; 26] = boards(false);
static EDGE: [Bits<WORDS_MAX>; 26] = boards(true);

const fn boards(edge_only: bool) -> [Bits<WORDS_MAX>; 26] {
    let mut boards = [Bits([0; WORDS_MAX]); 26];
    let mut side = 2;
    while side <= 25 {
        let mut point = 0;
        while point < side * side {
            let (row, column) = (point / side, point % side);
            let edge = row == 0 || row == side - 1 || column == 0 || column == side - 1;
            let bit = point + row;
            if edge || !edge_only {
                boards[side].0[bit / 64] |= 1 << (bit % 64);
            }
            point += 1;
        }
        side += 1;
    }
    boards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_bits_name_each_other_on_every_size() {
        for side in 2..=25 {
            let layout = Layout::new(side);
            let bits: Vec<usize> = layout.full().iter().collect();
            assert_eq!(bits.len(), layout.area());
            for (point, bit) in bits.into_iter().enumerate() {
                assert_eq!((layout.bit(point), layout.point(bit)), (bit, point));
            }
        }
    }

    #[test]
    fn neighbours_are_the_points_next_to_it_and_nothing_wraps() {
        for side in 2..=25i32 {
            let layout = Layout::new(side as u8);
            for point in 0..side * side {
                let (row, column) = (point / side, point % side);
                let near =
                    [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)];
                let on_board =
                    |&(r, c): &(i32, i32)| (0..side).contains(&r) && (0..side).contains(&c);
                let expected: Vec<usize> = near
                    .iter()
                    .filter(|p| on_board(p))
                    .map(|&(r, c)| (r * side + c) as usize)
                    .collect();
                let set = Bits::one(layout.bit(point as usize)).neighbours(layout.stride());
                let found: Vec<usize> =
                    (set & *layout.full()).iter().map(|bit| layout.point(bit)).collect();
                assert_eq!(found, expected, "point {point} of side {side}");
            }
        }
    }
}

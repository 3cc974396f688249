//! Sets of points as playouts hold them: rows far apart share a word.
//!
//! Of `W` words, word `w` holds the rows `w`, `w + W`, `w + 2W` and so on, one stride apart, with one
//! bit after each that is never set. A step to the next row is then a step to the next word, which
//! costs nothing, and a step within a row never leaves its word. What falls off the board lands on
//! bits that no set of points has.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor};

use crate::bits::{Bits, Layout, WORDS_MAX};

/// A set of points in `W` words, which must hold all rows of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<const W: usize>(
    /// Words of rows.
    pub [u64; W],
);

impl<const W: usize> Field<W> {
    /// No point.
    pub const EMPTY: Field<W> = Field([0; W]);

    /// The same points.
    pub fn new(set: &Bits<WORDS_MAX>, layout: Layout) -> Field<W> {
        debug_assert!(W * (64 / layout.stride() as usize) >= layout.side());
        let mut field = Field::EMPTY;
        for row in 0..layout.side() {
            let (word, shift) = place::<W>(row, layout);
            field.0[word] |= set.row(row, layout) << shift;
        }
        field
    }

    /// Tells whether the set has this point, `0..area`.
    pub fn contains(&self, point: usize, layout: Layout) -> bool {
        let (row, column) = (point / layout.side(), point % layout.side());
        let (word, shift) = place::<W>(row, layout);
        self.0[word] >> shift >> column & 1 != 0
    }

    /// The points of the set, word by word.
    pub fn points(self, layout: Layout) -> impl Iterator<Item = usize> {
        let stride = layout.stride() as usize;
        Bits(self.0).iter().map(move |bit| {
            let (word, shift) = (bit / 64, bit % 64);
            (shift / stride * W + word) * layout.side() + shift % stride
        })
    }

    /// Counts the points.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The points in this set and not in the other.
    #[inline(always)]
    pub fn minus(self, other: Field<W>) -> Field<W> {
        self.zip(other, |a, b| a & !b)
    }

    /// Every point moved to the column after.
    #[inline(always)]
    pub fn right(self) -> Field<W> {
        Field(self.0.map(|word| word << 1))
    }

    /// Every point moved to the column before.
    #[inline(always)]
    pub fn left(self) -> Field<W> {
        Field(self.0.map(|word| word >> 1))
    }

    /// Every point moved to the row after.
    #[inline(always)]
    pub fn down(self, stride: u32) -> Field<W> {
        let mut moved = self;
        moved.0[0] = self.0[W - 1] << stride;
        for w in 1..W {
            moved.0[w] = self.0[w - 1];
        }
        moved
    }

    /// Every point moved to the row before.
    #[inline(always)]
    pub fn up(self, stride: u32) -> Field<W> {
        let mut moved = self;
        moved.0[W - 1] = self.0[0] >> stride;
        for w in 1..W {
            moved.0[w - 1] = self.0[w];
        }
        moved
    }

    /// The points next to the set; may hold bits off the board.
    #[inline(always)]
    pub fn neighbours(self, stride: u32) -> Field<W> {
        self.right() | self.left() | self.down(stride) | self.up(stride)
    }

    /// Adds points along links: a step to each side, then down the rows and up again as far as one
    /// pass over the words goes.
    ///
    /// - `left`, `above`: the points that are linked to the one before, to the one in the row before.
    #[inline(always)]
    pub fn sweep(&mut self, left: &Field<W>, above: &Field<W>, stride: u32) {
        let words = &mut self.0;
        for (word, left) in words.iter_mut().zip(left.0) {
            *word |= (*word << 1) & left;
            *word |= (*word & left) >> 1;
        }
        for w in 1..W {
            words[w] |= words[w - 1] & above.0[w];
        }
        words[0] |= (words[W - 1] << stride) & above.0[0];
        words[W - 1] |= (words[0] & above.0[0]) >> stride;
        for w in (1..W).rev() {
            words[w - 1] |= words[w] & above.0[w];
        }
    }

    /// As [`Field::sweep`], where all points of `within` that touch are linked.
    #[inline(always)]
    pub fn sweep_within(&mut self, within: &Field<W>, stride: u32) {
        let words = &mut self.0;
        for (word, within) in words.iter_mut().zip(within.0) {
            *word |= ((*word << 1) | (*word >> 1)) & within;
        }
        for w in 1..W {
            words[w] |= words[w - 1] & within.0[w];
        }
        words[0] |= (words[W - 1] << stride) & within.0[0];
        words[W - 1] |= (words[0] >> stride) & within.0[W - 1];
        for w in (1..W).rev() {
            words[w - 1] |= words[w] & within.0[w - 1];
        }
    }

    /// All points of `within` that hang together with this set, which must lie in it.
    pub fn flood(mut self, within: &Field<W>, stride: u32) -> Field<W> {
        loop {
            let before = self;
            self.sweep_within(within, stride);
            if self == before {
                return self;
            }
        }
    }

    #[inline(always)]
    fn zip(self, other: Field<W>, f: impl Fn(u64, u64) -> u64) -> Field<W> {
        let mut zipped = self;
        for w in 0..W {
            zipped.0[w] = f(self.0[w], other.0[w]);
        }
        zipped
    }
}

/// The word of a row, and the bit in it of the row's first point.
#[inline]
fn place<const W: usize>(row: usize, layout: Layout) -> (usize, usize) {
    (row % W, row / W * layout.stride() as usize)
}

impl<const W: usize> BitAnd for Field<W> {
    type Output = Field<W>;

    #[inline(always)]
    fn bitand(self, other: Field<W>) -> Field<W> {
        self.zip(other, |a, b| a & b)
    }
}

impl<const W: usize> BitOr for Field<W> {
    type Output = Field<W>;

    #[inline(always)]
    fn bitor(self, other: Field<W>) -> Field<W> {
        self.zip(other, |a, b| a | b)
    }
}

impl<const W: usize> BitXor for Field<W> {
    type Output = Field<W>;

    #[inline(always)]
    fn bitxor(self, other: Field<W>) -> Field<W> {
        self.zip(other, |a, b| a ^ b)
    }
}

impl<const W: usize> BitOrAssign for Field<W> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Field<W>) {
        *self = *self | other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::mix;

    /// Each point of the board with a chance of one half.
    fn random(layout: Layout, seed: u64) -> Bits<WORDS_MAX> {
        let is_in = |&bit: &usize| mix(seed + bit as u64) & 1 == 0;
        layout.full().iter().filter(is_in).fold(Bits::EMPTY, |mut set, bit| {
            set |= Bits::one(bit);
            set
        })
    }

    fn same<const W: usize>(side: u8) {
        let layout = Layout::new(side);
        let stride = layout.stride();
        let field = |set: &Bits<WORDS_MAX>| Field::<W>::new(set, layout);
        let full = field(layout.full());
        for seed in 0..20 {
            let (set, seed) = (random(layout, 2_000 * seed), random(layout, 2_000 * seed + 1_000));
            let points: Vec<usize> = set.iter().map(|bit| layout.point(bit)).collect();
            let mut found: Vec<usize> = field(&set).points(layout).collect();
            found.sort_unstable();
            assert_eq!(found, points);
            let held = |point: &usize| field(&set).contains(*point, layout);
            assert!((0..layout.area()).filter(held).eq(points));
            assert_eq!(field(&set).count(), set.len());
            let near = set.neighbours(stride) & *layout.full();
            assert_eq!(field(&set).neighbours(stride) & full, field(&near));
            let seed = seed & set;
            assert_eq!(field(&seed).flood(&field(&set), stride), field(&seed.flood(set, stride)));
        }
    }

    #[test]
    fn neighbours_and_chains_are_those_of_the_packed_board() {
        for side in 2..=25 {
            match side {
                2..=10 => same::<2>(side),
                11..=13 => same::<4>(side),
                14..=19 => same::<7>(side),
                _ => same::<13>(side),
            }
        }
    }

    #[test]
    fn links_stop_a_sweep() {
        let layout = Layout::new(19);
        let set = |points: &[usize]| {
            let bits = points.iter().fold(Bits::EMPTY, |mut set, &point| {
                set |= Bits::one(layout.bit(point));
                set
            });
            Field::<7>::new(&bits, layout)
        };
        // A column of four, the third not linked to the second, over the end of the words.
        let column = [6 * 19, 7 * 19, 8 * 19, 9 * 19];
        let above = set(&[column[1], column[3]]);
        let mut life = set(&[column[0]]);
        for _ in 0..5 {
            life.sweep(&Field::EMPTY, &above, layout.stride());
        }
        assert_eq!(life, set(&column[..2]));
    }
}

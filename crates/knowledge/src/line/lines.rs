//! Both sides' stones on every line, as bits side by side: what stands around a point is a few shifts away.

use std::sync::OnceLock;

use banyan_games::types::{Color, Size};

use banyan_games::Game as _;
use banyan_games::line::{LineRules, Position};

/// Lines through a point: along a row, down a column, falling, rising.
pub const WAYS: usize = 4;

/// From a point to the next one of its line, by direction: rows and columns.
pub(crate) const STEPS: [(isize, isize); WAYS] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Distance to which a line is seen either way.
pub(crate) const SIGHT: usize = 5;

/// The points of a line that are seen beside the middle.
pub(crate) const BESIDE: usize = 2 * SIGHT;

/// Ways in which the points beside one on a line can look, counting those that no game comes to.
pub const LOOKS: usize = 3usize.pow(BESIDE as u32);

/// The longest side, and so many lines of one slope at the most.
const SIDE: usize = Size::SIDE_MAX as usize;
pub(crate) const SLANTS: usize = 2 * SIDE - 1;

/// Every line of a board: a bit for each point, [`SIGHT`] places further up so that what lies before the
/// board has room.
type Bits = [[u64; SLANTS]; WAYS];

/// The stones of a position, line by line.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// By side.
    stones: [Bits; 2],
    outside: &'static Bits,
}

impl Lines {
    pub fn of<R: LineRules>(position: &Position<R>) -> Lines {
        let outside = outside(position.size());
        let mut lines = Lines { stones: [[[0; SLANTS]; WAYS]; 2], outside };
        for color in Color::BOTH {
            for (row, &stones) in position.rows(color).iter().enumerate() {
                each_bit(stones, |column| lines.turn(color, (row, column)));
            }
        }
        lines
    }

    /// Puts a stone down where there is none, or takes it away.
    #[inline]
    pub fn turn(&mut self, color: Color, at: (usize, usize)) {
        for (way, (line, place)) in places(at).into_iter().enumerate() {
            self.stones[color.index()][way][line] ^= 1 << (place + SIGHT);
        }
    }

    /// The surroundings of a point on its line of one direction: [`digits`] of Black's stones, of White's,
    /// and of what is off the board. No two of them share a point, so they may be added up.
    #[inline(always)]
    pub fn around(&self, way: usize, at: (usize, usize)) -> ([usize; 2], usize) {
        let (line, place) = places(at)[way];
        let around = |bits: &Bits| usize::from(AROUND[(bits[way][line] >> place) as usize % SEEN]);
        ([around(&self.stones[0]), around(&self.stones[1])], around(self.outside))
    }

    /// What stands around a point on the line of one direction, as each side sees it, below [`LOOKS`]: a digit in
    /// base three for each point, 1 for an own stone and 2 for what is not to be had.
    #[inline(always)]
    pub fn looks(&self, way: usize, at: (usize, usize)) -> [u16; 2] {
        let ([black, white], outside) = self.around(way, at);
        [black + 2 * (white + outside), white + 2 * (black + outside)].map(|look| look as u16)
    }

    /// A whole line: the stones of each side, from its first point on, and its points.
    #[inline]
    pub fn whole(&self, way: usize, line: usize) -> ([u32; 2], usize) {
        let on_board = !self.outside[way][line];
        let (first, length) = (on_board.trailing_zeros(), on_board.count_ones() as usize);
        let stones = |side: usize| match length {
            0 => 0,
            _ => (self.stones[side][way][line] >> first) as u32,
        };
        ([stones(0), stones(1)], length)
    }

    /// A whole line: each side's stones, what is beyond its ends taken by both, and where that is. Its first point
    /// is [`SIGHT`] places up or more.
    #[inline(always)]
    pub fn with_border(&self, way: usize, line: usize) -> ([u64; 2], u64) {
        let outside = self.outside[way][line];
        ([self.stones[0][way][line] | outside, self.stones[1][way][line] | outside], outside)
    }

    /// Row and column of a line's first point.
    pub fn first(&self, way: usize, line: usize) -> (usize, usize) {
        let place = (!self.outside[way][line]).trailing_zeros() as usize - SIGHT;
        match way {
            0 => (line, place),
            1 => (place, line),
            2 => (line + place + 1 - SIDE, place),
            _ => (place, line - place),
        }
    }
}

/// Finds the line of each direction that a point is on, and its place there.
#[inline(always)]
pub(crate) fn places((row, column): (usize, usize)) -> [(usize, usize); WAYS] {
    [(row, column), (column, row), (row + SIDE - 1 - column, column), (row + column, row)]
}

/// Places of the lines that are not on the board.
fn outside(size: Size) -> &'static Bits {
    static OF_SIZES: [OnceLock<Box<Bits>>; (SIDE + 1) * (SIDE + 1)] =
        [const { OnceLock::new() }; (SIDE + 1) * (SIDE + 1)];
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    OF_SIZES[height * (SIDE + 1) + width].get_or_init(|| {
        let mut lines = Box::new([[!0; SLANTS]; WAYS]);
        for at in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
            for (way, (line, place)) in places(at).into_iter().enumerate() {
                lines[way][line] &= !(1 << (place + SIGHT));
            }
        }
        lines
    })
}

/// The places of the bits that are set, the lowest first.
#[inline(always)]
pub(crate) fn each_bit(mut bits: u32, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// [`BESIDE`] bits as digits in base three.
pub(crate) fn digits(bits: usize) -> usize {
    usize::from(TERNARY[bits])
}

const TERNARY: [u16; 1 << BESIDE] = {
    let mut digits = [0; 1 << BESIDE];
    let mut bits = 1;
    while bits < 1 << BESIDE {
        // What the bits above the lowest give, one place further left.
        digits[bits] = digits[bits >> 1] * 3 + (bits & 1) as u16;
        bits += 1;
    }
    digits
};

/// Bits of a line that are seen, the middle among them.
const SEEN: usize = 1 << (BESIDE + 1);

/// The same for the bits of a line around a point, which itself stands for nothing.
static AROUND: [u16; SEEN] = {
    let mut digits = [0; SEEN];
    let mut bits = 0;
    while bits < SEEN {
        let (before, after) = (bits & ((1 << SIGHT) - 1), bits >> (SIGHT + 1));
        digits[bits] = TERNARY[before | after << SIGHT];
        bits += 1;
    }
    digits
};

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::connect6::{Connect6, Connect6Rules};
    use banyan_games::game::Game;
    use banyan_games::rng::Rng;

    #[test]
    fn whole_lines_are_those_that_are_walked_point_by_point() {
        let mut rng = Rng::from_seed(6);
        for side in [6, 9, 19, 25] {
            let mut position = Connect6::new(&Connect6Rules::new(side).expect("a size"));
            let mut moves = Vec::new();
            for _ in 0..side * side / 2 {
                moves.clear();
                position.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                position.play(moves[rng.below(moves.len() as u32) as usize]);
            }
            let lines = Lines::of(&position);
            let whole = (0..WAYS).flat_map(|way| (0..SLANTS).map(move |line| (way, line)));
            let mut found: Vec<_> = whole.map(|(way, line)| lines.whole(way, line)).collect();
            found.retain(|&(_, length)| length >= 6);
            let mut expected: Vec<_> =
                position.lines().map(|line| (line.stones, line.length)).collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{position:?}");
        }
    }

    #[test]
    fn a_line_begins_where_its_first_point_is() {
        let position = Connect6::new(&Connect6Rules::new(7).expect("a size"));
        let lines = Lines::of(&position);
        for at in (0..7).flat_map(|row| (0..7).map(move |column| (row, column))) {
            for (way, (line, _)) in places(at).into_iter().enumerate() {
                let (row, column) = lines.first(way, line);
                assert_eq!(places((row, column))[way].0, line);
                let before = (row as isize - STEPS[way].0, column as isize - STEPS[way].1);
                let is_on = |at: isize| (0..7).contains(&at);
                assert!(!(is_on(before.0) && is_on(before.1)), "{way} {line}");
            }
        }
    }
}

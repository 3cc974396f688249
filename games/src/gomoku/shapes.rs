//! What a stone would make: for each empty point, the shape that it becomes part of on each of four lines.
//!
//! A line is seen five points either way, which is all that a five, and whatever grows into one, depends
//! on. What stands there is looked up; nothing is kept from one position to the next.

use std::sync::{LazyLock, OnceLock};

use crate::game::Game as _;
use crate::line::LineRules;
use crate::types::{Color, Size};

use super::{Gomoku, GomokuRules};

/// What a stone makes on one line, the strongest that is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// Nothing that can become a five.
    Dead,
    /// Alone, with room for a shut two.
    ShutOne,
    /// Alone, with room for an open two.
    OpenOne,
    /// One stone from a shut three.
    ShutTwo,
    /// One stone from an open three.
    OpenTwo,
    /// The same in three places or more.
    WideTwo,
    /// One stone from a four that has one point to become a five.
    ShutThree,
    /// One stone from an open four.
    OpenThree,
    /// The same in two places or more.
    WideThree,
    /// One point makes it a five.
    ShutFour,
    /// Two points or more make it a five.
    OpenFour,
    /// A win.
    Five,
}

impl Shape {
    /// Kinds of shapes.
    pub const COUNT: usize = 12;

    /// Each, the weakest first.
    pub const ALL: [Shape; Shape::COUNT] = [
        Shape::Dead,
        Shape::ShutOne,
        Shape::OpenOne,
        Shape::ShutTwo,
        Shape::OpenTwo,
        Shape::WideTwo,
        Shape::ShutThree,
        Shape::OpenThree,
        Shape::WideThree,
        Shape::ShutFour,
        Shape::OpenFour,
        Shape::Five,
    ];

    /// A letter or two, as tables have them.
    pub fn name(self) -> &'static str {
        ["-", "1s", "1", "2s", "2", "2w", "3s", "3", "3w", "4s", "4", "5"][self as usize]
    }
}

/// The shapes of one side's stone on a point, a line each, as one number below [`Crossing::COUNT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Crossing(u16);

impl Crossing {
    /// Different crossings, the order of their lines told apart.
    pub const COUNT: usize = Shape::COUNT.pow(LINES as u32);

    /// Nothing comes of a stone there.
    const DEAD: Crossing = Crossing(0);

    /// Of a shape on each line.
    pub fn new(shapes: [Shape; LINES]) -> Crossing {
        let add = |code: u16, shape: &Shape| code * Shape::COUNT as u16 + *shape as u16;
        Crossing(shapes.iter().fold(0, add))
    }

    /// The crossing of this number, below [`Crossing::COUNT`].
    pub fn of_index(index: usize) -> Crossing {
        debug_assert!(index < Crossing::COUNT);
        Crossing(index as u16)
    }

    /// Below [`Crossing::COUNT`].
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The strongest shape of all lines.
    #[inline(always)]
    pub fn strongest(self) -> Shape {
        STRONGEST[self.index()]
    }

    /// The shapes, the strongest first: what the crossing is worth depends on these alone.
    pub fn sorted(self) -> [Shape; LINES] {
        let mut left = self.index();
        let mut shapes = [(); LINES].map(|()| {
            let shape = Shape::ALL[left % Shape::COUNT];
            left /= Shape::COUNT;
            shape
        });
        shapes.sort_by(|a, b| b.cmp(a));
        shapes
    }
}

/// By crossing.
static STRONGEST: [Shape; Crossing::COUNT] = {
    let mut strongest = [Shape::Dead; Crossing::COUNT];
    let mut index = 0;
    while index < Crossing::COUNT {
        let last = Shape::ALL[index % Shape::COUNT];
        let others = strongest[index / Shape::COUNT];
        strongest[index] = if last as u8 > others as u8 { last } else { others };
        index += 1;
    }
    strongest
};

/// Lines through a point.
pub const LINES: usize = 4;

/// How far a line is seen either way.
const REACH: usize = 5;

/// The points of a line that are seen beside the middle.
const BESIDE: usize = 2 * REACH;

/// What a stone makes, by what stands beside it: a digit in base three for each point, 1 for an own stone
/// and 2 for what is not to be had.
struct Table(Box<[Shape]>);

/// Where overlines win, and where they win nothing.
static FIVE_OR_MORE: LazyLock<Table> = LazyLock::new(|| Table::new(true));
static JUST_FIVE: LazyLock<Table> = LazyLock::new(|| Table::new(false));

/// Bits as digits in base three.
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

impl Table {
    fn new(overline_wins: bool) -> Table {
        const UNKNOWN: Option<Shape> = None;
        let size = 3usize.pow(BESIDE as u32);
        let mut known = vec![UNKNOWN; size];
        for own in 0..1 << BESIDE {
            for taken in (0..1 << BESIDE).filter(|taken| taken & own == 0) {
                Self::shape(&mut known, overline_wins, own, taken);
            }
        }
        Table(known.into_iter().map(|shape| shape.unwrap_or(Shape::Dead)).collect())
    }

    #[inline(always)]
    fn index(own: usize, taken: usize) -> usize {
        usize::from(TERNARY[own]) + 2 * usize::from(TERNARY[taken])
    }

    fn shape(known: &mut [Option<Shape>], overline_wins: bool, own: usize, taken: usize) -> Shape {
        let index = Self::index(own, taken);
        if let Some(shape) = known[index] {
            return shape;
        }
        let run = run_in_the_middle(own);
        let shape = if run == GomokuRules::LENGTH || run > GomokuRules::LENGTH && overline_wins {
            Shape::Five
        } else {
            let mut next = [0; Shape::COUNT];
            for point in (0..BESIDE).filter(|point| (own | taken) >> point & 1 == 0) {
                next[Self::shape(known, overline_wins, own | 1 << point, taken) as usize] += 1;
            }
            of_what_comes_next(&next)
        };
        known[index] = Some(shape);
        shape
    }
}

/// Own stones in a row, the one in the middle among them.
fn run_in_the_middle(own: usize) -> usize {
    let up = (own >> REACH).trailing_ones();
    let down = ((own << (usize::BITS as usize - REACH)).leading_ones()).min(REACH as u32);
    1 + up as usize + down as usize
}

/// What a shape is called, by how many points make which shapes of it.
fn of_what_comes_next(next: &[u32; Shape::COUNT]) -> Shape {
    let of = |shape: Shape| next[shape as usize];
    match () {
        () if of(Shape::Five) > 1 => Shape::OpenFour,
        () if of(Shape::Five) == 1 => Shape::ShutFour,
        () if of(Shape::OpenFour) > 1 => Shape::WideThree,
        () if of(Shape::OpenFour) == 1 => Shape::OpenThree,
        () if of(Shape::ShutFour) > 0 => Shape::ShutThree,
        () if of(Shape::WideThree) + of(Shape::OpenThree) > 2 => Shape::WideTwo,
        () if of(Shape::WideThree) + of(Shape::OpenThree) > 0 => Shape::OpenTwo,
        () if of(Shape::ShutThree) > 0 => Shape::ShutTwo,
        () if of(Shape::WideTwo) + of(Shape::OpenTwo) > 0 => Shape::OpenOne,
        () if of(Shape::ShutTwo) > 0 => Shape::ShutOne,
        () => Shape::Dead,
    }
}

/// The longest side, and so many lines of one slope at the most.
const SIDE: usize = Size::SIDE_MAX as usize;
const SLANTS: usize = 2 * SIDE - 1;

/// Every line of a board: a bit for each point, [`REACH`] places further up so that what lies before the
/// board has room.
type Lines = [[u64; SLANTS]; LINES];

/// Which line of each direction a point is on, and where on it.
#[inline(always)]
fn places(row: usize, column: usize) -> [(usize, usize); LINES] {
    [(row, column), (column, row), (row + SIDE - 1 - column, column), (row + column, column)]
}

/// What of the lines is not on the board.
fn outside(size: Size) -> &'static Lines {
    static OF_SIZES: [OnceLock<Box<Lines>>; (SIDE + 1) * (SIDE + 1)] =
        [const { OnceLock::new() }; (SIDE + 1) * (SIDE + 1)];
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    OF_SIZES[height * (SIDE + 1) + width].get_or_init(|| {
        let mut lines = Box::new([[!0; SLANTS]; LINES]);
        for (row, column) in (0..height).flat_map(|row| (0..width).map(move |at| (row, at))) {
            for (way, (line, at)) in places(row, column).into_iter().enumerate() {
                lines[way][line] &= !(1 << (at + REACH));
            }
        }
        lines
    })
}

/// A position, seen line by line.
pub struct Board<'a> {
    position: &'a Gomoku,
    /// By side.
    stones: [Lines; 2],
    outside: &'static Lines,
    /// By side.
    tables: [&'static Table; 2],
    /// Whether what is forbidden to Black comes to nothing.
    is_renju: bool,
}

impl<'a> Board<'a> {
    /// Of a position.
    pub fn of(position: &'a Gomoku) -> Board<'a> {
        let rules = position.rules();
        let table = |color: Color| match rules.overline_wins(color) {
            true => &*FIVE_OR_MORE,
            false => &*JUST_FIVE,
        };
        let mut board = Board {
            position,
            stones: [[[0; SLANTS]; LINES]; 2],
            outside: outside(position.size()),
            tables: Color::BOTH.map(table),
            is_renju: rules.forbids_points(),
        };
        for (side, lines) in board.stones.iter_mut().enumerate() {
            for (row, &stones) in position.rows(Color::BOTH[side]).iter().enumerate() {
                let mut left = stones;
                while left != 0 {
                    let column = left.trailing_zeros() as usize;
                    left &= left - 1;
                    for (way, (line, at)) in places(row, column).into_iter().enumerate() {
                        lines[way][line] |= 1 << (at + REACH);
                    }
                }
            }
        }
        board
    }

    /// What a stone of each side makes on an empty point.
    #[inline]
    pub fn crossings(&self, row: usize, column: usize) -> [Crossing; 2] {
        let mut codes = [0u16; 2];
        for (way, (line, at)) in places(row, column).into_iter().enumerate() {
            let beside = |lines: &Lines| {
                let seen = lines[way][line] >> at;
                (seen & 0x1F | seen >> 1 & 0x3E0) as usize
            };
            // No two of them share a point, so that digits add up.
            let digits = [&self.stones[0], &self.stones[1], self.outside];
            let [black, white, outside] = digits.map(|lines| usize::from(TERNARY[beside(lines)]));
            let shapes = [
                self.tables[0].0[black + 2 * (white + outside)],
                self.tables[1].0[white + 2 * (black + outside)],
            ];
            for (code, shape) in codes.iter_mut().zip(shapes) {
                *code = *code * Shape::COUNT as u16 + shape as u16;
            }
        }
        let [black, white] = codes.map(Crossing);
        [if self.is_renju { without_forbidden(black) } else { black }, white]
    }

    /// The empty points near a stone, by row and column, with what a stone of each side makes there.
    #[inline]
    pub fn each_near(&self, mut visit: impl FnMut((usize, usize), [Crossing; 2])) {
        for row in 0..usize::from(self.position.size().height) {
            let mut left = self.position.near_row(row);
            while left != 0 {
                let column = left.trailing_zeros() as usize;
                visit((row, column), self.crossings(row, column));
                left &= left - 1;
            }
        }
    }
}

/// Two threes, or two fours, are forbidden to Black of Renju unless they make five; whether each of the
/// threes could become a four without a forbidden point is left out.
fn without_forbidden(crossing: Crossing) -> Crossing {
    let shapes = crossing.sorted();
    let several = |some: fn(&Shape) -> bool| shapes.iter().filter(|&shape| some(shape)).count() > 1;
    let is_forbidden = shapes[0] != Shape::Five
        && (several(|shape| matches!(shape, Shape::OpenThree | Shape::WideThree))
            || several(|shape| matches!(shape, Shape::ShutFour | Shape::OpenFour)));
    if is_forbidden { Crossing::DEAD } else { crossing }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the stone in the middle (`*`) makes; `x` is its side's, `o` the other side's, `|` the border.
    fn shape(table: &Table, line: &str) -> Shape {
        let middle = line.find('*').expect("a middle");
        let bits = |marks: &[char]| -> usize {
            let beside = (1..=REACH)
                .flat_map(|n| [(middle.checked_sub(n), 5 - n), (Some(middle + n), 4 + n)]);
            let at = |at: Option<usize>| at.and_then(|at| line.chars().nth(at)).unwrap_or('.');
            beside.filter(|(place, _)| marks.contains(&at(*place))).map(|(_, bit)| 1 << bit).sum()
        };
        table.0[Table::index(bits(&['x']), bits(&['o', '|']))]
    }

    #[test]
    fn shapes_are_what_players_call_them() {
        for (line, expected) in [
            ("....xx*xx", Shape::Five),
            ("xxx*xx", Shape::Five),
            ("..xx*x.", Shape::OpenFour),
            ("x.xx*.x", Shape::OpenFour),
            (".oxx*x..", Shape::ShutFour),
            ("..xx*.x.", Shape::ShutFour),
            ("...xx*...", Shape::WideThree),
            ("|.xx*.o", Shape::ShutThree),
            ("|..xx*.o", Shape::OpenThree),
            (".oxx*...", Shape::ShutThree),
            ("....x*....", Shape::WideTwo),
            ("...x.*....", Shape::WideTwo),
            ("|.x*..o", Shape::ShutTwo),
            ("|.x*...o", Shape::OpenTwo),
            (".....*.....", Shape::OpenOne),
            (".....*o", Shape::ShutOne),
            ("o...*o", Shape::Dead),
            ("o.x.*.o", Shape::ShutTwo),
        ] {
            assert_eq!(shape(&FIVE_OR_MORE, line), expected, "{line}");
        }
        assert_eq!(shape(&JUST_FIVE, "xxx*xx"), Shape::Dead);
        assert_eq!(shape(&JUST_FIVE, "xx.xx*.xx"), Shape::Dead);
        assert_eq!(shape(&JUST_FIVE, "x.x*xx"), Shape::ShutFour);
    }
}

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

/// The shapes of one side's stone on a point, a line each, as one number below [`Crossing::COUNT`]: of the
/// first two lines in any order, and of the last two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Crossing(u16);

impl Crossing {
    /// Different crossings.
    pub const COUNT: usize = PAIRS * PAIRS;

    /// Nothing comes of a stone there.
    const DEAD: Crossing = Crossing(0);

    /// Of a shape on each line.
    #[inline(always)]
    pub fn new([a, b, c, d]: [Shape; LINES]) -> Crossing {
        let pair = |a: Shape, b: Shape| u16::from(PAIR[a as usize][b as usize]);
        Crossing(pair(a, b) * PAIRS as u16 + pair(c, d))
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
        let (first, last) = (self.index() / PAIRS, self.index() % PAIRS);
        SHAPES_OF_PAIR[first][0].max(SHAPES_OF_PAIR[last][0])
    }

    /// The shapes, the strongest first: what the crossing is worth depends on these alone.
    pub fn sorted(self) -> [Shape; LINES] {
        let [[a, b], [c, d]] =
            [self.index() / PAIRS, self.index() % PAIRS].map(|it| SHAPES_OF_PAIR[it]);
        let mut shapes = [a, b, c, d];
        shapes.sort_by(|a, b| b.cmp(a));
        shapes
    }
}

/// Two shapes in any order: so many.
const PAIRS: usize = Shape::COUNT * (Shape::COUNT + 1) / 2;

/// The shapes of each pair, the stronger first.
static SHAPES_OF_PAIR: [[Shape; 2]; PAIRS] = {
    let mut pairs = [[Shape::Dead; 2]; PAIRS];
    let (mut pair, mut strong) = (0, 0);
    while strong < Shape::COUNT {
        let mut weak = 0;
        while weak <= strong {
            pairs[pair] = [Shape::ALL[strong], Shape::ALL[weak]];
            pair += 1;
            weak += 1;
        }
        strong += 1;
    }
    pairs
};

/// The pair of two shapes.
static PAIR: [[u8; Shape::COUNT]; Shape::COUNT] = {
    let mut numbers = [[0; Shape::COUNT]; Shape::COUNT];
    let mut pair = 0;
    while pair < PAIRS {
        let [strong, weak] = SHAPES_OF_PAIR[pair];
        numbers[strong as usize][weak as usize] = pair as u8;
        numbers[weak as usize][strong as usize] = pair as u8;
        pair += 1;
    }
    numbers
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

/// The same for the bits of a line around a point, which itself stands for nothing.
static AROUND: [u16; 1 << (BESIDE + 1)] = {
    let mut digits = [0; 1 << (BESIDE + 1)];
    let mut bits = 0;
    while bits < digits.len() {
        let (before, after) = (bits & ((1 << REACH) - 1), bits >> (REACH + 1));
        digits[bits] = TERNARY[before | after << REACH];
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
        let mut shapes = [[Shape::Dead; LINES]; 2];
        for (way, (line, at)) in places(row, column).into_iter().enumerate() {
            let around = |lines: &Lines| {
                usize::from(AROUND[(lines[way][line] >> at) as usize % AROUND.len()])
            };
            // No two of them share a point, so that digits add up.
            let (black, white) = (around(&self.stones[0]), around(&self.stones[1]));
            let outside = around(self.outside);
            shapes[0][way] = self.tables[0].0[black + 2 * (white + outside)];
            shapes[1][way] = self.tables[1].0[white + 2 * (black + outside)];
        }
        let [black, white] = [Crossing::new(shapes[0]), Crossing::new(shapes[1])];
        [if self.is_renju { without_forbidden(black) } else { black }, white]
    }

    /// The empty points near a stone, by row and column, with what a stone of each side makes there.
    #[inline]
    pub fn each_near(&self, mut visit: impl FnMut((usize, usize), [Crossing; 2])) {
        let height = usize::from(self.position.size().height);
        for (row, near) in self.position.near_rows().into_iter().enumerate().take(height) {
            let mut left = near;
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
    use crate::gomoku::Variant;
    use crate::rng::Rng;
    use crate::types::Move;

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

    /// Whether a stone on `point` would be part of a five on the line of `way`, where `stones` stand.
    fn makes_five(
        (rules, stones): (&GomokuRules, &[Option<Color>]),
        color: Color,
        (row, column): (isize, isize),
        (down, right): (isize, isize),
    ) -> bool {
        let size = rules.size();
        let is_own = |row: isize, column: isize| {
            (0..isize::from(size.height)).contains(&row)
                && (0..isize::from(size.width)).contains(&column)
                && stones[row as usize * usize::from(size.width) + column as usize] == Some(color)
        };
        let reach = |sign: isize| {
            let at = |n: isize| is_own(row + sign * n * down, column + sign * n * right);
            (1..).take_while(|&n| at(n)).count()
        };
        rules.wins(color, 1 + reach(1) + reach(-1))
    }

    #[test]
    fn a_board_is_seen_as_it_is_asked_point_by_point() {
        let (mut rng, mut met) = (Rng::from_seed(4), [0; 3]);
        for variant in [Variant::Freestyle, Variant::Standard] {
            for (width, height) in [(15, 15), (9, 6), (5, 25)] {
                let rules = GomokuRules::new(width, height, variant).expect("a size");
                for _ in 0..60 {
                    let mut position = Gomoku::new(&rules);
                    for _ in 0..rng.below(width * height * 2 / 3) {
                        let mut moves = Vec::new();
                        position.candidates(&mut moves);
                        let mut next = position.clone();
                        next.play(moves[rng.below(moves.len() as u32) as usize]);
                        if next.outcome().is_some() {
                            break;
                        }
                        position = next;
                    }
                    agrees(&position, &rules, &mut met);
                }
            }
        }
        assert!(met.iter().all(|&met| met > 20), "{met:?}");
    }

    /// Fives and fours are what comes of trying every stone on every line.
    fn agrees(position: &Gomoku, rules: &GomokuRules, met: &mut [u32; 3]) {
        let (width, height) = (usize::from(rules.size().width), usize::from(rules.size().height));
        let mut stones: Vec<Option<Color>> =
            (0..width * height).map(|at| position.stone(Move::point(at))).collect();
        let (mut near, mut seen) = (Vec::new(), Vec::new());
        position.candidates(&mut near);
        Board::of(position).each_near(|point, crossings| seen.push((point, crossings)));
        let points = seen.iter().map(|((row, column), _)| Move::point(row * width + column));
        assert!(points.eq(near), "{position:?}");
        for ((row, column), crossings) in seen {
            for color in Color::BOTH {
                let mut expected = [(0, 1), (1, 0), (1, 1), (1, -1)].map(|(down, right)| {
                    let middle = (row as isize, column as isize);
                    if makes_five((rules, &stones), color, middle, (down, right)) {
                        return 2;
                    }
                    let at = row * width + column;
                    stones[at] = Some(color);
                    let fives = (-4..=4isize).filter(|&n| {
                        let (row, column) = (middle.0 + n * down, middle.1 + n * right);
                        let is_on = (0..height as isize).contains(&row)
                            && (0..width as isize).contains(&column);
                        let at = (row * width as isize + column) as usize;
                        if !is_on || stones[at].is_some() {
                            return false;
                        }
                        // The middle must be part of it.
                        stones[at] = Some(color);
                        let is_five = makes_five((rules, &stones), color, middle, (down, right));
                        stones[at] = None;
                        is_five
                    });
                    let fives = fives.count();
                    stones[at] = None;
                    usize::from(fives > 0)
                });
                expected.sort();
                let mut found = crossings[color.index()].sorted().map(|shape| match shape {
                    Shape::Five => 2,
                    Shape::ShutFour | Shape::OpenFour => 1,
                    _ => 0,
                });
                found.sort();
                assert_eq!(found, expected, "{row} {column} {color} in {position:?}");
                expected.iter().for_each(|&shape| met[shape] += 1);
            }
        }
    }

    #[test]
    fn what_is_forbidden_to_black_of_renju_comes_to_nothing() {
        let rules = GomokuRules::new(15, 15, Variant::Renju).expect("a size");
        let crossings = |[black, white]: [&str; 2], at: (usize, usize)| {
            let position = Gomoku::with_stones(&rules, [black, white], Color::Black).expect("free");
            Board::of(&position).crossings(at.0, at.1)
        };
        // Rows are counted from below.
        let row = |text: &str| {
            let position = Gomoku::new(&rules);
            let point = usize::from(position.parse_move(text).expect("a point").0);
            (point / 15, point % 15)
        };
        let double = ["g8 h8 j7 j6", ""];
        let [black, _] = crossings(double, row("j8"));
        assert_eq!(black, Crossing::DEAD, "two threes");
        let [_, white] = crossings(["a1", "g8 h8 j7 j6"], row("j8"));
        assert!(white.sorted()[1] >= Shape::OpenThree, "White may");
    }
}

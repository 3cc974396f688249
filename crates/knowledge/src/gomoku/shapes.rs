//! The shape that a stone would make: the one that it becomes part of on a line, and four of them where lines
//! cross.
//!
//! A line is seen five points either way, which is all that a five, and whatever grows into one, depends
//! on. What stands there is looked up.

use std::sync::LazyLock;

use crate::line::lines::{BESIDE, LOOKS, SIGHT, WAYS, digits};
use banyan_games::line::LineRules;

use banyan_games::gomoku::GomokuRules;

/// A shape that a stone makes on one line, the strongest that is true.
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
    pub(super) const DEAD: Crossing = Crossing(0);

    /// The crossing of a shape on each line.
    #[inline(always)]
    pub fn new([a, b, c, d]: [Shape; WAYS]) -> Crossing {
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
    pub fn sorted(self) -> [Shape; WAYS] {
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

/// Shapes that a stone makes, by what stands beside it: a digit in base three for each point, 1 for an own
/// stone and 2 for what is not to be had.
pub(super) struct Table(Box<[Shape]>);

static FIVE_OR_MORE: LazyLock<Table> = LazyLock::new(|| Table::new(true));
static JUST_FIVE: LazyLock<Table> = LazyLock::new(|| Table::new(false));

impl Table {
    /// The table where overlines win, or where they win nothing.
    pub fn of(overline_wins: bool) -> &'static Table {
        if overline_wins { &FIVE_OR_MORE } else { &JUST_FIVE }
    }

    /// By what stands beside it.
    #[inline(always)]
    pub fn shape_in(&self, look: u16) -> Shape {
        self.0[usize::from(look)]
    }

    fn new(overline_wins: bool) -> Table {
        const UNKNOWN: Option<Shape> = None;
        let mut known = vec![UNKNOWN; LOOKS];
        for own in 0..1 << BESIDE {
            for taken in (0..1 << BESIDE).filter(|taken| taken & own == 0) {
                Self::shape(&mut known, overline_wins, own, taken);
            }
        }
        Table(known.into_iter().map(|shape| shape.unwrap_or(Shape::Dead)).collect())
    }

    fn index(own: usize, taken: usize) -> usize {
        digits(own) + 2 * digits(taken)
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
    let up = (own >> SIGHT).trailing_ones();
    let down = ((own << (usize::BITS as usize - SIGHT)).leading_ones()).min(SIGHT as u32);
    1 + up as usize + down as usize
}

/// The shape, by how many points make which shapes of it.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape that the stone in the middle (`*`) makes; `x` is its side's, `o` the other side's, `|` the
    /// border.
    fn shape(table: &Table, line: &str) -> Shape {
        let middle = line.find('*').expect("a middle");
        let bits = |marks: &[char]| -> usize {
            let beside = (1..=SIGHT)
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

//! A position seen line by line: what a stone of each side makes on its empty points.

use crate::line::lines::{Lines, WAYS, each_bit};
use banyan_games::game::Game as _;
use banyan_games::line::LineRules;
use banyan_games::types::{Color, Size};

use super::shapes::{Crossing, Shape, Table};
use banyan_games::gomoku::Gomoku;

/// How both sides see what stands around a point.
#[derive(Clone, Copy)]
pub(super) struct Eyes {
    /// By side.
    tables: [&'static Table; 2],
    /// Tells whether what is forbidden to Black comes to nothing.
    is_renju: bool,
}

impl Eyes {
    /// By the rules of a position.
    pub fn of(position: &Gomoku) -> Eyes {
        let rules = position.rules();
        let tables = Color::BOTH.map(|color| Table::of(rules.overline_wins(color)));
        Eyes { tables, is_renju: rules.forbids_points() }
    }

    /// Shapes that a stone of each side makes on a line.
    #[inline(always)]
    pub fn shapes_in(&self, [black, white]: [u16; 2]) -> [Shape; 2] {
        [self.tables[0].shape_in(black), self.tables[1].shape_in(white)]
    }

    /// The same on every line, by side.
    #[inline(always)]
    pub fn shapes(&self, looks: [[u16; 2]; WAYS]) -> [[Shape; WAYS]; 2] {
        let by_way = looks.map(|looks| self.shapes_in(looks));
        [0, 1].map(|side| by_way.map(|shapes| shapes[side]))
    }

    /// Crossings of the shapes of both sides.
    #[inline(always)]
    pub fn crossings(&self, shapes: [[Shape; WAYS]; 2]) -> [Crossing; 2] {
        let [black, white] = shapes.map(Crossing::new);
        [if self.is_renju { without_forbidden(black) } else { black }, white]
    }
}

/// A position, seen line by line.
pub struct Board {
    lines: Lines,
    /// The empty points near a stone: a bit for each column of each row.
    near: [u32; Size::SIDE_MAX as usize],
    eyes: Eyes,
}

impl Board {
    /// The board of a position.
    pub fn of(position: &Gomoku) -> Board {
        Board { lines: Lines::of(position), near: position.near_rows(), eyes: Eyes::of(position) }
    }

    /// Crossings that a stone of each side makes on an empty point.
    #[inline]
    pub fn crossings(&self, row: usize, column: usize) -> [Crossing; 2] {
        let looks = std::array::from_fn(|way| self.lines.looks(way, (row, column)));
        self.eyes.crossings(self.eyes.shapes(looks))
    }

    /// The empty points near a stone, by row and column, with what a stone of each side makes there.
    #[inline]
    pub fn each_near(&self, mut visit: impl FnMut((usize, usize), [Crossing; 2])) {
        for (row, &near) in self.near.iter().enumerate() {
            each_bit(near, |column| visit((row, column), self.crossings(row, column)));
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
    use banyan_games::gomoku::{GomokuRules, Variant};
    use banyan_games::rng::Rng;
    use banyan_games::types::Move;

    /// Tells whether a stone on `point` would be part of a five on the line of `way`, where `stones` stand.
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

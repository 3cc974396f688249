//! The surroundings of a point, further out than a playout looks: rings of points, the same from all
//! sides and for both colours.
//!
//! A shape is an exact code, no hash: two bits for each point, rings from the inside to the outside, so
//! that a small shape is the lower bits of a larger one.
//!
//! # Source
//! Rings by |x| + |y| + max(|x|, |y|): Stern, Herbrich & Graepel 2006.

use banyan_kernels::bits::Layout;

/// The furthest that a shape reaches along a line.
const REACH: usize = 3;

/// Points of the largest shape.
pub(super) const POINTS_MAX: usize = 28;

/// Points of each size of shape: all within a distance of 3, 4, 5 and 6.
pub(super) const SIZES: [usize; 4] = [8, 12, 20, POINTS_MAX];

/// Ways to turn and mirror a board.
const SYMMETRIES: usize = 8;

/// The marks of a drawing: empty, own, foe, off the board.
const MARKS: [char; 4] = ['.', 'X', 'O', '#'];

pub(super) const EMPTY: u8 = 0;
pub(super) const OWN: u8 = 1;
pub(super) const FOE: u8 = 2;
const OFF: u8 = 3;

/// The points of the largest shape, column and row from its middle, ring by ring.
static POINTS: [(i8, i8); POINTS_MAX] = points();

/// For each of [`POINTS`], the lower bit of the place where each symmetry moves it.
static MOVED: [[u64; SYMMETRIES]; POINTS_MAX] = moved();

const fn distance((x, y): (i8, i8)) -> u8 {
    let (x, y) = (x.unsigned_abs(), y.unsigned_abs());
    x + y + if x > y { x } else { y }
}

const fn points() -> [(i8, i8); POINTS_MAX] {
    let (mut points, mut count, mut ring) = ([(0, 0); POINTS_MAX], 0, 2);
    while count < POINTS_MAX {
        let mut square = 0;
        while square < 49 {
            let point = (square % 7 - 3, square / 7 - 3);
            if distance(point) == ring {
                points[count] = point;
                count += 1;
            }
            square += 1;
        }
        ring += 1;
    }
    points
}

const fn symmetric((x, y): (i8, i8), symmetry: usize) -> (i8, i8) {
    let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (-x, y) };
    let (x, y) = if symmetry & 2 == 0 { (x, y) } else { (x, -y) };
    if symmetry & 4 == 0 { (x, y) } else { (y, x) }
}

const fn moved() -> [[u64; SYMMETRIES]; POINTS_MAX] {
    let points = points();
    let (mut moved, mut from) = ([[0; SYMMETRIES]; POINTS_MAX], 0);
    while from < POINTS_MAX {
        let mut symmetry = 0;
        while symmetry < SYMMETRIES {
            let (x, y) = symmetric(points[from], symmetry);
            let mut to = 0;
            while points[to].0 != x || points[to].1 != y {
                to += 1;
            }
            moved[from][symmetry] = 2 * to as u64;
            symmetry += 1;
        }
        from += 1;
    }
    moved
}

/// A board with a rim as wide as a shape reaches, as one side sees it.
pub(super) struct Grid {
    squares: Vec<u8>,
    side: usize,
}

impl Grid {
    /// An empty board.
    pub(super) fn new(layout: Layout) -> Grid {
        let side = layout.side();
        let mut squares = vec![OFF; (side + 2 * REACH) * (side + 2 * REACH)];
        for row in squares.chunks_exact_mut(side + 2 * REACH).skip(REACH).take(side) {
            row[REACH..REACH + side].fill(EMPTY);
        }
        Grid { squares, side }
    }

    fn width(&self) -> usize {
        self.side + 2 * REACH
    }

    fn square(&self, point: usize) -> usize {
        (point / self.side + REACH) * self.width() + point % self.side + REACH
    }

    pub(super) fn put(&mut self, point: usize, what: u8) {
        let square = self.square(point);
        self.squares[square] = what;
    }

    /// Shows the shapes around a point to `see`, from the smallest, each by the index of its size and
    /// in the one of its symmetric forms that stands for all of them; goes on while `see` says so.
    #[inline(always)]
    pub(super) fn shapes(&self, point: usize, mut see: impl FnMut(usize, u64) -> bool) {
        let mut codes = [0u64; SYMMETRIES];
        let middle = self.square(point) as isize;
        let width = self.width() as isize;
        let mut begun = 0;
        for (index, size) in SIZES.into_iter().enumerate() {
            for nth in begun..size {
                let (x, y) = POINTS[nth];
                let square = middle + isize::from(y) * width + isize::from(x);
                let what = u64::from(self.squares[square as usize]);
                for symmetry in 0..SYMMETRIES {
                    codes[symmetry] |= what << MOVED[nth][symmetry];
                }
            }
            begun = size;
            let mut least = codes[0];
            for code in codes {
                least = if code < least { code } else { least };
            }
            if !see(index, least) {
                return;
            }
        }
    }
}

/// The points of a shape of so many, ring by ring; each ring from left to right, row by row.
pub(super) fn drawing(code: u64, size: usize) -> String {
    (0..size).map(|point| MARKS[(code >> (2 * point) & 3) as usize]).collect()
}

/// The code of a drawing; nothing for what is none.
pub(super) fn parse(drawing: &str, size: usize) -> Option<u64> {
    let what = |mark: char| MARKS.iter().position(|&known| known == mark);
    let whats: Vec<usize> = drawing.chars().map(what).collect::<Option<_>>()?;
    let code = |whats: &[usize]| (0..size).map(|point| (whats[point] as u64) << (2 * point)).sum();
    (whats.len() == size).then(|| code(&whats))
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::rng::Rng;

    fn shapes(grid: &Grid, point: usize) -> Vec<u64> {
        let mut shapes = Vec::new();
        grid.shapes(point, |index, code| {
            assert_eq!(index, shapes.len());
            shapes.push(code);
            true
        });
        shapes
    }

    #[test]
    fn a_shape_is_the_same_from_all_sides() {
        let (layout, mut rng) = (Layout::new(7), Rng::from_seed(3));
        for _ in 0..50 {
            let stones: Vec<u8> = (0..49).map(|_| rng.below(3) as u8).collect();
            let seen = |symmetry: usize| {
                let mut grid = Grid::new(layout);
                let place = |point: usize| {
                    let at = (point as i8 % 7 - 3, point as i8 / 7 - 3);
                    let (x, y) = symmetric(at, symmetry);
                    ((y + 3) * 7 + x + 3) as usize
                };
                (0..49).for_each(|point| grid.put(place(point), stones[point]));
                (0..49).map(|point| shapes(&grid, place(point))).collect::<Vec<_>>()
            };
            assert_eq!(seen(0).iter().map(Vec::len).sum::<usize>(), 4 * 49);
            (1..SYMMETRIES).for_each(|symmetry| assert_eq!(seen(symmetry), seen(0)));
        }
    }

    #[test]
    fn rings_come_from_the_inside_and_end_off_the_board() {
        assert_eq!(SIZES.map(|size| distance(POINTS[size - 1])), [3, 4, 5, 6]);
        let mut grid = Grid::new(Layout::new(9));
        grid.put(1, FOE);
        grid.put(9, OWN);
        let corner = shapes(&grid, 0);
        let draw = |code, size| drawing(code, size);
        let small = draw(corner[0], 8);
        let marks = |mark| small.chars().filter(|&other| other == mark).count();
        assert_eq!(['X', 'O', '.', '#'].map(marks), [1, 1, 1, 5]);
        assert_eq!(parse(&draw(corner[3], 28), 28), Some(corner[3]));
        assert_eq!(
            (parse("..X", 8), parse("........?", 8), parse("...?....", 8)),
            (None, None, None)
        );
    }

    #[test]
    fn who_has_seen_enough_is_shown_no_more() {
        let grid = Grid::new(Layout::new(9));
        let mut seen = 0;
        grid.shapes(40, |index, _| {
            seen += 1;
            index < 1
        });
        assert_eq!(seen, 2);
    }
}

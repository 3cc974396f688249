//! Every window of winning length: how many stones of each side stand in it.
//!
//! A window that holds stones of one side alone can still be filled by it. Whoever looks for threats
//! or for the worth of a position asks for such windows; putting a stone touches only those through it.

use crate::types::{Color, Move, Size};

use super::position::{Position, stone_key};
use super::rules::{LineRules, Stones};
use banyan_kernels::rows::{DIRECTIONS, any_run_through};

/// Directions of lines: along a row, down a column, falling, rising.
const WAYS: usize = DIRECTIONS.len();

/// As many points in a line as win, by direction and first point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window(u16);

const _: () = assert!(WAYS * Size::AREA_MAX <= u16::MAX as usize);

/// The windows of a position, with stones put down and taken back.
#[derive(Clone, Debug)]
pub struct Windows<R> {
    rules: R,
    size: Size,
    stones: Stones,
    /// A bit for each point with a stone.
    taken: [u64; Size::AREA_MAX.div_ceil(64)],
    /// By [`Window`]: Black's stones in the low four bits, White's in the high four; [`OFF`] for what
    /// would leave the board.
    counts: Vec<u8>,
    /// For each kind of [`KIND`], one after the other, a bit for each window of it.
    kinds: Vec<u64>,
    hash: u64,
}

/// A window that leaves the board.
const OFF: u8 = u8::MAX;

/// Numbers of stones of one side alone for which lists of windows are kept: threats are made of these.
const KEPT: std::ops::RangeInclusive<u8> = 2..=5;

/// Kinds of windows that lists are kept of.
const KINDS: usize = 2 * (*KEPT.end() - *KEPT.start() + 1) as usize;

/// Number of the list that windows of a count are on; [`KINDS`] for none.
const KIND: [u8; 256] = {
    let mut kinds = [KINDS as u8; 256];
    let mut stones = *KEPT.start();
    while stones <= *KEPT.end() {
        let kind = 2 * (stones - *KEPT.start());
        kinds[stones as usize] = kind;
        kinds[(stones << 4) as usize] = kind + 1;
        stones += 1;
    }
    kinds
};

/// One stone as it is counted.
fn one(color: Color) -> u8 {
    1 << (4 * color.index())
}

impl<R: LineRules> Windows<R> {
    /// Counts the windows of a position.
    pub fn of(position: &Position<R>) -> Windows<R> {
        let (size, area) = (position.size, position.size.area());
        let empty = [[0; Size::SIDE_MAX as usize]; 2];
        let mut windows = Windows {
            rules: position.rules.clone(),
            size,
            stones: empty,
            taken: [0; _],
            counts: vec![OFF; WAYS * area],
            kinds: vec![0; KINDS * (WAYS * area).div_ceil(64)],
            hash: 0,
        };
        for point in (0..area).map(Move::point) {
            for way in 0..WAYS {
                if windows.room(point, way).1 + 1 >= R::LENGTH {
                    windows.counts[way * area + usize::from(point.0)] = 0;
                }
            }
        }
        for point in 0..area {
            if let Some(color) = position.owner(point) {
                windows.put(color, Move::point(point));
            }
        }
        windows
    }

    /// The rules that it is played by.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// A hash of the stones.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns the change of [`Windows::hash`] by a stone of `color` on `point`, as a bitwise difference.
    pub fn hash_of(&self, color: Color, point: Move) -> u64 {
        stone_key(color, point)
    }

    /// Puts a stone on an empty point.
    pub fn put(&mut self, color: Color, point: Move) {
        debug_assert!(self.is_empty(point));
        self.turn(color, point);
        self.count_through(point, |count| count + one(color));
    }

    /// Takes a stone off again.
    pub fn take(&mut self, color: Color, point: Move) {
        self.turn(color, point);
        debug_assert!(self.is_empty(point));
        self.count_through(point, |count| count - one(color));
    }

    /// Shuts an empty point: nobody can play there, and no window through it can be filled.
    pub fn close(&mut self, point: Move) {
        debug_assert!(self.is_empty(point));
        self.switch(point);
        self.count_through(point, |count| count + one(Color::Black) + one(Color::White));
    }

    /// Opens a point that was shut.
    pub fn open(&mut self, point: Move) {
        self.switch(point);
        debug_assert!(self.is_empty(point));
        self.count_through(point, |count| count - one(Color::Black) - one(Color::White));
    }

    /// A point that is shut counts as one with a stone of both sides.
    fn switch(&mut self, point: Move) {
        self.taken[usize::from(point.0) / 64] ^= 1 << (point.0 % 64);
        self.hash ^= stone_key(Color::Black, point) ^ stone_key(Color::White, point);
    }

    fn turn(&mut self, color: Color, point: Move) {
        let (row, column) = self.row_and_column(point);
        self.stones[color.index()][row] ^= 1 << column;
        self.taken[usize::from(point.0) / 64] ^= 1 << (point.0 % 64);
        self.hash ^= stone_key(color, point);
    }

    fn row_and_column(&self, point: Move) -> (usize, usize) {
        let width = usize::from(self.size.width);
        (usize::from(point.0) / width, usize::from(point.0) % width)
    }

    /// Points behind and before `point` on its line, as far as the board goes.
    fn room(&self, point: Move, way: usize) -> (usize, usize) {
        let (row, column) = self.row_and_column(point);
        let up = row;
        let down = usize::from(self.size.height) - 1 - row;
        let left = column;
        let right = usize::from(self.size.width) - 1 - column;
        match DIRECTIONS[way] {
            (0, _) => (left, right),
            (_, 0) => (up, down),
            (_, 1) => (up.min(left), down.min(right)),
            _ => (up.min(right), down.min(left)),
        }
    }

    /// From a point to the next one of its line.
    fn step(&self, way: usize) -> usize {
        let (down, right) = DIRECTIONS[way];
        (down * isize::from(self.size.width) + right) as usize
    }

    /// The windows through a point, as indices.
    fn indices_through(&self, point: Move) -> impl Iterator<Item = usize> + use<R> {
        let (area, point_index) = (self.size.area(), usize::from(point.0));
        let ways: [_; WAYS] = std::array::from_fn(|way| (self.room(point, way), self.step(way)));
        ways.into_iter().enumerate().flat_map(move |(way, ((behind, before), step))| {
            let first = (R::LENGTH - 1).saturating_sub(before);
            let last = behind.min(R::LENGTH - 1);
            (first..=last).map(move |back| way * area + point_index - back * step)
        })
    }

    /// Counts the windows through a point anew, and puts each on the list where it belongs.
    #[inline(always)]
    fn count_through(&mut self, point: Move, new: impl Fn(u8) -> u8) {
        let (area, point_index) = (self.size.area(), usize::from(point.0));
        let words = self.words();
        for way in 0..WAYS {
            let ((behind, before), step) = (self.room(point, way), self.step(way));
            let last = behind.min(R::LENGTH - 1);
            for back in (R::LENGTH - 1).saturating_sub(before)..=last {
                let index = way * area + point_index - back * step;
                let count = &mut self.counts[index];
                let old = std::mem::replace(count, new(*count));
                for kind in [old, *count].map(|count| usize::from(KIND[usize::from(count)])) {
                    if kind < KINDS {
                        self.kinds[kind * words + index / 64] ^= 1 << (index % 64);
                    }
                }
            }
        }
    }

    /// Words of a list.
    fn words(&self) -> usize {
        self.counts.len().div_ceil(64)
    }

    /// The windows through a point.
    pub fn through(&self, point: Move) -> impl Iterator<Item = Window> + use<R> {
        self.indices_through(point).map(|index| Window(index as u16))
    }

    /// The windows that hold just so many stones of `color` and none of the other side: 2 to 5.
    ///
    /// # Panics
    /// For another number of stones.
    pub fn alone(&self, color: Color, stones: u8) -> impl Iterator<Item = Window> {
        let kind = usize::from(KIND[usize::from(one(color) * stones)]);
        assert!(kind < KINDS, "no list of windows with {stones} stones");
        let words = self.words();
        let list = self.kinds[kind * words..][..words].iter().enumerate();
        let some = |bits: u64| Some(bits).filter(|&bits| bits != 0);
        list.flat_map(move |(at, &word)| {
            let set = std::iter::successors(some(word), move |bits| some(bits & (bits - 1)));
            set.map(move |bits| Window((64 * at) as u16 + bits.trailing_zeros() as u16))
        })
    }

    /// Counts the windows with each number of stones of `color` and none of the other side.
    pub fn tally(&self, color: Color) -> [u32; 9] {
        let mut tally = [0; 9];
        for &count in &self.counts {
            if let Some(stones) = alone_in(count, color) {
                tally[usize::from(stones)] += 1;
            }
        }
        tally
    }

    /// The stones of `color` in a window that holds none of the other side's.
    pub fn stones_alone(&self, color: Color, window: Window) -> Option<u8> {
        alone_in(self.counts[usize::from(window.0)], color)
    }

    /// The points of a window.
    pub fn points(&self, window: Window) -> impl Iterator<Item = Move> + use<R> {
        let (area, index) = (self.size.area(), usize::from(window.0));
        let (way, first) = (index / area, index % area);
        let step = self.step(way);
        (0..R::LENGTH).map(move |n| Move::point(first + n * step))
    }

    /// The empty points of a window.
    pub fn empties(&self, window: Window) -> impl Iterator<Item = Move> {
        self.points(window).filter(|&point| self.is_empty(point))
    }

    /// The stones of both sides.
    pub fn stones(&self) -> &Stones {
        &self.stones
    }

    /// Tells whether nobody has a stone on a point of the board, and it is not shut.
    pub fn is_empty(&self, point: Move) -> bool {
        self.taken[usize::from(point.0) / 64] >> (point.0 % 64) & 1 == 0
    }

    /// Tells whether `color` may put a stone on a point of the board.
    pub fn allows(&self, color: Color, point: Move) -> bool {
        self.is_empty(point)
            && !(self.rules.forbids_points()
                && self.rules.forbids(&self.stones, color, self.row_and_column(point)))
    }

    /// Tells whether a stone of `color` on this empty point would win.
    pub fn wins_at(&self, color: Color, point: Move) -> bool {
        let (row, column) = self.row_and_column(point);
        let stones = &self.stones[color.index()];
        any_run_through(stones, row, column, |run| self.rules.wins(color, run))
    }

    /// Tells whether a stone of `color` on this empty point would win if it had one on `other` too.
    pub fn wins_with(&self, color: Color, other: Move, point: Move) -> bool {
        let (row, column) = self.row_and_column(other);
        let mut stones = self.stones[color.index()];
        stones[row] |= 1 << column;
        let (row, column) = self.row_and_column(point);
        any_run_through(&stones, row, column, |run| self.rules.wins(color, run))
    }
}

/// Stones of `color` in a window with this count, if none of the other side's are in it.
#[inline]
fn alone_in(count: u8, color: Color) -> Option<u8> {
    let (own, other) = match color {
        Color::Black => (count & 15, count >> 4),
        Color::White => (count >> 4, count & 15),
    };
    (other == 0).then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect6::{Connect6, Connect6Rules};
    use crate::game::Game;
    use crate::gomoku::{Gomoku, GomokuRules};
    use crate::rng::Rng;

    /// Windows one by one, as anybody would count them.
    fn counted_by_hand<R: LineRules>(position: &Position<R>) -> Vec<(Vec<Move>, [usize; 2])> {
        let (width, height) = (i32::from(position.size.width), i32::from(position.size.height));
        let mut all = Vec::new();
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            for start in 0..width * height {
                let (row, column) = (start / width, start % width);
                let at = |n: i32| (row + n * down, column + n * right);
                let (last_row, last_column) = at(R::LENGTH as i32 - 1);
                if last_row >= height || !(0..width).contains(&last_column) {
                    continue;
                }
                let points: Vec<Move> = (0..R::LENGTH as i32)
                    .map(|n| Move::point((at(n).0 * width + at(n).1) as usize))
                    .collect();
                let is = |point: &Move, color| position.stone(*point) == Some(color);
                let counts =
                    Color::BOTH.map(|color| points.iter().filter(|p| is(p, color)).count());
                all.push((points, counts));
            }
        }
        all
    }

    fn agrees<R: LineRules>(start: &Position<R>, rng: &mut Rng) {
        let mut position = start.clone();
        let mut windows = Windows::of(start);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        while !moves.is_empty() {
            let mv = moves[rng.below(moves.len() as u32) as usize];
            windows.put(position.side_to_move(), mv);
            position.play(mv);
            moves.clear();
            position.legal_moves(&mut moves);
        }
        let by_hand = counted_by_hand(&position);
        for color in Color::BOTH {
            let mut tally = [0; 9];
            for (points, counts) in &by_hand {
                if counts[(!color).index()] > 0 {
                    continue;
                }
                tally[counts[color.index()]] += 1;
                let stones = counts[color.index()] as u8;
                if !KEPT.contains(&stones) {
                    continue;
                }
                let found = windows.alone(color, stones);
                let same = |window: &Window| windows.points(*window).eq(points.iter().copied());
                assert_eq!(found.filter(same).count(), 1, "{points:?} in {position:?}");
            }
            assert_eq!(windows.tally(color), tally);
            for stones in KEPT {
                let count = windows.alone(color, stones).count();
                assert_eq!(count, tally[usize::from(stones)] as usize, "{position:?}");
            }
        }
        assert_eq!(windows.counts, Windows::of(&position).counts);
        assert_eq!(windows.kinds, Windows::of(&position).kinds);
        assert_eq!(windows.hash, Windows::of(&position).hash);
        for point in (0..position.size().area()).map(Move::point) {
            assert_eq!(windows.is_empty(point), position.stone(point).is_none(), "{position:?}");
        }
    }

    #[test]
    fn windows_are_counted_as_by_hand() {
        let mut rng = Rng::from_seed(4);
        for (width, height) in [(5, 7), (9, 6), (15, 15)] {
            let rules = GomokuRules::new(width, height, Default::default()).expect("a size");
            agrees(&Gomoku::new(&rules), &mut rng);
        }
        agrees(&Connect6::new(&Connect6Rules::new(8).expect("a size")), &mut rng);
    }

    #[test]
    fn a_shut_point_is_in_no_window_that_can_be_filled_until_it_is_opened() {
        let rules = GomokuRules::new(9, 7, Default::default()).expect("a size");
        let mut windows = Windows::of(&Gomoku::new(&rules));
        [0, 1, 3].into_iter().for_each(|at| windows.put(Color::Black, Move::point(at)));
        let before = windows.clone();
        windows.close(Move::point(2));
        assert!(!windows.is_empty(Move::point(2)) && windows.hash != before.hash);
        for color in Color::BOTH {
            assert!(
                windows.through(Move::point(2)).all(|it| windows.stones_alone(color, it).is_none())
            );
        }
        assert_eq!(windows.alone(Color::Black, 3).count(), 0);
        windows.open(Move::point(2));
        assert_eq!((&windows.counts, windows.hash), (&before.counts, before.hash));
        assert_eq!((windows.kinds, windows.taken), (before.kinds, before.taken));
    }

    #[test]
    fn a_stone_taken_back_leaves_nothing_behind() {
        let rules = GomokuRules::new(9, 7, Default::default()).expect("a size");
        let empty = Windows::of(&Gomoku::new(&rules));
        let mut windows = empty.clone();
        for point in [0, 31, 62] {
            windows.put(Color::White, Move::point(point));
            assert!(!windows.is_empty(Move::point(point)));
        }
        for point in [31, 0, 62] {
            windows.take(Color::White, Move::point(point));
        }
        assert_eq!((windows.counts, windows.hash), (empty.counts, empty.hash));
        assert_eq!(windows.kinds, empty.kinds);
    }
}

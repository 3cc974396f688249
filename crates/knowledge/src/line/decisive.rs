//! Playouts that win where they can, and stop a win where they must.
//!
//! A ply that completes a winning line is played at once (a decisive move); failing that, one on a line
//! that the other side would complete in its next turn (an anti-decisive move). All other plies are
//! uniform among the points that are not forbidden.
//!
//! What was forced says nothing of what a point is worth, and is no AMAF count: with it, playouts of
//! Connect6 play worse than uniform ones (docs/experiments/search.md).
//!
//! A line grows by one stone at a time, so those near completion are noticed when the stone is put that
//! brings them there. No other ply can win, so nobody looks for runs.
//!
//! # Source
//! Teytaud & Teytaud 2010, On the huge benefit of decisive moves in Monte-Carlo tree search algorithms.

use banyan_games::line::{LineRules, Position, Stones};
use banyan_games::sums::EndBits;
use banyan_games::{Color, Game, Move, Outcome, Rng, Size};
use banyan_kernels::rows::PADDING;

/// Rows of any board, as sums want them.
pub const ROWS: usize = 28 + PADDING;

/// Bits below the first point of a line and above its last, so that windows may hang over.
const MARGIN: usize = 8;

/// Lines of one direction at most: the diagonals of the largest board.
const LINES_MAX: usize = 2 * Size::SIDE_MAX as usize - 1;

/// Along a row, down a column, falling, rising.
const WAYS: usize = 4;

/// One word of bits for each line of each direction.
type Lines = [[u64; LINES_MAX]; WAYS];

/// Place of a point on the line of a direction.
#[derive(Clone, Copy, Debug)]
struct Place {
    line: u8,
    bit: u8,
}

impl Place {
    fn of(way: usize, (row, column): (usize, usize), width: usize) -> Place {
        let (line, bit) = match way {
            0 => (row, column),
            1 => (column, row),
            2 => (row + width - 1 - column, column),
            _ => (row + column, column),
        };
        Place { line: line as u8, bit: (bit + MARGIN) as u8 }
    }

    #[inline(always)]
    fn line_and_bit(self) -> (usize, usize) {
        (self.line.into(), self.bit.into())
    }
}

/// A window that lacks no more stones of a side than it plays in a turn.
#[derive(Clone, Copy, Debug)]
struct Threat {
    way: usize,
    line: usize,
    /// The window's lowest bit.
    low: usize,
}

/// A position made ready for playouts.
pub struct Start<'a, L: LineRules> {
    position: &'a Position<L>,
    /// By side.
    stones: [Lines; 2],
    /// Places that are no points of the board.
    walls: Lines,
    /// By point.
    places: Vec<[Place; WAYS]>,
    /// The empty points, ascending.
    empty: Vec<u16>,
    /// By side: lines it is about to complete.
    threats: [Vec<Threat>; 2],
}

/// One playout, with room for the next.
pub struct Playout<'a, L: LineRules> {
    start: &'a Start<'a, L>,
    stones: [Lines; 2],
    threats: [Vec<Threat>; 2],
    /// The points still empty, then those played, the last ply first.
    points: Vec<u16>,
    /// Place in `points` of each point that is empty at the start.
    index: Vec<u16>,
    /// Points still empty, count.
    left: usize,
    /// By side: the stones that nothing forced, in rows.
    free: [[u32; ROWS]; 2],
    /// The outcome.
    pub outcome: Outcome,
}

impl<'a, L: LineRules> Start<'a, L> {
    /// Makes any position ready.
    pub fn new(position: &'a Position<L>) -> Start<'a, L> {
        let area = position.size().area();
        let mut start = Start {
            position,
            stones: [[[0; LINES_MAX]; WAYS]; 2],
            walls: [[u64::MAX; LINES_MAX]; WAYS],
            places: Vec::with_capacity(area),
            empty: Vec::with_capacity(area),
            threats: [Vec::new(), Vec::new()],
        };
        for point in 0..area as u16 {
            let owner = position.stone(Move(point));
            if owner.is_none() {
                start.empty.push(point);
            }
            let spot = start.row_and_column(point);
            let places = std::array::from_fn(|way| Place::of(way, spot, start.width()));
            start.places.push(places);
            for (way, place) in places.into_iter().enumerate() {
                let (line, bit) = place.line_and_bit();
                start.walls[way][line] &= !(1 << bit);
                if let Some(color) = owner {
                    start.stones[color.index()][way][line] |= 1 << bit;
                }
            }
        }
        for side in 0..2 {
            start.threats[side] = start.threats_of(side);
        }
        start
    }

    #[inline]
    fn row_and_column(&self, point: u16) -> (usize, usize) {
        let (point, width) = (usize::from(point), self.width());
        (point / width, point % width)
    }

    #[inline]
    fn width(&self) -> usize {
        self.position.size().width.into()
    }

    /// Line and bit of a point in each direction.
    #[inline(always)]
    fn lines_of(&self, point: u16) -> impl Iterator<Item = (usize, (usize, usize))> {
        let places = self.places[usize::from(point)];
        places.into_iter().map(Place::line_and_bit).enumerate()
    }

    fn point(&self, way: usize, (line, bit): (usize, usize)) -> u16 {
        let bit = bit - MARGIN;
        let (row, column) = match way {
            0 => (line, bit),
            1 => (bit, line),
            2 => (line + bit + 1 - self.width(), bit),
            _ => (line - bit, bit),
        };
        (row * self.width() + column) as u16
    }

    /// Every window of the board that is a threat.
    fn threats_of(&self, side: usize) -> Vec<Threat> {
        let mut threats = Vec::new();
        for way in 0..WAYS {
            for line in 0..LINES_MAX {
                let own = self.stones[side][way][line];
                if own.count_ones() + u32::from(L::STONES_A_TURN) < L::LENGTH as u32 {
                    continue;
                }
                let closed = self.stones[1 - side][way][line] | self.walls[way][line];
                let lows = MARGIN..MARGIN + usize::from(Size::SIDE_MAX);
                let is_threat = |low: &usize| {
                    let window = window::<L>(*low);
                    closed & window == 0
                        && (window & !own).count_ones() <= u32::from(L::STONES_A_TURN)
                };
                threats.extend(lows.filter(is_threat).map(|low| Threat { way, line, low }));
            }
        }
        threats
    }
}

/// The points of a window that begins at this bit.
#[inline(always)]
const fn window<L: LineRules>(low: usize) -> u64 {
    ((1 << L::LENGTH) - 1) << low
}

impl<'a, L: LineRules> Playout<'a, L> {
    /// Room for playouts from there.
    pub fn new(start: &'a Start<'a, L>) -> Self {
        let area = start.position.size().area();
        Playout {
            start,
            stones: start.stones,
            threats: [Vec::new(), Vec::new()],
            points: Vec::with_capacity(area),
            index: vec![0; area],
            left: 0,
            free: [[0; ROWS]; 2],
            outcome: Outcome::DRAW,
        }
    }

    /// Plays to the end.
    pub fn run(&mut self, rng: &mut Rng) {
        self.stones = self.start.stones;
        self.threats.clone_from(&self.start.threats);
        self.points.clone_from(&self.start.empty);
        for (index, &point) in self.points.iter().enumerate() {
            self.index[usize::from(point)] = index as u16;
        }
        self.left = self.points.len();
        self.free = [[0; ROWS]; 2];
        self.outcome = Outcome::DRAW;
        if let Some(outcome) = self.start.position.outcome() {
            self.outcome = outcome;
            return;
        }
        let turn = usize::from(L::STONES_A_TURN);
        let mut clock = usize::from(self.start.position.clock());
        while self.left > 0 {
            let side = clock / turn;
            let stones_left = (turn - clock % turn) as u32;
            if let Some(point) = self.winning(side, stones_left) {
                self.put(side, point);
                if self.has_won(side, point) {
                    self.outcome = Outcome::win(Color::BOTH[side]);
                    return;
                }
            } else {
                let stop = self.stopping(side, rng);
                let Some(point) = stop.or_else(|| self.any(side, rng)) else { return };
                self.put(side, point);
                if stop.is_none() {
                    let (row, column) = self.start.row_and_column(point);
                    self.free[side][row] |= 1 << column;
                }
            }
            clock = (clock + 1) % (2 * turn);
        }
    }

    /// The points of each ply, in order.
    pub fn played(&self) -> impl Iterator<Item = u16> {
        self.points[self.left..].iter().rev().copied()
    }

    /// Plies it took.
    pub fn plies(&self) -> u32 {
        (self.points.len() - self.left) as u32
    }

    /// Tells whether nothing forced the stone that `side` put there.
    pub fn is_free(&self, side: Color, point: Move) -> bool {
        let (row, column) = self.start.row_and_column(point.0);
        self.free[side.index()][row] >> column & 1 == 1
    }

    /// Stones that the playout put on the board of its own will, and all that stand there.
    pub fn end_bits(&self) -> EndBits<u32, ROWS> {
        let rows = |lines: &Lines| {
            let row = |row: usize| lines[0].get(row).map_or(0, |bits| (bits >> MARGIN) as u32);
            std::array::from_fn::<u32, ROWS, _>(row)
        };
        let held = [0, 1].map(|side| rows(&self.stones[side]));
        EndBits { first: self.free, held }
    }

    /// The empty points of a threat, or nothing where the other side has a stone in it.
    fn open(&self, side: usize, Threat { way, line, low }: Threat) -> Option<u64> {
        let window = window::<L>(low);
        let is_stopped = self.stones[1 - side][way][line] & window != 0;
        (!is_stopped).then_some(window & !self.stones[side][way][line]).filter(|&open| open != 0)
    }

    /// A point that wins, or the first of several on the way to a win in this turn.
    fn winning(&mut self, side: usize, stones_left: u32) -> Option<u16> {
        self.find_threat(side, |playout, threat, open| {
            (open.count_ones() <= stones_left).then(|| playout.first_of(threat, open))
        })
    }

    /// A point on a line that the other side would complete; nothing where it is closed to `side`.
    fn stopping(&mut self, side: usize, rng: &mut Rng) -> Option<u16> {
        self.find_threat(1 - side, |playout, threat, open| {
            let point = playout.one_of(threat, open, rng);
            (!playout.is_closed(side, point)).then_some(point)
        })
    }

    /// The result of `pick` for the newest threat of a side that it wants, given what is empty of it.
    /// Threats that are stopped are forgotten on the way.
    #[inline(always)]
    fn find_threat(
        &mut self,
        side: usize,
        mut pick: impl FnMut(&Self, Threat, u64) -> Option<u16>,
    ) -> Option<u16> {
        for at in (0..self.threats[side].len()).rev() {
            let threat = self.threats[side][at];
            let open = self.open(side, threat).filter(|&open| self.is_worth(side, threat, open));
            match open.map(|open| pick(self, threat, open)) {
                Some(None) => {}
                Some(found) => return found,
                None => drop(self.threats[side].swap_remove(at)),
            }
        }
        None
    }

    /// Tells whether the last stone of a line would win, and not make it too long.
    fn is_worth(&self, side: usize, threat: Threat, open: u64) -> bool {
        L::STONES_A_TURN > 1
            || self.start.position.rules().overline_wins(Color::BOTH[side])
            || self.has_won(side, self.first_of(threat, open))
    }

    fn first_of(&self, Threat { way, line, .. }: Threat, open: u64) -> u16 {
        self.start.point(way, (line, open.trailing_zeros() as usize))
    }

    fn one_of(&self, threat: Threat, open: u64, rng: &mut Rng) -> u16 {
        let skipped = match open.count_ones() {
            1 => 0,
            several => rng.below(several),
        };
        self.first_of(threat, (0..skipped).fold(open, |open, _| open & (open - 1)))
    }

    /// A uniformly random point that `side` may play.
    fn any(&mut self, side: usize, rng: &mut Rng) -> Option<u16> {
        for untried in (1..=self.left).rev() {
            let chosen = rng.below(untried as u32) as usize;
            let point = self.points[chosen];
            if !self.is_closed(side, point) {
                return Some(point);
            }
            self.swap(chosen, untried - 1);
        }
        None
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.points.swap(one, other);
        self.index[usize::from(self.points[one])] = one as u16;
        self.index[usize::from(self.points[other])] = other as u16;
    }

    /// Tells whether a stone of `side` on this point, which counts as set, is part of a winning run.
    fn has_won(&self, side: usize, point: u16) -> bool {
        self.start.lines_of(point).any(|(way, (line, bit))| {
            let stones = self.stones[side][way][line] | 1 << bit;
            let up = (!(stones >> bit)).trailing_zeros();
            let down = (!(stones << (63 - bit))).leading_zeros();
            self.start.position.rules().wins(Color::BOTH[side], (up + down - 1) as usize)
        })
    }

    /// Puts a stone on an empty point, and notes the windows that it makes threats.
    fn put(&mut self, side: usize, point: u16) {
        self.swap(self.index[usize::from(point)].into(), self.left - 1);
        self.left -= 1;
        for (way, (line, bit)) in self.start.lines_of(point) {
            self.stones[side][way][line] |= 1 << bit;
            let own = self.stones[side][way][line];
            let around = ((1 << (2 * L::LENGTH - 1)) - 1) << (bit + 1 - L::LENGTH);
            let wanted = L::LENGTH as u32 - u32::from(L::STONES_A_TURN);
            if (own & around).count_ones() < wanted {
                continue;
            }
            let closed = self.stones[1 - side][way][line] | self.start.walls[way][line];
            for low in bit + 1 - L::LENGTH..=bit {
                let window = window::<L>(low);
                if closed & window == 0 && (own & window).count_ones() == wanted {
                    self.threats[side].push(Threat { way, line, low });
                }
            }
        }
    }

    /// Tells whether an empty point is closed to `side`.
    fn is_closed(&self, side: usize, point: u16) -> bool {
        let rules = self.start.position.rules();
        let color = Color::BOTH[side];
        rules.forbids_points()
            && self.may_be_forbidden(side, point)
            && rules.forbids(&self.rows(), color, self.start.row_and_column(point))
    }

    /// Tells whether the point has two lines that could be threes or one that could be two fours: a cheap
    /// look before a dear one.
    fn may_be_forbidden(&self, side: usize, point: u16) -> bool {
        let mut threes = 0;
        for (way, (line, bit)) in self.start.lines_of(point) {
            let own = self.stones[side][way][line];
            let closed = self.stones[1 - side][way][line] | self.start.walls[way][line];
            let most = (bit + 1 - L::LENGTH..=bit).map(window::<L>);
            let most = most.filter(|window| closed & window == 0);
            match most.map(|window| (own & window).count_ones()).max() {
                Some(3..) => return true,
                Some(2) => threes += 1,
                _ => {}
            }
        }
        threes >= 2
    }

    fn rows(&self) -> Stones {
        [0, 1].map(|side| std::array::from_fn(|row| (self.stones[side][0][row] >> MARGIN) as u32))
    }
}

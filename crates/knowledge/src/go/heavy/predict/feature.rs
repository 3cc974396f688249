//! Features that speak for or against a move of a good player: small tactics, distances, and the stones
//! around.

use super::super::board::{Board, Chain};
use super::super::pattern;
use super::super::tactics::Answers;
use super::super::weights::Factor;
use super::shape::{self, Grid};
use crate::go::ladder::Ladder;
use banyan_games::Game as _;
use banyan_games::go::Go;
use banyan_games::types::{Color, Move};
use banyan_kernels::bits::Bits;

/// Distances from this on are the same.
const FAR: u32 = 16;

/// Lines from the edge that are told apart.
const LINES: usize = 5;

/// Parts of a game by stones on the board, in hundredths of its points.
const PHASES: [usize; 2] = [12, 35];

/// Liberties from this on are the same.
const BREATH_MAX: u32 = 5;

macro_rules! kinds {
    ($($name:ident $text:literal $meaning:literal,)*) => {
        /// A kind of feature. A move has at most a few of each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub(super) enum Kind {
            $(#[doc = $meaning] $name,)*
        }

        /// Kinds with their names, in their order.
        pub(super) const KINDS: &[(Kind, &str)] = &[$((Kind::$name, $text),)*];
    };
}

kinds! {
    Pass "pass" "A pass: the part of the game, 3 more after a pass.",
    Capture "capture" "Takes a chain: its size (1, 2, more), 3 more next to an own chain in atari, 6 more if the last stone is in it.",
    Ko "ko" "Takes a stone in a ko.",
    Escape "escape" "From atari: to one liberty, into a ladder, to two, to more; 4 more for a chain of two or more, 8 more if the last stone did it.",
    Atari "atari" "On a chain of two liberties: unsafe itself, one that catches, one that does not; 3 more for a chain of two or more, 6 more if the last stone is in it.",
    Defend "defend" "Of a chain that could be caught: liberties afterwards (two, more), 2 more for a chain of two or more.",
    Press "press" "Leaves a chain two liberties: its size (1, 2, more).",
    Breath "breath" "Liberties afterwards, if no self-atari.",
    SelfAtari "self-atari" "Leaves one liberty: thrown in, alone, in a shape that kills, otherwise.",
    Vital "vital" "The vital point of a small eye space next to the last stone.",
    Race "race" "A liberty of a foe that has no more of them than a chain next to the last stone.",
    EyeSpace "eye-space" "Fills a small eye space that one own chain encloses.",
    Last "last" "Distance to the last stone; 0 without.",
    Before "before" "Distance to the own stone before it; 0 without.",
    Line "line" "Line from the edge, 5 more for each part of the game.",
    Tight "tight" "The eight points around, with liberties of the chains next to it (1, 2, 3 and more).",
    Shape8 "shape8" "The eight points around.",
    Shape12 "shape12" "Twelve points around.",
    Shape20 "shape20" "Twenty points around.",
    Shape28 "shape28" "Twenty-eight points around.",
}

const SHAPES: [Kind; shape::SIZES.len()] =
    [Kind::Shape8, Kind::Shape12, Kind::Shape20, Kind::Shape28];

/// One thing that speaks for or against a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Feature(u64);

impl Feature {
    /// Bits of the code below the kind.
    const CODE_BITS: u32 = 56;

    #[inline(always)]
    pub(super) fn new(kind: Kind, code: u64) -> Feature {
        Feature((kind as u64) << Self::CODE_BITS | code)
    }

    pub(super) fn kind(self) -> Kind {
        KINDS[(self.0 >> Self::CODE_BITS) as usize].0
    }

    pub(super) fn code(self) -> u64 {
        self.0 & ((1 << Self::CODE_BITS) - 1)
    }

    /// Tells whether it is one of many, of which a table leaves out those that were seldom seen.
    pub fn is_shape(self) -> bool {
        self.kind() as u8 >= Kind::Tight as u8
    }

    /// Reads what [`std::fmt::Display`] writes; nothing for what is none.
    pub(super) fn parse(text: &str) -> Option<Feature> {
        let (name, code) = text.split_once(' ')?;
        let &(kind, _) = KINDS.iter().find(|(_, known)| *known == name)?;
        let code = match SHAPES.iter().position(|&shape| shape == kind) {
            Some(size) => shape::parse(code, shape::SIZES[size])?,
            None if kind == Kind::Tight => u64::from_str_radix(code, 8).ok()?,
            None => code.parse().ok()?,
        };
        (code < 1 << Self::CODE_BITS).then(|| Feature::new(kind, code))
    }
}

impl std::fmt::Display for Feature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (kind, name) = KINDS[self.kind() as usize];
        match SHAPES.iter().position(|&shape| shape == kind) {
            Some(size) => {
                write!(f, "{name} {}", shape::drawing(self.code(), shape::SIZES[size]))
            }
            None if kind == Kind::Tight => write!(f, "{name} {:o}", self.code()),
            None => write!(f, "{name} {}", self.code()),
        }
    }
}

/// A position to be looked at, with what is the same for all its moves.
pub(super) struct View<const W: usize, const N: usize> {
    board: Board<W, N>,
    side: Color,
    grid: Grid,
    answers: Answers,
    /// The own stone before the last one.
    before: Option<usize>,
    /// Points where an atari catches a foe.
    catches: Bits<W>,
    /// Own chains of two liberties that an atari would catch.
    hunted: Bits<W>,
    /// Own chains in atari that cannot run.
    lost: Bits<W>,
    phase: u64,
    after_pass: bool,
}

impl<const W: usize, const N: usize> View<W, N> {
    #[inline(always)]
    pub(super) fn new(game: &Go) -> View<W, N> {
        let (board, side) = (Board::<W, N>::new(game), game.side_to_move());
        let mut grid = Grid::new(game.layout());
        for (color, what) in [(side, shape::OWN), (!side, shape::FOE)] {
            for v in board.stones[color.index()].iter() {
                grid.put(board.point(v), what);
            }
        }
        let answers = board.answers(side);
        let stones = (board.stones[0] | board.stones[1]).len() as usize;
        let hundredths = 100 * stones / game.layout().area();
        let phase = PHASES.iter().filter(|&&end| hundredths >= end).count() as u64;
        let mut view = View {
            before: game.before().map(|bit| board.vertex(game.layout().point(bit))),
            board,
            side,
            grid,
            answers,
            catches: Bits::EMPTY,
            hunted: Bits::EMPTY,
            lost: Bits::EMPTY,
            phase,
            after_pass: game.passes() > 0,
        };
        view.read_ladders();
        view
    }

    #[inline(always)]
    fn read_ladders(&mut self) {
        let board = &self.board;
        let all = board.stones[0] | board.stones[1];
        let mut ladder = Ladder::new(board.stones, board.empty | all, board.stride());
        let mut left = all;
        while let Some(stone) = left.lowest() {
            let chain = board.chain(stone);
            left = left.minus(chain.stones);
            let is_own = board.stones[self.side.index()].contains(stone);
            match (chain.breath, is_own) {
                (1, true) if ladder.is_caught(self.side, chain.stones) => self.lost |= chain.stones,
                (2, true) if !ladder.catches(self.side, chain.stones).is_empty() => {
                    self.hunted |= chain.stones;
                }
                (2, false) => self.catches |= ladder.catches(!self.side, chain.stones),
                _ => {}
            }
        }
    }

    /// Shows every feature of a move, shapes last and from the smallest, to `see`, which says whether it
    /// knows it: a shape is looked for only where the one inside it is known.
    #[inline(always)]
    pub(super) fn features(&self, mv: Move, mut see: impl FnMut(Feature) -> bool) {
        let Some(point) = mv.index() else {
            let code = self.phase + 3 * u64::from(self.after_pass);
            see(Feature::new(Kind::Pass, code));
            return;
        };
        // Whoever sends a tree may name any move.
        let on_board = (point < self.board.layout.area()).then(|| self.board.vertex(point));
        let Some(v) = on_board.filter(|&v| self.board.empty.contains(v)) else { return };
        let mut see = |kind, code: usize| see(Feature::new(kind, code as u64));
        let mut tell = |kind, code| _ = see(kind, code);
        self.distances(v, point, &mut tell);
        self.tactics(v, &mut tell);
        tell(Kind::Tight, self.tight(v) as usize);
        self.grid.shapes(point, |size, code| see(SHAPES[size], code as usize));
    }

    /// Tells whether a move reads as bad: a self-atari of several stones that wins nothing, a stone for a chain in
    /// atari that is lost all the same, or one in an own eye space where it decides nothing.
    ///
    /// What takes a stone or catches one is never bad, nor is a stone thrown in, a single one, or a shape that
    /// kills: local fights are decided by these.
    pub(super) fn is_bad(&self, mv: Move) -> bool {
        let on_board = mv.index().filter(|&point| point < self.board.layout.area());
        let v = on_board.map(|point| self.board.vertex(point));
        let Some(v) = v.filter(|&v| self.board.empty.contains(v)) else { return false };
        let (mut is_bad, mut wins) = (false, false);
        self.tactics(v, &mut |kind, code| match (kind, code) {
            (Kind::SelfAtari, 3) | (Kind::EyeSpace, _) => is_bad = true,
            // To one liberty, or into a ladder.
            (Kind::Escape, code) if code % 4 < 2 => is_bad = true,
            (Kind::Capture | Kind::Ko | Kind::Vital, _) => wins = true,
            // An atari by a stone that is not in atari itself.
            (Kind::Atari, code) if code % 3 > 0 => wins = true,
            _ => {}
        });
        is_bad && !wins
    }

    #[inline(always)]
    fn distances(&self, v: usize, point: usize, see: &mut impl FnMut(Kind, usize)) {
        let side = self.board.layout.side();
        let (row, column) = (point / side, point % side);
        let line = row.min(column).min(side - 1 - row).min(side - 1 - column).min(LINES - 1);
        see(Kind::Line, line + LINES * self.phase as usize);
        see(Kind::Last, self.distance(self.board.last, v));
        see(Kind::Before, self.distance(self.before, v));
    }

    /// |x| + |y| + max(|x|, |y|), 0 without a stone.
    #[inline(always)]
    fn distance(&self, from: Option<usize>, to: usize) -> usize {
        let Some(from) = from else { return 0 };
        let side = self.board.layout.side();
        let [from, to] = [from, to].map(|v| self.board.point(v));
        let x = (from % side).abs_diff(to % side) as u32;
        let y = (from / side).abs_diff(to / side) as u32;
        (x + y + x.max(y)).min(FAR) as usize
    }

    #[inline(always)]
    fn tactics(&self, v: usize, see: &mut impl FnMut(Kind, usize)) {
        let board = &self.board;
        let after = board.after(self.side, v).0.len();
        let mut seen = Bits::<W>::EMPTY;
        let mut taken = 0;
        for (near, what) in board.near(v) {
            let is_stone = what == pattern::OWN || what == pattern::FOE;
            if !is_stone || seen.contains(near) {
                continue;
            }
            let chain = board.chain(near);
            seen |= chain.stones;
            if what == pattern::stone(self.side) {
                self.own(chain, v, after, see);
            } else {
                taken += usize::from(chain.size) * usize::from(chain.is_in_atari());
                self.foe(chain, v, after, see);
            }
        }
        if taken == 1 && after == 1 {
            see(Kind::Ko, 0);
        }
        match board.self_atari(self.side, v) {
            Some(Factor::ThrowIn) => see(Kind::SelfAtari, 0),
            Some(Factor::SelfAtariOne) => see(Kind::SelfAtari, 1),
            Some(Factor::SelfAtariShape) => see(Kind::SelfAtari, 2),
            Some(_) => see(Kind::SelfAtari, 3),
            None => see(Kind::Breath, after.min(BREATH_MAX) as usize),
        }
        if board.fills_own_eye(self.side, v) {
            see(Kind::EyeSpace, 0);
        }
        for &(at, factor) in self.answers.all() {
            match factor {
                Factor::Nakade if usize::from(at) == v => see(Kind::Vital, 0),
                Factor::Race if usize::from(at) == v => see(Kind::Race, 0),
                _ => {}
            }
        }
    }

    /// The effect of a stone on an own chain next to it.
    #[inline(always)]
    fn own(&self, chain: &Chain<W>, v: usize, after: u32, see: &mut impl FnMut(Kind, usize)) {
        let is_long = usize::from(chain.size > 1);
        match chain.breath {
            1 => {
                let way = match after {
                    0 | 1 => 0,
                    _ if self.lost.intersects(chain.stones) => 1,
                    2 => 2,
                    _ => 3,
                };
                let by_last = self.board.last.is_some_and(|last| {
                    Bits::one(last).neighbours(self.board.stride()).intersects(chain.stones)
                });
                see(Kind::Escape, way + 4 * is_long + 8 * usize::from(by_last));
            }
            2 if self.hunted.intersects(chain.stones) && chain.liberties.contains(v) => {
                see(Kind::Defend, usize::from(after > 2) + 2 * is_long);
            }
            _ => {}
        }
    }

    /// The effect of a stone on a foe next to it.
    #[inline(always)]
    fn foe(&self, chain: &Chain<W>, v: usize, after: u32, see: &mut impl FnMut(Kind, usize)) {
        let size = usize::from(chain.size.min(3)) - 1;
        let is_last = self.board.last.is_some_and(|last| chain.stones.contains(last));
        match chain.breath {
            1 => {
                let around = chain.stones.neighbours(self.board.stride())
                    & self.board.stones[self.side.index()];
                let saves = around.iter().any(|own| self.board.chain(own).is_in_atari());
                see(Kind::Capture, size + 3 * usize::from(saves) + 6 * usize::from(is_last));
            }
            2 => {
                let way = match after {
                    0 | 1 => 0,
                    _ if self.catches.contains(v) => 1,
                    _ => 2,
                };
                see(Kind::Atari, way + 3 * usize::from(size > 0) + 6 * usize::from(is_last));
            }
            3 => see(Kind::Press, size),
            _ => {}
        }
    }

    /// The eight points around, three bits for those next to it: how many liberties the chains there have.
    #[inline(always)]
    fn tight(&self, v: usize) -> u64 {
        let around = self.board.around(v);
        let code = pattern::seen_by(self.side, self.board.code(v));
        let mut whats = [0u64; pattern::AROUND];
        for (place, what) in whats.iter_mut().enumerate() {
            let seen = pattern::at(code, place);
            let is_next = pattern::ORTHOGONAL.contains(&place);
            let breath = |of: usize| u64::from(self.board.chain(of).breath.min(3));
            *what = match seen {
                pattern::OWN if is_next => breath(around[place]),
                pattern::FOE if is_next => 3 + breath(around[place]),
                pattern::OFF => 7,
                seen => u64::from(seen),
            };
        }
        let mut least = u64::MAX;
        for from in &pattern::TURNS {
            let mut code = 0;
            for &place in from {
                code = code << 3 | whats[place];
            }
            least = least.min(code);
        }
        least
    }
}

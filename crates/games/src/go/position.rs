//! A position of Go: stones as two sets of points, the simple ko, and the rules that need no history.
//!
//! Superko is the business of [`crate::Record`]; playouts have their own file.

use super::chains::Sides;
use super::rules::GoRules;
use crate::rng::mix;
use crate::types::{Color, Margin, Move, Outcome};
use banyan_kernels::bits::{Bits, Layout, WORDS_MAX};
use banyan_kernels::in_words;

/// Points of any board.
pub type Points = Bits<WORDS_MAX>;

/// A position of Go.
///
/// A side may play twice in a row after [`crate::Game::set_side_to_move`]; that ends a simple ko, and a
/// pass before it no longer counts towards the two that end the game.
#[derive(Clone, Debug)]
pub struct Go {
    pub(super) rules: GoRules,
    pub(super) layout: Layout,
    pub(super) stones: [Points; 2],
    pub(super) side: Color,
    /// The bit that the side to move may not retake at once.
    pub(super) ko: Option<u16>,
    /// The bit of the stone that the other side has just played.
    pub(super) last: Option<u16>,
    /// The bit of the side's own stone before that.
    pub(super) before: Option<u16>,
    /// Passes since the last stone; two end the game.
    pub(super) passes: u8,
    pub(super) stones_hash: u64,
}

impl Go {
    /// A position without a stone, Black to move.
    pub(super) fn empty_board(rules: &GoRules) -> Go {
        Go {
            rules: rules.clone(),
            layout: Layout::new(rules.size()),
            stones: [Points::EMPTY; 2],
            side: Color::Black,
            ko: None,
            last: None,
            before: None,
            passes: 0,
            stones_hash: 0,
        }
    }

    /// Returns the layout of the points in the bits of sets.
    #[inline]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Black's and White's stones.
    #[inline]
    pub fn stones(&self) -> &[Points; 2] {
        &self.stones
    }

    /// The bit that the side to move may not retake at once.
    #[inline]
    pub fn ko(&self) -> Option<usize> {
        self.ko.map(usize::from)
    }

    /// The bit of the stone that the other side has just played.
    #[inline]
    pub fn last(&self) -> Option<usize> {
        self.last.map(usize::from)
    }

    /// The bit of the side's own stone before that.
    #[inline]
    pub fn before(&self) -> Option<usize> {
        self.before.map(usize::from)
    }

    /// Passes since the last stone; two end the game.
    #[inline]
    pub fn passes(&self) -> u32 {
        self.passes.into()
    }

    pub(super) fn full(&self) -> Points {
        *self.layout.full()
    }

    pub(super) fn empty(&self) -> Points {
        self.full().minus(self.stones[0] | self.stones[1])
    }

    pub(super) fn neighbours(&self, set: Points) -> Points {
        set.neighbours(self.layout.stride()) & self.full()
    }

    /// The stones of `color` that hang together with those in `seed`.
    pub(super) fn chain(&self, color: Color, seed: Points) -> Points {
        (seed & self.stones[color.index()]).flood(self.stones[color.index()], self.layout.stride())
    }

    /// The board in as many words as it needs.
    fn sides<const W: usize>(&self) -> Sides<W> {
        Sides {
            own: self.stones[self.side.index()].narrow(),
            foe: self.stones[(!self.side).index()].narrow(),
            full: self.full().narrow(),
            stride: self.layout.stride(),
        }
    }

    /// The enemy stones that a stone of the side to move on the empty `bit` would take.
    fn captured_by(&self, bit: usize) -> Points {
        in_words!(self.layout, W => self.sides::<W>().captured_by(bit).widen())
    }

    /// Tells whether a stone of the side to move on the empty `bit` would be left without a liberty.
    fn is_suicide(&self, bit: usize) -> bool {
        in_words!(self.layout, W => self.sides::<W>().is_suicide(bit))
    }

    /// The points where the side to move may put a stone, as far as this position knows.
    pub(super) fn playable(&self) -> Points {
        let playable = in_words!(self.layout, W => self.sides::<W>().playable().widen());
        playable.minus(self.ko.map_or(Points::EMPTY, |bit| Bits::one(usize::from(bit))))
    }

    pub(super) fn is_legal_stone(&self, bit: usize) -> bool {
        self.ko != Some(bit as u16) && self.empty().contains(bit) && !self.is_suicide(bit)
    }

    /// The empty points that are one-point eyes of the side to move.
    ///
    /// All neighbours are its own stones, and the enemy holds at most one diagonal point, or none
    /// on the edge.
    pub(super) fn eyes(&self) -> Points {
        let foe = self.stones[(!self.side).index()];
        let empty = self.empty();
        let stride = self.layout.stride();
        let (a, b) = (foe.up(stride - 1), foe.up(stride + 1));
        let (c, d) = (foe.down(stride - 1), foe.down(stride + 1));
        let one = a | b | c | d;
        let two = (a & b) | (c & d) | ((a | b) & (c | d));
        let broken = two | (one & *self.layout.edge());
        empty.minus((foe | empty).neighbours(stride)).minus(broken)
    }

    pub(super) fn put(&mut self, color: Color, bit: usize) {
        self.stones[color.index()] |= Bits::one(bit);
        self.stones_hash ^= stone_key(color, bit);
    }

    fn take(&mut self, color: Color, taken: Points) {
        self.stones[color.index()] = self.stones[color.index()].minus(taken);
        for bit in taken.iter() {
            self.stones_hash ^= stone_key(color, bit);
        }
    }

    pub(super) fn play_stone(&mut self, bit: usize) {
        let captured = self.captured_by(bit);
        self.put(self.side, bit);
        self.take(!self.side, captured);
        let open = self.neighbours(Bits::one(bit)).minus(self.stones[(!self.side).index()]);
        self.ko = (captured.len() == 1 && open == captured)
            .then(|| captured.iter().next().expect("one stone") as u16);
        self.before = self.last.replace(bit as u16);
        self.passes = 0;
    }

    /// The points that each side holds: its stones, and the empty regions that reach it alone.
    fn areas(&self) -> [Points; 2] {
        let empty = self.empty();
        let stride = self.layout.stride();
        let reached =
            self.stones.map(|stones| (stones.neighbours(stride) & empty).flood(empty, stride));
        [
            self.stones[0] | reached[0].minus(reached[1]),
            self.stones[1] | reached[1].minus(reached[0]),
        ]
    }

    /// Area score of the board as it stands, minus komi.
    pub(super) fn score(&self) -> Outcome {
        let [black, white] = self.areas();
        let difference = black.len() as i32 - white.len() as i32;
        Outcome { margin: Margin(2 * difference - i32::from(self.rules.komi())) }
    }

    /// The bit of a move on the board; nothing for a pass and for what is outside.
    pub(super) fn bit(&self, mv: Move) -> Option<usize> {
        mv.index().filter(|&point| point < self.layout.area()).map(|point| self.layout.bit(point))
    }

    /// Returns a hash of the stones, the side to move and a simple ko.
    pub(super) fn whole_hash(&self) -> u64 {
        let side = [0, SIDE_KEY][self.side.index()];
        let ko = self.ko.map_or(0, |bit| mix(KO_SALT + u64::from(bit)));
        self.stones_hash ^ side ^ ko
    }

    pub(super) fn is_over(&self) -> bool {
        self.passes >= 2
    }

    pub(super) fn push_moves(&self, set: Points, moves: &mut Vec<Move>) {
        moves.extend(set.iter().map(|bit| Move::point(self.layout.point(bit))));
        moves.push(Move::PASS);
    }
}

const SIDE_KEY: u64 = mix(1);
/// Far above every number that [`stone_key`] scrambles.
const KO_SALT: u64 = 1 << 32;

fn stone_key(color: Color, bit: usize) -> u64 {
    mix(2 + 2 * bit as u64 + color.index() as u64)
}

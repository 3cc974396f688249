//! A position of Go: stones as two sets of points, the simple ko, and the rules that need no history.
//!
//! Superko is the business of [`crate::Record`]; playouts have their own file.

use super::chains::Sides;
use super::{GoRules, handicap};
use crate::counts::{Counts, Observer};
use crate::game::{Game, Leaf, Policy, SetupError, WrongSide};
use crate::kind::Kind;
use crate::notation::Notation;
use crate::rng::{Rng, mix};
use crate::types::{Color, Margin, Move, Outcome, Size};
use banyan_kernels::bits::{Bits, Layout, WORDS_MAX};
use banyan_kernels::in_words;

/// Points of any board.
pub(super) type Points = Bits<WORDS_MAX>;

/// A position of Go.
///
/// A side may play twice in a row after [`Game::set_side_to_move`]; that ends a simple ko, and a
/// pass before it no longer counts towards the two that end the game.
#[derive(Clone, Debug)]
pub struct Go {
    rules: GoRules,
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
    stones_hash: u64,
}

impl Go {
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

    /// Whether a stone of the side to move on the empty `bit` would be left without a liberty.
    fn is_suicide(&self, bit: usize) -> bool {
        in_words!(self.layout, W => self.sides::<W>().is_suicide(bit))
    }

    /// The points where the side to move may put a stone, as far as this position knows.
    pub(super) fn playable(&self) -> Points {
        let playable = in_words!(self.layout, W => self.sides::<W>().playable().widen());
        playable.minus(self.ko.map_or(Points::EMPTY, |bit| Bits::one(usize::from(bit))))
    }

    fn is_legal_stone(&self, bit: usize) -> bool {
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

    fn put(&mut self, color: Color, bit: usize) {
        self.stones[color.index()] |= Bits::one(bit);
        self.stones_hash ^= stone_key(color, bit);
    }

    fn take(&mut self, color: Color, taken: Points) {
        self.stones[color.index()] = self.stones[color.index()].minus(taken);
        for bit in taken.iter() {
            self.stones_hash ^= stone_key(color, bit);
        }
    }

    fn play_stone(&mut self, bit: usize) {
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
    fn score(&self) -> Outcome {
        let [black, white] = self.areas();
        let difference = black.len() as i32 - white.len() as i32;
        Outcome { margin: Margin(2 * difference - i32::from(self.rules.komi())) }
    }

    /// The bit of a move on the board; nothing for a pass and for what is outside.
    pub(super) fn bit(&self, mv: Move) -> Option<usize> {
        mv.index().filter(|&point| point < self.layout.area()).map(|point| self.layout.bit(point))
    }

    fn is_over(&self) -> bool {
        self.passes >= 2
    }

    fn push_moves(&self, set: Points, moves: &mut Vec<Move>) {
        moves.extend(set.iter().map(|bit| Move::point(self.layout.point(bit))));
        moves.push(Move::PASS);
    }
}

impl Game for Go {
    type Rules = GoRules;

    const KIND: Kind = Kind::Go;
    const NOTATION: Notation = Notation::Go;
    const SUPERKO: bool = true;
    const TERRITORY: bool = true;
    const HEAVY: bool = true;
    const POLICY: Policy = Policy::Heavy;

    fn new(rules: &GoRules) -> Go {
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

    fn rules(&self) -> &GoRules {
        &self.rules
    }

    fn size(&self) -> Size {
        Size::square(self.rules.size())
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn stone(&self, point: Move) -> Option<Color> {
        let bit = self.bit(point)?;
        Color::BOTH.into_iter().find(|color| self.stones[color.index()].contains(bit))
    }

    fn is_legal(&self, mv: Move) -> bool {
        if self.is_over() {
            return false;
        }
        mv.is_pass() || self.bit(mv).is_some_and(|bit| self.is_legal_stone(bit))
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if !self.is_over() {
            self.push_moves(self.playable(), moves);
        }
    }

    fn priors(&self, moves: &[Move], weights: &mut Vec<f32>) {
        super::heavy::odds(self, moves, weights);
    }

    /// Legal moves that do not fill one of the side's own one-point eyes, and the pass.
    fn candidates(&self, moves: &mut Vec<Move>) {
        if !self.is_over() {
            self.push_moves(self.playable().minus(self.eyes()), moves);
        }
    }

    fn play(&mut self, mv: Move) {
        match self.bit(mv) {
            Some(bit) => self.play_stone(bit),
            None => {
                self.ko = None;
                self.before = self.last.take();
                self.passes += 1;
            }
        }
        self.side = !self.side;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.score())
    }

    fn hash(&self) -> u64 {
        let side = [0, SIDE_KEY][self.side.index()];
        let ko = self.ko.map_or(0, |bit| mix(KO_SALT + u64::from(bit)));
        self.stones_hash ^ side ^ ko
    }

    fn stones_hash(&self) -> u64 {
        self.stones_hash
    }

    fn set_up(&mut self, stones: &[(Color, Move)], side: Color) -> Result<(), SetupError> {
        *self = Go { side, ..Go::new(&self.rules) };
        for &(color, point) in stones {
            self.check_free(color, point)?;
            self.put(color, self.layout.bit(usize::from(point.0)));
        }
        for &(color, point) in stones {
            let bit = self.layout.bit(usize::from(point.0));
            let chain = self.chain(color, Bits::one(bit));
            if !self.neighbours(chain).intersects(self.empty()) {
                return Err(SetupError::NoLiberty { point: self.move_text(point) });
            }
        }
        Ok(())
    }

    fn set_side_to_move(&mut self, color: Color) -> Result<(), WrongSide> {
        if self.side != color {
            self.side = color;
            self.ko = None;
            (self.last, self.before) = (None, None);
            self.passes = 0;
        }
        Ok(())
    }

    fn playout(
        &mut self,
        policy: Policy,
        rng: &mut Rng,
        observer: &mut impl Observer,
    ) -> (Outcome, u32) {
        match policy {
            Policy::Uniform => super::playout::one(self, rng, observer),
            Policy::Heavy => super::heavy::one(self, rng, observer),
        }
    }

    fn playouts(&self, policy: Policy, count: u32, rng: &mut Rng, counts: &mut Counts) {
        Go::play_out(policy, &mut [Leaf { position: self, playouts: count, rng, counts }]);
    }

    fn play_out(policy: Policy, leaves: &mut [Leaf<'_, Go>]) {
        match policy {
            Policy::Uniform => super::playout::many(leaves),
            Policy::Heavy => super::heavy::many(leaves),
        }
    }

    fn score_without(&self, dead: &[Move]) -> Option<Outcome> {
        let mut rest = self.clone();
        for bit in dead.iter().filter_map(|&point| self.bit(point)) {
            for color in Color::BOTH {
                rest.stones[color.index()] = rest.stones[color.index()].minus(Bits::one(bit));
            }
        }
        Some(rest.score())
    }

    fn group(&self, point: Move) -> Vec<Move> {
        let (Some(color), Some(bit)) = (self.stone(point), self.bit(point)) else {
            return Vec::new();
        };
        let chain = self.chain(color, Bits::one(bit));
        chain.iter().map(|bit| Move::point(self.layout.point(bit))).collect()
    }

    fn handicap_points(&self, count: u32) -> Option<Vec<Move>> {
        handicap::points(self.layout.side(), count)
    }
}

const SIDE_KEY: u64 = mix(1);
/// Far above every number that [`stone_key`] scrambles.
const KO_SALT: u64 = 1 << 32;

fn stone_key(color: Color, bit: usize) -> u64 {
    mix(2 + 2 * bit as u64 + color.index() as u64)
}

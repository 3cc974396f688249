//! A heavy playout under way: how a move is drawn and played.

use arrayvec::ArrayVec;

use super::board::Board;
use super::heat::{Heat, weigh_near};
use super::tactics::{ANSWERS_MAX, Answers};
use super::weights::{Factor, ONE, Stage, Weights};
use banyan_games::Game as _;
use banyan_games::go::Go;
use banyan_games::rng::Rng;
use banyan_games::types::Color;

/// Room for the answers of one stage: the points around two stones are fewer.
const LOTS_MAX: usize = ANSWERS_MAX;

/// Points to draw one of, by weight.
#[derive(Clone, Debug, Default)]
struct Lots {
    points: ArrayVec<(usize, u32), LOTS_MAX>,
    total: u32,
}

impl Lots {
    /// Adds one; what there is no room for is left out.
    #[inline(always)]
    fn add(&mut self, v: usize, weight: u32) {
        if self.points.try_push((v, weight)).is_ok() {
            self.total += weight;
        }
    }

    /// Draws a point and takes it out; nothing when none is left.
    #[inline(always)]
    fn draw(&mut self, rng: &mut Rng) -> Option<usize> {
        if self.total == 0 {
            return None;
        }
        let mut left = rng.below(self.total);
        let mut drawn = 0;
        while left >= self.points[drawn].1 {
            left -= self.points[drawn].1;
            drawn += 1;
        }
        let (v, weight) = self.points.swap_remove(drawn);
        self.total -= weight;
        Some(v)
    }
}

/// A game under way.
#[derive(Clone, Debug)]
pub(super) struct Playing<const W: usize, const N: usize> {
    table: &'static Weights,
    pub(super) board: Board<W, N>,
    pub(super) heat: Heat<N>,
    pub(super) side: Color,
    pub(super) plies: u32,
    passes: u32,
    plies_max: u32,
    /// Weights of what is out of this ply's draw, oldest first: they come back before the move.
    put_out: Vec<(usize, u32)>,
}

impl<const W: usize, const N: usize> Playing<W, N> {
    #[inline(always)]
    pub(super) fn new(game: &Go) -> Playing<W, N> {
        let mut board = Board::new(game);
        let mut heat = Heat::new();
        let table = Weights::learned();
        heat.refresh(&mut board, table);
        let plies_max = 3 * game.layout().area() as u32;
        let passes = game.passes();
        Playing {
            table,
            board,
            heat,
            side: game.side_to_move(),
            plies: 0,
            passes,
            plies_max,
            put_out: Vec::new(),
        }
    }

    /// After three plies a point, which only long cycles reach, the game counts as ended.
    #[inline(always)]
    pub(super) fn is_over(&self) -> bool {
        self.passes >= 2 || self.plies >= self.plies_max
    }

    /// Draws a move and plays it; returns its place on the board, or nothing for a pass.
    #[inline(always)]
    pub(super) fn step(&mut self, rng: &mut Rng) -> Option<usize> {
        let drawn = self.draw(rng);
        match drawn {
            Some(v) => {
                self.board.play(self.side, v);
                self.heat.refresh(&mut self.board, self.table);
                self.passes = 0;
            }
            None => {
                self.board.pass();
                self.passes += 1;
            }
        }
        self.side = !self.side;
        self.plies += 1;
        drawn
    }

    /// An answer to the last stone, or a move of the whole board.
    #[inline(always)]
    fn draw(&mut self, rng: &mut Rng) -> Option<usize> {
        // Loops, not iterators: those would not be compiled for these vectors.
        for &stage in Stage::ALL {
            if self.board.last.is_none() || rng.below(ONE) >= self.table.chance_of(stage) {
                continue;
            }
            let mut lots = Lots::default();
            match stage {
                Stage::Shape => self.add_shapes(&mut lots),
                _ => self.add_answers(stage, &mut lots),
            }
            while let Some(v) = lots.draw(rng) {
                if !self.refuses(v, rng) {
                    return Some(v);
                }
            }
        }
        self.draw_anywhere(rng)
    }

    #[inline(always)]
    fn add_answers(&self, stage: Stage, lots: &mut Lots) {
        let mut answers = Answers::default();
        self.board.add_answers(self.side, stage, &mut answers);
        for &(v, factor) in answers.all() {
            let v = usize::from(v);
            self.add(lots, v, self.table.times(self.heat.of(self.side, v), factor));
        }
    }

    /// The points around the last two stones whose surroundings weigh enough.
    #[inline(always)]
    fn add_shapes(&self, lots: &mut Lots) {
        for v in self.board.around_last_two().iter() {
            let weight = weigh_near(&self.board, self.table, self.side, v);
            if self.table.is_shape(weight) {
                self.add(lots, v, weight);
            }
        }
    }

    #[inline(always)]
    fn add(&self, lots: &mut Lots, v: usize, weight: u32) {
        if weight > 0 && self.board.ko != Some(v) {
            lots.add(v, weight);
        }
    }

    /// A move by its weight. One that is drawn and refused is out of the draw for this ply.
    #[inline(always)]
    fn draw_anywhere(&mut self, rng: &mut Rng) -> Option<usize> {
        if let Some(ko) = self.board.ko {
            self.put_out(ko);
        }
        let drawn = loop {
            let total = self.heat.total(self.side);
            if total == 0 {
                break None;
            }
            let v = self.heat.find(self.side, rng.below(total));
            if !self.refuses(v, rng) {
                break Some(v);
            }
            self.put_out(v);
        };
        while let Some((v, weight)) = self.put_out.pop() {
            self.heat.set(self.side, v, weight);
        }
        drawn
    }

    /// Tells whether a move is left out as a self-atari or for the room that it takes from an own eye.
    #[inline(always)]
    fn refuses(&self, v: usize, rng: &mut Rng) -> bool {
        let against = match self.board.self_atari(self.side, v) {
            None if self.board.fills_own_eye(self.side, v) => Some(Factor::EyeSpace),
            against => against,
        };
        let chance = match against {
            Some(factor) => self.table.chance(factor),
            None => ONE,
        };
        chance < ONE && rng.below(ONE) >= chance
    }

    #[inline(always)]
    fn put_out(&mut self, v: usize) {
        self.put_out.push((v, self.heat.of(self.side, v)));
        self.heat.set(self.side, v, 0);
    }
}

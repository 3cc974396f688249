//! A heavy playout under way: how a move is drawn and played.

use arrayvec::ArrayVec;

use super::super::position::Go;
use super::board::Board;
use super::heat::{Heat, weigh};
use super::tactics::{ANSWERS_MAX, Answers};
use super::weights::{Distance, Factor, ONE, Stage, Weights};
use crate::rng::Rng;
use crate::types::Color;

/// Room for the answers of one stage: the points around two stones are fewer.
const LOTS_MAX: usize = ANSWERS_MAX;

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
        let plies_max = 3 * game.layout.area() as u32;
        let passes = u32::from(game.passes);
        Playing {
            table,
            board,
            heat,
            side: game.side,
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
        let answers = self.board.answers(self.side);
        let mut stages = Stage::ALL.iter();
        let answer = stages.find_map(|&stage| self.draw_answer(stage, &answers, rng));
        answer.or_else(|| self.draw_anywhere(rng))
    }

    /// An answer of one kind, by weight, if it is looked for and one is there that is not refused.
    #[inline(always)]
    fn draw_answer(&self, stage: Stage, answers: &Answers<W>, rng: &mut Rng) -> Option<usize> {
        let mut lots = ArrayVec::<(usize, u32), LOTS_MAX>::new();
        let mut total = 0;
        let mut add = |v: usize, weight: u32| {
            if weight > 0 && self.board.ko != Some(v) && lots.try_push((v, weight)).is_ok() {
                total += weight;
            }
        };
        if stage == Stage::Shape {
            for v in answers.around.iter() {
                let weight = weigh(&self.board, self.table, (self.side, v, Distance::Near));
                if self.table.is_shape(weight) {
                    add(v, weight);
                }
            }
        }
        for (v, factor) in answers.iter().filter(|(_, factor)| factor.stage() == Some(stage)) {
            add(v, self.table.times(self.heat.of(self.side, v), factor));
        }
        if lots.is_empty() || rng.below(ONE) >= self.table.chance_of(stage) {
            return None;
        }
        while total > 0 {
            let mut left = rng.below(total);
            let drawn = lots.iter().position(|&(_, weight)| {
                let is_drawn = left < weight;
                left = left.wrapping_sub(weight);
                is_drawn
            })?;
            let (v, weight) = lots.swap_remove(drawn);
            if !self.refuses(v, rng) {
                return Some(v);
            }
            total -= weight;
        }
        None
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

    /// Whether a move is left out as a self-atari or for the room that it takes from an own eye.
    #[inline(always)]
    fn refuses(&self, v: usize, rng: &mut Rng) -> bool {
        let against = self.board.self_atari(self.side, v);
        let against =
            against.or_else(|| self.board.fills_own_eye(self.side, v).then_some(Factor::EyeSpace));
        let chance = against.map_or(ONE, |factor| self.table.chance(factor));
        chance < ONE && rng.below(ONE) >= chance
    }

    #[inline(always)]
    fn put_out(&mut self, v: usize) {
        self.put_out.push((v, self.heat.of(self.side, v)));
        self.heat.set(self.side, v, 0);
    }
}

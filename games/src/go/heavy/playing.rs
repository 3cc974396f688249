//! A heavy playout under way: how a move is drawn and played.

use super::super::position::Go;
use super::board::Board;
use super::heat::{Heat, weigh};
use super::weights::{Distance, ONE, Weights};
use crate::rng::Rng;
use crate::types::Color;

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
    /// Weights that the draw of this ply has changed, oldest first: they come back before the move.
    lent: Vec<(usize, u32)>,
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
            lent: Vec::new(),
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

    /// A move by its weight. One that is drawn and refused is out of the draw for this ply.
    #[inline(always)]
    fn draw(&mut self, rng: &mut Rng) -> Option<usize> {
        self.weigh_answers();
        if let Some(ko) = self.board.ko {
            self.lend(ko, 0);
        }
        let drawn = loop {
            let total = self.heat.total(self.side);
            if total == 0 {
                break None;
            }
            let v = self.heat.find(self.side, rng.below(total));
            let against = self.board.self_atari(self.side, v);
            let chance = against.map_or(ONE, |factor| self.table.chance(factor));
            if chance == ONE || rng.below(ONE) < chance {
                break Some(v);
            }
            self.lend(v, 0);
        };
        while let Some((v, weight)) = self.lent.pop() {
            self.heat.set(self.side, v, weight);
        }
        drawn
    }

    /// Weighs the points anew that have to do with the last stone.
    #[inline(always)]
    fn weigh_answers(&mut self) {
        let answers = self.board.answers(self.side);
        for v in answers.near.iter() {
            self.lend(v, weigh(&self.board, self.table, (self.side, v, Distance::Near)));
        }
        for (v, factor) in answers.iter() {
            self.lend(v, self.table.times(self.heat.of(self.side, v), factor));
        }
    }

    #[inline(always)]
    fn lend(&mut self, v: usize, weight: u32) {
        self.lent.push((v, self.heat.of(self.side, v)));
        self.heat.set(self.side, v, weight);
    }
}

//! Uniform playouts of a game of lines, many plies at a time.
//!
//! Stones never leave the board, so a run once made is there for good. That allows to fill in a block
//! of plies blindly, to ask the whole board for a run only then, and to look for the ply that made it
//! once one is there.

use crate::rng::Rng;
use crate::types::{Color, Outcome, Size};

use super::plane::Plane;
use super::sums::EndPlanes;
use super::{LineRules, Position};

/// Plies that one word of random bits chooses.
///
/// The last of them is chosen by what the others left of the word, so the bias is below
/// `AREA_MAX.pow(4) / 2^64`, one in a hundred million.
const PLIES_A_WORD: usize = 4;

/// Plies between two looks at the board: looking costs as much as some ten plies, and a playout goes
/// on for half a block after its end.
const BLOCK: usize = 24;
const _: () = assert!(BLOCK.is_multiple_of(PLIES_A_WORD));

/// A position made ready for playouts.
pub struct Start<const STRIDE: usize, const WORDS: usize> {
    stones: [Plane<WORDS>; 2],
    /// The bits of the empty points, ascending.
    empty: Vec<u16>,
    /// Where the first ply stands in the round of turns.
    clock: usize,
    ended: Option<Outcome>,
}

/// One playout: the board, and in which order the empty points were taken.
pub struct Playout<const STRIDE: usize, const WORDS: usize> {
    /// The stones at its end.
    pub stones: [Plane<WORDS>; 2],
    /// Bits of the points: those still empty, then those played, the last ply first.
    bits: [u16; Size::AREA_MAX],
    /// How many of `bits` are in use.
    area: usize,
    /// Plies it took.
    pub plies: usize,
    /// How it ended.
    pub outcome: Outcome,
}

impl<const STRIDE: usize, const WORDS: usize> Start<STRIDE, WORDS> {
    /// Of any position.
    pub fn new<R: LineRules>(position: &Position<R>) -> Self {
        let points = 0..position.layout.size().area();
        let bits = points.map(|point| position.layout.bit(point));
        let empty = bits.filter(|&bit| position.owner(bit).is_none()).map(|bit| bit as u16);
        Start {
            stones: position.stones.map(|plane| plane.resized()),
            empty: empty.collect(),
            clock: usize::from(position.clock),
            ended: position.ended,
        }
    }
}

impl<const STRIDE: usize, const WORDS: usize> Playout<STRIDE, WORDS> {
    /// Plays from `start` to the end.
    pub fn run<R: LineRules>(rules: &R, start: &Start<STRIDE, WORDS>, rng: &mut Rng) -> Self {
        let mut bits = [0; Size::AREA_MAX];
        bits[..start.empty.len()].copy_from_slice(&start.empty);
        let area = start.empty.len();
        let outcome = start.ended.unwrap_or(Outcome::DRAW);
        let mut playout = Playout { stones: start.stones, bits, area, plies: 0, outcome };
        while start.ended.is_none() && playout.plies < area {
            let before = (playout.stones, playout.plies);
            playout.fill_block::<R>(start.clock, rng);
            if playout.stones.iter().any(|stones| stones.has_run(R::LENGTH, STRIDE))
                && playout.rewind_to_win(rules, start.clock, before)
            {
                break;
            }
        }
        playout
    }

    /// What the playout put on the board, and what stands there.
    pub fn planes(&self, start: &Start<STRIDE, WORDS>) -> EndPlanes<WORDS> {
        let put = |side: usize| self.stones[side].without(&start.stones[side]);
        EndPlanes { first: [put(0), put(1)], held: self.stones }
    }

    /// The bits played, in order.
    pub fn played(&self) -> impl Iterator<Item = usize> {
        (0..self.plies).map(|ply| self.bit_of_ply(ply))
    }

    fn bit_of_ply(&self, ply: usize) -> usize {
        usize::from(self.bits[self.area - 1 - ply])
    }

    /// Whose the ply is.
    #[inline(always)]
    fn side<R: LineRules>(clock: usize, ply: usize) -> usize {
        (clock + ply) / usize::from(R::STONES_A_TURN) % 2
    }

    /// Puts stones on the next points of a random order.
    #[inline(always)]
    fn fill_block<R: LineRules>(&mut self, clock: usize, rng: &mut Rng) {
        let end = self.area.min(self.plies + BLOCK);
        while self.plies < end {
            let mut random = rng.bits();
            for _ in 0..PLIES_A_WORD.min(end - self.plies) {
                let left = self.area - self.plies;
                let wide = u128::from(random) * left as u128;
                random = wide as u64;
                let bit = self.take((wide >> 64) as usize, left - 1);
                self.stones[Self::side::<R>(clock, self.plies)].set(bit);
                self.plies += 1;
            }
        }
    }

    /// Moves the point at index `chosen` to `last`, where the points played begin.
    #[inline(always)]
    fn take(&mut self, chosen: usize, last: usize) -> usize {
        self.bits.swap(chosen, last);
        usize::from(self.bits[last])
    }

    /// Goes back to `before` and plays on to the first ply that wins; false if none does.
    fn rewind_to_win<R: LineRules>(
        &mut self,
        rules: &R,
        clock: usize,
        before: ([Plane<WORDS>; 2], usize),
    ) -> bool {
        let end = self.plies;
        (self.stones, self.plies) = before;
        while self.plies < end {
            let bit = self.bit_of_ply(self.plies);
            let side = Self::side::<R>(clock, self.plies);
            self.stones[side].set(bit);
            self.plies += 1;
            let color = Color::BOTH[side];
            let runs = self.stones[side].runs_through(bit, STRIDE);
            if runs.into_iter().any(|run| rules.wins(color, run)) {
                self.outcome = Outcome::win(color);
                return true;
            }
        }
        false
    }
}

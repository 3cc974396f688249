//! A position of a game of lines: the stones of both sides in rows, and where in their turns they stand.

use banyan_kernels::rows::{Row, any_run_through};

use crate::game::{Game, SetupError};
use crate::rng::mix;
use crate::types::{Color, Move, Outcome, Size};

use super::rules::{LineRules, Stones};

/// A position of a game of lines.
#[derive(Clone, Debug)]
pub struct Position<R: LineRules> {
    pub(super) rules: R,
    pub(super) size: Size,
    pub(super) stones: Stones,
    pub(super) empty: u16,
    /// Place of the next ply in the round of both sides' turns: `0..2 * STONES_A_TURN`.
    pub(super) clock: u8,
    pub(super) ended: Option<Outcome>,
    pub(super) stones_hash: u64,
}

impl<R: LineRules> Position<R> {
    /// The clock when `side` begins a whole turn.
    pub(super) fn turn_of(side: Color) -> u8 {
        side as u8 * R::STONES_A_TURN
    }

    /// The clock when `side` opens the game on the empty board, with one stone.
    pub(super) fn opening_of(side: Color) -> u8 {
        Self::turn_of(side) + R::STONES_A_TURN - 1
    }

    /// Plies that the side to move has left in its turn, at least 1.
    pub fn plies_left(&self) -> u8 {
        R::STONES_A_TURN - self.clock % R::STONES_A_TURN
    }

    /// Returns the place of the next ply in the round of both sides' turns: `0..2 * STONES_A_TURN`.
    #[inline]
    pub fn clock(&self) -> u8 {
        self.clock
    }

    pub(super) fn next_clock(&self) -> u8 {
        (self.clock + 1) % (2 * R::STONES_A_TURN)
    }

    #[inline]
    pub(super) fn row_and_column(&self, point: usize) -> (usize, usize) {
        let width = usize::from(self.size.width);
        (point / width, point % width)
    }

    pub(super) fn point_of(&self, row: usize, column: usize) -> Move {
        Move::point(row * usize::from(self.size.width) + column)
    }

    /// One side's stones, a word for each row of the board; column 0 is the lowest bit.
    #[inline]
    pub fn rows(&self, color: Color) -> &[u32] {
        &self.stones[color.index()][..usize::from(self.size.height)]
    }

    #[inline]
    pub(super) fn owner(&self, point: usize) -> Option<Color> {
        let (row, column) = self.row_and_column(point);
        Color::BOTH.into_iter().find(|color| self.stones[color.index()][row].has(column))
    }

    pub(super) fn put(&mut self, color: Color, point: Move) {
        let (row, column) = self.row_and_column(usize::from(point.0));
        self.stones[color.index()][row] |= 1 << column;
        self.stones_hash ^= stone_key(color, point);
        self.empty -= 1;
    }

    /// Tells whether an empty point is closed to the side to move.
    pub(super) fn forbids(&self, point: Move) -> bool {
        self.rules.forbids_points() && {
            let point = self.row_and_column(usize::from(point.0));
            self.rules.forbids(&self.stones, self.side_to_move(), point)
        }
    }

    /// Tells whether nothing is left to be played.
    pub(super) fn is_stuck(&self) -> bool {
        let may_play = |point: usize| {
            let point = Move::point(point);
            self.stone(point).is_none() && !self.forbids(point)
        };
        self.empty == 0 || self.rules.forbids_points() && !(0..self.size.area()).any(may_play)
    }

    /// Tells whether the stone of `color` on `point` is part of a winning run.
    pub(super) fn wins_at(&self, color: Color, point: Move) -> bool {
        let (row, column) = self.row_and_column(usize::from(point.0));
        let stones = &self.stones[color.index()];
        any_run_through(stones, row, column, |length| self.rules.wins(color, length))
    }

    /// Returns the result after stones were set up: the game may be over already.
    pub(super) fn outcome_of_setup(
        &self,
        stones: &[(Color, Move)],
    ) -> Result<Option<Outcome>, SetupError> {
        let wins = |color: Color| {
            stones.iter().any(|&(stone, point)| stone == color && self.wins_at(color, point))
        };
        match (wins(Color::Black), wins(Color::White)) {
            (true, true) => Err(SetupError::Unsupported("both sides have a winning line")),
            (true, false) => Ok(Some(Outcome::win(Color::Black))),
            (false, true) => Ok(Some(Outcome::win(Color::White))),
            (false, false) => Ok(self.is_stuck().then_some(Outcome::DRAW)),
        }
    }
}

#[inline]
pub(super) fn stone_key(color: Color, point: Move) -> u64 {
    mix(u64::from(point.0) << 1 | color as u64 | 1 << 32)
}

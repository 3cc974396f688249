//! The common part of Gomoku and Connect6: stones are put on empty points until a run of them wins.
//!
//! Reading order: what a game decides for itself (`rules`), the `position`, games to their end in
//! `playout`; the points worth a look in `near`; what could become a run in `windows` stone by stone, in
//! `segments` and `through` from nothing; what a stone would do in `threats`. Here: the contract with the search.
//! A game adds its rules with [`LineRules`]; nothing here names a game.

mod near;
mod playout;
mod position;
mod rules;
pub mod segments;
mod threats;
mod through;
mod windows;

use crate::counts::{Counts, Observer};
use crate::game::{Game, SetupError};
use crate::kind::Kind;
use crate::notation::{MoveTextError, Notation};
use crate::rng::{Rng, mix};
use crate::types::{Color, Move, Outcome, Size};
use banyan_kernels::simd::NarrowVectors;

use crate::sums::Sums;
use banyan_kernels::rows::{PADDING, Row};
use playout::{OnePlayout, Playout, Start};

pub use near::REACH;
pub use position::Position;
pub use rules::{LineRules, Stones};
pub use threats::Threat;
pub use through::{Run, WindowStones};
pub use windows::{Window, Windows};

/// Stones in words that are no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StonesError {
    /// A word that names no point.
    #[error(transparent)]
    Text(#[from] MoveTextError),
    /// Stones that cannot stand so.
    #[error(transparent)]
    SetUp(#[from] SetupError),
}

impl<R: LineRules> Position<R> {
    /// The position with Black's and White's stones in words, such as `["h8 h9", "g8"]`, and `side` to
    /// move.
    ///
    /// # Errors
    /// [`StonesError`] with the word or the point.
    pub fn with_stones(
        rules: &R,
        [black, white]: [&str; 2],
        side: Color,
    ) -> Result<Position<R>, StonesError> {
        let mut position = Position::new(rules);
        let mut stones = Vec::new();
        for (color, words) in [(Color::Black, black), (Color::White, white)] {
            for word in words.split_whitespace() {
                stones.push((color, position.parse_move(word)?));
            }
        }
        position.set_up(&stones, side)?;
        Ok(position)
    }
}

impl<R: LineRules> Position<R> {
    fn play_out<W: Row, const ROWS: usize>(
        &mut self,
        rng: &mut Rng,
        observer: &mut impl Observer,
    ) -> (Outcome, u32) {
        let start = Start::<W, ROWS>::new(self);
        let mut playout = Playout::new();
        playout.run(&self.rules, &start, rng);
        for (row, column) in playout.played() {
            let point = self.point_of(row, column);
            observer.played(self.side_to_move(), point);
            self.put(self.side_to_move(), point);
            self.clock = self.next_clock();
        }
        self.ended = Some(playout.outcome);
        observer.ended(playout.outcome, |point| self.owner(point));
        (playout.outcome, playout.plies as u32)
    }

    fn count_playouts<W: Row, const ROWS: usize>(
        &self,
        count: u32,
        rng: &mut Rng,
        counts: &mut Counts,
    ) {
        let start = Start::<W, ROWS>::new(self);
        let mut sums = Sums::new();
        let wants_sums = counts.amaf.is_some() || counts.ownership.is_some();
        let mut playout = Playout::new();
        let vectors = NarrowVectors::widest();
        for _ in 0..count {
            let one = OnePlayout { playout: &mut playout, rules: &self.rules, start: &start, rng };
            vectors.run(one);
            counts.add(playout.outcome, playout.plies as u32);
            if wants_sums {
                sums.add(playout.outcome, &playout.end_bits(&start));
            }
        }
        sums.add_to(counts, |(row, column)| usize::from(self.point_of(row, column).0));
    }
}

impl<R: LineRules> Game for Position<R> {
    type Rules = R;

    const KIND: Kind = R::KIND;
    const NOTATION: Notation = Notation::Line;

    fn new(rules: &R) -> Position<R> {
        let size = rules.size();
        Position {
            rules: rules.clone(),
            size,
            stones: [[0; Size::SIDE_MAX as usize]; 2],
            empty: size.area() as u16,
            clock: Self::opening_of(Color::Black),
            ended: None,
            stones_hash: 0,
        }
    }

    fn rules(&self) -> &R {
        &self.rules
    }

    fn size(&self) -> Size {
        self.size
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        if self.clock < R::STONES_A_TURN { Color::Black } else { Color::White }
    }

    fn stone(&self, point: Move) -> Option<Color> {
        self.owner(usize::from(point.0))
    }

    fn is_legal(&self, mv: Move) -> bool {
        let on_board = usize::from(mv.0) < self.size().area();
        on_board && self.ended.is_none() && self.stone(mv).is_none() && !self.forbids(mv)
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.ended.is_none() {
            let points = (0..self.size().area()).map(Move::point);
            moves.extend(points.filter(|&at| self.stone(at).is_none() && !self.forbids(at)));
        }
    }

    /// Near a stone, where there is such a move.
    fn candidates(&self, moves: &mut Vec<Move>) {
        if self.ended.is_some() {
            return;
        }
        let before = moves.len();
        self.near_stones(moves);
        if self.rules.forbids_points() {
            let mut near = moves.split_off(before);
            near.retain(|&mv| !self.forbids(mv));
            moves.append(&mut near);
            if moves.len() == before {
                self.legal_moves(moves);
            }
        }
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} in {self:?}");
        let color = self.side_to_move();
        self.put(color, mv);
        self.clock = self.next_clock();
        if self.wins_at(color, mv) {
            self.ended = Some(Outcome::win(color));
        } else if self.is_stuck() {
            self.ended = Some(Outcome::DRAW);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended
    }

    /// Returns a hash of the stones, the side to move and the number of plies that its turn has left.
    fn hash(&self) -> u64 {
        self.stones_hash ^ mix(u64::from(self.clock))
    }

    fn stones_hash(&self) -> u64 {
        self.stones_hash
    }

    fn phase(&self) -> u8 {
        self.clock
    }

    /// With stones on the board `side` begins a whole turn; on the empty board it opens the game.
    fn set_up(&mut self, stones: &[(Color, Move)], side: Color) -> Result<(), SetupError> {
        *self = Position::new(&self.rules);
        self.clock = if stones.is_empty() { Self::opening_of(side) } else { Self::turn_of(side) };
        for &(color, point) in stones {
            self.check_free(color, point)?;
            self.put(color, point);
        }
        self.ended = self.outcome_of_setup(stones)?;
        Ok(())
    }

    fn playout(&mut self, rng: &mut Rng, observer: &mut impl Observer) -> (Outcome, u32) {
        match self.size.width.max(self.size.height) {
            0..=16 => self.play_out::<u16, { 16 + PADDING }>(rng, observer),
            17..=20 => self.play_out::<u32, { 20 + PADDING }>(rng, observer),
            _ => self.play_out::<u32, { 28 + PADDING }>(rng, observer),
        }
    }

    fn playouts(&self, count: u32, rng: &mut Rng, counts: &mut Counts) {
        match self.size.width.max(self.size.height) {
            0..=16 => self.count_playouts::<u16, { 16 + PADDING }>(count, rng, counts),
            17..=20 => self.count_playouts::<u32, { 20 + PADDING }>(count, rng, counts),
            _ => self.count_playouts::<u32, { 28 + PADDING }>(count, rng, counts),
        }
    }
}

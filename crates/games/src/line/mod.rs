//! What Gomoku and Connect6 share: stones are put on empty points until a run of them wins.
//!
//! Reading order: the position here, its bits in `rows`, games to their end in `playout` and, where
//! nobody overlooks a win, in `decisive`, what they add up to in `sums`; what could become a run
//! in `windows` stone by stone, in `segments` and `through` from nothing, on whole `lines` as bits; the points worth a look in `near`.
//! A game adds its rules with [`LineRules`]; nothing here names a game.

mod decisive;
pub mod lines;
mod near;
mod playout;
pub mod segments;
mod through;
mod windows;

use std::fmt::{Debug, Display};

use crate::counts::{Counts, Observer};
use crate::evaluation::{Evaluation, Ranked};
use crate::game::{Game, Policy, SetupError};
use crate::kind::Kind;
use crate::notation::{MoveTextError, Notation};
use crate::registry::Rules;
use crate::rng::{Rng, mix};
use crate::types::{Color, Move, Outcome, Size};
use banyan_kernels::simd::Vectors;

use crate::sums::Sums;
use banyan_kernels::rows::{PADDING, Row, any_run_through};
use playout::{OnePlayout, Playout, Start};

pub(crate) use near::REACH;
pub use through::{Run, WindowStones};
pub use windows::{Window, Windows};

/// What a game of lines decides for itself.
pub trait LineRules:
    Clone
    + Debug
    + PartialEq
    + Display
    + Into<Rules>
    + TryFrom<Rules, Error = Rules>
    + Send
    + Sync
    + 'static
{
    /// Which game.
    const KIND: Kind;
    /// Plies a side plays in a row; the first turn of the game has one less, but at least one.
    const STONES_A_TURN: u8;

    /// Stones in a row that win, 2 to 8.
    const LENGTH: usize;

    /// The ways to evaluate a position, the best first.
    const EVALUATIONS: &'static [Evaluation<Position<Self>>];

    /// The board.
    fn size(&self) -> Size;

    /// Whether a run of more than [`LineRules::LENGTH`] wins for this side; if not, play goes on.
    fn overline_wins(&self, color: Color) -> bool;

    /// Whether some points may be closed to a side although they are empty.
    fn forbids_points(&self) -> bool {
        false
    }

    /// Whether an empty point, its row and column, is closed to `color`.
    fn forbids(&self, stones: &Stones, color: Color, point: (usize, usize)) -> bool {
        let _ = (stones, color, point);
        false
    }

    /// Whether a whole run of `length` stones wins for this side.
    #[inline]
    fn wins(&self, color: Color, length: usize) -> bool {
        length == Self::LENGTH || length > Self::LENGTH && self.overline_wins(color)
    }
}

/// The rows of each side, indexed by [`Color::index`]; column 0 is the lowest bit.
pub type Stones = [[u32; Size::SIDE_MAX as usize]; 2];

/// A position of a game of lines.
#[derive(Clone, Debug)]
pub struct Position<R: LineRules> {
    rules: R,
    size: Size,
    stones: Stones,
    empty: u16,
    /// Where in the round of both sides' turns the next ply stands: `0..2 * STONES_A_TURN`.
    clock: u8,
    ended: Option<Outcome>,
    stones_hash: u64,
}

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
    /// The clock when `side` begins a whole turn.
    fn turn_of(side: Color) -> u8 {
        side as u8 * R::STONES_A_TURN
    }

    /// The clock when `side` opens the game on the empty board, with one stone.
    fn opening_of(side: Color) -> u8 {
        Self::turn_of(side) + R::STONES_A_TURN - 1
    }

    /// Plies that the side to move has left in its turn, at least 1.
    pub fn plies_left(&self) -> u8 {
        R::STONES_A_TURN - self.clock % R::STONES_A_TURN
    }

    fn next_clock(&self) -> u8 {
        (self.clock + 1) % (2 * R::STONES_A_TURN)
    }

    #[inline]
    fn row_and_column(&self, point: usize) -> (usize, usize) {
        let width = usize::from(self.size.width);
        (point / width, point % width)
    }

    fn point_of(&self, row: usize, column: usize) -> Move {
        Move::point(row * usize::from(self.size.width) + column)
    }

    /// One side's stones, a word for each row of the board; column 0 is the lowest bit.
    pub(crate) fn rows(&self, color: Color) -> &[u32] {
        &self.stones[color.index()][..usize::from(self.size.height)]
    }

    #[inline]
    fn owner(&self, point: usize) -> Option<Color> {
        let (row, column) = self.row_and_column(point);
        Color::BOTH.into_iter().find(|color| self.stones[color.index()][row].has(column))
    }

    fn put(&mut self, color: Color, point: Move) {
        let (row, column) = self.row_and_column(usize::from(point.0));
        self.stones[color.index()][row] |= 1 << column;
        self.stones_hash ^= stone_key(color, point);
        self.empty -= 1;
    }

    /// Whether an empty point is closed to the side to move.
    fn forbids(&self, point: Move) -> bool {
        self.rules.forbids_points() && {
            let point = self.row_and_column(usize::from(point.0));
            self.rules.forbids(&self.stones, self.side_to_move(), point)
        }
    }

    /// Whether nothing is left to be played.
    fn is_stuck(&self) -> bool {
        let may_play = |point: usize| {
            let point = Move::point(point);
            self.stone(point).is_none() && !self.forbids(point)
        };
        self.empty == 0 || self.rules.forbids_points() && !(0..self.size.area()).any(may_play)
    }

    /// Whether the stone of `color` on `point` is part of a winning run.
    fn wins_at(&self, color: Color, point: Move) -> bool {
        let (row, column) = self.row_and_column(usize::from(point.0));
        let stones = &self.stones[color.index()];
        any_run_through(stones, row, column, |length| self.rules.wins(color, length))
    }

    /// How the game stands after stones were set up: it may be over already.
    fn outcome_of_setup(&self, stones: &[(Color, Move)]) -> Result<Option<Outcome>, SetupError> {
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
        let vectors = Vectors::at_most_256_bits();
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

impl<R: LineRules> Position<R> {
    fn play_out_heavily(&mut self, rng: &mut Rng, observer: &mut impl Observer) -> (Outcome, u32) {
        let before = self.clone();
        let start = decisive::Start::new(&before);
        let mut playout = decisive::Playout::new(&start);
        playout.run(rng);
        for point in playout.played().map(Move) {
            let side = self.side_to_move();
            if playout.is_free(side, point) {
                observer.played(side, point);
            } else {
                observer.forced(side, point);
            }
            self.put(side, point);
            self.clock = self.next_clock();
        }
        self.ended = Some(playout.outcome);
        observer.ended(playout.outcome, |point| self.owner(point));
        (playout.outcome, playout.plies())
    }

    fn count_heavy_playouts(&self, count: u32, rng: &mut Rng, counts: &mut Counts) {
        let start = decisive::Start::new(self);
        let mut sums = Sums::new();
        let wants_sums = counts.amaf.is_some() || counts.ownership.is_some();
        let mut playout = decisive::Playout::new(&start);
        for _ in 0..count {
            playout.run(rng);
            counts.add(playout.outcome, playout.plies());
            if wants_sums {
                sums.add(playout.outcome, &playout.end_bits());
            }
        }
        sums.add_to(counts, |(row, column)| usize::from(self.point_of(row, column).0));
    }
}

impl<R: LineRules> Game for Position<R> {
    type Rules = R;

    const KIND: Kind = R::KIND;
    const NOTATION: Notation = Notation::Line;
    const EVALUATIONS: &'static [Evaluation<Self>] = R::EVALUATIONS;
    const HEAVY: bool = true;

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

    /// The odds by the rank of the best evaluation; what is no free point has the least there are.
    fn priors(&self, moves: &[Move], weights: &mut Vec<f32>) {
        weights.clear();
        weights.resize(moves.len(), odds(i32::MIN));
        let is_free = |mv: Move| usize::from(mv.0) < self.size.area() && self.stone(mv).is_none();
        let free: Vec<usize> = (0..moves.len()).filter(|&at| is_free(moves[at])).collect();
        let mut ranked: Vec<Ranked> = free.iter().map(|&at| Ranked::new(moves[at])).collect();
        if let Some(evaluation) = R::EVALUATIONS.first() {
            (evaluation.rank)(self, &mut ranked);
        }
        for (at, Ranked { rank, .. }) in free.into_iter().zip(ranked) {
            weights[at] = odds(rank);
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

    /// Of the stones, the side to move and how many plies its turn has left.
    fn hash(&self) -> u64 {
        self.stones_hash ^ mix(u64::from(self.clock))
    }

    fn stones_hash(&self) -> u64 {
        self.stones_hash
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

    fn playout(
        &mut self,
        policy: Policy,
        rng: &mut Rng,
        observer: &mut impl Observer,
    ) -> (Outcome, u32) {
        if policy == Policy::Heavy {
            return self.play_out_heavily(rng, observer);
        }
        match self.size.width.max(self.size.height) {
            0..=16 => self.play_out::<u16, { 16 + PADDING }>(rng, observer),
            17..=20 => self.play_out::<u32, { 20 + PADDING }>(rng, observer),
            _ => self.play_out::<u32, { 28 + PADDING }>(rng, observer),
        }
    }

    fn playouts(&self, policy: Policy, count: u32, rng: &mut Rng, counts: &mut Counts) {
        if policy == Policy::Heavy {
            return self.count_heavy_playouts(count, rng, counts);
        }
        match self.size.width.max(self.size.height) {
            0..=16 => self.count_playouts::<u16, { 16 + PADDING }>(count, rng, counts),
            17..=20 => self.count_playouts::<u32, { 20 + PADDING }>(count, rng, counts),
            _ => self.count_playouts::<u32, { 28 + PADDING }>(count, rng, counts),
        }
    }
}

fn stone_key(color: Color, point: Move) -> u64 {
    mix(u64::from(point.0) << 1 | color as u64 | 1 << 32)
}
/// Odds that a move to which the best evaluation gives this rank is the one to play; those of `i32::MIN` are
/// for what is out of the question. Ranks are logits.
///
/// - `rank`: hundredths.
fn odds(rank: i32) -> f32 {
    libm::expf((rank as f32 / LOGIT).clamp(-LOG_ODDS_MAX, LOG_ODDS_MAX))
}

/// Values and ranks that were learned are in hundredths.
pub(crate) const LOGIT: f32 = 100.0;

/// What a rank is trusted with at most.
const LOG_ODDS_MAX: f32 = 16.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_become_odds_within_bounds() {
        assert_eq!(odds(0), 1.0);
        assert!((odds(100) - std::f32::consts::E).abs() < 1e-5);
        assert!(odds(i32::MAX).is_finite() && odds(i32::MIN) > 0.0);
    }
}

//! The evaluation by patterns and segments, kept up to date stone by stone.
//!
//! Both are sums over lines, and a stone stands on four. Moves are only noted when they are played: a search
//! often takes one back before anything is asked.

use crate::evaluation::{Accumulator, EVALUATION_MAX, Ranked};
use crate::line::lines::{Lines, SLANTS, WAYS, places};
use banyan_games::game::Game as _;
use banyan_games::line::LineRules as _;
use banyan_games::types::{Color, Move, Size};

use super::order::rank;
use super::scores::{ByClock, Clock, Scores};
use super::urgent::UrgentWindows;
use super::value::shapes;
use banyan_games::connect6::{Connect6, Connect6Rules};

const SIX: usize = Connect6Rules::LENGTH;

/// The additions of one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Line {
    /// Worth of its shapes to Black.
    shapes: ByClock,
    /// By side: windows with so many of its stones and none of the other side's.
    windows: [[u8; SIX + 1]; 2],
}

/// Sums over all lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    shapes: ByClock,
    windows: [[u16; SIX + 1]; 2],
}

/// A move since the root.
#[derive(Clone, Copy, Debug)]
struct Ply {
    color: Color,
    at: (usize, usize),
    /// Before the move: its four lines, and all.
    lines: [Line; WAYS],
    totals: Totals,
}

/// A position near the root, and the way to it.
pub(super) struct ByPatterns<'a> {
    scores: &'a Scores,
    size: Size,
    stones: Lines,
    lines: Box<[[Line; SLANTS]; WAYS]>,
    totals: Totals,
    plies: Vec<Ply>,
    /// The moves that the lines have; later ones are only noted.
    applied: usize,
}

impl<'a> ByPatterns<'a> {
    pub fn of(scores: &'a Scores, position: &Connect6) -> ByPatterns<'a> {
        let mut own = ByPatterns {
            scores,
            size: position.size(),
            stones: Lines::of(position),
            lines: Box::new([[Line::default(); SLANTS]; WAYS]),
            totals: Totals::default(),
            plies: Vec::new(),
            applied: 0,
        };
        for (way, line) in (0..WAYS).flat_map(|way| (0..SLANTS).map(move |line| (way, line))) {
            own.look_again(way, line);
        }
        own
    }

    /// Counts a line as it is now.
    fn look_again(&mut self, way: usize, line: usize) {
        let (stones, length) = self.stones.whole(way, line);
        if length < SIX {
            return;
        }
        let [black, white] = stones;
        let mut now = Line::default();
        if black | white != 0 {
            let sides = [(Color::Black, (black, white)), (Color::White, (white, black))];
            for (side, stones) in sides {
                shapes(stones, length, &mut |pattern| {
                    let each = now.shapes.iter_mut().zip(self.scores.of(side, pattern));
                    each.for_each(|(sum, score)| *sum += score);
                });
            }
        }
        for first in 0..=length - SIX {
            let counts = stones.map(|stones| (stones >> first & ONE_WINDOW).count_ones() as usize);
            for side in 0..2 {
                if counts[1 - side] == 0 {
                    now.windows[side][counts[side]] += 1;
                }
            }
        }
        let before = std::mem::replace(&mut self.lines[way][line], now);
        for (at, all) in self.totals.shapes.iter_mut().enumerate() {
            *all += now.shapes[at] - before.shapes[at];
        }
        for (side, all) in self.totals.windows.iter_mut().enumerate() {
            for (stones, all) in all.iter_mut().enumerate() {
                *all += u16::from(now.windows[side][stones]);
                *all -= u16::from(before.windows[side][stones]);
            }
        }
    }

    /// Makes the moves that were only noted.
    fn catch_up(&mut self) {
        while self.applied < self.plies.len() {
            let Ply { color, at, .. } = self.plies[self.applied];
            let through = places(at);
            let lines = std::array::from_fn(|way| self.lines[way][through[way].0]);
            self.plies[self.applied] = Ply { color, at, lines, totals: self.totals };
            self.applied += 1;
            self.stones.turn(color, at);
            for (way, (line, _)) in through.into_iter().enumerate() {
                self.look_again(way, line);
            }
        }
    }

    /// Appends what must be played.
    fn urgent(&self, position: &Connect6, moves: &mut Vec<Move>) {
        let Some(urgent) = UrgentWindows::of(position, &self.totals.windows) else { return };
        let has_some = |way: usize, line: usize| {
            let windows = &self.lines[way][line].windows[urgent.side.index()];
            windows[urgent.least..SIX].iter().any(|&it| it > 0)
        };
        let windows = urgent.empty_points((&self.stones, self.size), has_some);
        urgent.moves(position, &windows, moves);
    }
}

/// A window that begins at the first point.
const ONE_WINDOW: u32 = (1 << SIX) - 1;

impl Accumulator<Connect6> for ByPatterns<'_> {
    fn play(&mut self, position: &Connect6, mv: Move) {
        let width = usize::from(self.size.width);
        let at = (usize::from(mv.0) / width, usize::from(mv.0) % width);
        let (color, lines) = (position.side_to_move(), [Line::default(); WAYS]);
        self.plies.push(Ply { color, at, lines, totals: self.totals });
    }

    fn take_back(&mut self) {
        let Some(Ply { color, at, lines, totals }) = self.plies.pop() else { return };
        if self.applied > self.plies.len() {
            self.applied -= 1;
            self.stones.turn(color, at);
            for (way, (line, _)) in places(at).into_iter().enumerate() {
                self.lines[way][line] = lines[way];
            }
            self.totals = totals;
        }
    }

    fn value(&mut self, position: &Connect6) -> i32 {
        self.catch_up();
        let Totals { shapes, windows } = &self.totals;
        let value = self.scores.value(Clock::of(position), shapes, windows);
        value.clamp(-i64::from(EVALUATION_MAX), i64::from(EVALUATION_MAX)) as i32
    }

    fn rank(&mut self, position: &Connect6, moves: &mut [Ranked]) {
        self.catch_up();
        rank(&self.stones, position, moves);
    }

    fn quiescence_value(&mut self, position: &Connect6, moves: &mut Vec<Move>) -> Option<i32> {
        self.catch_up();
        let before = moves.len();
        self.urgent(position, moves);
        (moves.len() == before).then(|| self.value(position))
    }

    fn forced(&mut self, position: &Connect6, moves: &mut Vec<Move>) {
        self.catch_up();
        self.urgent(position, moves);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect6::plain;
    use crate::connect6::wander::wander;

    #[test]
    fn an_accumulator_says_what_is_found_afresh() {
        for scores in [Scores::of_source(), Scores::tuned()] {
            let urgent = wander(&|root| ByPatterns::of(scores, root), &agrees);
            assert!(urgent > 100, "{urgent}");
        }
    }

    /// Returns 1 where moves are urgent.
    fn agrees(accumulator: &mut ByPatterns<'_>, position: &Connect6) -> usize {
        let expected = plain::value(accumulator.scores, position);
        assert_eq!(accumulator.value(position), expected, "{position:?}");
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        let mut ranks =
            [(); 2].map(|()| moves.iter().copied().map(Ranked::new).collect::<Vec<_>>());
        accumulator.rank(position, &mut ranks[0]);
        ranks[1].iter_mut().for_each(|ranked| ranked.rank = plain::rank(position, ranked.mv));
        assert_eq!(ranks[0], ranks[1], "{position:?}");
        let [mut own, mut other] = [Vec::new(), Vec::new()];
        let at_rest = accumulator.quiescence_value(position, &mut own);
        plain::urgent(position, &mut other);
        assert_eq!(own, other, "{position:?}");
        assert_eq!(at_rest, other.is_empty().then_some(expected), "{position:?}");
        own.clear();
        accumulator.forced(position, &mut own);
        assert_eq!(own, other, "{position:?}");
        usize::from(at_rest.is_none())
    }
}

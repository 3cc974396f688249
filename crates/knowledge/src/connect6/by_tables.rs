//! The evaluation by tables over line shapes, kept up to date stone by stone.
//!
//! A stone is seen by eight looks and six windows on each of its four lines, and no others change. Moves are
//! only noted when they are played: a search often takes one back before anything is asked.

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::game::Game as _;
use banyan_games::line::LineRules as _;
use banyan_games::types::{Color, Move, Size};

use crate::evaluation::{Accumulator, Ranked};
use crate::line::lines::{Lines, SIGHT, SLANTS, WAYS, places};

use super::order::rank;
use super::tables::{Along, Sums, Tables};
use super::urgent::{UrgentWindows, Windows};

const SIX: usize = Connect6Rules::LENGTH;
/// Stones that a turn makes six of.
const ALMOST: usize = SIX - Connect6Rules::STONES_A_TURN as usize;

/// By side: windows of a line with so many stones that a turn makes six of them.
type Almost = [u8; 2];

/// A move since the root.
#[derive(Clone, Copy, Debug)]
struct Ply {
    color: Color,
    at: (usize, usize),
    /// Before the move: all sums, all windows, and its four lines.
    sums: Sums,
    windows: Windows,
    almost: [Almost; WAYS],
}

/// A position near the root, and the way to it.
pub(super) struct ByTables<'a> {
    tables: &'a Tables,
    size: Size,
    lines: Lines,
    sums: Sums,
    windows: Windows,
    almost: Box<[[Almost; SLANTS]; WAYS]>,
    plies: Vec<Ply>,
    /// The moves that the lines have; later ones are only noted.
    applied: usize,
}

impl<'a> ByTables<'a> {
    pub fn of(tables: &'a Tables, position: &Connect6) -> ByTables<'a> {
        let lines = Lines::of(position);
        let mut windows = [[0; SIX + 1]; 2];
        let mut almost = Box::new([[[0; 2]; SLANTS]; WAYS]);
        for (way, line) in (0..WAYS).flat_map(|way| (0..SLANTS).map(move |line| (way, line))) {
            let along = Along::of(&lines, way, line);
            for start in along.windows() {
                count(&mut windows, &mut almost[way][line], along.window(start), true);
            }
        }
        ByTables {
            tables,
            size: position.size(),
            sums: tables.sums(&lines),
            lines,
            windows,
            almost,
            plies: Vec::new(),
            applied: 0,
        }
    }

    /// Makes the moves that were only noted.
    fn catch_up(&mut self) {
        while self.applied < self.plies.len() {
            let Ply { color, at, .. } = self.plies[self.applied];
            let through = places(at);
            let almost = std::array::from_fn(|way| self.almost[way][through[way].0]);
            let (sums, windows) = (self.sums, self.windows);
            self.plies[self.applied] = Ply { color, at, sums, windows, almost };
            self.applied += 1;
            let before = std::array::from_fn::<_, WAYS, _>(|way| {
                Along::of(&self.lines, way, through[way].0)
            });
            self.lines.turn(color, at);
            for (way, before) in before.into_iter().enumerate() {
                let (line, place) = through[way];
                self.change(before, (way, line), place + SIGHT);
            }
        }
    }

    /// Counts what is seen of a line anew around one place of it.
    #[inline(always)]
    fn change(&mut self, before: Along, (way, line): (usize, usize), place: usize) {
        let after = Along::of(&self.lines, way, line);
        for start in before.starts_at(place) {
            self.tables.subtract(&mut self.sums, before.look(start));
            self.tables.add(&mut self.sums, after.look(start));
        }
        let almost = &mut self.almost[way][line];
        for start in before.windows_at(place) {
            count(&mut self.windows, almost, before.window(start), false);
            count(&mut self.windows, almost, after.window(start), true);
        }
    }

    fn urgent(&self, position: &Connect6, moves: &mut Vec<Move>) {
        let Some(urgent) = UrgentWindows::of(position, &self.windows) else { return };
        let side = urgent.side.index();
        let has_some = |way: usize, line: usize| {
            // A window of five that the last stone of a turn fills is one of these, too.
            self.almost[way][line][side] > 0
        };
        let windows = urgent.empty_points((&self.lines, self.size), has_some);
        urgent.moves(position, &windows, moves);
    }
}

/// Counts a window, or no longer, by the stones of each side in it.
#[inline(always)]
fn count(windows: &mut Windows, almost: &mut Almost, stones: [u32; 2], is_there: bool) {
    for side in 0..2 {
        if stones[1 - side] == 0 {
            let number = stones[side] as usize;
            let is_almost = u8::from((ALMOST..SIX).contains(&number));
            match is_there {
                true => {
                    (windows[side][number], almost[side]) =
                        (windows[side][number] + 1, almost[side] + is_almost)
                }
                false => {
                    (windows[side][number], almost[side]) =
                        (windows[side][number] - 1, almost[side] - is_almost)
                }
            }
        }
    }
}

impl Accumulator<Connect6> for ByTables<'_> {
    fn play(&mut self, position: &Connect6, mv: Move) {
        let width = usize::from(self.size.width);
        let at = (usize::from(mv.0) / width, usize::from(mv.0) % width);
        let (color, almost) = (position.side_to_move(), [[0; 2]; WAYS]);
        self.plies.push(Ply { color, at, sums: self.sums, windows: self.windows, almost });
    }

    fn take_back(&mut self) {
        let Some(Ply { color, at, sums, windows, almost }) = self.plies.pop() else { return };
        if self.applied > self.plies.len() {
            self.applied -= 1;
            self.lines.turn(color, at);
            for (way, (line, _)) in places(at).into_iter().enumerate() {
                self.almost[way][line] = almost[way];
            }
            (self.sums, self.windows) = (sums, windows);
        }
    }

    fn value(&mut self, position: &Connect6) -> i32 {
        self.catch_up();
        self.tables.value(position, &self.sums)
    }

    fn rank(&mut self, position: &Connect6, moves: &mut [Ranked]) {
        self.catch_up();
        rank(&self.lines, position, moves);
    }

    fn quiescence_value(&mut self, position: &Connect6, moves: &mut Vec<Move>) -> Option<i32> {
        self.catch_up();
        let before = moves.len();
        self.urgent(position, moves);
        (moves.len() == before).then(|| self.tables.value(position, &self.sums))
    }

    fn forced(&mut self, position: &Connect6, moves: &mut Vec<Move>) {
        self.catch_up();
        self.urgent(position, moves);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect6::wander::wander;

    #[test]
    fn an_accumulator_says_what_is_found_afresh() {
        let tables = Tables::learned();
        let urgent = wander(&|root| ByTables::of(tables, root), &agrees);
        assert!(urgent > 100, "{urgent}");
    }

    /// Returns 1 where moves are urgent.
    fn agrees(accumulator: &mut ByTables<'_>, position: &Connect6) -> usize {
        let mut afresh = ByTables::of(accumulator.tables, position);
        assert_eq!(accumulator.value(position), afresh.value(position), "{position:?}");
        assert_eq!(accumulator.windows, afresh.windows, "{position:?}");
        assert_eq!(accumulator.almost, afresh.almost, "{position:?}");
        let [mut own, mut other] = [Vec::new(), Vec::new()];
        let at_rest = accumulator.quiescence_value(position, &mut own);
        assert_eq!(at_rest, afresh.quiescence_value(position, &mut other), "{position:?}");
        assert_eq!(own, other, "{position:?}");
        usize::from(at_rest.is_none())
    }
}

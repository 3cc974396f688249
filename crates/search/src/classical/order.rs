//! The order in which moves are tried: alpha-beta gains by it alone.

use banyan_games::{Color, Move, Size};
use banyan_knowledge::Ranked;

/// Moves that were too good for the other side lately, to be tried early.
///
/// - **Killers**: two a ply, the newest first; what refutes one line often refutes its neighbours.
/// - **History**: a weight for each side and point, halved when one grows large.
///
/// # Source
/// S7; Akl & Newborn 1977 for killers, Schaeffer 1989 for the history.
#[derive(Clone, Debug)]
pub(super) struct MoveOrdering {
    killers: Vec<[Move; 2]>,
    history: Box<[[i32; Size::AREA_MAX]; 2]>,
}

const HISTORY_MAX: i32 = 1 << 20;

/// Beyond every other rank.
const FIRST: i32 = i32::MAX;

/// A killer comes before what history and the game's own order have to say.
const KILLER: i32 = 1 << 30;

/// Weight of a game's own rank against the history.
const RANK: i32 = 1 << 6;

impl MoveOrdering {
    pub fn new() -> MoveOrdering {
        MoveOrdering { killers: Vec::new(), history: Box::new([[0; Size::AREA_MAX]; 2]) }
    }

    /// Another search: killers are forgotten, the history fades.
    pub fn begin(&mut self) {
        self.killers.clear();
        self.fade();
    }

    fn fade(&mut self) {
        self.history.iter_mut().flatten().for_each(|weight| *weight /= 2);
    }

    /// Notes a cut at `ply` by a move of `side`; `weight` grows with the subtree that was saved.
    pub fn note_cut(&mut self, side: Color, ply: usize, mv: Move, weight: i32) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [Move::PASS; 2]);
        }
        let [first, _] = self.killers[ply];
        if first != mv {
            self.killers[ply] = [mv, first];
        }
        let Some(point) = mv.index() else { return };
        let history = &mut self.history[side.index()][point];
        *history += weight.clamp(1, HISTORY_MAX / 64);
        if *history > HISTORY_MAX {
            self.fade();
        }
    }

    /// Adds to each move's rank what is known of it; the first to be tried is `known`, if it is among them.
    pub fn rank(&self, side: Color, ply: usize, known: Option<Move>, moves: &mut [Ranked]) {
        let killers = self.killers.get(ply).copied().unwrap_or([Move::PASS; 2]);
        let history = &self.history[side.index()];
        for Ranked { mv, rank } in moves {
            *rank = match *mv {
                mv if Some(mv) == known => FIRST,
                mv if mv == killers[0] => KILLER + 1,
                mv if mv == killers[1] => KILLER,
                mv => {
                    let learned = mv.index().map_or(0, |point| history[point]);
                    rank.saturating_mul(RANK).saturating_add(learned).clamp(-KILLER, KILLER - 1)
                }
            };
        }
    }
}

/// Takes the first of `moves` that is left, from place `at` on. Of equals the earlier is taken, so the
/// order in which a game names its moves decides.
pub(super) fn next(moves: &mut [Ranked], at: usize) -> Move {
    let best = (at..moves.len()).rev().max_by_key(|&place| moves[place].rank).unwrap_or(at);
    moves[at..=best].rotate_right(1);
    moves[at].mv
}

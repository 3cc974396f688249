//! The endgame of Othello as the top of a search that many solve together.

use banyan_games::othello::Othello;
use banyan_games::{Game, Move};
use banyan_knowledge::Knowledge;
use banyan_knowledge::othello::learned::DISC;

use super::board::{Board, SCORE_MAX};
use super::order::{children, next};
use super::table::NONE;
use crate::classical::{Horizon, Memory, Method, Problem, Watch, search};
use crate::parallel::Below;

/// The top of a solved endgame: boards small enough are left to one solver.
#[derive(Clone, Copy, Debug)]
pub struct Top {
    /// Positions with at most so many empties.
    pub empties_max: u32,
}

/// A quick search of so many plies guesses the score.
const GUESS_PLIES: u32 = 6;

const GUESS_TABLE_BYTES: usize = 1 << 20;

struct ToTheEnd;

impl Watch for ToTheEnd {
    fn goes_on(&mut self, _: u64) -> bool {
        true
    }
}

impl Top {
    /// A quick search's guess at the score of a position whose game goes on, for the side to move: discs, an
    /// even number.
    pub fn guess(position: &Othello) -> i32 {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let problem = Problem {
            position,
            moves: &moves,
            evaluation: &*Othello::evaluations()[0],
            method: Method::AlphaBeta,
            horizon: Horizon::Depth,
            depth_max: GUESS_PLIES,
        };
        let found = search(&mut Memory::new(GUESS_TABLE_BYTES), &problem, &mut ToTheEnd);
        let discs = found.value as f32 / DISC as f32;
        2 * (discs / 2.0).round().clamp(-32.0, 32.0) as i32
    }
}

impl Below<Othello> for Top {
    const UNIT: i32 = 2;
    const MAX: i32 = SCORE_MAX;

    fn finished(&self, position: &Othello) -> Option<i32> {
        position.outcome().map(|_| Board::from(position).score())
    }

    fn ranked(&mut self, position: &Othello, moves: &mut Vec<Move>) {
        let board = Board::from(position);
        let mut children = children(board, board.moves(), NONE);
        let in_order = (0..children.len()).map(|place| next(&mut children, place).at);
        moves.extend(in_order.map(|at| Move::point(usize::from(at))));
        if moves.is_empty() {
            moves.push(Move::PASS);
        }
    }

    fn is_small(&self, position: &Othello, _: usize) -> bool {
        Board::from(position).empties().count_ones() <= self.empties_max
    }
}

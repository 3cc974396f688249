//! A position on its way through a search that asks the tables over patterns.

use banyan_games::othello::discs;
use banyan_knowledge::othello::learned::{DISC, Seen};
use banyan_knowledge::tuples::Tables;

use super::board::Board;

/// A board with what it shows of the patterns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub board: Board,
    seen: Seen,
}

impl Node {
    pub fn of(board: Board) -> Node {
        Node { board, seen: Seen::of(board.own, board.other) }
    }

    /// The position after a disc on the one point of `at`, a legal move.
    #[inline]
    pub fn after(&self, at: u64) -> Node {
        let (board, flips) = self.put(at);
        Node { board, seen: self.seen.after(at, flips) }
    }

    #[inline]
    fn put(&self, at: u64) -> (Board, u64) {
        let Board { own, other } = self.board;
        let flips = discs::flips(own, other, at);
        (Board { own: other ^ flips, other: own | flips | at }, flips)
    }

    #[inline]
    pub fn passed(&self) -> Node {
        Node { board: self.board.passed(), seen: self.seen.passed() }
    }

    #[inline]
    pub fn empties(&self) -> u32 {
        self.board.empties().count_ones()
    }

    /// The value by the tables, for the side to move.
    #[inline]
    pub fn value(&self, tables: &Tables) -> i32 {
        self.seen.value(tables, self.board.own, self.board.other)
    }

    /// The value by the tables, to the side to move, of a disc on `at`, a legal move.
    #[inline]
    pub fn value_of_move(&self, tables: &Tables, at: u64) -> i32 {
        let (board, flips) = self.put(at);
        if board.own == 0 {
            return 64 * DISC;
        }
        -self.seen.value_after(tables, (at, flips), (board.own, board.other))
    }

    /// The score of a game that is over, on the scale of values.
    pub fn score(&self) -> i32 {
        DISC * self.board.score()
    }
}

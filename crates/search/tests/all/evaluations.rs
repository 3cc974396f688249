//! Evaluations made for tests: one that says anything at all, and those of the games with parts taken out.

use std::sync::Arc;

use banyan_games::{Color, Move};
use banyan_knowledge::{Accumulator, Digest, Evaluation, Knowledge, LateMoves, Ranked};

/// Few different values, so that many are equal, and all that a search has to heed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arbitrary {
    /// Reduction and pruning of late moves.
    pub late_moves: Option<LateMoves>,
    /// Tells whether one child in five is dropped.
    pub drops: bool,
    /// Tells whether no position has anything urgent, and no move is ranked before another.
    pub is_quiet: bool,
}

impl<G: Knowledge> Evaluation<G> for Arbitrary {
    fn name(&self) -> &str {
        "arbitrary"
    }

    fn digest(&self) -> Digest {
        Digest::EMPTY
    }

    fn scale(&self) -> f32 {
        1.0
    }

    fn value(&self, position: &G) -> i32 {
        (position.hash() % 41) as i32 - 20
    }

    fn rank(&self, position: &G, moves: &mut [Ranked]) {
        for Ranked { mv, rank } in moves.iter_mut().filter(|_| !self.is_quiet) {
            *rank = (position.hash() ^ u64::from(mv.0).wrapping_mul(0x9E37_79B9)) as i32 % 7;
        }
    }

    /// Says of one position in eight that its first two moves must be tried.
    fn quiescence_value(&self, position: &G, moves: &mut Vec<Move>) -> Option<i32> {
        if self.is_quiet || position.hash() % 8 != 3 {
            return Some(self.value(position));
        }
        position.candidates(moves);
        moves.truncate(2);
        None
    }

    /// Says of one position in five that its first move or its first two are forced.
    fn forced(&self, position: &G, moves: &mut Vec<Move>) {
        if position.hash() % 5 == 1 {
            position.candidates(moves);
            moves.truncate(1 + (position.hash() / 5 % 2) as usize);
        }
    }

    fn late_moves(&self) -> Option<LateMoves> {
        self.late_moves
    }

    fn keeps(&self, _: &G, child: &G) -> bool {
        !self.drops || child.hash() % 5 != 2
    }
}

/// A game's own evaluation, changed.
#[derive(Clone, Debug)]
pub struct Changed<G> {
    /// As it was.
    pub own: Arc<dyn Evaluation<G>>,
    /// Reduction and pruning of late moves.
    pub late_moves: Option<LateMoves>,
    /// Tells whether what is forced is told; without that every line has the same depth.
    pub forces: bool,
    /// Tells whether White's moves stand in the wrong order.
    pub is_worst_first_for_white: bool,
}

impl<G: Knowledge> Changed<G> {
    /// The best evaluation of the game, which looks at every move.
    pub fn whole() -> Changed<G> {
        let own = G::evaluations()[0].clone();
        Changed { own, late_moves: None, forces: true, is_worst_first_for_white: false }
    }
}

impl<G: Knowledge> Evaluation<G> for Changed<G> {
    fn name(&self) -> &str {
        "changed"
    }

    fn digest(&self) -> Digest {
        Digest::EMPTY
    }

    fn scale(&self) -> f32 {
        self.own.scale()
    }

    fn value(&self, position: &G) -> i32 {
        self.own.value(position)
    }

    fn rank(&self, position: &G, moves: &mut [Ranked]) {
        self.own.rank(position, moves);
        if self.is_worst_first_for_white && position.side_to_move() == Color::White {
            moves.iter_mut().for_each(|ranked| ranked.rank = -ranked.rank);
        }
    }

    fn quiescence_value(&self, position: &G, moves: &mut Vec<Move>) -> Option<i32> {
        self.own.quiescence_value(position, moves)
    }

    fn forced(&self, position: &G, moves: &mut Vec<Move>) {
        if self.forces {
            self.own.forced(position, moves);
        }
    }

    fn late_moves(&self) -> Option<LateMoves> {
        self.late_moves
    }

    fn accumulator(&self, position: &G) -> Option<Box<dyn Accumulator<G> + '_>> {
        let is_as_it_was = self.forces && !self.is_worst_first_for_white;
        self.own.accumulator(position).filter(|_| is_as_it_was)
    }
}

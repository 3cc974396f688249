//! A position of Othello as the solver sees it.

use banyan_games::othello::{Othello, discs};
use banyan_games::rng::mix;

/// Every disc to one side.
pub const SCORE_MAX: i32 = 64;

/// The discs of the side to move and of the other; bit 0 is a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Discs of the side to move.
    pub own: u64,
    /// Discs of the other side.
    pub other: u64,
}

impl From<&Othello> for Board {
    fn from(position: &Othello) -> Board {
        let (own, other) = position.own_and_other();
        Board { own, other }
    }
}

impl Board {
    /// The points without a disc.
    #[inline(always)]
    pub fn empties(self) -> u64 {
        !(self.own | self.other)
    }

    /// The key by which tables know it.
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        mix(self.own ^ self.other.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31))
    }

    /// The points where the side to move may play.
    #[inline(always)]
    pub(crate) fn moves(self) -> u64 {
        discs::moves(self.own, self.other)
    }

    /// The board for the other side after a disc on the one point of `at`, if that turns anything.
    #[inline(always)]
    pub(crate) fn after(self, at: u64) -> Option<Board> {
        let flips = discs::flips(self.own, self.other, at);
        (flips != 0).then_some(Board { own: self.other ^ flips, other: self.own | flips | at })
    }

    /// The same board for the other side.
    #[inline(always)]
    pub(crate) fn passed(self) -> Board {
        Board { own: self.other, other: self.own }
    }

    /// The score of a game that is over.
    pub(crate) fn score(self) -> i32 {
        let (own, other) = (self.own.count_ones() as i32, self.other.count_ones() as i32);
        let empty = 64 - own - other;
        let difference = own - other;
        difference + difference.signum() * empty
    }

    /// The position that any evaluation of Othello may be asked about.
    pub fn position(self) -> Othello {
        Othello::of_discs(self.own, self.other)
    }
}

/// The empty points that lie in a quarter of the board with an odd number of them.
///
/// Whoever plays first in such a quarter can play last in it too.
///
/// # Source
/// S8: parity.
#[inline(always)]
pub(super) fn in_odd_quarters(empties: u64) -> u64 {
    // Sums without carry over four columns, then over four rows: bits 0, 4, 32 and 36 are the quarters'.
    let mut odd = empties ^ empties >> 1;
    odd ^= odd >> 2;
    odd ^= odd >> 8;
    odd ^= odd >> 16;
    empties & (odd & 0x0000_0011_0000_0011).wrapping_mul(0x0F0F_0F0F)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use banyan_games::Game;
    use banyan_games::othello::OthelloRules;
    use banyan_games::{Move, Rng};

    /// A random position with so many empty points whose game goes on.
    pub fn random(empties: u32, rng: &mut Rng) -> Othello {
        loop {
            let mut position = Othello::new(&OthelloRules);
            while position.outcome().is_none() {
                if Board::from(&position).empties().count_ones() == empties {
                    return position;
                }
                let mut moves: Vec<Move> = Vec::new();
                position.legal_moves(&mut moves);
                position.play(moves[rng.below(moves.len() as u32) as usize]);
            }
        }
    }

    #[test]
    fn odd_quarters_are_found_as_by_counting() {
        let mut rng = Rng::from_seed(3);
        for _ in 0..1_000 {
            let empties = rng.bits() & rng.bits();
            let mut expected = 0;
            for corner in [0, 4, 32, 36] {
                let quarter = 0x0F0F_0F0F_u64 << corner;
                if (empties & quarter).count_ones() % 2 == 1 {
                    expected |= empties & quarter;
                }
            }
            assert_eq!(in_odd_quarters(empties), expected);
        }
    }
}

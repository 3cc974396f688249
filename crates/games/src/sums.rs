//! AMAF counts and ownership of whole playouts at once: one bitboard holds all the stones of a side.

use banyan_kernels::rows::Row;
use banyan_kernels::sums::BitSums;

use crate::counts::{Amaf, Counts};
use crate::types::{Color, Outcome};

/// A batch's additions to AMAF counts and ownership, for games whose sides are bits.
#[derive(Clone, Debug)]
pub struct Sums<R, const ROWS: usize> {
    /// By side and by what the game was worth to it in half wins: the points it was first to play.
    first: [[BitSums<R, ROWS>; 3]; 2],
    /// By side: the points it held at the end.
    held: [BitSums<R, ROWS>; 2],
}

impl<R: Row, const ROWS: usize> Default for Sums<R, ROWS> {
    fn default() -> Self {
        Sums::new()
    }
}

/// One ended playout, by side.
#[derive(Clone, Copy, Debug)]
pub struct EndBits<R, const ROWS: usize> {
    /// The points this side was the first to play.
    pub first: [[R; ROWS]; 2],
    /// The points this side holds.
    pub held: [[R; ROWS]; 2],
}

impl<R: Row, const ROWS: usize> Sums<R, ROWS> {
    /// All zero.
    pub fn new() -> Self {
        Sums { first: [const { [BitSums::ZERO; 3] }; 2], held: [BitSums::ZERO; 2] }
    }

    /// Adds one playout.
    #[inline]
    pub fn add(&mut self, outcome: Outcome, end: &EndBits<R, ROWS>) {
        for color in Color::BOTH {
            let half_wins = match outcome.winner() {
                None => 1,
                Some(winner) => 2 * usize::from(winner == color),
            };
            self.first[color.index()][half_wins].add(&end.first[color.index()]);
            self.held[color.index()].add(&end.held[color.index()]);
        }
    }

    /// Adds all to what `counts` collects; `point_of` a row and column.
    pub fn add_to(&self, counts: &mut Counts, point_of: impl Fn((usize, usize)) -> usize) {
        for color in Color::BOTH {
            if let Some(amaf) = &mut counts.amaf {
                self.add_first(color, amaf, &point_of);
            }
            if let Some(ownership) = &mut counts.ownership {
                let sign = [1, -1][color.index()];
                let held = &self.held[color.index()];
                held.for_each(|bit, n| ownership[point_of(bit)] += sign * n as i32);
            }
        }
    }

    fn add_first(&self, color: Color, amaf: &mut Amaf, point_of: impl Fn((usize, usize)) -> usize) {
        for (half_wins, sums) in (0..).zip(&self.first[color.index()]) {
            sums.for_each(|bit, n| {
                let slot = Amaf::slot(point_of(bit), color);
                amaf.visits[slot] += n;
                amaf.half_wins[slot] += half_wins * n;
            });
        }
    }
}

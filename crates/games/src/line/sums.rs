//! AMAF counts and ownership of whole playouts at once: one bitboard holds all the stones of a side.
//!
//! Adding a board to a column of binary digits costs about two operations a row, where counting its
//! stones one by one would cost as many as there are stones.

use crate::counts::{Amaf, Counts};
use crate::types::{Color, Outcome};

use super::rows::Row;

/// How often each bit was set, over many boards.
#[derive(Clone, Debug)]
struct BitSums<R, const ROWS: usize> {
    /// Board `n` holds the binary digit `n` of every bit's count.
    digits: Vec<[R; ROWS]>,
}

impl<R: Row, const ROWS: usize> BitSums<R, ROWS> {
    const ZERO: Self = BitSums { digits: Vec::new() };

    #[inline]
    fn add(&mut self, rows: &[R; ROWS]) {
        let mut carry = *rows;
        for digit in &mut self.digits {
            if carry == [R::ZERO; ROWS] {
                return;
            }
            for (digit, carry) in digit.iter_mut().zip(&mut carry) {
                (*digit, *carry) = (*digit ^ *carry, *digit & *carry);
            }
        }
        if carry != [R::ZERO; ROWS] {
            self.digits.push(carry);
        }
    }

    /// Calls `count` with rows, columns and how often they were set, in parts that add up.
    fn for_each(&self, mut count: impl FnMut((usize, usize), u32)) {
        for (power, digit) in self.digits.iter().enumerate() {
            for (row, bits) in digit.iter().enumerate() {
                let mut left = bits.wide();
                while left != 0 {
                    count((row, left.trailing_zeros() as usize), 1 << power);
                    left &= left - 1;
                }
            }
        }
    }
}

/// What a batch of playouts adds to AMAF counts and ownership, for games whose sides are bits.
#[derive(Clone, Debug)]
pub struct Sums<R, const ROWS: usize> {
    /// By side and by what the game was worth to it in half wins: the points it was first to play.
    first: [[BitSums<R, ROWS>; 3]; 2],
    /// By side: the points it held at the end.
    held: [BitSums<R, ROWS>; 2],
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

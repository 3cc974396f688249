//! Number of times that each bit was set, over many boards.
//!
//! Adding a board to a column of binary digits costs about two operations a row, where counting its
//! stones one by one would cost as many as there are stones.

use crate::rows::Row;

/// Number of times that each bit was set, over many boards.
#[derive(Clone, Debug)]
pub struct BitSums<R, const ROWS: usize> {
    /// Board `n` holds the binary digit `n` of every bit's count.
    digits: Vec<[R; ROWS]>,
}

impl<R: Row, const ROWS: usize> BitSums<R, ROWS> {
    /// Over no board.
    pub const ZERO: Self = BitSums { digits: Vec::new() };

    /// Adds a board.
    #[inline]
    pub fn add(&mut self, rows: &[R; ROWS]) {
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
    pub fn for_each(&self, mut count: impl FnMut((usize, usize), u32)) {
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

//! AMAF counts and ownership of whole playouts at once: one bitboard holds all the stones of a side.
//!
//! Adding a plane to a column of binary digits costs about two operations a word, where counting its
//! stones one by one would cost as many as there are stones.

use crate::counts::{Amaf, Counts};
use crate::types::{Color, Outcome};

use super::plane::Plane;

/// How often each bit was set, over many planes.
#[derive(Clone, Debug, Default)]
struct BitSums<const WORDS: usize> {
    /// Plane `n` holds the binary digit `n` of every bit's count.
    digits: Vec<Plane<WORDS>>,
}

impl<const WORDS: usize> BitSums<WORDS> {
    #[inline]
    fn add(&mut self, plane: &Plane<WORDS>) {
        let mut carry = *plane;
        for digit in &mut self.digits {
            if carry == Plane::EMPTY {
                return;
            }
            for (digit, carry) in digit.0.iter_mut().zip(&mut carry.0) {
                (*digit, *carry) = (*digit ^ *carry, *digit & *carry);
            }
        }
        if carry != Plane::EMPTY {
            self.digits.push(carry);
        }
    }

    /// Calls `count` with bits and how often they were set, in parts that add up.
    fn for_each(&self, mut count: impl FnMut(usize, u32)) {
        for (power, digit) in self.digits.iter().enumerate() {
            digit.for_each(|bit| count(bit, 1 << power));
        }
    }
}

/// What a batch of playouts adds to AMAF counts and ownership, for games whose board fits a plane.
#[derive(Clone, Debug)]
pub struct Sums<const WORDS: usize> {
    /// By side and by what the game was worth to it in half wins: the points it was first to play.
    first: [[BitSums<WORDS>; 3]; 2],
    /// By side: the points it held at the end.
    held: [BitSums<WORDS>; 2],
}

/// The planes of one ended playout, by side.
#[derive(Clone, Copy, Debug)]
pub struct EndPlanes<const WORDS: usize> {
    /// The points this side was the first to play.
    pub first: [Plane<WORDS>; 2],
    /// The points this side holds.
    pub held: [Plane<WORDS>; 2],
}

impl<const WORDS: usize> Sums<WORDS> {
    /// All zero.
    pub fn new() -> Self {
        Sums { first: Default::default(), held: Default::default() }
    }

    /// Adds one playout.
    #[inline]
    pub fn add(&mut self, outcome: Outcome, planes: &EndPlanes<WORDS>) {
        for color in Color::BOTH {
            let half_wins = match outcome.winner() {
                None => 1,
                Some(winner) => 2 * usize::from(winner == color),
            };
            self.first[color.index()][half_wins].add(&planes.first[color.index()]);
            self.held[color.index()].add(&planes.held[color.index()]);
        }
    }

    /// Adds all to what `counts` collects; `point_of` names the point of a bit.
    pub fn add_to(&self, counts: &mut Counts, point_of: impl Fn(usize) -> usize) {
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

    fn add_first(&self, color: Color, amaf: &mut Amaf, point_of: impl Fn(usize) -> usize) {
        for (half_wins, sums) in (0..).zip(&self.first[color.index()]) {
            sums.for_each(|bit, n| {
                let slot = Amaf::slot(point_of(bit), color);
                amaf.visits[slot] += n;
                amaf.half_wins[slot] += half_wins * n;
            });
        }
    }
}

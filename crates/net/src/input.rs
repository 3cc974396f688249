//! A position as the network sees it: binary planes of points and a few numbers.
//!
//! The network does not know what a plane means. Who encodes a game's positions gives its encoding a
//! version, which a network's file names, so that the two cannot be mixed.
//!
//! # Sets of planes that suggest themselves
//! "Own" is the side to move, so that one network serves both colours. Every set begins with a plane
//! that is set on all points: outside the board all planes are 0, so the edge can be seen.
//!
//! | game | planes | globals (in 1/256) |
//! |---|---|---|
//! | Go, 7x7 to 19x19 | all; own, foe; chains of 1, 2, 3 liberties (own, foe: six planes); ko point and points forbidden by superko; the last 1–5 moves; ladders caught (2) | komi for the side to move / 16, its parity with the area, side / 20, passes before |
//! | Othello | all; own, foe; playable now, playable for the foe; stable discs of each; empty regions of odd size | discs / 32, empties / 32 |
//! | Gomoku | all; own, foe; own and foe points that make five, an open four, a four, an open three; forbidden points (Renju); last two moves | variant as one number each |
//! | Connect6 | as Gomoku with six and its threats; first stone of this turn | stones left in this turn |
//! | Hex | all; own, foe; bridges of each; points joined to either own edge, either foe edge; last move | whether swapping is allowed, side / 20; the board turned so that the side to move joins top and bottom |

use thiserror::Error;

/// Points on a side of the smallest board.
pub const SIDE_MIN: usize = 7;

/// Points on a side of the largest board.
pub const SIDE_MAX: usize = 25;

/// One of a global's unit: globals are whole numbers of 1/256.
pub const GLOBAL_ONE: i16 = 256;

const WORDS: usize = (SIDE_MAX * SIDE_MAX).div_ceil(64);

/// One binary plane: a bit a point, rows from the top, `y * width + x`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Plane([u64; WORDS]);

impl Plane {
    /// A plane that is set on the first `points` points.
    ///
    /// # Panics
    /// Beyond 625 points.
    pub fn full(points: usize) -> Plane {
        (0..points).collect()
    }

    /// Sets a point's bit.
    ///
    /// # Panics
    /// Beyond 625 points.
    pub fn set(&mut self, point: usize) {
        assert!(point < SIDE_MAX * SIDE_MAX, "point {point} is on no board");
        self.0[point / 64] |= 1 << (point % 64);
    }

    /// Tells whether a point's bit is set; false beyond the largest board.
    pub fn has(&self, point: usize) -> bool {
        self.0.get(point / 64).is_some_and(|word| word >> (point % 64) & 1 == 1)
    }

    /// The points that are set, in rising order.
    pub fn points(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(number, &word)| {
            let some = |bits: u64| Some(bits).filter(|&bits| bits != 0);
            let set = std::iter::successors(some(word), move |bits| some(bits & (bits - 1)));
            set.map(move |bits| 64 * number + bits.trailing_zeros() as usize)
        })
    }

    /// Bits of the first `points` points, the first in the lowest bit of the first byte.
    pub fn bytes(&self, points: usize) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().flat_map(|word| word.to_le_bytes()).take(points.div_ceil(8))
    }

    fn last(&self) -> Option<usize> {
        let (number, word) = self.0.iter().enumerate().rfind(|(_, word)| **word != 0)?;
        Some(64 * number + 63 - word.leading_zeros() as usize)
    }
}

impl FromIterator<usize> for Plane {
    fn from_iter<I: IntoIterator<Item = usize>>(points: I) -> Plane {
        let mut plane = Plane::default();
        points.into_iter().for_each(|point| plane.set(point));
        plane
    }
}

/// One position to evaluate.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Points in a row, 7 to 25.
    pub width: usize,
    /// Rows, 7 to 25.
    pub height: usize,
    /// The network's planes, in its encoding's order.
    pub planes: &'a [Plane],
    /// The network's globals, in its encoding's order, in units of 1/256.
    pub globals: &'a [i16],
}

/// An input that the network cannot take.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum InputError {
    #[error("board of {width}x{height} points, each side must be {SIDE_MIN} to {SIDE_MAX}")]
    Board { width: usize, height: usize },
    #[error("{found} planes, the network takes {wanted}")]
    Planes { found: usize, wanted: usize },
    #[error("{found} globals, the network takes {wanted}")]
    Globals { found: usize, wanted: usize },
    #[error("plane {plane} has point {point} set, the board has {points}")]
    OffBoard { plane: usize, point: usize, points: usize },
}

impl Input<'_> {
    /// Points of the board, count.
    pub fn points(&self) -> usize {
        self.width * self.height
    }

    /// Checks the board's sides and the numbers of planes and globals.
    ///
    /// # Errors
    /// The first that does not fit a network of `planes` planes and `globals` globals.
    pub fn check(&self, planes: usize, globals: usize) -> Result<(), InputError> {
        let Input { width, height, .. } = *self;
        if ![width, height].iter().all(|side| (SIDE_MIN..=SIDE_MAX).contains(side)) {
            return Err(InputError::Board { width, height });
        }
        if self.planes.len() != planes {
            return Err(InputError::Planes { found: self.planes.len(), wanted: planes });
        }
        if self.globals.len() != globals {
            return Err(InputError::Globals { found: self.globals.len(), wanted: globals });
        }
        self.check_points()
    }

    fn check_points(&self) -> Result<(), InputError> {
        let points = self.points();
        for (plane, bits) in self.planes.iter().enumerate() {
            if let Some(point) = bits.last().filter(|&point| point >= points) {
                return Err(InputError::OffBoard { plane, point, points });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_plane_holds_the_points_that_were_set(
            points in prop::collection::btree_set(0usize..625, 0..40)
        ) {
            let plane: Plane = points.iter().copied().collect();
            prop_assert!(plane.points().eq(points.iter().copied()));
            prop_assert!((0..700).all(|point| plane.has(point) == points.contains(&point)));
            prop_assert_eq!(plane.last(), points.last().copied());
        }
    }

    #[test]
    fn an_input_that_does_not_fit_is_refused_with_both_numbers() {
        let planes = [Plane::full(81), Plane::full(82)];
        let input = Input { width: 9, height: 9, planes: &planes, globals: &[0] };
        let words = |input: Input<'_>, planes, globals| {
            input.check(planes, globals).unwrap_err().to_string()
        };
        assert_eq!(words(input, 3, 1), "2 planes, the network takes 3");
        assert_eq!(words(input, 2, 0), "1 globals, the network takes 0");
        assert_eq!(words(input, 2, 1), "plane 1 has point 81 set, the board has 81");
        assert_eq!(
            words(Input { width: 26, ..input }, 2, 1),
            "board of 26x9 points, each side must be 7 to 25"
        );
        assert_eq!(Input { height: 10, ..input }.check(2, 1), Ok(()));
    }
}

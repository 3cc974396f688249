//! Windows counted on whole rows at once: how many of them hold so many stones of one side alone.
//!
//! What [`super::Windows`] keeps up to date stone by stone is counted here from nothing, by a few
//! operations on words for each row. S10 calls these windows segments, or roads.

use crate::types::{Color, Size};

use super::position::Position;
use super::rules::{LineRules, Stones};
use banyan_kernels::rows::DIRECTIONS;

/// By side: how many windows hold so many of its stones (0 to 8) and none of the other side's.
pub type Tally = [[u32; 9]; 2];

/// One whole line of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// By side, from one end to the other.
    pub stones: [u32; 2],
    /// Its points.
    pub length: usize,
}

impl<R: LineRules> Position<R> {
    /// The lines that are long enough to win on.
    pub fn lines(&self) -> impl Iterator<Item = Line> {
        let (width, height) = (usize::from(self.size.width), usize::from(self.size.height));
        let area = 0..self.size.area();
        let starts = area.flat_map(|point| DIRECTIONS.map(|way| (point, way)));
        starts.filter_map(move |(point, (down, right))| {
            let (row, column) = (point / width, point % width);
            let (begins, length) = match (down, right) {
                (0, _) => (column == 0, width - column),
                (_, 0) => (row == 0, height - row),
                (_, 1) => (row == 0 || column == 0, (height - row).min(width - column)),
                _ => (row == 0 || column == width - 1, (height - row).min(column + 1)),
            };
            (begins && length >= R::LENGTH).then(|| {
                let mut stones = [0; 2];
                for n in 0..length {
                    let (row, column) =
                        (row + n * down as usize, column.wrapping_add_signed(right * n as isize));
                    for (bits, rows) in stones.iter_mut().zip(&self.stones) {
                        *bits |= (rows[row] >> column & 1) << n;
                    }
                }
                Line { stones, length }
            })
        })
    }
}

/// Counts the windows of a position.
pub fn tally<R: LineRules>(position: &Position<R>) -> Tally {
    let mut tally = [[0; 9]; 2];
    each_row::<R>(&position.stones, position.size, |color, windows| {
        for (stones, count) in tally[color.index()].iter_mut().enumerate().take(R::LENGTH + 1) {
            *count += windows.with(stones as u32).count_ones();
        }
    });
    tally
}

/// The windows of one direction that begin in one row and hold stones of one side at most: a bit for each
/// first column, in digits of the number of stones.
struct Row {
    alone: u32,
    digits: [u32; 4],
}

impl Row {
    /// The windows with just so many stones.
    fn with(&self, stones: u32) -> u32 {
        let digits = self.digits.iter().enumerate();
        digits.fold(self.alone, |found, (place, &digit)| {
            found & if stones >> place & 1 == 1 { digit } else { !digit }
        })
    }
}

fn each_row<R: LineRules>(stones: &Stones, size: Size, mut windows: impl FnMut(Color, &Row)) {
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    let length = R::LENGTH;
    for (down, right) in DIRECTIONS {
        let rows = if down == 0 { height } else { (height + 1).saturating_sub(length) };
        let starts = starts(width, length, right);
        for row in 0..rows {
            for color in Color::BOTH {
                let (mut digits, mut others) = ([0; 4], 0);
                for n in 0..length {
                    let at = row + n * down as usize;
                    let shifted = |bits: u32| match right {
                        0 => bits,
                        1 => bits >> n,
                        _ => bits << n,
                    };
                    others |= shifted(stones[(!color).index()][at]);
                    count(&mut digits, shifted(stones[color.index()][at]));
                }
                windows(color, &Row { alone: starts & !others, digits });
            }
        }
    }
}

/// The columns in which a window may begin.
fn starts(width: usize, length: usize, right: isize) -> u32 {
    let all = (1u32 << width) - 1;
    match right {
        0 => all,
        _ if width < length => 0,
        1 => all >> (length - 1),
        _ => all & !((1 << (length - 1)) - 1),
    }
}

/// Adds one to the digits of every bit of `row`.
#[inline(always)]
fn count(digits: &mut [u32; 4], row: u32) {
    let mut carry = row;
    for digit in digits {
        (*digit, carry) = (*digit ^ carry, *digit & carry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect6::{Connect6, Connect6Rules};
    use crate::game::Game;
    use crate::gomoku::{Gomoku, GomokuRules};
    use crate::line::Windows;
    use crate::rng::Rng;

    fn agrees<R: LineRules>(start: &Position<R>, rng: &mut Rng) {
        let (mut position, mut moves) = (start.clone(), Vec::new());
        position.legal_moves(&mut moves);
        while !moves.is_empty() {
            let windows = Windows::of(&position);
            assert_eq!(tally(&position), Color::BOTH.map(|color| windows.tally(color)));
            position.play(moves[rng.below(moves.len() as u32) as usize]);
            moves.clear();
            position.legal_moves(&mut moves);
        }
    }

    #[test]
    fn whole_rows_are_counted_as_windows_are() {
        let mut rng = Rng::from_seed(8);
        for (width, height) in [(5, 5), (5, 9), (9, 6), (15, 15), (25, 7)] {
            let rules = GomokuRules::new(width, height, Default::default()).expect("a size");
            agrees(&Gomoku::new(&rules), &mut rng);
        }
        for side in [6, 19] {
            agrees(&Connect6::new(&Connect6Rules::new(side).expect("a size")), &mut rng);
        }
    }
}

//! The lines through one point: what stands in each window, and in which runs its stone is.

use crate::types::{Color, Move};

use super::position::Position;
use super::rules::LineRules;
use banyan_kernels::rows::{DIRECTIONS, Row};

/// Stones in one window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowStones {
    /// By side.
    counts: [u8; 2],
}

impl WindowStones {
    /// The stones of `side`, where the other side has none.
    pub fn alone(self, side: Color) -> Option<u8> {
        (self.counts[(!side).index()] == 0).then_some(self.counts[side.index()])
    }
}

/// Stones in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Number of them, at least 1.
    pub stones: usize,
    /// At how many ends a point is empty, 0 to 2.
    pub open_ends: usize,
}

impl<R: LineRules> Position<R> {
    /// The windows through a point of the board.
    pub fn windows_through(&self, point: Move) -> impl Iterator<Item = WindowStones> {
        let reach = R::LENGTH - 1;
        let lines = DIRECTIONS.map(|way| self.line_bits(point, way));
        let starts =
            (0..DIRECTIONS.len()).flat_map(move |way| (0..=reach).map(move |at| (way, at)));
        starts.filter_map(move |(way, start)| {
            let ([black, white], on_board) = lines[way];
            let window = ((1u32 << R::LENGTH) - 1) << start;
            let count = |bits: u32| (bits & window).count_ones() as u8;
            (on_board & window == window)
                .then(|| WindowStones { counts: [count(black), count(white)] })
        })
    }

    /// The stones of each side on the line through a point, as far as a window reaches, and which of
    /// these points are on the board; the point itself in the middle.
    fn line_bits(&self, point: Move, (down, right): (isize, isize)) -> ([u32; 2], u32) {
        let (row, column) = self.row_and_column(usize::from(point.0));
        let reach = R::LENGTH as isize - 1;
        let (mut stones, mut on_board) = ([0; 2], 0);
        for (bit, n) in (-reach..=reach).enumerate() {
            let (row, column) = (row as isize + n * down, column as isize + n * right);
            if !self.is_on_board(row, column) {
                continue;
            }
            on_board |= 1 << bit;
            for (bits, rows) in stones.iter_mut().zip(&self.stones) {
                *bits |= (rows[row as usize] >> column & 1) << bit;
            }
        }
        (stones, on_board)
    }

    fn is_on_board(&self, row: isize, column: isize) -> bool {
        (0..isize::from(self.size.height)).contains(&row)
            && (0..isize::from(self.size.width)).contains(&column)
    }

    /// The run of each direction that the stone on `point` is part of.
    pub fn runs_through(&self, point: Move) -> impl Iterator<Item = Run> {
        let (row, column) = self.row_and_column(usize::from(point.0));
        let owner = self.owner(usize::from(point.0));
        DIRECTIONS.into_iter().filter_map(move |(down, right)| {
            let side = owner?;
            let ends = [1, -1].map(|sign| {
                let at =
                    |n: isize| (row as isize + sign * n * down, column as isize + sign * n * right);
                let is_own = |(row, column): (isize, isize)| {
                    self.is_on_board(row, column)
                        && self.stones[side.index()][row as usize].has(column as usize)
                };
                let stones = (1..).take_while(|&n| is_own(at(n))).count();
                let (row, column) = at(stones as isize + 1);
                let is_open = self.is_on_board(row, column)
                    && !self.stones.iter().any(|rows| rows[row as usize].has(column as usize));
                (stones, usize::from(is_open))
            });
            let [(forth, open), (back, open_back)] = ends;
            Some(Run { stones: 1 + forth + back, open_ends: open + open_back })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect6::{Connect6, Connect6Rules};
    use crate::game::Game;
    use crate::line::Windows;
    use crate::rng::Rng;

    #[test]
    fn windows_through_a_point_are_those_that_are_kept_up_to_date() {
        let mut rng = Rng::from_seed(3);
        let mut position = Connect6::new(&Connect6Rules::new(9).expect("a size"));
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        while !moves.is_empty() {
            let windows = Windows::of(&position);
            for point in (0..81).map(Move::point) {
                for side in Color::BOTH {
                    let mut here: Vec<_> =
                        position.windows_through(point).map(|stones| stones.alone(side)).collect();
                    let kept = windows.through(point);
                    let mut kept: Vec<_> =
                        kept.map(|window| windows.stones_alone(side, window)).collect();
                    here.sort();
                    kept.sort();
                    assert_eq!(here, kept, "{point:?} in {position:?}");
                }
            }
            position.play(moves[rng.below(moves.len() as u32) as usize]);
            moves.clear();
            position.legal_moves(&mut moves);
        }
    }
}

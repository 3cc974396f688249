//! The weights of every point of the board for both sides, kept as stones come and go, with their sums.

use super::board::Board;
use super::pattern;
use super::weights::{ONE, Weights};
use banyan_games::types::Color;
use banyan_kernels::bits::Bits;

/// Points whose weights are summed up together: a draw looks at the sums first.
const BAND: usize = 16;
/// Bands of the largest board.
const BANDS_MAX: usize = 44;

/// Weights of one side's moves.
#[derive(Clone, Debug)]
struct Side<const N: usize> {
    weights: [u32; N],
    bands: [u32; BANDS_MAX],
    total: u32,
}

/// Weights of both sides' moves, by what does not depend on the last stone.
#[derive(Clone, Debug)]
pub(super) struct Heat<const N: usize> {
    sides: [Side<N>; 2],
}

impl<const N: usize> Heat<N> {
    pub(super) fn new() -> Heat<N> {
        let none = Side { weights: [0; N], bands: [0; BANDS_MAX], total: 0 };
        Heat { sides: [none.clone(), none] }
    }

    #[inline(always)]
    pub(super) fn of(&self, color: Color, v: usize) -> u32 {
        self.sides[color.index()].weights[v]
    }

    #[inline(always)]
    pub(super) fn total(&self, color: Color) -> u32 {
        self.sides[color.index()].total
    }

    #[inline(always)]
    pub(super) fn set(&mut self, color: Color, v: usize, weight: u32) {
        let side = &mut self.sides[color.index()];
        // Sums of whole numbers: what wraps below zero on the way wraps back.
        let change = weight.wrapping_sub(side.weights[v]);
        side.weights[v] = weight;
        side.bands[v / BAND] = side.bands[v / BAND].wrapping_add(change);
        side.total = side.total.wrapping_add(change);
    }

    /// The point that the `drawn`-th unit of weight belongs to, below the total.
    #[inline(always)]
    pub(super) fn find(&self, color: Color, drawn: u32) -> usize {
        let side = &self.sides[color.index()];
        let mut left = drawn;
        let mut band = 0;
        while left >= side.bands[band] {
            left -= side.bands[band];
            band += 1;
        }
        let mut v = band * BAND;
        while left >= side.weights[v] {
            left -= side.weights[v];
            v += 1;
        }
        v
    }

    /// Weighs the points again that a board has touched.
    #[inline(always)]
    pub(super) fn refresh<const W: usize>(&mut self, board: &mut Board<W, N>, table: &Weights) {
        let touched = std::mem::replace(&mut board.touched, Bits::EMPTY);
        for v in (touched & (board.stones[0] | board.stones[1])).iter() {
            self.set(Color::Black, v, 0);
            self.set(Color::White, v, 0);
        }
        for v in (touched & board.empty).iter() {
            board.check_choke(v);
            for color in [Color::Black, Color::White] {
                self.set(color, v, weigh(board, table, color, v));
            }
        }
    }
}

/// The weight of a move by captures and escapes alone; 0 for one-point eyes and suicide.
#[inline(always)]
pub(super) fn weigh<const W: usize, const N: usize>(
    board: &Board<W, N>,
    table: &Weights,
    color: Color,
    v: usize,
) -> u32 {
    let is_eye = pattern::is_eye(pattern::seen_by(color, board.code(v)));
    weigh_from(if is_eye { 0 } else { ONE }, board, table, color, v)
}

/// The same with what stands around it, for a point next to one of the last stones.
#[inline(always)]
pub(super) fn weigh_near<const W: usize, const N: usize>(
    board: &Board<W, N>,
    table: &Weights,
    color: Color,
    v: usize,
) -> u32 {
    weigh_from(table.near(color, board.code(v)), board, table, color, v)
}

#[inline(always)]
fn weigh_from<const W: usize, const N: usize>(
    mut weight: u32,
    board: &Board<W, N>,
    table: &Weights,
    color: Color,
    v: usize,
) -> u32 {
    if board.may_choke(v) {
        let (factors, is_legal) = board.urgency(color, v);
        for factor in factors.iter() {
            weight = table.times(weight, factor);
        }
        return if is_legal { weight } else { 0 };
    }
    // Nobody next to it is in atari: a stone takes nothing, and lives by an own chain or a liberty.
    let is_shut_in = pattern::is_shut_in(pattern::seen_by(color, board.code(v)));
    if is_shut_in { 0 } else { weight }
}

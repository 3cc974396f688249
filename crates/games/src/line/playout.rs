//! Uniform playouts of a game of lines, many plies at a time.
//!
//! Stones never leave the board, so a run once made is there for good. That allows to fill in a block
//! of plies blindly, to ask the whole board for a run only then, and to look for the ply that made it
//! once one is there.

use crate::rng::Rng;
use crate::types::{Color, Outcome, Size};
use banyan_kernels::simd::Task;

use super::position::Position;
use super::rules::LineRules;
use crate::sums::EndBits;
use banyan_kernels::rows::{PADDING, Row, any_run_through, has_run, points_of_runs};

/// Plies that one word of random bits chooses.
///
/// The last of them is chosen by what the others left of the word, so the bias is below
/// `AREA_MAX.pow(4) / 2^64`, one in a hundred million.
const PLIES_A_WORD: usize = 4;

/// Plies between two looks at the board, by the bits of a row.
///
/// A playout goes on for half a block after its end; a look costs the more the wider the rows are.
/// Measured on a noisy machine: 16 to 32 do alike for 16 bits, 48 to 64 for 32.
const fn block(row_bits: usize) -> usize {
    row_bits / 8 * 12
}
const _: () = assert!(block(16).is_multiple_of(PLIES_A_WORD));

/// Plies before the first look at a board that has so many stones: hardly a game ends while the
/// board is as good as empty.
fn first_block(row_bits: usize, stones: usize) -> usize {
    (2 * block(row_bits)).saturating_sub(stones).max(block(row_bits))
}

/// Room for the empty points, so large that an index modulo it needs no check.
const SPOTS_MAX: usize = Size::AREA_MAX.next_power_of_two();

/// A point as playouts know it: the row times 32 plus the column.
#[derive(Clone, Copy, Debug, Default)]
struct Spot(u16);

impl Spot {
    fn new(point: usize, width: usize) -> Spot {
        Spot((point / width * 32 + point % width) as u16)
    }

    #[inline(always)]
    fn row_and_column(self) -> (usize, usize) {
        (usize::from(self.0 / 32), usize::from(self.0 % 32))
    }
}

/// A position made ready for playouts.
pub struct Start<R, const ROWS: usize> {
    stones: [[R; ROWS]; 2],
    /// The empty points, ascending.
    empty: Vec<Spot>,
    /// Plies before the first look at the board.
    first_block: usize,
    /// Place of the first ply in the round of turns.
    clock: usize,
    ended: Option<Outcome>,
}

/// One playout: the board, and in which order the empty points were taken.
pub struct Playout<R, const ROWS: usize> {
    /// The stones, by side.
    stones: [[R; ROWS]; 2],
    /// The points still empty, then those played, the last ply first.
    spots: [Spot; SPOTS_MAX],
    /// Number of `spots` that are in use.
    area: usize,
    /// Plies it took.
    pub plies: usize,
    /// Result of the playout.
    pub outcome: Outcome,
}

impl<R: Row, const ROWS: usize> Start<R, ROWS> {
    /// Makes ready any position whose board fits.
    pub fn new<L: LineRules>(position: &Position<L>) -> Self {
        let width = usize::from(position.size.width);
        let area = position.size.area();
        let empty = (0..area).filter(|&point| position.owner(point).is_none());
        let empty: Vec<Spot> = empty.map(|point| Spot::new(point, width)).collect();
        Start {
            stones: position.stones.map(|rows| {
                std::array::from_fn(|row| R::narrowed(rows.get(row).map_or(0, |bits| bits.wide())))
            }),
            first_block: first_block(R::BITS, area - empty.len()),
            empty,
            clock: usize::from(position.clock),
            ended: position.ended,
        }
    }
}

impl<R: Row, const ROWS: usize> Playout<R, ROWS> {
    /// Room for one playout after the other.
    pub fn new() -> Self {
        assert!(ROWS > PADDING);
        let stones = [[R::ZERO; ROWS]; 2];
        let spots = [Spot::default(); SPOTS_MAX];
        Playout { stones, spots, area: 0, plies: 0, outcome: Outcome::DRAW }
    }

    /// Plays from `start` to the end.
    #[inline(always)]
    pub fn run<L: LineRules>(&mut self, rules: &L, start: &Start<R, ROWS>, rng: &mut Rng) {
        self.stones = start.stones;
        self.area = start.empty.len();
        self.spots[..self.area].copy_from_slice(&start.empty);
        self.plies = 0;
        self.outcome = start.ended.unwrap_or(Outcome::DRAW);
        let mut block_plies = start.first_block;
        let mut is_over = start.ended.is_some();
        while !is_over && self.plies < self.area {
            let before = (self.stones, self.plies);
            self.fill_block::<L>(start.clock, block_plies, rng);
            block_plies = block(R::BITS);
            is_over = self.has_run(L::LENGTH) && self.rewind_to_win(rules, start.clock, before);
        }
    }

    /// Stones that the playout put on the board, and all that stand there.
    #[inline]
    pub fn end_bits(&self, start: &Start<R, ROWS>) -> EndBits<R, ROWS> {
        let put = |side: usize| {
            std::array::from_fn(|row| self.stones[side][row] ^ start.stones[side][row])
        };
        EndBits { first: [put(0), put(1)], held: self.stones }
    }

    /// Row and column of each ply, in order.
    pub fn played(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.plies).map(|ply| self.spot_of(ply).row_and_column())
    }

    fn spot_of(&self, ply: usize) -> Spot {
        self.spots[self.area - 1 - ply]
    }

    /// Returns the side that plays the ply.
    #[inline(always)]
    fn side<L: LineRules>(clock: usize, ply: usize) -> usize {
        (clock + ply) / usize::from(L::STONES_A_TURN) % 2
    }

    #[inline(always)]
    fn has_run(&self, length: usize) -> bool {
        let [black, white] = &self.stones;
        has_run(black, length) || has_run(white, length)
    }

    /// Puts stones on the next points of a random order.
    #[inline(always)]
    fn fill_block<L: LineRules>(&mut self, clock: usize, plies: usize, rng: &mut Rng) {
        let end = self.area.min(self.plies + plies);
        let mut ply = self.plies;
        while ply + PLIES_A_WORD <= end {
            self.fill::<L, PLIES_A_WORD>(clock, ply, rng.bits());
            ply += PLIES_A_WORD;
        }
        match end - ply {
            0 => {}
            1 => self.fill::<L, 1>(clock, ply, rng.bits()),
            2 => self.fill::<L, 2>(clock, ply, rng.bits()),
            _ => self.fill::<L, 3>(clock, ply, rng.bits()),
        }
        self.plies = end;
    }

    /// Puts the stones of the `PLIES` plies from `ply`, as the word `random` says.
    #[inline(always)]
    fn fill<L: LineRules, const PLIES: usize>(&mut self, clock: usize, ply: usize, random: u64) {
        let mut random = random;
        for ply in ply..ply + PLIES {
            let left = self.area - ply;
            let wide = u128::from(random) * left as u128;
            random = wide as u64;
            let spot = self.take((wide >> 64) as usize, left - 1);
            self.put(Self::side::<L>(clock, ply), spot);
        }
    }

    /// Swaps the spot at index `chosen` with the `last` of those left.
    #[inline(always)]
    fn take(&mut self, chosen: usize, last: usize) -> Spot {
        let (chosen, last) = (chosen % SPOTS_MAX, last % SPOTS_MAX);
        self.spots.swap(chosen, last);
        self.spots[last]
    }

    #[inline(always)]
    fn put(&mut self, side: usize, spot: Spot) {
        let (row, column) = spot.row_and_column();
        self.stones[side][row] = self.stones[side][row] | (R::ONE << column);
    }

    /// Goes back to `before` and plays on to the first ply that wins; false if none does.
    #[inline(always)]
    fn rewind_to_win<L: LineRules>(
        &mut self,
        rules: &L,
        clock: usize,
        before: ([[R; ROWS]; 2], usize),
    ) -> bool {
        let end = self.plies;
        let [black, white] = &self.stones;
        let suspects = [points_of_runs(black, L::LENGTH), points_of_runs(white, L::LENGTH)];
        (self.stones, self.plies) = before;
        while self.plies < end {
            let (side, spot) = (Self::side::<L>(clock, self.plies), self.spot_of(self.plies));
            self.put(side, spot);
            self.plies += 1;
            let (row, column) = spot.row_and_column();
            if suspects[side][row].has(column) {
                let color = Color::BOTH[side];
                if any_run_through(&self.stones[side], row, column, |run| rules.wins(color, run)) {
                    self.outcome = Outcome::win(color);
                    return true;
                }
            }
        }
        false
    }
}

/// A call of [`Playout::run`] that can be compiled for several kinds of processor.
pub struct OnePlayout<'a, L, R, const ROWS: usize> {
    /// The playout that is run.
    pub playout: &'a mut Playout<R, ROWS>,
    /// The game's rules.
    pub rules: &'a L,
    /// Position that it starts from.
    pub start: &'a Start<R, ROWS>,
    /// Source of its random numbers.
    pub rng: &'a mut Rng,
}

impl<L: LineRules, R: Row, const ROWS: usize> Task for OnePlayout<'_, L, R, ROWS> {
    #[inline(always)]
    fn run(self) {
        self.playout.run(self.rules, self.start, self.rng);
    }
}

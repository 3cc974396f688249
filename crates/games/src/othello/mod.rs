//! Othello on 8x8.
//!
//! Reading order: the position here, its bitboards in `discs` and `stability`, games to their end in
//! `playout`.

pub mod discs;
mod playout;
pub mod stability;

use std::fmt;

use crate::counts::{Counts, Observer};
use crate::game::{Game, SetupError};
use crate::kind::{Kind, RulesError};
use crate::notation::Notation;
use crate::rng::{Rng, mix};
use crate::sums::{EndBits, Sums};
use crate::types::{Color, Margin, Move, Outcome, Size};
use banyan_kernels::simd::Vectors;

use playout::{End, InStep};

/// Othello has nothing to choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OthelloRules;

impl OthelloRules {
    /// The rules, if the board is 8x8.
    ///
    /// # Errors
    /// [`RulesError::Size`] for any other size.
    pub fn new(size: u32) -> Result<OthelloRules, RulesError> {
        let wrong =
            RulesError::Size { game: Kind::Othello, width: size, height: size, expected: "8x8" };
        if size == 8 { Ok(OthelloRules) } else { Err(wrong) }
    }
}

impl fmt::Display for OthelloRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("othello 8x8")
    }
}

/// A position of Othello: the discs of both sides and whose ply it is.
///
/// A pass is a ply, legal only when the side to move can turn nothing and the other side can.
/// The game is over when neither can; the points left empty then count for the winner.
#[derive(Clone, Debug)]
pub struct Othello {
    /// One bitboard a side, indexed by [`Color::index`]; bit 0 is a1.
    discs: [u64; 2],
    side: Color,
}

impl Othello {
    /// White on d4 and e5, Black on e4 and d5.
    const START: Othello =
        Othello { discs: [1 << 28 | 1 << 35, 1 << 27 | 1 << 36], side: Color::Black };

    /// A position in which Black is to move and has the discs of `own`; bit 0 is a1.
    ///
    /// The two must have no point in common.
    #[inline]
    pub fn of_discs(own: u64, other: u64) -> Othello {
        debug_assert_eq!(own & other, 0);
        Othello { discs: [own, other], side: Color::Black }
    }

    /// The discs of the side to move, and those of the other; bit 0 is a1.
    #[inline]
    pub fn own_and_other(&self) -> (u64, u64) {
        (self.discs[self.side.index()], self.discs[(!self.side).index()])
    }

    /// The points where the side to move may put a disc.
    #[inline]
    fn placements(&self) -> u64 {
        let (own, other) = self.own_and_other();
        discs::moves(own, other)
    }

    /// Tells whether the other side could put a disc somewhere if it were to move.
    #[inline]
    fn other_can_place(&self) -> bool {
        let (own, other) = self.own_and_other();
        discs::moves(other, own) != 0
    }

    fn owner(&self, point: usize) -> Option<Color> {
        Color::BOTH.into_iter().find(|color| self.discs[color.index()] >> point & 1 != 0)
    }

    /// A pair that begins with the side to move, put in the order Black, White.
    #[inline]
    fn black_first<T>(&self, [own, other]: [T; 2]) -> [T; 2] {
        match self.side {
            Color::Black => [own, other],
            Color::White => [other, own],
        }
    }

    /// Runs `games` playouts, as many as `LANES` or less, and adds them up.
    fn play_in_step<const LANES: usize>(&self, games: usize, rng: &mut Rng, batch: &mut Batch<'_>) {
        let (own, other) = self.own_and_other();
        let mut in_step = InStep::<LANES>::new(own, other, games, rng);
        Vectors::widest().run(&mut in_step);
        for End { discs, put, plies } in in_step.ends().take(games) {
            batch.add(self.black_first(discs), self.black_first(put), plies);
        }
    }

    fn place(&mut self, at: u64) {
        let (own, other) = self.own_and_other();
        let flips = discs::flips(own, other, at);
        self.discs[self.side.index()] = own | flips | at;
        self.discs[(!self.side).index()] = other ^ flips;
    }
}

impl Game for Othello {
    type Rules = OthelloRules;

    const KIND: Kind = Kind::Othello;
    const NOTATION: Notation = Notation::Othello;

    fn new(_: &OthelloRules) -> Othello {
        Othello::START
    }

    fn rules(&self) -> &OthelloRules {
        &OthelloRules
    }

    fn size(&self) -> Size {
        Size::square(8)
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn stone(&self, point: Move) -> Option<Color> {
        self.owner(usize::from(point.0))
    }

    fn is_legal(&self, mv: Move) -> bool {
        match mv.0 {
            0..64 => self.placements() >> mv.0 & 1 != 0,
            _ => mv.is_pass() && self.placements() == 0 && self.other_can_place(),
        }
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let mut placements = self.placements();
        if placements == 0 && self.other_can_place() {
            moves.push(Move::PASS);
        }
        while placements != 0 {
            moves.push(Move::point(placements.trailing_zeros() as usize));
            placements &= placements - 1;
        }
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} in {self:?}");
        if !mv.is_pass() {
            self.place(1 << mv.0);
        }
        self.side = !self.side;
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = self.placements() == 0 && !self.other_can_place();
        over.then(|| final_outcome(self.discs))
    }

    fn hash(&self) -> u64 {
        mix(self.stones_hash() ^ self.side as u64)
    }

    fn stones_hash(&self) -> u64 {
        mix(self.discs[0] ^ mix(self.discs[1]))
    }

    /// The discs replace the four of the start; without any, the four stay.
    fn set_up(&mut self, stones: &[(Color, Move)], side: Color) -> Result<(), SetupError> {
        *self = Othello { side, ..Othello::START };
        if !stones.is_empty() {
            self.discs = [0; 2];
        }
        for &(color, point) in stones {
            self.check_free(color, point)?;
            self.discs[color.index()] |= 1 << point.0;
        }
        Ok(())
    }

    fn playout(&mut self, rng: &mut Rng, observer: &mut impl Observer) -> (Outcome, u32) {
        let (own, other) = self.own_and_other();
        let mut game = InStep::<1>::new(own, other, 1, rng);
        let (mut plies, mut passes) = (0, 0);
        while passes < 2 {
            let at = game.play(plies);
            passes = if at == 0 { passes + 1 } else { 0 };
            if at != 0 {
                observer.played(self.side, Move::point(at.trailing_zeros() as usize));
                self.place(at);
            }
            self.side = !self.side;
            plies += 1;
        }
        // The two passes that showed the end are no plies.
        let outcome = final_outcome(self.discs);
        observer.ended(outcome, |point| self.owner(point));
        (outcome, plies as u32 - 2)
    }

    fn playouts(&self, count: u32, rng: &mut Rng, counts: &mut Counts) {
        let mut batch = Batch::new(counts);
        let mut left = count as usize;
        while left > 0 {
            let games = left.min(32);
            match games {
                1 | 2 => (0..games).for_each(|_| self.play_in_step::<1>(1, rng, &mut batch)),
                3..=8 => self.play_in_step::<8>(games, rng, &mut batch),
                9..=16 => self.play_in_step::<16>(games, rng, &mut batch),
                _ => self.play_in_step::<32>(games, rng, &mut batch),
            }
            left -= games;
        }
        batch.finish();
    }
}

/// Discs of Black minus those of White, the empty points counted for whoever has more.
fn final_outcome(discs: [u64; 2]) -> Outcome {
    let [black, white] = discs.map(|discs| discs.count_ones() as i32);
    let (margin, empty) = (black - white, 64 - black - white);
    Outcome { margin: Margin::points(margin + margin.signum() * empty) }
}

/// The playouts of one batch on their way into its [`Counts`].
struct Batch<'a> {
    counts: &'a mut Counts,
    sums: Sums<u64, 1>,
    wants_sums: bool,
}

impl<'a> Batch<'a> {
    fn new(counts: &'a mut Counts) -> Batch<'a> {
        let wants_sums = counts.amaf.is_some() || counts.ownership.is_some();
        Batch { counts, sums: Sums::new(), wants_sums }
    }

    /// One playout with the discs at its end and the points where they were put, Black's first.
    #[inline]
    fn add(&mut self, discs: [u64; 2], put: [u64; 2], plies: u32) {
        let outcome = final_outcome(discs);
        self.counts.add(outcome, plies);
        if self.wants_sums {
            let (first, held) = (put.map(|bits| [bits]), discs.map(|bits| [bits]));
            self.sums.add(outcome, &EndBits { first, held });
        }
    }

    fn finish(self) {
        self.sums.add_to(self.counts, |(_, point)| point);
    }
}

//! The tables over patterns that Banyan learned, and what a position shows of the patterns, kept up to date.
//!
//! `banyan train patterns` made them: models/README.md says from what.

use std::sync::{Arc, LazyLock};

use banyan_games::game::Game;
use banyan_games::othello::{Othello, discs};
use banyan_games::types::Move;

use super::patterns::{LANES, LAYOUT, counts};
use crate::digest::Digest;
use crate::evaluation::{Accumulator, Ranked, rank_each};
use crate::tuples::{FileError, Tables};

/// Parts of a disc that values are counted in.
pub const DISC: i32 = 32;

/// No value is larger: every disc to one side.
const VALUE_MAX: i32 = 64 * DISC;

static FILE: &[u8] = include_bytes!("../../../../models/othello.tuples");

static TABLES: LazyLock<Arc<Tables>> =
    LazyLock::new(|| Arc::new(read(FILE).expect("a test reads it")));

/// The tables of this build.
pub fn tables() -> &'static Arc<Tables> {
    &TABLES
}

/// Tables as `banyan train patterns` writes them.
///
/// # Errors
/// [`FileError`] says what is wrong with the file, or what it is for.
pub fn read(file: &[u8]) -> Result<Tables, FileError> {
    Tables::read(file, (Othello::KIND.name(), &LAYOUT), 64)
}

/// The contents of the tables.
pub(super) fn model() -> Digest {
    Digest::EMPTY.and(FILE)
}

/// Indices of a position's patterns, as the side to move sees them and as the other does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    own: [u16; LANES],
    other: [u16; LANES],
}

impl Seen {
    /// The indices for the discs of the side to move, and of the other.
    pub fn of(own: u64, other: u64) -> Seen {
        Seen { own: LAYOUT.indices(own, other), other: LAYOUT.indices(other, own) }
    }

    /// After a disc on the one point of `at` that turns `flips`; the other side is to move then.
    #[inline]
    pub fn after(&self, at: u64, flips: u64) -> Seen {
        let mut mover = self.own;
        LAYOUT.add(&mut mover, at, 1);
        LAYOUT.add(&mut mover, flips, u16::MAX);
        Seen { own: self.others_after(at, flips), other: mover }
    }

    #[inline]
    fn others_after(&self, at: u64, flips: u64) -> [u16; LANES] {
        let mut other = self.other;
        LAYOUT.add(&mut other, at, 2);
        LAYOUT.add(&mut other, flips, 1);
        other
    }

    /// The same for the other side.
    #[inline]
    pub fn passed(&self) -> Seen {
        Seen { own: self.other, other: self.own }
    }

    /// The margin that the side to move is expected to win by, in parts of a [`DISC`], at most 64 discs either way.
    ///
    /// - `own`, `other`: the discs that this was seen of.
    #[inline]
    pub fn value(&self, tables: &Tables, own: u64, other: u64) -> i32 {
        valued(tables, &self.own, own, other)
    }

    /// The value, for the other side, after a disc on `at` that turns `flips`.
    ///
    /// - `own`, `other`: the discs of the other side and of the one that moved, after the move.
    #[inline]
    pub fn value_after(
        &self,
        tables: &Tables,
        (at, flips): (u64, u64),
        (own, other): (u64, u64),
    ) -> i32 {
        valued(tables, &self.others_after(at, flips), own, other)
    }
}

#[inline]
fn valued(tables: &Tables, indices: &[u16; LANES], own: u64, other: u64) -> i32 {
    let at = ((own | other).count_ones(), &counts(own, other)[..]);
    tables.sum(&LAYOUT, indices, at).clamp(-VALUE_MAX, VALUE_MAX)
}

/// The value of a position, see [`Seen::value`].
pub(super) fn value(position: &Othello) -> i32 {
    let (own, other) = position.own_and_other();
    valued(tables(), &LAYOUT.indices(own, other), own, other)
}

/// Indices along a search.
#[derive(Debug)]
pub(super) struct Followed {
    /// Indices of each position on the way, the last where the search is.
    seen: Vec<Seen>,
    rank: fn(&Othello, Move) -> i32,
}

impl Followed {
    pub fn from(position: &Othello, rank: fn(&Othello, Move) -> i32) -> Followed {
        let (own, other) = position.own_and_other();
        Followed { seen: vec![Seen::of(own, other)], rank }
    }

    fn now(&self) -> &Seen {
        self.seen.last().expect("a position to begin from")
    }
}

impl Accumulator<Othello> for Followed {
    fn play(&mut self, position: &Othello, mv: Move) {
        let (own, other) = position.own_and_other();
        let seen = match mv.index() {
            None => self.now().passed(),
            Some(point) => self.now().after(1 << point, discs::flips(own, other, 1 << point)),
        };
        self.seen.push(seen);
    }

    fn take_back(&mut self) {
        self.seen.pop();
    }

    fn value(&mut self, position: &Othello) -> i32 {
        let (own, other) = position.own_and_other();
        self.now().value(tables(), own, other)
    }

    fn rank(&mut self, position: &Othello, moves: &mut [Ranked]) {
        rank_each(moves, |mv| (self.rank)(position, mv));
    }

    fn quiescence_value(&mut self, position: &Othello, _: &mut Vec<Move>) -> Option<i32> {
        Some(self.value(position))
    }

    fn forced(&mut self, _: &Othello, _: &mut Vec<Move>) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuples::Header;
    use banyan_games::Rng;
    use banyan_games::othello::OthelloRules;

    #[test]
    fn the_tables_of_this_build_are_read_and_say_what_they_were_made_from() {
        let (header, _) = Header::split(FILE).expect("a header");
        assert_eq!(header.game, "othello");
        assert!(header.made.contains("games"), "{}", header.made);
        assert!(FILE.len() < 1 << 20, "{} bytes", FILE.len());
        LazyLock::force(&TABLES);
    }

    #[test]
    fn what_is_kept_up_to_date_is_what_is_seen_afresh() {
        let mut rng = Rng::from_seed(6);
        for _ in 0..20 {
            let mut position = Othello::new(&OthelloRules);
            let mut followed = Followed::from(&position, |_, _| 0);
            while position.outcome().is_none() {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let mv = moves[rng.below(moves.len() as u32) as usize];
                followed.play(&position, mv);
                followed.take_back();
                let before = *followed.now();
                let (own, other) = position.own_and_other();
                followed.play(&position, mv);
                position.play(mv);
                let seen = position.own_and_other();
                assert_eq!(*followed.now(), Seen::of(seen.0, seen.1));
                assert_eq!(followed.value(&position), value(&position));
                if let Some(point) = mv.index() {
                    let put = (1 << point, discs::flips(own, other, 1 << point));
                    assert_eq!(before.value_after(tables(), put, seen), value(&position));
                }
            }
        }
    }

    #[test]
    fn two_sides_of_a_board_and_its_images_have_one_value() {
        let flat = |text: &str| crate::othello::tests::position(text, 'X');
        let text = "XXO------O-----------------XO------OX---------------------------";
        let turned: String = (0..64).map(|at| char::from(text.as_bytes()[63 - at])).collect();
        assert_eq!(value(&flat(text)), value(&flat(&turned)));
    }

    #[test]
    fn who_is_far_ahead_is_said_to_be() {
        let corner = format!("{}{}", "X".repeat(30), "-".repeat(2));
        let text = format!("{corner}{}{}", "XXXXXXXO", "X".repeat(24));
        assert!(value(&crate::othello::tests::position(&text, 'X')) > 20 * DISC);
        assert!(value(&crate::othello::tests::position(&text, 'O')) < -20 * DISC);
    }
}

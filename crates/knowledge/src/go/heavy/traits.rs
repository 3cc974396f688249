//! Traits of each move of a position, from which the table of weights is learned.

use std::fmt;

use super::board::Board;
use super::pattern::{self, CODES};
use super::sizes::{BITS_MAX, WORDS_MAX};
use super::weights::{FACTORS, Factor};
use banyan_games::game::Game;
use banyan_games::go::Go;
use banyan_games::types::Move;

/// Tells whether a move stands next to the last stone, diagonals with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Distance {
    Far,
    Near,
}

const DISTANCES: [&str; 2] = ["far", "near"];

/// A line of the table of weights, or what stands around a move far from the last stone, of which the
/// table says nothing: it is learned beside the others so that they do not learn it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Trait(u32);

impl Trait {
    /// Above the number of every trait.
    pub const COUNT: usize = 2 * CODES + FACTORS.len();

    fn surroundings(distance: Distance, code: u16) -> Trait {
        Trait(u32::from(pattern::canonical(code)) + (distance as u32) * CODES as u32)
    }

    fn factor(factor: Factor) -> Trait {
        Trait(2 * CODES as u32 + factor as u32)
    }

    /// A number of its own, below [`Trait::COUNT`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Tells whether the table has a line for such as this.
    pub fn is_weighed(self) -> bool {
        self.index() >= CODES
    }

    /// Traits of one class exclude each other: surroundings are class 0, each factor is another.
    pub fn class(self) -> usize {
        (self.index() + 1).saturating_sub(2 * CODES)
    }
}

impl fmt::Display for Trait {
    /// As the table names it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (half, code) = (self.index() / CODES, (self.index() % CODES) as u16);
        match DISTANCES.get(half) {
            Some(distance) => write!(f, "{distance} {}", pattern::drawing(code)),
            None => f.write_str(FACTORS[usize::from(code)].1),
        }
    }
}

/// A move and all that the table says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traits {
    /// The move, no pass.
    pub mv: Move,
    /// Its surroundings first, then its factors.
    pub traits: Vec<Trait>,
}

/// Every candidate of a position but the pass with its traits.
pub fn traits(game: &Go) -> Vec<Traits> {
    let board = Board::<WORDS_MAX, BITS_MAX>::new(game);
    let answers = board.answers(game.side_to_move());
    let mut moves = Vec::new();
    game.candidates(&mut moves);
    let of = |mv: Move| {
        let v = board.vertex(mv.index()?);
        let is_near = board.around_last().contains(v);
        let distance = if is_near { Distance::Near } else { Distance::Far };
        let seen = pattern::seen_by(game.side_to_move(), board.code(v));
        let urgent = board.urgency(game.side_to_move(), v).0.iter();
        let here = answers.all().iter().filter(|&&(at, _)| usize::from(at) == v);
        let answering = here.map(|&(_, factor)| factor);
        let factors = urgent.chain(answering).chain(board.self_atari(game.side_to_move(), v));
        let surroundings = Trait::surroundings(distance, seen);
        let traits = std::iter::once(surroundings).chain(factors.map(Trait::factor)).collect();
        Some(Traits { mv, traits })
    };
    moves.into_iter().filter_map(of).collect()
}

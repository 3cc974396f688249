//! What the table of weights sees in each move of a position: what it is learned from.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::super::position::Go;
use super::board::Board;
use super::for_side;
use super::pattern::{self, CODES};
use super::tactics::Answers;
use super::weights::{DISTANCES, Distance, FACTORS, Factor, ONE, Weights};
use crate::game::Game;
use crate::types::{Color, Move};

/// The canonical code of each.
static CANONICAL: LazyLock<Vec<u16>> =
    LazyLock::new(|| (0..=u16::MAX).map(pattern::canonical).collect());

/// A line of the table of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Trait(u32);

impl Trait {
    /// Above the number of every trait.
    pub const COUNT: usize = 2 * CODES + FACTORS.len();

    fn surroundings(distance: Distance, code: u16) -> Trait {
        Trait(u32::from(CANONICAL[usize::from(code)]) + (distance as u32) * CODES as u32)
    }

    fn factor(factor: Factor) -> Trait {
        Trait(2 * CODES as u32 + factor as u32)
    }

    /// A number of its own, below [`Trait::COUNT`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Traits of one class exclude each other: surroundings are class 0, each factor is another.
    pub fn class(self) -> usize {
        (self.index() + 1).saturating_sub(2 * CODES)
    }

    /// Every trait there is.
    pub fn all() -> impl Iterator<Item = Trait> {
        let is_canonical = |of: &Trait| match of.place() {
            Ok((_, code)) => CANONICAL[usize::from(code)] == code,
            Err(_) => true,
        };
        (0..Trait::COUNT as u32).map(Trait).filter(is_canonical)
    }

    /// Its weight in the table that playouts use.
    pub fn weight(self) -> f64 {
        let weight = Weights::learned().of_trait(self.place());
        f64::from(weight) / f64::from(ONE)
    }

    /// The weights that the table can hold for it.
    pub fn weights(self) -> RangeInclusive<f64> {
        let least = 1.0 / f64::from(ONE);
        match self.place() {
            Ok(_) => least..=f64::from(u16::MAX) / f64::from(ONE),
            // A move is refused at most never.
            Err(factor) if factor.is_against() => least..=1.0,
            Err(_) => least..=1000.0,
        }
    }

    fn place(self) -> Result<(Distance, u16), Factor> {
        let (half, code) = (self.index() / CODES, (self.index() % CODES) as u16);
        match DISTANCES.get(half) {
            Some(&(distance, _)) => Ok((distance, code)),
            None => Err(FACTORS[usize::from(code)].0),
        }
    }
}

impl fmt::Display for Trait {
    /// As the table names it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place() {
            Ok((distance, code)) => {
                write!(f, "{} {}", DISTANCES[distance as usize].1, pattern::drawing(code))
            }
            Err(factor) => f.write_str(FACTORS[factor as usize].1),
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

impl Go {
    /// Every candidate but the pass with its traits.
    pub fn traits(&self) -> Vec<Traits> {
        for_side!(self.layout.side(), traits(self))
    }
}

fn traits<const W: usize, const N: usize>(game: &Go) -> Vec<Traits> {
    let board = Board::<W, N>::new(game);
    let answers = board.answers(game.side);
    let mut moves = Vec::new();
    game.candidates(&mut moves);
    let of = |mv: Move| {
        let v = board.vertex(mv.index()?);
        let mut traits = Vec::new();
        board.add_traits(&answers, (game.side, v), |of| traits.push(of));
        Some(Traits { mv, traits })
    };
    moves.into_iter().filter_map(of).collect()
}

impl<const W: usize, const N: usize> Board<W, N> {
    /// Names every trait of `color`'s move to `v`: its surroundings first. Returns whether the move is
    /// legal, a ko not asked for.
    pub(super) fn add_traits(
        &self,
        answers: &Answers<W>,
        (color, v): (Color, usize),
        mut add: impl FnMut(Trait),
    ) -> bool {
        let distance = if answers.near.contains(v) { Distance::Near } else { Distance::Far };
        add(Trait::surroundings(distance, pattern::seen_by(color, self.code(v))));
        let (urgent, is_legal) = self.urgency(color, v);
        urgent.iter().for_each(|factor| add(Trait::factor(factor)));
        let answering = answers.iter().filter(|&(at, _)| at == v);
        answering.for_each(|(_, factor)| add(Trait::factor(factor)));
        self.self_atari(color, v).into_iter().for_each(|factor| add(Trait::factor(factor)));
        is_legal
    }
}

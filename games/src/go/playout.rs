//! Uniformly random playouts, one ply after the other.
//!
//! A playout takes one number from the generator, its seed, and draws everything from that.

use super::position::{Go, Points};
use crate::counts::Observer;
use crate::game::Game;
use crate::rng::{Rng, mix};
use crate::types::{Move, Outcome};

/// Plays `game` to its end; returns the outcome and the number of plies, passes with them.
///
/// Every legal move that does not fill an own one-point eye is equally likely; a side without any
/// passes. After 3 plies a point the game counts as ended and is scored as it stands.
pub(super) fn uniform(
    game: &mut Go,
    rng: &mut Rng,
    observer: &mut impl Observer,
) -> (Outcome, u32) {
    let mut draws = Draws::new(rng);
    let plies_max = 3 * game.layout.area() as u32;
    let mut plies = 0;
    while !game.is_over() && plies < plies_max {
        let mv = draws.choose(game);
        if !mv.is_pass() {
            observer.played(game.side_to_move(), mv);
        }
        game.play(mv);
        plies += 1;
    }
    let outcome = game.score();
    let [black, white] = game.areas();
    observer.ended(outcome, |point| {
        use crate::types::Color::{Black, White};
        let bit = game.layout.bit(point);
        let of = |area: Points, color| area.contains(bit).then_some(color);
        of(black, Black).or(of(white, White))
    });
    (outcome, plies)
}

/// The random numbers of one playout.
struct Draws {
    state: u64,
}

impl Draws {
    fn new(rng: &mut Rng) -> Draws {
        Draws { state: rng.bits() }
    }

    /// A whole number in `0..bound`.
    fn below(&mut self, bound: u32) -> u32 {
        let bits = mix(self.state);
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        (((bits >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A random ply: points are drawn until one is legal.
    fn choose(&mut self, game: &Go) -> Move {
        let mut untried = game.empty().minus(game.eyes());
        if let Some(ko) = game.ko {
            untried = untried.minus(Points::one(usize::from(ko)));
        }
        while !untried.is_empty() {
            let drawn = self.below(untried.len()) as usize;
            let bit = untried.iter().nth(drawn).expect("fewer than the set holds");
            if game.is_legal_stone(bit) {
                return Move::point(game.layout.point(bit));
            }
            untried = untried.minus(Points::one(bit));
        }
        Move::PASS
    }
}

//! Uniformly random playouts: what they are, one ply after the other.
//!
//! A playout takes one number from the generator, its seed, and draws everything from that.
//! [`super::lanes`] does the same for many playouts at once.

use super::position::{Go, Points};
use crate::counts::Observer;
use crate::game::Game;
use crate::rng::{Rng, mix};
use crate::types::{Color, Move, Outcome};

/// Plays `game` to its end; returns the outcome and the number of plies, passes with them.
///
/// Every legal move that does not fill an own one-point eye is equally likely; a side without any
/// passes. After [`plies_max`] the game counts as ended and is scored as it stands.
pub(super) fn uniform(
    game: &mut Go,
    rng: &mut Rng,
    observer: &mut impl Observer,
) -> (Outcome, u32) {
    let mut seed = rng.bits();
    let plies_max = plies_max(game);
    let mut plies = 0;
    while !game.is_over() && plies < plies_max {
        let mv = choose(game, &mut seed);
        if !mv.is_pass() {
            observer.played(game.side_to_move(), mv);
        }
        game.play(mv);
        plies += 1;
    }
    let outcome = game.score();
    let areas = game.areas();
    observer.ended(outcome, |point| {
        let bit = game.layout.bit(point);
        Color::BOTH.into_iter().find(|color| areas[color.index()].contains(bit))
    });
    (outcome, plies)
}

/// Playouts are cut after three plies a point: cycles longer than a simple ko never end.
pub(super) fn plies_max(game: &Go) -> u32 {
    3 * game.layout.area() as u32
}

/// A whole number in `0..bound` from the seed, and the seed of the next draw.
///
/// The sequence is that of SplitMix64; `bound` is below 2^32, and 0 gives 0.
#[inline(always)]
pub(super) fn draw(seed: u64, bound: u64) -> (u64, u64) {
    let drawn = ((mix(seed) >> 32) * bound) >> 32;
    (drawn, seed.wrapping_add(0x9E37_79B9_7F4A_7C15))
}

/// A random ply: points are drawn until one is legal, and none is left after a last draw for nothing.
fn choose(game: &Go, seed: &mut u64) -> Move {
    let mut untried = game.empty().minus(game.eyes());
    if let Some(ko) = game.ko {
        untried = untried.minus(Points::one(usize::from(ko)));
    }
    loop {
        let (drawn, next) = draw(*seed, u64::from(untried.len()));
        *seed = next;
        let Some(bit) = untried.iter().nth(drawn as usize) else {
            return Move::PASS;
        };
        if game.is_legal_stone(bit) {
            return Move::point(game.layout.point(bit));
        }
        untried = untried.minus(Points::one(bit));
    }
}

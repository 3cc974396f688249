//! Heavy playouts: moves are drawn by what they know of Go.
//!
//! Answers to the last stone come first: captures and rescues, ataris, vital points, races, shapes, kind
//! by kind and each with a chance of its own. Where none is drawn, every empty point has a weight for
//! each side, by captures and escapes, which is kept as stones come and go. Whoever is drawn may be
//! refused as a self-atari, or for filling an own eye space. One game at a time, whole numbers only: a
//! playout is the same on every machine.
//!
//! Reading order: what stands around a point (`pattern`), the board (`board`), what single moves do
//! (`tactics`), the table of weights (`weights`), the weights of a whole board (`heat`), a game
//! (`playing`), what the tree believes of moves (`predict`), what is learned from (`traits`). Here: one
//! playout to watch, or many to add up.

mod board;
mod heat;
mod pattern;
mod playing;
mod predict;
mod sizes;
mod tactics;
#[cfg(test)]
mod tests;
mod traits;
mod weights;

use banyan_games::counts::Observer;
use banyan_games::game::{Game, Leaf};
use banyan_games::go::Go;
use banyan_games::rng::Rng;
use banyan_games::types::{Color, Margin, Move, Outcome};
use banyan_kernels::bits::Bits;
use banyan_kernels::simd::{NarrowVectors, Task};
use playing::Playing;
use sizes::for_side;

use crate::digest::Digest;

pub use predict::{Feature, features};
pub(super) use predict::{leave_out_bad, model as predictor, odds};
pub use traits::{Trait, Traits, traits};

/// The contents of the table of weights.
pub(super) fn model() -> Digest {
    Digest::EMPTY.and(weights::TEXT.as_bytes())
}

/// Plays one heavy playout of `game`; returns the outcome and the number of plies, passes with them.
///
/// A side passes when every move is illegal, fills an own one-point eye, or was drawn and refused as
/// self-atari.
pub(super) fn one(game: &Go, rng: &mut Rng, observer: &mut impl Observer) -> (Outcome, u32) {
    for_side!(game.layout().side(), watch(game, rng, observer))
}

/// Adds playouts as [`one`] plays them to the counts of each leaf.
pub(super) fn many(leaves: &mut [Leaf<'_, Go>]) {
    for leaf in leaves {
        for_side!(leaf.position.layout().side(), add(leaf));
    }
}

fn watch<const W: usize, const N: usize>(
    game: &Go,
    rng: &mut Rng,
    observer: &mut impl Observer,
) -> (Outcome, u32) {
    let mut playing = Playing::<W, N>::new(game);
    while !playing.is_over() {
        let side = playing.side;
        if let Some(v) = playing.step(rng) {
            observer.played(side, Move::point(playing.board.point(v)));
        }
    }
    let areas = areas(&playing);
    let outcome = score(game, &areas);
    observer.ended(outcome, |point| {
        let v = playing.board.vertex(point);
        Color::BOTH.into_iter().find(|color| areas[color.index()].contains(v))
    });
    (outcome, playing.plies)
}

fn add<const W: usize, const N: usize>(leaf: &mut Leaf<'_, Go>) {
    NarrowVectors::widest().run(Adding::<W, N>(leaf));
}

/// One leaf whose playouts are to be added.
struct Adding<'a, 'b, const W: usize, const N: usize>(&'a mut Leaf<'b, Go>);

impl<const W: usize, const N: usize> Task for Adding<'_, '_, W, N> {
    #[inline(always)]
    fn run(self) {
        add_all::<W, N>(self.0);
    }
}

#[inline(always)]
fn add_all<const W: usize, const N: usize>(leaf: &mut Leaf<'_, Go>) {
    let start = Playing::<W, N>::new(leaf.position);
    let Leaf { position, playouts, rng, counts } = leaf;
    for _ in 0..*playouts {
        let mut playing = start.clone();
        let mut firsts = [Bits::<W>::EMPTY; 2];
        while !playing.is_over() {
            let side = playing.side;
            if let Some(v) = playing.step(rng) {
                let stone = Bits::one(v);
                firsts[side.index()] |= stone.minus(firsts[(!side).index()]);
            }
        }
        let areas = areas(&playing);
        let outcome = score(position, &areas);
        counts.add(outcome, playing.plies);
        for color in Color::BOTH {
            let points = |sets: [Bits<W>; 2]| {
                let board = &playing.board;
                sets[color.index()].iter().map(|v| board.point(v))
            };
            counts.add_firsts(color, outcome, points(firsts));
            counts.add_area(color, points(areas));
        }
    }
}

/// The points that each side holds: its stones, and the empty regions that reach it alone.
fn areas<const W: usize, const N: usize>(playing: &Playing<W, N>) -> [Bits<W>; 2] {
    let board = &playing.board;
    let stride = board.stride();
    let reached = board
        .stones
        .map(|stones| (stones.neighbours(stride) & board.empty).flood(board.empty, stride));
    [board.stones[0] | reached[0].minus(reached[1]), board.stones[1] | reached[1].minus(reached[0])]
}

fn score<const W: usize>(game: &Go, areas: &[Bits<W>; 2]) -> Outcome {
    let difference = areas[0].len() as i32 - areas[1].len() as i32;
    Outcome { margin: Margin(2 * difference - i32::from(game.rules().komi())) }
}

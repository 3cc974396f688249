//! Predictions of what a good player would play: how likely each move is, for the tree to begin with.
//!
//! A move's odds are the exponential of the sum of what its features add. The table is learned from
//! searches of our own (`table.txt` says how).
//!
//! Reading order: shapes of stones (`shape`), features (`feature`), the table
//! (`table`), here the odds.
//!
//! # Source
//! Coulom 2007, *Computing Elo Ratings of Move Patterns in the Game of Go*, for the model; its weights
//! are found by gradient descent on the shares of visits.

mod feature;
mod shape;
mod table;
#[cfg(test)]
mod tests;

use super::sizes::{BITS_MAX, WORDS_MAX, for_side};
use crate::digest::Digest;
use banyan_games::go::Go;
use banyan_games::types::Move;
use banyan_kernels::simd::{NarrowVectors, Task};

pub use feature::Feature;
use feature::View;
use table::Table;

/// No move is believed to be hopeless, and none certain: logits stay within this of the best one's.
const LOGITS_MAX: f32 = 12.0;

/// The table's contents.
pub(in crate::go) fn model() -> Digest {
    Digest::EMPTY.and(table::TEXT.as_bytes())
}

/// Weighs candidates of a position; see [`crate::Knowledge::priors`].
pub(in crate::go) fn odds(game: &Go, moves: &[Move], odds: &mut Vec<f32>) {
    for_side!(game.layout().side(), weigh(game, moves, odds));
}

fn weigh<const W: usize, const N: usize>(game: &Go, moves: &[Move], odds: &mut Vec<f32>) {
    odds.clear();
    NarrowVectors::widest().run(Weighing::<W, N> { game, moves, odds });
}

/// Moves whose odds are asked for.
struct Weighing<'a, const W: usize, const N: usize> {
    game: &'a Go,
    moves: &'a [Move],
    /// The list that takes the odds.
    odds: &'a mut Vec<f32>,
}

impl<const W: usize, const N: usize> Task for Weighing<'_, W, N> {
    #[inline(always)]
    fn run(self) {
        let (view, table) = (View::<W, N>::new(self.game), Table::learned());
        // Loops, not iterators: those would not be compiled for these vectors.
        for &mv in self.moves {
            let mut logit = None;
            view.features(mv, |feature| {
                let known = table.logit(feature);
                logit = Some(logit.unwrap_or(0.0) + known.unwrap_or(0.0));
                known.is_some()
            });
            // A move that cannot be played has no features.
            self.odds.push(logit.unwrap_or(f32::NEG_INFINITY));
        }
        let best = self.odds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for odds in self.odds {
            // A library's exponential differs between machines by a last bit; libm's is our own code's.
            *odds = libm::expf((*odds - best).max(-LOGITS_MAX));
        }
    }
}

/// Takes out what reads as bad; see [`crate::Knowledge::leave_out_bad`].
pub(in crate::go) fn leave_out_bad(game: &Go, moves: &mut Vec<Move>) {
    for_side!(game.layout().side(), leave_out(game, moves));
}

fn leave_out<const W: usize, const N: usize>(game: &Go, moves: &mut Vec<Move>) {
    let view = View::<W, N>::new(game);
    let is_good = |mv: &Move| mv.is_pass() || !view.is_bad(*mv);
    if moves.iter().any(|mv| !mv.is_pass() && is_good(mv)) {
        moves.retain(is_good);
    }
}

/// Features that speak for or against each of these moves: what a predictor learns from.
pub fn features(game: &Go, moves: &[Move]) -> Vec<Vec<Feature>> {
    let view = View::<WORDS_MAX, BITS_MAX>::new(game);
    let of = |&mv: &Move| {
        let mut features = Vec::new();
        view.features(mv, |feature| {
            features.push(feature);
            true
        });
        features
    };
    moves.iter().map(of).collect()
}

//! Heavy playouts of games of lines: one to watch, or many to add up.

use banyan_games::counts::Observer;
use banyan_games::line::{LineRules, Position};
use banyan_games::sums::Sums;
use banyan_games::{Color, Game, Leaf, Move, Outcome, Rng};

use super::decisive::{Playout, Start};

/// Plays one heavy playout from a position; returns the outcome and the number of plies.
pub(crate) fn one<R: LineRules>(
    position: &Position<R>,
    rng: &mut Rng,
    observer: &mut impl Observer,
) -> (Outcome, u32) {
    let start = Start::new(position);
    let mut playout = Playout::new(&start);
    playout.run(rng);
    let turn = usize::from(R::STONES_A_TURN);
    let clock = usize::from(position.clock());
    for (ply, point) in playout.played().map(Move).enumerate() {
        let side = Color::BOTH[(clock + ply) / turn % 2];
        if playout.is_free(side, point) {
            observer.played(side, point);
        } else {
            observer.forced(side, point);
        }
    }
    let (held, width) = (playout.end_bits().held, usize::from(position.size().width));
    observer.ended(playout.outcome, |point| {
        let has = |color: &Color| held[color.index()][point / width] >> (point % width) & 1 == 1;
        Color::BOTH.into_iter().find(has)
    });
    (playout.outcome, playout.plies())
}

/// Adds playouts as [`one`] plays them to the counts of each leaf.
pub(crate) fn many<R: LineRules>(leaves: &mut [Leaf<'_, Position<R>>]) {
    for leaf in leaves {
        add(leaf);
    }
}

fn add<R: LineRules>(leaf: &mut Leaf<'_, Position<R>>) {
    let Leaf { position, playouts, rng, counts } = leaf;
    let start = Start::new(*position);
    let mut sums = Sums::new();
    let wants_sums = counts.amaf.is_some() || counts.ownership.is_some();
    let mut playout = Playout::new(&start);
    for _ in 0..*playouts {
        playout.run(rng);
        counts.add(playout.outcome, playout.plies());
        if wants_sums {
            sums.add(playout.outcome, &playout.end_bits());
        }
    }
    let width = usize::from(position.size().width);
    sums.add_to(counts, |(row, column)| row * width + column);
}

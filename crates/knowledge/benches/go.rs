//! Heavy playouts and priors of Go.

use banyan_games::counts::Asked;
use banyan_games::go::{Go, GoRules};
use banyan_games::{Counts, Game, Move, Rng};
use banyan_knowledge::{Knowledge, Policy};
use divan::Bencher;
use divan::counter::ItemsCount;

const SIZES: [u32; 3] = [9, 13, 19];

fn main() {
    divan::main();
}

#[divan::bench(args = SIZES)]
fn heavy(bencher: Bencher<'_, '_>, size: u32) {
    let game = Go::new(&GoRules::new(size, 15).expect("a size that is played"));
    let mut rng = Rng::from_seed(1);
    bencher.counter(ItemsCount::new(256u32)).bench_local(|| {
        let mut counts = Counts::new(game.size().area(), Asked { amaf: true, ownership: false });
        game.playouts_by(Policy::Heavy, 256, &mut rng, &mut counts);
        counts
    });
}

/// A tree's order once a node: the odds of its children, after a third of a random game.
#[divan::bench(args = SIZES)]
fn priors(bencher: Bencher<'_, '_>, size: u32) {
    let mut rng = Rng::from_seed(1);
    let games: Vec<(Go, Vec<Move>)> = (0..16).map(|_| begun(size, &mut rng)).collect();
    let mut odds = Vec::new();
    bencher.counter(ItemsCount::new(games.len())).bench_local(|| {
        games
            .iter()
            .map(|(game, moves)| {
                game.priors(moves, &mut odds);
                odds.iter().sum::<f32>()
            })
            .sum::<f32>()
    });
}

/// A game after random plies on a third of its points, and its candidates.
fn begun(size: u32, rng: &mut Rng) -> (Go, Vec<Move>) {
    let mut game = Go::new(&GoRules::new(size, 15).expect("a size that is played"));
    let mut moves = Vec::new();
    for _ in 0..size * size / 3 {
        moves.clear();
        game.candidates(&mut moves);
        game.play(moves[rng.below(moves.len() as u32 - 1) as usize]);
    }
    moves.clear();
    game.candidates(&mut moves);
    (game, moves)
}

//! Playouts a second of Othello from the start, on one thread.

use banyan_games::counts::Asked;
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Counts, Game, Rng};
use divan::{Bencher, counter::ItemsCount};

const PLAYOUTS: u32 = 10_000;

fn main() {
    divan::main();
}

/// Runs [`PLAYOUTS`] in batches of `batch` and says how many a second.
fn bench(bencher: Bencher<'_, '_>, batch: u32, asked: Asked) {
    let position = Othello::new(&OthelloRules);
    let mut rng = Rng::from_seed(1);
    bencher.counter(ItemsCount::new(PLAYOUTS)).bench_local(|| {
        let mut counts = Counts::new(64, asked);
        for _ in 0..PLAYOUTS / batch {
            position.playouts(batch, &mut rng, &mut counts);
        }
        counts
    });
}

#[divan::bench(args = [1, 8, PLAYOUTS])]
fn othello(bencher: Bencher<'_, '_>, batch: u32) {
    bench(bencher, batch, Asked::default());
}

#[divan::bench(args = [1, 8, PLAYOUTS])]
fn othello_with_amaf_and_ownership(bencher: Bencher<'_, '_>, batch: u32) {
    bench(bencher, batch, Asked { amaf: true, ownership: true });
}

//! Playouts of Go: `cargo bench -p banyan-games --bench go`.
//!
//! Every figure is for batches of playouts from the empty board on one thread.

use banyan_games::counts::Asked;
use banyan_games::game::Game;
use banyan_games::go::{Go, GoRules};
use banyan_games::{Counts, Rng};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

const SIZES: [u32; 3] = [9, 13, 19];

fn run(bencher: Bencher<'_, '_>, size: u32, count: u32, asked: Asked) {
    let game = Go::new(&GoRules::new(size, 15).expect("a size that is played"));
    let mut rng = Rng::from_seed(1);
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let mut counts = Counts::new(game.size().area(), asked);
        game.playouts(count, &mut rng, &mut counts);
        counts
    });
}

#[divan::bench(args = SIZES)]
fn bare(bencher: Bencher<'_, '_>, size: u32) {
    run(bencher, size, 4096, Asked::default());
}

#[divan::bench(args = SIZES)]
fn with_amaf(bencher: Bencher<'_, '_>, size: u32) {
    run(bencher, size, 4096, Asked { amaf: true, ownership: false });
}

#[divan::bench(args = SIZES)]
fn with_amaf_and_ownership(bencher: Bencher<'_, '_>, size: u32) {
    run(bencher, size, 4096, Asked { amaf: true, ownership: true });
}

/// A tree's order: a few playouts a leaf.
#[divan::bench(args = [1, 2, 4, 8, 16])]
fn small_batches_on_9x9(bencher: Bencher<'_, '_>, count: u32) {
    run(bencher, 9, count, Asked { amaf: true, ownership: false });
}

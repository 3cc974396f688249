//! Evaluations a second on one thread: `cargo bench -p banyan-net`.
//!
//! Networks of chance weights; a network's speed depends on its shape alone.

use banyan_net::random::Sample;
use banyan_net::{Evaluator, Input, Network, Scratch, Vectors};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// Blocks, channels, points on a side.
const SIZES: [(usize, usize, usize); 7] =
    [(4, 32, 9), (4, 32, 15), (6, 48, 9), (6, 48, 13), (6, 48, 19), (6, 96, 9), (10, 128, 19)];

fn run(bencher: Bencher<'_, '_>, size: (usize, usize, usize), batch: usize, vectors: Vectors) {
    let (blocks, channels, side) = size;
    let network = Network::random(blocks, channels, "go", 1).expect("a shape that may be");
    let evaluator = Evaluator::new(&network, vectors);
    let samples = Sample::draw(network.shape(), (side, side), batch, 1);
    let inputs: Vec<Input<'_>> = samples.iter().map(Sample::input).collect();
    let (mut scratch, mut outputs) = (Scratch::default(), Vec::new());
    bencher.counter(ItemsCount::new(batch)).bench_local(|| {
        evaluator.evaluate(&mut scratch, &inputs, &mut outputs).expect("inputs that fit");
    });
}

#[divan::bench(args = SIZES)]
fn batches_of_8(bencher: Bencher<'_, '_>, size: (usize, usize, usize)) {
    run(bencher, size, 8, Vectors::fastest());
}

#[divan::bench(args = SIZES)]
fn one_at_a_time(bencher: Bencher<'_, '_>, size: (usize, usize, usize)) {
    run(bencher, size, 1, Vectors::fastest());
}

/// Every kind of vectors that the machine has.
#[divan::bench(args = Vectors::all().map(Vectors::name))]
fn kinds_of_vectors(bencher: Bencher<'_, '_>, name: &str) {
    let vectors =
        Vectors::all().find(|vectors| vectors.name() == name).expect("a kind just listed");
    run(bencher, (6, 48, 9), 8, vectors);
}

//! The table of playouts a second: uniform ones from the start position, on one thread.
//!
//! `cargo bench --bench playouts`. The other files here take each game apart.
//! `docs/performance.md` says what these figures were, beside those of others.

use std::fmt;
use std::hint::black_box;

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::counts::Asked;
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::rng::mix;
use banyan_games::{Counts, Game, Rng};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
enum Start {
    Go(u32),
    Othello,
    Gomoku(u32),
    Connect6(u32),
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Start::Go(side) => write!(f, "Go {side}x{side}"),
            Start::Othello => write!(f, "Othello 8x8"),
            Start::Gomoku(side) => write!(f, "Gomoku {side}x{side}"),
            Start::Connect6(side) => write!(f, "Connect6 {side}x{side}"),
        }
    }
}

const TABLE: [Start; 6] = [
    Start::Go(9),
    Start::Go(13),
    Start::Go(19),
    Start::Othello,
    Start::Gomoku(15),
    Start::Connect6(19),
];

/// Playouts a batch: as many as make its last ones, which end alone, a small part of it.
const BATCH: u32 = 4096;

/// Items are playouts.
#[divan::bench(args = TABLE, sample_count = 25)]
fn uniform_playouts(bencher: Bencher<'_, '_>, start: Start) {
    match start {
        Start::Go(side) => run(bencher, &Go::new(&GoRules::new(side, 15).expect("fits"))),
        Start::Othello => run(bencher, &Othello::new(&OthelloRules)),
        Start::Gomoku(side) => {
            let rules = GomokuRules::new(side, side, Variant::Freestyle).expect("fits");
            run(bencher, &Gomoku::new(&rules));
        }
        Start::Connect6(side) => {
            run(bencher, &Connect6::new(&Connect6Rules::new(side).expect("fits")));
        }
    }
}

fn run<G: Game>(bencher: Bencher<'_, '_>, position: &G) {
    let mut rng = Rng::from_seed(1);
    let area = position.size().area();
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        let mut counts = Counts::new(area, Asked::default());
        position.playouts(BATCH, &mut rng, &mut counts);
        counts
    });
}

/// The floor of every playout: a random number, a choice among the empty points, a stone stored.
/// Items are moves; boards of 81 to 361 points are filled with no rules at all.
#[divan::bench(args = [81, 169, 361])]
fn floor_of_a_move(bencher: Bencher<'_, '_>, area: usize) {
    let mut points: Vec<u16> = (0..area as u16).collect();
    let mut board = vec![0u8; area];
    let mut seed = 1;
    bencher.counter(ItemsCount::new(area)).bench_local(|| {
        for left in (1..=area).rev() {
            let drawn = ((mix(seed) >> 32) * left as u64) >> 32;
            seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
            points.swap(drawn as usize, left - 1);
            board[usize::from(points[left - 1])] = 1 + (left % 2) as u8;
        }
        black_box(&mut board);
    });
}

/// The processor's clock: items are cycles, so that a figure above can be told in cycles.
///
/// A multiplication that waits for the one before takes 3 cycles on x86-64 and on most others.
#[divan::bench]
fn cycles(bencher: Bencher<'_, '_>) {
    const MULTIPLICATIONS: u64 = 10_000;
    bencher.counter(ItemsCount::new(3 * MULTIPLICATIONS)).bench_local(|| {
        let mut product = black_box(3u64);
        for _ in 0..MULTIPLICATIONS {
            product = product.wrapping_mul(product);
        }
        product
    });
}

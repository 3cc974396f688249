//! Playouts a second of Gomoku and Connect6 from the start, on one thread.

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::counts::Asked;
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::{Counts, Game, Rng};
use divan::{Bencher, counter::ItemsCount};

const PLAYOUTS: u32 = 10_000;

fn main() {
    divan::main();
}

fn gomoku(five: Variant) -> Gomoku {
    Gomoku::new(&GomokuRules::new(15, 15, five).expect("fits"))
}

fn connect6() -> Connect6 {
    Connect6::new(&Connect6Rules::new(19).expect("fits"))
}

/// Runs [`PLAYOUTS`] in batches of `batch` and says how many a second.
fn bench<G: Game>(bencher: Bencher<'_, '_>, position: G, batch: u32, asked: Asked) {
    let mut rng = Rng::from_seed(1);
    let area = position.size().area();
    bencher.counter(ItemsCount::new(PLAYOUTS)).bench_local(|| {
        let mut counts = Counts::new(area, asked);
        for _ in 0..PLAYOUTS / batch {
            position.playouts(batch, &mut rng, &mut counts);
        }
        counts
    });
}

const EVERYTHING: Asked = Asked { amaf: true, ownership: true };

#[divan::bench(args = [1, 8, PLAYOUTS])]
fn gomoku_15(bencher: Bencher<'_, '_>, batch: u32) {
    bench(bencher, gomoku(Variant::Freestyle), batch, Asked::default());
}

#[divan::bench(args = [1, 8, PLAYOUTS])]
fn gomoku_15_with_amaf_and_ownership(bencher: Bencher<'_, '_>, batch: u32) {
    bench(bencher, gomoku(Variant::Freestyle), batch, EVERYTHING);
}

#[divan::bench]
fn gomoku_15_exactly_five(bencher: Bencher<'_, '_>) {
    bench(bencher, gomoku(Variant::Standard), PLAYOUTS, Asked::default());
}

#[divan::bench(args = [1, 8, PLAYOUTS])]
fn connect6_19(bencher: Bencher<'_, '_>, batch: u32) {
    bench(bencher, connect6(), batch, Asked::default());
}

#[divan::bench(args = [1, 8, PLAYOUTS])]
fn connect6_19_with_amaf_and_ownership(bencher: Bencher<'_, '_>, batch: u32) {
    bench(bencher, connect6(), batch, EVERYTHING);
}

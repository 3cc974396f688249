//! The tree's own speed: `cargo bench -p banyan-search --bench tree`.
//!
//! One step is what a search thread does for a leaf: descend, put in flight, take off, merge. The
//! playouts were made before; only the tree's work is timed.

use std::sync::OnceLock;

use banyan_games::counts::Asked;
use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Counts, Game, Kind, Rng};
use banyan_search::{Descent, Parameters, Tree};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// Playouts from the empty board that are counted again and again at other leaves.
const TALLIES: usize = 1024;

fn tallies() -> &'static Vec<Counts> {
    static ONE: OnceLock<Vec<Counts>> = OnceLock::new();
    ONE.get_or_init(|| {
        let mut rng = Rng::from_seed(1);
        let one = |_| {
            let mut counts = Counts::new(81, Asked { amaf: true, ownership: false });
            empty_board().playouts(1, &mut rng, &mut counts);
            counts
        };
        (0..TALLIES).map(one).collect()
    })
}

fn empty_board() -> Go {
    Go::new(&GoRules::new(9, 15).expect("a size that is played"))
}

/// A search of 9x9 Go.
struct Search {
    tree: Tree,
    position: Go,
    steps: usize,
}

impl Search {
    /// Grown until it has this many nodes.
    fn new(nodes: usize) -> Search {
        let tree = Tree::new(Parameters::of(Kind::Go), 1, 2 << 30, Color::White);
        let mut search = Search { tree, position: empty_board(), steps: 0 };
        while search.tree.nodes() < nodes {
            search.step_with_playout();
        }
        search
    }

    /// A true search, so that the tree has the shape of one.
    fn step_with_playout(&mut self) {
        let mut leaf = self.position.clone();
        match self.tree.descend(&mut leaf, 0) {
            Descent::Leaf(path) => {
                let mut counts = Counts::new(81, Asked { amaf: true, ownership: false });
                let mut rng = Rng::from_seed(self.steps as u64);
                leaf.playouts(1, &mut rng, &mut counts);
                self.tree.merge(&path, &counts);
            }
            Descent::Ended(path, outcome) => self.tree.merge_outcome(&path, outcome),
        }
        self.steps += 1;
    }

    fn step(&mut self, counts: &Counts) {
        let mut leaf = self.position.clone();
        match self.tree.descend(&mut leaf, 0) {
            Descent::Leaf(path) => {
                self.tree.add_virtual_loss(&path, 1);
                self.tree.remove_virtual_loss(&path, 1);
                self.tree.merge(&path, counts);
            }
            Descent::Ended(path, outcome) => self.tree.merge_outcome(&path, outcome),
        }
    }
}

#[divan::bench(args = [100_000, 10_000_000], sample_count = 20, sample_size = 1)]
fn steps(bencher: Bencher<'_, '_>, nodes: usize) {
    const STEPS: usize = 5_000;
    let mut search = Search::new(nodes);
    let tallies = tallies();
    bencher.counter(ItemsCount::new(STEPS)).bench_local(|| {
        for step in 0..STEPS {
            search.step(&tallies[step % TALLIES]);
        }
    });
}

//! Course by which all of them are learned: games played side by side, some kept apart, the others learned from
//! again and again.

use banyan_games::{Move, Rng};
use banyan_knowledge::{Evaluation, Knowledge};
use banyan_search::classical::{Found, Horizon, Memory, Method, Problem, Watch, search};

use super::asked::Arguments;

/// Step of the first slope of a weight.
pub(super) const STEP: f64 = 0.03;

/// Plays all games, each from a seed of its own, and gives them in the order of their numbers.
pub(super) fn by_threads<T: Send>(arguments: &Arguments, play: impl Fn(Rng) -> T + Sync) -> Vec<T> {
    let (threads, games) = (u64::from(arguments.threads.unwrap_or(1)), u64::from(arguments.games));
    let game = |game: u64| {
        let seed = arguments.seed.wrapping_mul(1 << 32).wrapping_add(game);
        play(Rng::from_seed(seed))
    };
    let part =
        |thread: u64| -> Vec<T> { (thread..games).step_by(threads as usize).map(game).collect() };
    let mut parts: Vec<_> = std::thread::scope(|scope| {
        let part = &part;
        let running: Vec<_> = (0..threads).map(|n| scope.spawn(move || part(n))).collect();
        running.into_iter().map(|it| it.join().expect("it does not panic").into_iter()).collect()
    });
    (0..games).filter_map(|game| parts[(game % threads) as usize].next()).collect()
}

/// Passes over all positions.
const PASSES: u32 = 12;

/// Learns from all samples, again and again, each time in another order.
pub(super) fn passes<S>(arguments: &Arguments, samples: &[S], mut learn: impl FnMut(&S)) {
    let mut order: Vec<&S> = samples.iter().collect();
    let mut rng = Rng::from_seed(arguments.seed);
    for _ in 0..PASSES {
        for at in (1..order.len()).rev() {
            order.swap(at, rng.below(at as u32 + 1) as usize);
        }
        order.iter().for_each(|sample| learn(sample));
    }
}

/// One of so many games is kept apart, to see what the weights are worth.
const KEPT_APART: usize = 10;

/// Samples that are learned from, and those kept apart.
pub(super) fn kept_apart<S>(games: Vec<Vec<S>>) -> (Vec<S>, Vec<S>) {
    let (mut learned, mut apart) = (Vec::new(), Vec::new());
    for (number, samples) in games.into_iter().enumerate() {
        let is_apart = number % KEPT_APART == KEPT_APART - 1;
        if is_apart { &mut apart } else { &mut learned }.extend(samples);
    }
    (learned, apart)
}

struct Patient;

impl Watch for Patient {
    fn goes_on(&mut self, _: u64) -> bool {
        true
    }
}

/// The finding of alpha-beta so many plies deep.
pub(super) fn found<G: Knowledge>(
    memory: &mut Memory,
    (position, moves): (&G, &[Move]),
    (evaluation, plies): (&dyn Evaluation<G>, u32),
) -> Found {
    let problem = Problem {
        position,
        moves,
        evaluation,
        method: Method::AlphaBeta,
        horizon: Horizon::Depth,
        depth_max: plies,
    };
    search(memory, &problem, &mut Patient)
}

//! Fits the weights of an evaluation to games of Banyan against itself.
//!
//! A game begins with random plies and goes on by alpha-beta with an evaluation as it stands; what it comes
//! to is what each of its positions should have been worth, and what is played what should come first. What
//! is printed is what the evaluation reads.

mod connect6;
mod gomoku;
mod othello;

use std::io::Write;

use banyan_games::{Evaluation, Game, Move, Rng};
use banyan_search::classical::{Found, Horizon, Memory, Method, Question, Watch, search};
use clap::{Parser, ValueEnum};

/// Step of the first slope of a weight.
const STEP: f64 = 0.03;

/// Whose evaluation is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fitted {
    /// `crates/games/src/othello/evaluation/stages.rs`
    Othello,
    /// `crates/games/src/gomoku/weights.txt`
    Gomoku,
    /// `crates/games/src/connect6/order.txt`
    Connect6,
}

/// Plays games and prints weights of an evaluation that fit how they ended.
#[derive(Clone, Debug, Parser)]
#[command(name = "banyan-fit", version)]
pub struct Arguments {
    /// Whose evaluation.
    #[arg(long, value_enum, default_value = "othello")]
    game: Fitted,
    /// Games.
    #[arg(long, default_value_t = 12_000)]
    games: u32,
    /// Plies that a move is searched deep [default: 4, 2 in Gomoku].
    #[arg(long)]
    plies: Option<u32>,
    /// Othello: empty points from which on a game is solved.
    #[arg(long, default_value_t = 14)]
    solve_from: u32,
    /// Gomoku: the evaluation that the games are played by [default: the best].
    #[arg(long)]
    evaluation: Option<String>,
    /// Gomoku, Connect6: threads that play.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Seed of all chance.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Plays, fits, and writes the weights to `out`.
///
/// # Errors
/// What writing says; an evaluation that is none.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    match arguments.game {
        Fitted::Othello => othello::run(arguments, out),
        Fitted::Gomoku => gomoku::run(arguments, out),
        Fitted::Connect6 => connect6::run(arguments, out),
    }
}

/// Plays all games, each from a seed of its own, and gives them in the order of their numbers.
fn by_threads<T: Send>(arguments: &Arguments, play: impl Fn(Rng) -> T + Sync) -> Vec<T> {
    let (threads, games) = (u64::from(arguments.threads), u64::from(arguments.games));
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
fn passes<S>(arguments: &Arguments, samples: &[S], mut learn: impl FnMut(&S)) {
    let mut order: Vec<&S> = samples.iter().collect();
    let mut rng = Rng::from_seed(arguments.seed);
    for _ in 0..PASSES {
        for at in (1..order.len()).rev() {
            order.swap(at, rng.below(at as u32 + 1) as usize);
        }
        order.iter().for_each(|sample| learn(sample));
    }
}

/// Of so many games one is kept apart, to see what the weights are worth.
const KEPT_APART: usize = 10;

/// What is learned from, and what is kept apart.
fn kept_apart<S>(games: Vec<Vec<S>>) -> (Vec<S>, Vec<S>) {
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

/// What alpha-beta finds so many plies deep.
fn found<G: Game>(
    memory: &mut Memory,
    (position, moves): (&G, &[Move]),
    (evaluation, plies): (&Evaluation<G>, u32),
) -> Found {
    let question = Question {
        position,
        moves,
        evaluation,
        method: Method::AlphaBeta,
        horizon: Horizon::Depth,
        draft_max: plies,
    };
    search(memory, &question, &mut Patient)
}

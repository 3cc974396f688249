//! Fits the weights of an evaluation to how games of Banyan against itself ended.
//!
//! A game begins with random plies and goes on by alpha-beta with an evaluation as it stands; what it comes
//! to is what each of its positions should have been worth. What is printed is what the evaluation reads.

mod gomoku;
mod othello;

use std::io::Write;

use banyan_games::{Evaluation, Game, Move};
use banyan_search::classical::{Found, Horizon, Memory, Method, Question, Watch, search};
use clap::{Parser, ValueEnum};

/// Whose evaluation is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fitted {
    /// `games/src/othello/evaluation/stages.rs`
    Othello,
    /// `games/src/gomoku/weights.txt`
    Gomoku,
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
    /// Plies that a move is searched deep [default: 4 in Othello, 2 in Gomoku].
    #[arg(long)]
    plies: Option<u32>,
    /// Othello: empty points from which on a game is solved.
    #[arg(long, default_value_t = 14)]
    solve_from: u32,
    /// Gomoku: the evaluation that the games are played by [default: the best].
    #[arg(long)]
    evaluation: Option<String>,
    /// Gomoku: threads that play.
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
    }
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

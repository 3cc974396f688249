//! Options of `banyan-fit`.

use clap::{Parser, ValueEnum};

/// Whose evaluation is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fitted {
    /// `crates/knowledge/src/othello/stages.rs`
    Othello,
    /// `crates/knowledge/src/gomoku/weights.txt`
    Gomoku,
    /// `crates/knowledge/src/connect6/order.txt`
    Connect6,
}

/// Plays games and prints weights of an evaluation that fit how they ended.
#[derive(Clone, Debug, Parser)]
#[command(name = "banyan-fit", version)]
pub struct Arguments {
    /// Whose evaluation.
    #[arg(long, value_enum, default_value = "othello")]
    pub(super) game: Fitted,
    /// Games.
    #[arg(long, default_value_t = 12_000)]
    pub(super) games: u32,
    /// Plies that a move is searched deep [default: 4, 2 in Gomoku].
    #[arg(long)]
    pub(super) plies: Option<u32>,
    /// Othello: empty points from which on a game is solved.
    #[arg(long, default_value_t = 14)]
    pub(super) solve_from: u32,
    /// Gomoku: the evaluation that the games are played by [default: the best].
    #[arg(long)]
    pub(super) evaluation: Option<String>,
    /// Gomoku, Connect6: threads that play.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(super) threads: u32,
    /// Seed of all chance.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
}

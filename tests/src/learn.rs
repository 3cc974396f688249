//! Learns the table of weights of heavy playouts of Go from games that the search plays against itself.
//!
//! Reading order: games, played and kept as text (`games`), the weights that explain their moves best
//! (`fit`), here the two commands.

mod fit;

mod games;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand};

/// Learns the weights of heavy playouts of Go from the moves of deeper searches.
#[derive(Clone, Debug, Parser)]
#[command(name = "banyan-learn", version)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, Subcommand)]
enum Command {
    /// Plays games of the search against itself and prints them, one a line.
    Play(Play),
    /// Prints the table of weights that explains the moves of such games best.
    Fit(Fit),
}

/// Options of `play`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Play {
    /// How many games.
    #[arg(long, default_value_t = 200)]
    games: u32,
    /// Points a side.
    #[arg(long, default_value_t = 9)]
    size: u32,
    /// What both sides search with, as banyan-lab reads it.
    #[arg(long, default_value = "playouts=1000")]
    settings: String,
    /// Random plies that each game begins with.
    #[arg(long, default_value_t = 3)]
    opening_plies: u32,
    /// Resign below this value; 0 never resigns.
    #[arg(long, default_value_t = 0.05)]
    resign: f64,
    /// Seed of openings and searches.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Options of `fit`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Fit {
    /// Files that `play` printed.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Plies at the beginning of each game that teach nothing.
    #[arg(long, default_value_t = 3)]
    opening_plies: usize,
    /// Passes over all weights.
    #[arg(long, default_value_t = 20)]
    rounds: u32,
}

/// Runs a command; what it makes goes to `out`.
///
/// # Errors
/// Settings, boards or games that cannot be read, in words for people.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Play(play) => games::play(play, out),
        Command::Fit(fit) => {
            let mut choices = Vec::new();
            let mut games = 0;
            for file in &fit.games {
                let text = std::fs::read_to_string(file)
                    .with_context(|| format!("cannot read {}", file.display()))?;
                for line in text.lines().filter(|line| !line.trim().is_empty()) {
                    let game = games::read(line)
                        .with_context(|| format!("{} is no file of games", file.display()))?;
                    choices.extend(game.choices(fit.opening_plies));
                    games += 1;
                }
            }
            writeln!(out, "% Weights of heavy playouts: how much likelier a move is than others.")?;
            writeln!(
                out,
                "% Learned from {} moves of {games} games of our own by `banyan-learn fit`.",
                choices.len()
            )?;
            fit::Weights::fit(&choices, fit.rounds).write(out)
        }
    }
}

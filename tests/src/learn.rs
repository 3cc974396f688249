//! Learns the table of weights of heavy playouts of Go from games that the search plays against itself.
//!
//! Reading order: games, played and kept as text (`games`), the weights that explain their moves best
//! (`fit`), positions of them with the value that a search finds (`positions`), the weights whose playouts
//! come nearest to these values (`balance`), here the commands.

mod balance;

mod fit;

mod games;

mod positions;

mod table;

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
    /// Searches positions of such games, and prints each with its value, one a line.
    Value(Value),
    /// Prints the table of weights whose playouts come nearest to the values of such positions.
    Balance(Balance),
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

/// Options of `value`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Value {
    /// Files that `play` printed.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// What each position is searched with, as banyan-lab reads it.
    #[arg(long, default_value = "playouts=4000 policy=heavy batch=1 window=1")]
    settings: String,
    /// Plies from one position of a game to the next.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Plies at the beginning of each game that teach nothing.
    #[arg(long, default_value_t = 5)]
    opening_plies: u32,
    /// Seed of the searches.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Options of `balance`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Balance {
    /// Files that `value` printed. One position in ten is kept back for the measure of success.
    #[arg(required = true)]
    positions: Vec<PathBuf>,
    /// Passes over all positions.
    #[arg(long, default_value_t = 4)]
    rounds: u32,
    /// Playouts of each position in each pass, half for its value and half for the slopes.
    #[arg(long, default_value_t = 96, value_parser = clap::value_parser!(u32).range(2..))]
    playouts: u32,
    /// How far a step goes, in the first round; in the last it is a tenth of it.
    #[arg(long, default_value_t = 0.3)]
    step: f64,
    /// A factor that keeps its weight, such as nakade; several times.
    #[arg(long, value_name = "FACTOR")]
    hold: Vec<String>,
    /// Threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Seed of playouts and of the order of positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs a command; what it makes goes to `out`.
///
/// # Errors
/// Settings, boards or games that cannot be read, in words for people.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Play(play) => games::play(play, out),
        Command::Fit(fit) => fit_games(fit, out),
        Command::Value(value) => positions::value(value, &read_games(&value.games)?, out),
        Command::Balance(balance) => {
            let mut positions = Vec::new();
            for line in lines(&balance.positions)? {
                positions.push(positions::read(&line)?);
            }
            balance::balance(balance, positions, out)
        }
    }
}

fn fit_games(fit: &Fit, out: &mut impl Write) -> anyhow::Result<()> {
    let games = read_games(&fit.games)?;
    let choices: Vec<_> = games.iter().flat_map(|game| game.choices(fit.opening_plies)).collect();
    writeln!(out, "% Weights of heavy playouts: how much likelier a move is than others.")?;
    writeln!(
        out,
        "% Learned from {} moves of {} games of our own by `banyan-learn fit`.",
        choices.len(),
        games.len()
    )?;
    fit::Weights::fit(&choices, fit.rounds).write(out)
}

fn read_games(files: &[PathBuf]) -> anyhow::Result<Vec<games::Played>> {
    lines(files)?.iter().map(|line| games::read(line)).collect()
}

/// Every line of the files that says anything.
fn lines(files: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        lines.extend(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned));
    }
    Ok(lines)
}

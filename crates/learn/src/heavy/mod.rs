//! Learns the table of weights of heavy playouts of Go from games that the search plays against itself.
//!
//! Reading order: the weights that explain moves best (`fit`), what foretells them (`predict`), games,
//! played and kept as text (`games`), here the commands.

mod fit;

mod predict;

mod games;

use std::collections::BTreeMap;
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
    Play(games::Play),
    /// Prints the table of weights that explains the moves of such games best.
    Fit(Fit),
    /// Prints the table that foretells best where such searches look: the priors of the tree.
    Predict(Predict),
}

/// Options of `fit`.
#[derive(Clone, Debug, Args)]
struct Fit {
    /// Files that `play` printed.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Passes over all weights.
    #[arg(long, default_value_t = 20)]
    rounds: u32,
}

/// Options of `predict`.
#[derive(Clone, Debug, Args)]
struct Predict {
    /// Files that `play` printed.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Passes over all positions.
    #[arg(long, default_value_t = 12)]
    rounds: u32,
    /// Step of the first gradient of each feature.
    #[arg(long, default_value_t = 0.1)]
    rate: f64,
    /// Weight of the penalty on large logits.
    #[arg(long, default_value_t = 1.0)]
    penalty: f64,
    /// Shapes of stones that were seen less often are left out.
    #[arg(long, default_value_t = 30)]
    seen_min: u32,
    /// One game in so many is not learned from, but foretold; 0 learns from all.
    #[arg(long, default_value_t = 10)]
    held_out: usize,
}

/// Runs a command; what it makes goes to `out`.
///
/// # Errors
/// Settings, boards or games that cannot be read, in words for people.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Play(play) => games::play(play, out),
        Command::Fit(fit) => {
            let games = read(&fit.games)?;
            let choices: Vec<_> = games.iter().flat_map(games::Played::choices).collect();
            writeln!(out, "% Weights of heavy playouts: how much likelier a move is than others.")?;
            writeln!(
                out,
                "% Learned from {} moves of {} games of our own by `banyan-learn fit`.",
                choices.len(),
                games.len()
            )?;
            fit::Weights::fit(&choices, fit.rounds).write(out)
        }
        Command::Predict(asked) => foretell(asked, out),
    }
}

/// Every game of some files.
fn read(files: &[PathBuf]) -> anyhow::Result<Vec<games::Played>> {
    let mut games = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let game = games::read(line)
                .with_context(|| format!("{} is no file of games", file.display()))?;
            games.push(game);
        }
    }
    Ok(games)
}

fn foretell(asked: &Predict, out: &mut impl Write) -> anyhow::Result<()> {
    let games = read(&asked.games)?;
    let (mut lessons, mut kept_back) = (Vec::new(), BTreeMap::<u8, Vec<_>>::new());
    let mut learned_from = 0;
    for (number, game) in games.iter().enumerate() {
        let is_kept_back = asked.held_out > 0 && number.is_multiple_of(asked.held_out);
        learned_from += usize::from(!is_kept_back);
        let back = is_kept_back.then(|| kept_back.entry(game.side()).or_default());
        back.unwrap_or(&mut lessons).extend(game.lessons());
    }
    let course = predict::Course {
        rounds: asked.rounds,
        rate: asked.rate,
        penalty: asked.penalty,
        seen_min: asked.seen_min,
    };
    let predictor = predict::Predictor::learn(&lessons, course);
    writeln!(out, "% What each feature adds to the natural logarithm of a move's odds.")?;
    writeln!(
        out,
        "% {} features of {} positions of {} games of our own, learned by `banyan-learn predict`.",
        predictor.len(),
        lessons.len(),
        learned_from
    )?;
    writeln!(out, "% Of what it learned from: {}.", predictor.report(&lessons))?;
    for (side, lessons) in kept_back {
        writeln!(out, "% Of what was kept back, {side}x{side}: {}.", predictor.report(&lessons))?;
    }
    predictor.write(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(words: &[&str]) -> String {
        let words = std::iter::once("banyan-learn").chain(words.iter().copied());
        let mut out = Vec::new();
        run(&Arguments::parse_from(words), &mut out).expect("small boards");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn what_is_kept_back_of_each_size_is_foretold_by_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = ["5", "7"].map(|size| {
            let played =
                printed(&["play", "--size", size, "--games", "2", "--settings", "playouts=9"]);
            let file = folder.path().join(size);
            std::fs::write(&file, played).expect("a file");
            file.into_os_string().into_string().expect("text")
        });
        let table = printed(&["predict", "--held-out", "2", &files[0], &files[1]]);
        assert!(table.contains(" positions of 2 games of our own"), "{table}");
        for size in ["5x5", "7x7"] {
            let begin = format!("% Of what was kept back, {size}: cross entropy ");
            assert_eq!(table.matches(&begin).count(), 1, "{table}");
        }
    }
}

//! `banyan train`: what can be typed, and what it does.

use super::folder::{self, Folder};
use super::players::Call;
use super::report;
use super::rounds::{self, Gate, SelfPlay, Stages};
use super::sizes::Sizes;
use super::torch::Torch;
use super::training::Fit;
use crate::files::put_again;
use crate::{practisers, td, tuples};
use anyhow::bail;
use banyan_games::Kind;
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Options of `banyan train`.
#[derive(Clone, Debug, Args)]
pub struct Arguments<H: Args> {
    #[command(subcommand)]
    command: Command<H>,
}

/// The commands.
#[derive(Clone, Debug, Subcommand)]
enum Command<H: Args> {
    /// Go round: self-play, fit, gate, publish. May be broken off anywhere, and goes on where it was.
    Run(Run<H>),
    /// Play the games of the generation that is under way.
    Selfplay(Part<SelfPlay<H>>),
    /// Fit a network to all games of the folder.
    Fit(Part<Fit>),
    /// Play the network of the generation that is under way against the best one, publish it if it passes, and begin
    /// the next generation.
    Gate(GateArgs),
    /// Say what became of each generation, and which games there are of those that are not judged yet.
    Status(Where),
    /// Draw losses and Elo of all generations as SVG.
    Plot(Plot),
    /// Play games of Othello, Gomoku or Connect6 and fit tables over patterns to them.
    Patterns(Box<tuples::Arguments<H>>),
    /// Learn Connect6 by temporal differences, TD(λ), from games against another program or itself.
    Td(td::Arguments),
    /// Measure how far shallow searches of Othello are from deep ones.
    Probcut(tuples::probcut::Arguments),
}

/// Where a loop lives.
#[derive(Clone, Debug, Args)]
struct Where {
    /// Folder of the loop; made where there is none.
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Game.
    #[arg(long, default_value = "go")]
    game: Kind,
}

/// One stage.
#[derive(Clone, Debug, Args)]
struct Part<T: Args> {
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    rest: T,
    #[command(flatten)]
    torch: Torch,
}

#[derive(Clone, Debug, Args)]
struct Run<H: Args> {
    #[command(flatten)]
    place: Where,
    /// Generations to go round from this start on, count: so many more than there are.
    #[arg(long, default_value_t = 1000)]
    generations: u32,
    #[command(flatten)]
    self_play: SelfPlay<H>,
    #[command(flatten)]
    fit: Fit,
    #[command(flatten)]
    torch: Torch,
    #[command(flatten)]
    gate: Gate,
    /// While a network is fitted, play games of the next generation by the one that plays now: for workers that
    /// would wait, or with --threads and --fit-threads that share the processor's cores.
    #[arg(long)]
    overlap: bool,
}

#[derive(Clone, Debug, Args)]
struct GateArgs {
    #[command(flatten)]
    place: Where,
    /// Points a side of the boards, 7 to 19; several with commas take turns [default: the game's usual board].
    #[arg(long, value_name = "SIZES")]
    size: Option<Sizes>,
    #[command(flatten)]
    gate: Gate,
}

#[derive(Clone, Debug, Args)]
struct Plot {
    #[command(flatten)]
    place: Where,
    /// File to write [default: standard output].
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

impl<H: Args> Arguments<H> {
    /// The hands that play, and the folder that they play for, where games of self-play are played.
    pub fn playing(&self) -> Option<(&H, &Path)> {
        match &self.command {
            Command::Run(Run { place, self_play, .. }) => Some((&self_play.hands, &place.dir)),
            Command::Selfplay(Part { place, rest, .. }) => Some((&rest.hands, &place.dir)),
            _ => None,
        }
    }
}

impl Where {
    fn open(&self) -> anyhow::Result<Folder> {
        Folder::open(&self.dir, self.game)
    }

    fn history(&self) -> anyhow::Result<Vec<folder::Generation>> {
        if !self.dir.is_dir() {
            bail!("there is no folder {}", self.dir.display());
        }
        folder::history(&self.dir)
    }
}

/// Runs a command; what it says goes to `out`.
///
/// - `call`: calls those who play, by the options that say who they are.
/// - `practise`: the same for games of classical searches.
///
/// # Errors
/// In words for people: folders, files and programs that are not as they should be.
pub fn run<H: Args + Clone>(
    arguments: &Arguments<H>,
    call: Call<'_, H>,
    practise: practisers::Call<'_, H>,
    out: &mut (impl Write + Send),
) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Run(asked) => {
            if asked.self_play.follow.is_some() {
                bail!(
                    "--follow goes with `banyan train selfplay`: here the fit waits for the games"
                );
            }
            let (self_play, fit) = (asked.self_play.clone(), asked.fit.clone());
            let (torch, gate, overlap) = (asked.torch.clone(), asked.gate, asked.overlap);
            let stages = Stages { self_play, fit, torch, gate, overlap };
            stages.run(&asked.place.open()?, asked.generations, (call, out))
        }
        Command::Selfplay(Part { place, rest, torch }) => {
            if torch.is_given() && !rest.torch {
                bail!("--python, --package and --device are PyTorch's, which --torch has play");
            }
            let folder = place.open()?;
            let generation = rounds::current(&folder)?;
            let playing = (rest, torch, call);
            rounds::self_play(&folder, generation, playing, (&|| false, out)).map(|_| ())
        }
        Command::Fit(Part { place, rest, torch }) => {
            let folder = place.open()?;
            let network = rest.run(&folder, rounds::current(&folder)?, torch)?;
            writeln!(out, "network {}", network.digest())?;
            Ok(())
        }
        Command::Gate(GateArgs { place, size, gate }) => {
            let folder = place.open()?;
            let generation = rounds::current(&folder)?;
            let sizes = size.clone().unwrap_or_else(|| Sizes::usual(place.game));
            rounds::gate(&folder, generation, (sizes, gate), out).map(|_| ())
        }
        Command::Status(place) => {
            let history = place.history()?;
            report::status(&history, &folder::under_way(&place.dir, &history)?, out)
        }
        Command::Patterns(asked) => tuples::run(asked, practise, out),
        Command::Td(asked) => td::run(asked, out),
        Command::Probcut(asked) => tuples::probcut::run(asked, out),
        Command::Plot(Plot { place, to }) => {
            let drawing = report::plot(&place.history()?);
            match to {
                Some(path) => put_again(path, ("drawing", report::DRAWING), &drawing),
                None => Ok(out.write_all(drawing.as_bytes())?),
            }
        }
    }
}

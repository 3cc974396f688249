//! The command line, and the tuning that comes of it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use banyan_games::with_game;
use banyan_knowledge::Knowledge;
use clap::Parser;

use super::log::{Header, Line, Log};
use super::parameters::{FILE, Parameter};
use super::spsa::{Sides, Spsa};
use super::template::{filled, placeholder, unused};
use crate::board::Board;
use crate::runner::log::Entrant;
use crate::runner::openings::Openings;
use crate::runner::series::{Next, Plan};
use crate::runner::terms::Terms;
use crate::runner::verdict::Reason;

/// Pairs of an iteration, at most: more say little about one direction.
const PAIRS_MAX: u32 = 1000;

/// Between two lines on how far it is.
const TELL_EVERY: Duration = Duration::from_secs(60);

/// Tunes numbers of a GTP engine by games against itself.
///
/// Every iteration moves all numbers up or down by lot, plays a few games against the opposite, and moves all of them
/// a little towards the winner (SPSA). Thousands of games are wanted: let moves be cheap.
#[derive(Clone, Debug, Parser)]
#[command(name = "banyan-tune", version)]
pub struct Arguments {
    /// Command line of the engine, with {NAME} where a number stands, or {file} for the file that --template becomes.
    #[arg(long)]
    engine: String,
    /// The numbers: NAME START LEAST LARGEST STEP a line; a step such as *1.3 is a factor.
    #[arg(long, value_name = "FILE")]
    parameters: PathBuf,
    /// A file that the engine reads, with {NAME} where a number stands.
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    /// What is tuned, and a line of JSON for each iteration; an earlier run's is gone on with.
    #[arg(long, value_name = "FILE")]
    jsonl: PathBuf,
    /// The game.
    #[command(flatten)]
    board: Board,
    /// Iterations in all.
    #[arg(long, default_value_t = 2000)]
    iterations: u64,
    /// Openings of an iteration, each played with both colours.
    #[arg(long, default_value_t = 2)]
    pairs: u32,
    /// Part of a step that the numbers move by at first when one side wins all games of an iteration; it gets smaller.
    #[arg(long, default_value_t = 0.07)]
    rate: f64,
    /// Begin with so many random plies.
    #[arg(long, default_value_t = 4, value_name = "N")]
    random_opening_plies: usize,
    /// Seed of directions and openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time.
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Seconds after which a command counts as hanging.
    #[arg(long, default_value_t = 120.0, value_name = "S")]
    hang_after: f64,
    /// Plies after which a game is drawn; by default four times the board's points.
    #[arg(long, value_name = "N")]
    plies_max: Option<usize>,
    /// Write the template with the numbers as they are here, or the command line where there is no template.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Arguments {
    /// Tunes; how far it is, and the numbers, go to `out`.
    ///
    /// # Errors
    /// Files that cannot be read or written, engines that cannot play.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let rules = self.board.rules()?;
        with_game!(rules, G, rules => self.run_game::<G>(rules, out))
    }

    fn run_game<G: Knowledge>(&self, rules: G::Rules, out: &mut impl Write) -> anyhow::Result<()> {
        let engine = self.engine()?;
        let terms = self.terms::<G>(rules)?;
        let (mut log, mut spsa) = self.begun(&engine, terms.rules.to_string())?;
        self.write_out(&engine, &spsa)?;
        let mut told = Instant::now();
        while spsa.iteration < self.iterations {
            let Sides { is_up, values } = spsa.sides(&engine.parameters);
            let commands = engine.commands(&values)?;
            let plan = Plan {
                terms: terms.clone(),
                commands,
                openings: Openings::Random { plies: self.random_opening_plies, seed: spsa.lot() },
                games: 2 * self.pairs,
                concurrency: self.concurrency,
                keep_engines: true,
            };
            let points = points(&plan)?;
            spsa.learn(&engine.parameters, &is_up, points / f64::from(plan.games));
            let names = engine.parameters.iter().map(|it| it.name.clone());
            log.add(&Line {
                iteration: spsa.iteration,
                signs: is_up.iter().map(|&is_up| if is_up { '+' } else { '-' }).collect(),
                points,
                games: plan.games,
                values: names.zip(spsa.values.iter().copied()).collect(),
            })?;
            if told.elapsed() >= TELL_EVERY || spsa.iteration == self.iterations {
                told = Instant::now();
                writeln!(out, "{}", engine.told(&spsa, self.iterations))?;
                out.flush()?;
                self.write_out(&engine, &spsa)?;
            }
        }
        Ok(write!(out, "{}", engine.table(&spsa))?)
    }

    /// Writes the engine with the numbers as they are: now and then, so that a name that cannot be written is known at
    /// once.
    fn write_out(&self, engine: &Tuned, spsa: &Spsa) -> anyhow::Result<()> {
        let Some(path) = &self.out else { return Ok(()) };
        let text = engine.template.as_deref().unwrap_or(&engine.command);
        let text = filled(text, &engine.parameters, &spsa.values);
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    fn engine(&self) -> anyhow::Result<Tuned> {
        let (pairs, rate) = (self.pairs, self.rate);
        ensure!((1..=PAIRS_MAX).contains(&pairs), "--pairs {pairs}: expected 1 to {PAIRS_MAX}");
        ensure!(self.concurrency > 0, "--concurrency 0: expected at least 1");
        ensure!(rate > 0.0 && rate <= 1.0, "--rate {rate}: expected a number above 0, up to 1");
        let parameters =
            Parameter::read(&read(&self.parameters)?).with_context(|| named(&self.parameters))?;
        let template = self.template.as_deref().map(read).transpose()?;
        let mentions_file = self.engine.contains(&placeholder(FILE));
        ensure!(
            template.is_some() == mentions_file,
            "--engine '{}': expected {{file}} in it where there is a --template, and nowhere else",
            self.engine
        );
        let texts = [self.engine.as_str(), template.as_deref().unwrap_or_default()];
        if let Some(unused) = unused(&texts, &parameters) {
            let name = placeholder(&unused.name);
            anyhow::bail!("{}: expected {name} in --engine or --template", named(&self.parameters));
        }
        let folder = tempfile::tempdir().context("a folder for the engine's files")?;
        Ok(Tuned { command: self.engine.clone(), template, parameters, folder })
    }

    /// The log, and the tuning as far as an earlier run came.
    fn begun(&self, engine: &Tuned, rules: String) -> anyhow::Result<(Log, Spsa)> {
        let Arguments { seed, rate, pairs, random_opening_plies: plies, .. } = self;
        let header = Header {
            tuned: rules,
            engine: engine.command.clone(),
            template: engine.template.clone(),
            parameters: engine.parameters.iter().map(Parameter::line).collect(),
            options: format!("seed {seed}, rate {rate}, {pairs} pairs after {plies} random plies"),
        };
        let (log, lines) = Log::open(&self.jsonl, &header).with_context(|| named(&self.jsonl))?;
        let mut spsa = Spsa::new(&engine.parameters, self.seed, self.rate);
        if let Some(last) = lines.last() {
            spsa.iteration = last.iteration;
            spsa.values = last.values.iter().map(|&(_, value)| value).collect();
        }
        Ok((log, spsa))
    }

    fn terms<G: Knowledge>(&self, rules: G::Rules) -> anyhow::Result<Terms<G>> {
        let hang_after = Duration::try_from_secs_f64(self.hang_after)
            .with_context(|| format!("--hang-after {}: expected seconds", self.hang_after))?;
        let area = G::new(&rules).size().area();
        Ok(Terms {
            rules,
            handicap: Vec::new(),
            time: None,
            time_margin: Duration::ZERO,
            hang_after,
            plies_max: self.plies_max.unwrap_or(4 * area),
            referee: None,
        })
    }
}

/// Plays an iteration's games: points of the first side. An engine that breaks teaches nothing, and ends it.
fn points<G: Knowledge>(plan: &Plan<G>) -> anyhow::Result<f64> {
    let (mut points, mut broken) = (0.0, None);
    plan.run(&[], |line, _| {
        points += line.points[Entrant::First.index()];
        if Reason::FAULTS.contains(&line.reason) {
            let loser = line.winner.map(Entrant::other);
            let who = loser.map_or("both", |loser| &plan.commands[loser.index()]);
            broken = Some(format!("{}: {} ({who})", line.reason.name(), line.detail));
            return Next::Stop;
        }
        Next::Play
    });
    match broken {
        None => Ok(points),
        Some(why) => {
            anyhow::bail!("a game was lost by {why} ({})", plan.commands.join(" against "))
        }
    }
}

/// An engine whose numbers are tuned.
struct Tuned {
    command: String,
    template: Option<String>,
    parameters: Vec<Parameter>,
    /// For the files that a template becomes.
    folder: tempfile::TempDir,
}

impl Tuned {
    /// The command lines of both sides, their files written.
    fn commands(&self, values: &[Vec<f64>; 2]) -> anyhow::Result<[String; 2]> {
        let mut commands = [String::new(), String::new()];
        for (at, (command, values)) in commands.iter_mut().zip(values).enumerate() {
            *command = filled(&self.command, &self.parameters, values);
            if let Some(template) = &self.template {
                let path = self.folder.path().join(["first", "second"][at]);
                fs::write(&path, filled(template, &self.parameters, values))
                    .with_context(|| format!("cannot write {}", path.display()))?;
                *command = command.replace(&placeholder(FILE), &path.display().to_string());
            }
        }
        Ok(commands)
    }

    fn told(&self, spsa: &Spsa, iterations: u64) -> String {
        let each = self.parameters.iter().zip(&spsa.values);
        let each: Vec<String> =
            each.map(|(it, &value)| format!("{} {}", it.name, it.text(value))).collect();
        format!("{} of {iterations}: {}", spsa.iteration, each.join(", "))
    }

    fn table(&self, spsa: &Spsa) -> String {
        let each = self.parameters.iter().zip(&spsa.values);
        let rows = each.map(|(it, &value)| {
            format!("{:<16} {:>12} -> {:>12}\n", it.name, it.text(it.start), it.text(value))
        });
        rows.collect()
    }
}

fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| named(path))
}

fn named(path: &Path) -> String {
    path.display().to_string()
}

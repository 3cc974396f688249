//! The command line, and the match that comes of it.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use banyan_games::{Record, with_game};
use banyan_knowledge::Knowledge;
use banyan_records::sgf::{Header, write_sgf};
use clap::Parser;

use super::clock::TimeSettings;
use super::log::{Entrant, GameLine, Log};
use super::openings::Openings;
use super::series::{Next, Plan};
use super::sprt::{Decision, Sprt};
use super::terms::Terms;
use super::totals::Totals;
use crate::board::Board;

/// No command takes longer: a year.
const HANG_AFTER_MAX: Duration = Duration::from_secs(365 * 24 * 3600);

/// Plays two GTP engines against each other and tells which is stronger.
///
/// Colours alternate, and each opening is played with both.
/// Board, clocks and score are kept by the runner; an engine that plays an illegal move, dies, hangs
/// or oversteps its time loses that game.
#[derive(Clone, Debug, Parser)]
#[command(name = "banyan-match", version)]
pub struct Arguments {
    /// Command line of the engine whose strength is asked for; no shell, quotes work.
    #[arg(long)]
    first: String,
    /// Command line of its opponent.
    #[arg(long)]
    second: String,
    /// Command line of an engine that scores finished games of Go.
    #[arg(long)]
    referee: Option<String>,
    /// The game.
    #[command(flatten)]
    board: Board,
    /// Black's stones on the star points, where White then moves first; Go.
    #[arg(long, value_name = "N")]
    handicap: Option<u32>,
    /// Games in all; an even number plays each opening with both colours.
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// Openings, one a line, played in their order whatever the seed.
    #[arg(long, value_name = "FILE", conflicts_with = "random_opening_plies")]
    openings: Option<PathBuf>,
    /// Begin with so many random plies.
    #[arg(long, value_name = "N")]
    random_opening_plies: Option<usize>,
    /// Seed of random openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Main seconds, overtime seconds and stones, as GTP counts them: "60 0 0", "0 5 1".
    #[arg(long, value_name = "M B S")]
    time_settings: Option<TimeSettings>,
    /// Milliseconds of each move that the clocks do not count.
    #[arg(long, default_value_t = 20, value_name = "MS")]
    time_margin: u64,
    /// Seconds after which a command counts as hanging.
    #[arg(long, default_value_t = 120.0, value_name = "S")]
    hang_after: f64,
    /// Plies after which a game is drawn; by default four times the board's points.
    #[arg(long, value_name = "N")]
    plies_max: Option<usize>,
    /// Games at a time.
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Keep engines running from game to game.
    #[arg(long)]
    keep_engines: bool,
    /// Stop as soon as this test decides: "elo0,elo1[,alpha,beta]".
    #[arg(long, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Write each game as a line of JSON.
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,
    /// Go on with the match in the file of --jsonl.
    #[arg(long, requires = "jsonl")]
    resume: bool,
    /// Write each game as SGF into this folder.
    #[arg(long, value_name = "DIR")]
    sgf_dir: Option<PathBuf>,
}

impl Arguments {
    /// Plays the match; the running lines and the table go to `out`.
    ///
    /// # Errors
    /// What cannot be played: rules, openings, engines that do not start, files.
    pub fn run(&self, out: &mut impl Write) -> anyhow::Result<Totals> {
        let rules = self.board.rules()?;
        with_game!(rules, G, rules => self.run_game::<G>(rules, out))
    }

    fn run_game<G: Knowledge>(
        &self,
        rules: G::Rules,
        out: &mut impl Write,
    ) -> anyhow::Result<Totals> {
        let plan = self.plan::<G>(rules)?;
        let names = [self.probe(&plan, Entrant::First)?, self.probe(&plan, Entrant::Second)?];
        if let Some(referee) = &plan.terms.referee {
            ensure!(G::TERRITORY, "--referee counts games of Go: {} needs none", G::KIND);
            plan.probe_command(referee).context("the referee cannot count")?;
        }
        for (entrant, name) in Entrant::BOTH.into_iter().zip(&names) {
            writeln!(out, "{}: {name} ({})", entrant.name(), plan.commands[entrant.index()])?;
        }
        writeln!(out, "{}; {} games", plan.terms.rules, plan.games)?;
        let (mut log, known) = self.open_log(&plan)?;
        let mut totals = Totals::new(self.sprt);
        known.iter().for_each(|game| totals.add(game));
        let mut done: Vec<u32> = known.iter().map(|game| game.game).collect();
        if totals.decision() != Decision::Open {
            done.extend(1..=plan.games);
        }
        let mut written = Ok(());
        plan.run(&done, |line, record| {
            totals.add(&line);
            if written.is_ok() {
                written = self.write_game(&line, record, &names, &mut log, &totals, out);
            }
            let open = totals.decision() == Decision::Open;
            if open && written.is_ok() { Next::Play } else { Next::Stop }
        });
        written?;
        write!(out, "\n{totals}")?;
        Ok(totals)
    }

    fn plan<G: Knowledge>(&self, rules: G::Rules) -> anyhow::Result<Plan<G>> {
        ensure!(self.games > 0, "--games 0: expected at least 1");
        ensure!(self.concurrency > 0, "--concurrency 0: expected at least 1");
        let hang_after = Duration::try_from_secs_f64(self.hang_after).ok();
        let hang_after = hang_after.filter(|&time| time <= HANG_AFTER_MAX).with_context(|| {
            let most = HANG_AFTER_MAX.as_secs();
            format!("--hang-after {}: expected seconds, at most {most}", self.hang_after)
        })?;
        let area = G::new(&rules).size().area();
        let handicap = match self.handicap {
            None => Vec::new(),
            Some(stones) => G::new(&rules).handicap_points(stones).with_context(|| {
                format!("--handicap {stones}: expected 2 to 9 as the board of Go has star points")
            })?,
        };
        let terms = Terms {
            rules,
            handicap,
            time: self.time_settings,
            time_margin: Duration::from_millis(self.time_margin),
            hang_after,
            plies_max: self.plies_max.unwrap_or(4 * area),
            referee: self.referee.clone(),
        };
        Ok(Plan {
            openings: self.read_openings(&terms.start())?,
            commands: [self.first.clone(), self.second.clone()],
            games: self.games,
            concurrency: self.concurrency,
            keep_engines: self.keep_engines,
            terms,
        })
    }

    fn read_openings<G: Knowledge>(&self, start: &Record<G>) -> anyhow::Result<Openings> {
        if let Some(path) = &self.openings {
            let named = || format!("openings {}", path.display());
            let text = fs::read_to_string(path).with_context(named)?;
            return Openings::parse::<G>(&text, start).with_context(named);
        }
        Ok(match self.random_opening_plies {
            None | Some(0) => Openings::None,
            Some(plies) => Openings::Random { plies, seed: self.seed },
        })
    }

    fn probe<G: Knowledge>(&self, plan: &Plan<G>, entrant: Entrant) -> anyhow::Result<String> {
        plan.probe(entrant).with_context(|| format!("the {} engine cannot play", entrant.name()))
    }

    fn open_log<G: Knowledge>(
        &self,
        plan: &Plan<G>,
    ) -> anyhow::Result<(Option<Log>, Vec<GameLine>)> {
        let Some(path) = &self.jsonl else {
            return Ok((None, Vec::new()));
        };
        let named = || format!("games {} (--resume goes on with a file)", path.display());
        let (log, known) = Log::open(path, self.resume).with_context(named)?;
        let mut numbers = HashSet::new();
        for game in &known {
            let number = game.game;
            ensure!(numbers.insert(number), "{}: game {number} is there twice", path.display());
            ensure!(
                (1..=plan.games).contains(&number),
                "{}: game {number} is there: expected at most --games {}",
                path.display(),
                plan.games
            );
            if let Some((what, found, expected)) = other_than(game, plan) {
                bail!(
                    "{}: game {number} is of another match: its {what}: {found}: expected {expected}",
                    path.display()
                );
            }
        }
        Ok((Some(log), known))
    }

    fn write_game<G: Knowledge>(
        &self,
        line: &GameLine,
        record: &Record<G>,
        names: &[String; 2],
        log: &mut Option<Log>,
        totals: &Totals,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        // A game that the log has is not played again: its SGF comes first.
        if let Some(folder) = &self.sgf_dir {
            write_sgf_file(folder, line, record, names)?;
        }
        if let Some(log) = log {
            log.add(line)?;
        }
        let detail = if line.detail.is_empty() { "" } else { ": " };
        writeln!(
            out,
            "game {}/{}: {} black, {} ({}{detail}{}), {} plies; {}",
            line.game,
            self.games,
            line.black.name(),
            line.result,
            line.reason.name(),
            line.detail,
            record.plies().len(),
            totals.running()
        )?;
        Ok(out.flush()?)
    }
}

/// What of a game is not as it is in a match, as it is, and as it should be.
fn other_than<G: Knowledge>(
    game: &GameLine,
    plan: &Plan<G>,
) -> Option<(&'static str, String, String)> {
    let number = game.game;
    let [first, second] = plan.commands.clone();
    let [found_first, found_second] = game.commands.clone();
    let (opening, terms) = (plan.opening_text(number).join(" "), plan.terms.words());
    let found_terms = if game.terms.is_empty() { terms.clone() } else { game.terms.clone() };
    let facts = [
        ("first engine", found_first, first),
        ("second engine", found_second, second),
        ("rules", game.rules.clone(), plan.terms.rules.to_string()),
        ("opening", game.opening.join(" "), opening),
        ("terms", found_terms, terms),
    ];
    facts.into_iter().find(|(_, found, expected)| found != expected)
}

fn write_sgf_file<G: Knowledge>(
    folder: &Path,
    line: &GameLine,
    record: &Record<G>,
    names: &[String; 2],
) -> anyhow::Result<()> {
    let name = |entrant: Entrant| Some(names[entrant.index()].clone());
    let header = Header {
        black: name(line.black),
        white: name(line.black.other()),
        result: Some(line.result.clone()),
        comment: Some(format!("{}: {}", line.reason.name(), line.detail)),
        ..Header::default()
    };
    let path = folder.join(format!("game-{:05}.sgf", line.game));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, write_sgf(record, &header)))
        .with_context(|| format!("cannot write {}", path.display()))
}

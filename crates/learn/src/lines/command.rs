//! `banyan train patterns` for games of lines: games against itself, and tables that fit them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::{Game, Kind};
use banyan_knowledge::Evaluation;
use banyan_search::Searchable;

use crate::crew::Crew;
use crate::files::put;
use crate::games_file::{Wanted, play_on};
use crate::gate::Gate;

use super::course::{Course, Sampled, Target, learn, loss, samples};
use super::play::{Player, pair};
use super::record::Recorded;
use super::{connect6, gomoku};

/// Games between two lines.
const GAMES_A_LINE: u64 = 100;

/// The training that is asked for.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// Gomoku or Connect6.
    pub game: Kind,
    /// The folder, which this process has to itself.
    pub dir: &'a Path,
    /// Games there shall be, count.
    pub games: u64,
    /// Plies that a move is searched deep; nothing for the game's default.
    pub plies: Option<u32>,
    /// Passes over all positions.
    pub passes: u32,
    /// First step of a weight, logits.
    pub step: f64,
    /// Part of the end of the game in what is learned, 0 to 1.
    pub of_outcome: f64,
    /// The name of the evaluation that games are played by; nothing for the best.
    pub evaluation: Option<&'a str>,
    /// Its model; nothing for what is built in.
    pub patterns: Option<&'a Path>,
    /// Seed of all chance.
    pub seed: u64,
    /// Threads that play.
    pub crew: Crew,
    /// The match that follows.
    pub gate: Gate,
}

/// Plays what is missing, fits, and says what came of it to `out`.
///
/// # Errors
/// In words for people: folders and files that are not as they should be.
pub fn run(asked: &Asked<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    let target = Target { of_outcome: asked.of_outcome };
    match asked.game {
        Kind::Gomoku => {
            let rules = GomokuRules::new(15, 15, Variant::Freestyle)?;
            train(asked, (&Gomoku::new(&rules), 6), gomoku::Fit::new(target), out)
        }
        Kind::Connect6 => {
            let rules = Connect6Rules::new(19)?;
            train(asked, (&Connect6::new(&rules), 4), connect6::Fit::new(target), out)
        }
        other => bail!("{other} has no patterns to learn, only othello, gomoku and connect6"),
    }
}

fn train<G: Searchable, F: Sampled<Game = G>>(
    asked: &Asked<'_>,
    (root, plies): (&G, u32),
    mut fit: F,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let player = Player {
        root: root.clone(),
        evaluation: evaluation(asked)?,
        plies: asked.plies.unwrap_or(plies),
    };
    let games = played(asked, &player, out)?;
    let (learned, apart) = samples(&fit, root, &games);
    writeln!(out, "{} games, {} positions, {} apart", games.len(), learned.len(), apart.len())?;
    let Asked { passes, step, seed, .. } = *asked;
    let mut written = Ok(());
    learn(Course { step, passes, seed }, &mut fit, &learned, |pass, fit| {
        let loss = loss(fit, &apart);
        let line = writeln!(out, "pass {pass} of {passes}: apart, cross entropy {loss:.4}");
        written = std::mem::replace(&mut written, Ok(())).and(line);
    });
    written?;
    let tables = file(asked, "tables");
    let remark = format!(
        "% Learned by `banyan train patterns --game {}` from {} positions of {} games, {} plies deep by {}; on {} \
         others the cross entropy of values is {:.4}.\n",
        asked.game.name(),
        learned.len(),
        games.len(),
        player.plies,
        player.evaluation.name(),
        apart.len(),
        loss(&fit, &apart),
    );
    let text = remark + &fit.text();
    put(&tables, text.as_bytes())?;
    writeln!(out, "tables in {}", tables.display())?;
    let learned = Player { evaluation: G::evaluation_by(&text)?, ..player.clone() };
    let players = [&learned, &player];
    asked.gate.judge(asked.crew, seed, |rng| pair(players, rng), out)?;
    Ok(())
}

fn file(asked: &Asked<'_>, kind: &str) -> PathBuf {
    asked.dir.join(format!("{}.{kind}", asked.game.name()))
}

fn evaluation<G: Searchable>(asked: &Asked<'_>) -> anyhow::Result<Arc<dyn Evaluation<G>>> {
    if let Some(path) = asked.patterns {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        return G::evaluation_by(&text).with_context(|| format!("{}", path.display()));
    }
    let all = G::evaluations();
    match asked.evaluation {
        None => Ok(all[0].clone()),
        Some(name) => all
            .iter()
            .find(|it| it.name() == name)
            .cloned()
            .with_context(|| format!("'{name}' is no evaluation of {}", asked.game)),
    }
}

/// The games of the folder, played on until there are as many as are wanted.
fn played<G: Searchable>(
    asked: &Asked<'_>,
    player: &Player<G>,
    out: &mut impl Write,
) -> anyhow::Result<Vec<Recorded>> {
    let Asked { games, seed, crew, .. } = *asked;
    let wanted = Wanted { games, between_lines: GAMES_A_LINE, crew };
    let read = |bytes: &[u8]| Ok(Recorded::read_all(bytes, &player.root)?);
    let game = |number| player.game((seed << 40) + number);
    play_on(&file(asked, "games"), wanted, read, game, out)
}

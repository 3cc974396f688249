//! `banyan train patterns` for games of lines: games against itself, and tables that fit them.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::{Game, Kind};
use banyan_knowledge::line::mix::{Learned, Mixed};
use banyan_knowledge::{Evaluation, Patterns};
use banyan_search::Searchable;
use banyan_selfplay::patterns::line_games::Recorded;
use banyan_selfplay::patterns::lines::{Player, pair};
use banyan_selfplay::patterns::{Practice, usual_plies};

use crate::files::put;
use crate::games_file::{NUMBER_BITS, Wanted, play_on};
use crate::gate::Gate;
use crate::practisers::{Model, Practisers};

use super::course::{Course, Sampled, Target, learn, loss, samples};
use super::leaves::{self, Others};
use super::{connect6, gomoku, mix};

/// Games between two lines.
const GAMES_A_LINE: u64 = 100;

/// What a game's tables are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ModelKind {
    /// Sums over line shapes.
    Tables,
    /// Vectors of what stands around points, and a small network.
    Mix,
}

/// The training that is asked for.
#[derive(Clone)]
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
    /// Part of the end of the game in what is learned, 0 to 1; 0 where positions of searches are.
    pub of_outcome: f64,
    /// What is learned.
    pub kind: ModelKind,
    /// Whether the fit goes on from the model that games are played by, a mix.
    pub go_on: bool,
    /// Positions that the searches of a game judge, which are learned from in place of the game's own; 0 for those.
    pub leaves: usize,
    /// Files of such positions of other folders, which are learned from too.
    pub also: &'a [PathBuf],
    /// The name of the evaluation that games are played by; nothing for that of alpha-beta.
    pub evaluation: Option<&'a str>,
    /// Tables that they are played by; nothing for what is built in.
    pub model: Option<&'a Model>,
    /// Seed of all chance, at most [`crate::games_file::SEED_MAX`].
    pub seed: u64,
    /// Who plays.
    pub practisers: &'a dyn Practisers,
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
            let evaluation = asked.evaluation(|patterns| match patterns {
                Patterns::Gomoku(by) => Some(by),
                _ => None,
            })?;
            let begun = (&Gomoku::new(&rules), evaluation);
            match asked.kind {
                ModelKind::Tables => train(asked, begun, gomoku::Fit::new(target), out),
                ModelKind::Mix => train(asked, begun, asked.mix(target)?, out),
            }
        }
        Kind::Connect6 => {
            let rules = Connect6Rules::new(19)?;
            let evaluation = asked.evaluation(|patterns| match patterns {
                Patterns::Connect6(by) => Some(by),
                _ => None,
            })?;
            let begun = (&Connect6::new(&rules), evaluation);
            match asked.kind {
                ModelKind::Tables => train(asked, begun, connect6::Fit::new(target), out),
                ModelKind::Mix => train(asked, begun, asked.mix(target)?, out),
            }
        }
        other => bail!("{other} has no patterns to learn, only othello, gomoku and connect6"),
    }
}

fn train<G: Searchable, F: Sampled<Game = G>>(
    asked: &Asked<'_>,
    (root, (number, evaluation)): (&G, Numbered<G>),
    mut fit: F,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let plies = asked.plies.or(usual_plies(asked.game)).context("no depth is usual")?;
    let player = Player { root: root.clone(), evaluation, plies };
    let also: Vec<Others> =
        asked.also.iter().map(|path| leaves::read(path, root)).collect::<Result<_, _>>()?;
    let games = played(asked, (&player, number), out)?;
    let count = asked.leaves;
    let records = match count {
        0 => Cow::Borrowed(&games),
        _ => {
            let path = file(asked, &format!("{count}.leaves"));
            let wanted =
                leaves::Wanted { games: &games, count, evaluation: number, seed: asked.seed };
            Cow::Owned(leaves::taken(&path, root, wanted, asked.practisers, out)?)
        }
    };
    let (mut learned, mut apart) = samples(&fit, root, (&records, count.max(1)));
    for (path, (records, together)) in asked.also.iter().zip(&also) {
        let (more, more_apart) = samples(&fit, root, (records, *together));
        writeln!(out, "{} positions of {}", more.len() + more_apart.len(), path.display())?;
        learned.extend(more);
        apart.extend(more_apart);
    }
    writeln!(out, "{} games, {} positions, {} apart", games.len(), learned.len(), apart.len())?;
    let Asked { passes, step, seed, .. } = *asked;
    let mut written = Ok(());
    learn(Course { step, passes, seed }, &mut fit, &learned, |pass, fit| {
        let line = if apart.is_empty() {
            writeln!(out, "pass {pass} of {passes}")
        } else {
            let loss = loss(fit, &apart);
            writeln!(out, "pass {pass} of {passes}: apart, cross entropy {loss:.4}")
        };
        written = std::mem::replace(&mut written, Ok(())).and(line);
    });
    written?;
    let tables = file(asked, "tables");
    let remark = format!(
        "% Learned by `banyan train patterns --game {}` from {} positions of {}{} games, {} plies deep by {}{}; on {} \
         others the cross entropy of values is {:.4}.\n",
        asked.game.name(),
        learned.len(),
        if count > 0 { "searches of " } else { "" },
        games.len(),
        player.plies,
        player.evaluation.name(),
        if asked.also.is_empty() { "" } else { ", and of other folders" },
        apart.len(),
        loss(&fit, &apart),
    );
    let text = remark + &fit.text();
    put(&tables, text.as_bytes())?;
    writeln!(out, "tables in {}", tables.display())?;
    let learned = Player { evaluation: G::evaluation_by(&text)?, ..player.clone() };
    let players = [&learned, &player];
    asked.gate.judge(asked.practisers.crew(), seed, |rng| pair(players, rng), out)?;
    Ok(())
}

fn file(asked: &Asked<'_>, kind: &str) -> PathBuf {
    asked.dir.join(format!("{}.{kind}", asked.game.name()))
}

/// An evaluation with its number among those of the game; 0 where it is a file's.
type Numbered<G> = (u32, Arc<dyn Evaluation<G>>);

impl Asked<'_> {
    /// A mix that is to learn.
    fn mix<G: Mixed>(&self, target: Target) -> anyhow::Result<mix::Fit<G>> {
        let fit = mix::Fit::new(target, self.seed);
        if !self.go_on {
            return Ok(fit);
        }
        let begun = match self.model {
            None => Learned::built_in::<G>(),
            Some(model) => {
                let text = str::from_utf8(&model.contents);
                let read = text.ok().and_then(|text| Learned::parse::<G>(text).ok());
                read.context("--go-on: --patterns is no mix, whose fit could go on")?
            }
        };
        Ok(fit.from(&begun))
    }

    /// The evaluation that games are played by.
    ///
    /// - `of`: the game's among tables.
    fn evaluation<G: Searchable>(
        &self,
        of: impl Fn(&Patterns) -> Option<&Arc<dyn Evaluation<G>>>,
    ) -> anyhow::Result<Numbered<G>> {
        if let Some(model) = self.model {
            let by = of(&model.patterns);
            return Ok((0, by.context("tables of another game")?.clone()));
        }
        let all = G::evaluations();
        let name = self.evaluation.unwrap_or(all[G::SEARCHED_BY].name());
        let number = all.iter().position(|it| it.name() == name);
        let unknown = || {
            let names = G::evaluation_names().join(" or ");
            format!("{} has no evaluation '{name}': expected {names}", self.game)
        };
        let number = number.with_context(unknown)?;
        Ok((number as u32, all[number].clone()))
    }
}

/// The games of the folder, played on until there are as many as are wanted.
fn played<G: Searchable>(
    asked: &Asked<'_>,
    (player, evaluation): (&Player<G>, u32),
    out: &mut impl Write,
) -> anyhow::Result<Vec<Recorded>> {
    let practice = Practice {
        seed: asked.seed << NUMBER_BITS,
        games: 0,
        plies: player.plies,
        solve_from: 0,
        evaluation,
    };
    let rules = player.root.rules().clone().into();
    let wanted =
        Wanted { rules: &rules, practice, games: asked.games, between_lines: GAMES_A_LINE };
    let read = |bytes: &[u8]| Ok(Recorded::read_all(bytes, &player.root)?);
    play_on(&file(asked, "games"), wanted, read, asked.practisers, out)
}

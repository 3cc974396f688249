//! What can be typed about engines, and what it means.

use std::path::{Path, PathBuf};

use banyan_games::{Kind, Rules, with_game};
use banyan_knowledge::Knowledge;
use banyan_knowledge::connect6::patterns::{Scores, ScoresError};
use banyan_search::Valuing;
use banyan_search::classical::{Horizon, Method, Step};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

/// Options on who searches.
#[derive(Clone, Debug, Args)]
pub struct EnginesArgs {
    /// Who searches: a tree of playouts or one of the classical searches, for games with an evaluation
    /// (all but go). With those --playouts counts positions and --tree-memory bounds their table.
    /// [default: uct, but for moves played by gtp, nboard and gomocup alphabeta where it is the
    /// stronger: othello, gomoku and connect6, unless something is asked of the tree, such as
    /// --playouts, --ponder, --leaf or --set]
    #[arg(long, env = "BANYAN_ENGINE", value_enum, help_heading = "Engine")]
    pub engine: Option<EngineArg>,
    /// The evaluation of a classical engine [default: the game's best, which is named first]. Othello:
    /// stages, v4.7; Gomoku: shapes, windows, s9, s9-cut; Connect6: s10.
    #[arg(long, env = "BANYAN_EVALUATION", value_name = "NAME", help_heading = "Engine")]
    pub evaluation: Option<String>,
    /// How far a classical engine follows a line: so many plies, or as far as a budget of branches
    /// lasts that is shared among the children of each position.
    #[arg(long, env = "BANYAN_HORIZON", value_enum, default_value_t = HorizonArg::Depth)]
    #[arg(help_heading = "Engine")]
    pub horizon: HorizonArg,
    /// Gomoku, Connect6: do not look for wins by threats before the search.
    #[arg(long, env = "BANYAN_NO_THREATS", help_heading = "Engine")]
    pub no_threats: bool,
    /// Connect6: a file with the scores of the fourteen shapes, a line each such as `L3 1500`; for the
    /// classical engines of this process. [default: crates/knowledge/src/connect6/patterns.txt, built in]
    #[arg(long, env = "BANYAN_PATTERNS", value_name = "FILE", help_heading = "Engine")]
    pub patterns: Option<PathBuf>,
    /// What a leaf of the tree is worth: a playout to the end, the game's best evaluation, or a
    /// playout of some plies and then the evaluation [default: what plays best; playout where there
    /// is no evaluation].
    #[arg(long, env = "BANYAN_LEAF", value_enum, help_heading = "Engine")]
    pub leaf: Option<LeafArg>,
}

/// What a leaf is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LeafArg {
    /// A playout.
    Playout,
    /// An evaluation.
    Evaluate,
    /// A short playout and an evaluation.
    Mixed,
}

impl From<LeafArg> for Valuing {
    fn from(leaf: LeafArg) -> Valuing {
        match leaf {
            LeafArg::Playout => Valuing::Playout,
            LeafArg::Evaluate => Valuing::Evaluate,
            LeafArg::Mixed => Valuing::Mixed,
        }
    }
}

/// Who searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    /// Monte Carlo tree search.
    Uct,
    /// Alpha-beta, deeper and deeper.
    #[value(name = "alphabeta")]
    AlphaBeta,
    /// MTD(f) with an adaptive step.
    Mtdf,
}

/// What limits a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HorizonArg {
    /// Plies.
    Depth,
    /// A budget of branches.
    Branches,
}

/// MTD(f) begins with steps of so much of the evaluation's scale.
const FIRST_STEP: f32 = 0.05;

/// Who searches where nothing was said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unasked {
    /// The tree.
    Tree,
    /// Whoever plays the better moves.
    Strongest,
}

/// Who searches, as it is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// A classical engine, where one is asked for.
    pub classical: Option<Classical>,
    /// Whether wins by threats are looked for first.
    pub looks_for_threats: bool,
    /// Memory for the tables, bytes.
    pub table_bytes_max: usize,
}

/// A classical engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Classical {
    /// How it finds values.
    pub method: Method,
    /// What limits its lines.
    pub horizon: Horizon,
    /// Which of the game's evaluations.
    pub evaluation: usize,
    /// Whether the workers know all that it needs: they do not see files given to this process.
    pub is_shareable: bool,
    /// Whether it was not asked for: it chooses moves, and leaves questions about more than the best
    /// move to the tree.
    pub is_implied: bool,
}

/// An engine that this game does not have.
#[derive(Debug, thiserror::Error)]
pub enum EnginesError {
    /// A file of scores that cannot be read.
    #[error("cannot read {}: {source}", .file.display())]
    PatternsFile {
        /// The file.
        file: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file of scores that cannot be used.
    #[error("{}: {source}", .file.display())]
    Patterns {
        /// The file.
        file: PathBuf,
        /// What is wrong, and where.
        source: ScoresError,
    },
    /// Shapes have scores in Connect6 alone.
    #[error("{0} has no --patterns: expected --game connect6 with it")]
    NoPatterns(Kind),
    /// No evaluation at all.
    #[error("{game} has no evaluation, which {asked} needs: expected {instead}")]
    NoEvaluation {
        /// The game.
        game: &'static str,
        /// What was asked for.
        asked: String,
        /// What would do.
        instead: &'static str,
    },
    /// Not this one.
    #[error("{game} has no evaluation '{name}': expected {names}")]
    UnknownEvaluation {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        names: String,
    },
}

/// Makes the scores in a file those of this process.
fn read_patterns(file: &Path, game: Kind) -> Result<(), EnginesError> {
    if game != Kind::Connect6 {
        return Err(EnginesError::NoPatterns(game));
    }
    let text = std::fs::read_to_string(file)
        .map_err(|source| EnginesError::PatternsFile { file: file.to_owned(), source })?;
    Scores::read(&text)
        .and_then(Scores::install)
        .map_err(|source| EnginesError::Patterns { file: file.to_owned(), source })
}

impl Settings {
    /// Checks what was typed.
    ///
    /// # Errors
    /// [`EnginesError`] says what the game has.
    pub fn new(
        args: &EnginesArgs,
        rules: &Rules,
        table_bytes_max: usize,
        unasked: Unasked,
    ) -> Result<Settings, EnginesError> {
        let evaluations: Vec<(&str, f32)> = with_game!(rules, G, _rules => {
            G::EVALUATIONS.iter().map(|evaluation| (evaluation.name, evaluation.scale)).collect()
        });
        let game = rules.kind().name();
        if let Some(file) = &args.patterns {
            read_patterns(file, rules.kind())?;
        }
        let wanted = args.evaluation.as_deref().or(evaluations.first().map(|&(name, _)| name));
        let evaluation = wanted.map(|wanted| {
            let found = evaluations.iter().position(|&(name, _)| name == wanted);
            found.ok_or_else(|| EnginesError::UnknownEvaluation {
                game,
                name: wanted.to_owned(),
                names: evaluations.iter().map(|&(name, _)| name).collect::<Vec<_>>().join(" or "),
            })
        });
        let name = |value: Option<PossibleValue>| {
            value.map_or_else(String::new, |value| value.get_name().to_owned())
        };
        if let Some(leaf) = args.leaf.filter(|&leaf| leaf != LeafArg::Playout)
            && evaluations.is_empty()
        {
            let asked = format!("--leaf {}", name(leaf.to_possible_value()));
            return Err(EnginesError::NoEvaluation { game, asked, instead: "--leaf playout" });
        }
        let engine = args.engine.unwrap_or(match unasked {
            Unasked::Strongest if !evaluations.is_empty() => EngineArg::AlphaBeta,
            _ => EngineArg::Uct,
        });
        let classical = match engine {
            EngineArg::Uct => None,
            engine if evaluations.is_empty() => {
                let asked = format!("--engine {}", name(engine.to_possible_value()));
                return Err(EnginesError::NoEvaluation { game, asked, instead: "--engine uct" });
            }
            engine => {
                let evaluation = evaluation.transpose()?.unwrap_or(0);
                let step = (FIRST_STEP * evaluations[evaluation].1) as i32;
                let method = match engine {
                    EngineArg::Mtdf => Method::Mtdf(Step::Adaptive(step)),
                    _ => Method::AlphaBeta,
                };
                let horizon = match args.horizon {
                    HorizonArg::Depth => Horizon::Depth,
                    HorizonArg::Branches => Horizon::Branches,
                };
                let is_shareable = horizon == Horizon::Depth && args.patterns.is_none();
                let is_implied = args.engine.is_none();
                Some(Classical { method, horizon, evaluation, is_shareable, is_implied })
            }
        };
        Ok(Settings { classical, looks_for_threats: !args.no_threats, table_bytes_max })
    }
}

//! Engines, as they were typed and as they are meant.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use banyan_engine::engines::{Choice, Classical};
use banyan_games::connect6::Connect6;
use banyan_games::gomoku::Gomoku;
use banyan_games::{Kind, Rules, with_game};
use banyan_knowledge::{Knowledge, ModelError, pattern_files};
use banyan_learn::rules::{lines, zones};
use banyan_proofs::{life, threats};
use banyan_search::classical::{Horizon, Method, Step};
use banyan_search::{Searchable, Valuing};

use crate::options::{EngineArg, EnginesArgs, LEAVES, MtdfStep, word_for};

/// MTD(f) begins with steps of so much of the evaluation's scale.
const FIRST_STEP: f32 = 0.05;

/// The engine where none was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unasked {
    /// The tree.
    Tree,
    /// The one that plays the better moves.
    Strongest,
}

/// An engine that this game does not have.
#[derive(Debug, thiserror::Error)]
pub enum EnginesError {
    /// A file of scores that cannot be read.
    #[error("cannot read {}: {source}", .file.display())]
    PatternsFile {
        /// The file.
        file: PathBuf,
        /// Reason.
        source: std::io::Error,
    },
    /// A file of scores that cannot be used.
    #[error("{}: {source}", .file.display())]
    Patterns {
        /// The file.
        file: PathBuf,
        /// The fault, and where it is.
        source: ModelError,
    },
    /// A file that is no text.
    #[error("{}: {reason}", .file.display())]
    PatternsText {
        /// The file.
        file: PathBuf,
        /// What it is instead.
        reason: String,
    },
    /// A file beside the name of another evaluation.
    #[error("--patterns holds {found}, and --evaluation says {asked}: expected one of them")]
    TwoEvaluations {
        /// The evaluation in the file.
        found: String,
        /// The one that was asked for.
        asked: String,
    },
    /// Its evaluations read no file.
    #[error("{0} has no --patterns: expected --game gomoku or connect6 with it")]
    NoPatterns(Kind),
    /// A file of rules that cannot be used.
    #[error("--learned-rules: {0:#}")]
    LearnedRules(anyhow::Error),
    /// There are none of this game.
    #[error("{0} has no --learned-rules: expected --game go, gomoku or connect6 with it")]
    NoLearnedRules(Kind),
    /// A search that does not ask them.
    #[error(
        "--learned-rules of go are asked where playouts judge on 9x9 and less, or at the root of a network's search \
         with --set vital_prior above 0, and life_nodes above 0: expected --evaluator playouts"
    )]
    UnaskedLearnedRules,
    /// They are for a search that is not made.
    #[error(
        "--learned-rules are for the search that --no-threats leaves out: expected one of them"
    )]
    UnusedLearnedRules,
    /// An option of another engine.
    #[error("{option} is not for --engine {engine}: expected {instead} with it")]
    Asked {
        /// The option.
        option: &'static str,
        /// The engine that it was asked of.
        engine: EngineArg,
        /// Engines that would do.
        instead: &'static str,
    },
    /// A beam and a budget of branches.
    #[error(
        "--beam is not for --horizon branches, which is shallow where there are many moves: expected --horizon depth with it"
    )]
    Beam,
    /// No evaluation at all.
    #[error("{game} has no evaluation, which {asked} needs: expected {instead}")]
    NoEvaluation {
        /// The game.
        game: &'static str,
        /// The name that was asked for.
        asked: String,
        /// Names that would do.
        instead: &'static str,
    },
    /// Not this one.
    #[error("{game} has no evaluation '{name}': expected {names}")]
    UnknownEvaluation {
        /// The game.
        game: &'static str,
        /// The name that was asked for.
        name: String,
        /// Names that there are.
        names: String,
    },
}

/// The model in a file, as text, by which the game can be evaluated.
///
/// - `asked`: the name of the evaluation, where one was said.
fn read_patterns(file: &Path, game: Kind, asked: Option<&str>) -> Result<Arc<str>, EnginesError> {
    if !matches!(game, Kind::Connect6 | Kind::Gomoku) {
        return Err(EnginesError::NoPatterns(game));
    }
    let bytes = std::fs::read(file)
        .map_err(|source| EnginesError::PatternsFile { file: file.to_owned(), source })?;
    let text = pattern_files::text(&bytes).map_err(|reason| {
        let (file, reason) = (file.to_owned(), reason.to_owned());
        EnginesError::PatternsText { file, reason }
    })?;
    let name = match game {
        Kind::Connect6 => Connect6::evaluation_by(text).map(|it| it.name().to_owned()),
        Kind::Gomoku => Gomoku::evaluation_by(text).map(|it| it.name().to_owned()),
        _ => return Err(EnginesError::NoPatterns(game)),
    };
    let found = name.map_err(|source| EnginesError::Patterns { file: file.to_owned(), source })?;
    match asked.filter(|asked| *asked != found) {
        Some(asked) => Err(EnginesError::TwoEvaluations { found, asked: asked.to_owned() }),
        None => Ok(text.into()),
    }
}

/// The rules in a file, about wins by threats in a game.
fn read_threat_rules(file: &Path, game: Kind) -> Result<Arc<threats::rules::Rules>, EnginesError> {
    if !matches!(game, Kind::Connect6 | Kind::Gomoku) {
        return Err(EnginesError::NoLearnedRules(game));
    }
    lines::file::read(file, game).map(Arc::new).map_err(EnginesError::LearnedRules)
}

/// The rules in a file, about local fights of Go.
fn read_zone_rules(file: &Path) -> Result<Arc<life::rules::Rules>, EnginesError> {
    zones::file::read(file).map(Arc::new).map_err(EnginesError::LearnedRules)
}

/// The engines that decide, by what was typed.
///
/// # Errors
/// [`EnginesError`] says what the game has.
pub(super) fn choice(
    args: &EnginesArgs,
    rules: &Rules,
    table_bytes_max: usize,
    unasked: Unasked,
) -> Result<Choice, EnginesError> {
    let named = args.evaluation.as_deref();
    let model = args.patterns.as_deref().map(|file| read_patterns(file, rules.kind(), named));
    let classical = classical(args, rules, model.transpose()?, unasked)?;
    let (of_go, is_go) = (args.learned_rules.as_deref(), rules.kind() == Kind::Go);
    let zone_rules = of_go.filter(|_| is_go).map(read_zone_rules).transpose()?;
    if args.learned_rules.is_some() && args.no_threats {
        return Err(EnginesError::UnusedLearnedRules);
    }
    let threat_rules = match &args.learned_rules {
        Some(_) if is_go => None,
        Some(file) => Some(read_threat_rules(file, rules.kind())?),
        None if args.no_threats || args.no_learned_rules => None,
        None => lines::built_in(rules.kind()),
    };
    let looks_for_threats = !args.no_threats;
    Ok(Choice { classical, looks_for_threats, threat_rules, zone_rules, table_bytes_max })
}

/// The classical engine that chooses moves, by what was typed; nothing where the tree does.
///
/// - `model`: what --patterns has.
///
/// # Errors
/// [`EnginesError`] says what the game has.
pub(super) fn classical(
    args: &EnginesArgs,
    rules: &Rules,
    model: Option<Arc<str>>,
    unasked: Unasked,
) -> Result<Option<Classical>, EnginesError> {
    let evaluations: Vec<(&str, f32)> = with_game!(rules, G, _rules => {
        G::evaluations().iter().map(|it| (it.name(), it.scale())).collect()
    });
    let game = rules.kind().name();
    let usual = with_game!(rules, G, _rules => G::SEARCHED_BY);
    let wanted = args.evaluation.as_deref().or(evaluations.get(usual).map(|&(name, _)| name));
    let evaluation = wanted.map(|wanted| {
        let found = evaluations.iter().position(|&(name, _)| name == wanted);
        found.ok_or_else(|| EnginesError::UnknownEvaluation {
            game,
            name: wanted.to_owned(),
            names: with_game!(rules, G, _rules => G::evaluation_names()).join(" or "),
        })
    });
    if let Some(leaf) = args.leaf.filter(|&leaf| leaf != Valuing::Playout)
        && evaluations.is_empty()
    {
        let asked = format!("--leaf {}", word_for(LEAVES, &leaf));
        return Err(EnginesError::NoEvaluation { game, asked, instead: "--leaf playout" });
    }
    let leads = with_game!(rules, G, _rules => G::ALPHA_BETA_LEADS);
    let engine = args.engine.unwrap_or(match unasked {
        Unasked::Strongest if leads => EngineArg::AlphaBeta,
        _ => EngineArg::Uct,
    });
    if args.mtdf_step.is_some() && engine != EngineArg::Mtdf {
        return Err(EnginesError::Asked {
            option: "--mtdf-step",
            engine,
            instead: "--engine mtdf",
        });
    }
    match engine {
        EngineArg::Uct => match args.of_classical() {
            None => Ok(None),
            Some(option) if evaluations.is_empty() => {
                let instead = "none of --evaluation, --patterns, --horizon, --depth and --beam";
                Err(EnginesError::NoEvaluation { game, asked: option.to_owned(), instead })
            }
            Some(option) => {
                let instead = "--engine alphabeta or mtdf";
                Err(EnginesError::Asked { option, engine, instead })
            }
        },
        engine if evaluations.is_empty() => {
            let asked = format!("--engine {engine}");
            Err(EnginesError::NoEvaluation { game, asked, instead: "--engine uct" })
        }
        engine => {
            let evaluation = evaluation.transpose()?.unwrap_or(0);
            let own = model.as_deref().and_then(|text| {
                with_game!(rules, G, _rules => G::evaluation_by(text).ok().map(|it| it.scale()))
            });
            let step = (FIRST_STEP * own.unwrap_or(evaluations[evaluation].1)) as i32;
            let step = match args.mtdf_step {
                Some(MtdfStep::Fixed(step)) => Step::Fixed(step),
                Some(MtdfStep::Last) => Step::Last,
                Some(MtdfStep::Adaptive) | None => Step::Adaptive(step),
            };
            let method = match engine {
                EngineArg::Mtdf => Method::Mtdf(step),
                _ => Method::AlphaBeta,
            };
            let horizon = args.horizon;
            let beam = args.beam;
            if beam.is_some() && horizon != Horizon::Depth {
                return Err(EnginesError::Beam);
            }
            let is_shareable = horizon == Horizon::Depth && model.is_none() && beam.is_none();
            let is_implied = args.engine.is_none();
            Ok(Some(Classical {
                method,
                horizon,
                evaluation,
                beam,
                model,
                is_shareable,
                is_implied,
            }))
        }
    }
}

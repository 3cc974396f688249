//! The meaning of what was typed of a search; refused with the broken relation named.
//!
//! Reading order: `engines` (who decides), `evaluators` (who judges positions), `openings` (books), `gtp` (the
//! front end's own options), then here a search as a whole. Threads, addresses and locks are the
//! coordinator's business.

mod engines;

mod evaluators;

mod openings;

mod gtp;

pub use engines::EnginesError;
pub use evaluators::{EvaluatorsError, Judging, Networks, judge_of, networks, unasked};
pub use openings::{OpeningError, opening, shipped_books};

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use banyan_engine::tuning::Tuning;
use banyan_engine::{ByRules, Chosen, Limits, Settings};
use banyan_games::go::GoRules;
use banyan_games::{Game as _, Rules, RulesError, Terms, with_game};
use banyan_jobs::{Plan, PlanError, Purpose, Sizing, Wish, is_exact};
use banyan_knowledge::Knowledge;
use banyan_search::{FinalMove, Parameters, ParametersError, Searchable as _, Valuing};

use crate::options::{EngineArg, EngineArgs, EvaluatorArg, EvaluatorsArgs};
use engines::Unasked;

/// Playouts in flight of a reproducible search, unless told otherwise.
const REPRODUCIBLE_WINDOW: u32 = 256;

/// The same of evaluations, of which each costs more and there are fewer.
const REPRODUCIBLE_EVALUATIONS: u32 = 8;

/// Playouts in a batch of a reproducible search, unless told otherwise.
const REPRODUCIBLE_BATCH: u32 = 8;

/// The default time of a search that has no other bound.
const TIME: Duration = Duration::from_secs(10);

/// Everything that a search needs to know, whoever plays it out.
#[derive(Clone, Debug)]
pub struct SearchConfig {
    /// The game.
    pub rules: Rules,
    /// Settings of the search.
    pub settings: Settings,
    /// Judges of positions.
    pub judging: Judging,
    /// The time of a move, only where it was asked for.
    pub asked_time: Option<Duration>,
}

/// A relation that does not hold.
#[derive(Debug, thiserror::Error)]
pub enum SearchConfigError {
    /// The board.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// An engine.
    #[error(transparent)]
    Engines(#[from] EnginesError),
    /// A share of evaluations without an evaluator.
    #[error("--set lambda={0}: there is nobody to judge: expected --net FILE with --lambda")]
    NobodyJudges(f32),
    /// Several playouts from one leaf where there are none.
    #[error(
        "--mode leaf-parallel --batch {0}: a network judges each leaf once: expected --mode subtree, or --lambda below 1"
    )]
    JudgedOnce(u32),
    /// An evaluator.
    #[error(transparent)]
    Evaluators(#[from] EvaluatorsError),
    /// A number of the search.
    #[error(transparent)]
    Parameters(#[from] ParametersError),
    /// One number said twice.
    #[error("--set lambda and --lambda: expected one of both")]
    LambdaTwice,
    /// `--set` without a number.
    #[error(
        "'{0}' is no setting: expected NAME=VALUE, such as exploration=0.5; `banyan params` lists them all"
    )]
    Setting(String),
    /// A search that cannot be.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

impl SearchConfig {
    /// Checks what was typed.
    ///
    /// # Errors
    /// [`SearchConfigError`] names the value and what was expected.
    pub fn new(args: &EngineArgs) -> Result<SearchConfig, SearchConfigError> {
        SearchConfig::with(args, Unasked::Tree)
    }

    /// The same for who plays moves: where nothing was said of the engine or the tree, whoever plays
    /// best searches.
    ///
    /// # Errors
    /// As [`SearchConfig::new`].
    pub fn to_play(args: &EngineArgs) -> Result<SearchConfig, SearchConfigError> {
        let tree = asks_of_the_tree(args);
        SearchConfig::with(args, if tree { Unasked::Tree } else { Unasked::Strongest })
    }

    fn with(args: &EngineArgs, unasked: Unasked) -> Result<SearchConfig, SearchConfigError> {
        let rules = rules(args)?;
        check_wishes(args)?;
        let judging = evaluators::judging(&evaluators_asked(args), &rules)?;
        let asked = unasked;
        let unasked = leader(args, &judging, asked);
        let tuning = tuning(args, &judging)?;
        tell_unheard(args, &tuning.parameters);
        if args.reproducible && judging.evaluator.is_some_and(|it| !is_exact(it)) {
            return Err(EvaluatorsError::Reproducible.into());
        }
        let engines = engines::choice(&args.engines, &rules, tuning.tree_bytes_max, unasked)?;
        let model = engines.classical.as_ref().and_then(|it| it.model.clone());
        let is_large = with_game!(&rules, G, rules => G::board_scale(G::new(rules).size()) > 1.0);
        if engines.zone_rules.is_some() && !tuning.parameters.asks_for_vital_moves(is_large) {
            return Err(EnginesError::UnaskedLearnedRules.into());
        }
        Ok(SearchConfig {
            settings: Settings {
                by_rules: Some(by_rules(args, &judging, &rules, (asked, model))),
                tuning,
                plan: plan(args, &rules, tuning.parameters.lambda)?,
                limits: Limits {
                    time: args.time.or_else(|| is_unlimited(args).then_some(TIME)),
                    playouts: args.playouts,
                    depth: args.engines.depth,
                },
                digest: args.reproducible,
                engines,
                purpose: Purpose::Thinking,
                book: None,
            },
            judging,
            asked_time: args.time,
            rules,
        })
    }
}

/// Tells who leads where nothing was said of it: the tree where a network judges, unless something of the classical
/// engines was asked for.
fn leader(args: &EngineArgs, judging: &Judging, unasked: Unasked) -> Unasked {
    let is_led = judging.is_by_network() && !args.engines.are_asked();
    if is_led { Unasked::Tree } else { unasked }
}

/// Refuses wishes about evaluators that nobody would hear.
fn check_wishes(args: &EngineArgs) -> Result<(), SearchConfigError> {
    let EvaluatorsArgs { evaluator, net, katago, lambda, selection } = &args.evaluators;
    if lambda.is_some() && args.set.iter().any(|it| it.trim_start().starts_with("lambda=")) {
        return Err(SearchConfigError::LambdaTwice);
    }
    let engine = match args.engines.engine {
        Some(EngineArg::AlphaBeta) => "alphabeta",
        Some(EngineArg::Mtdf) => "mtdf",
        _ => return Ok(()),
    };
    let is_none = matches!(evaluator, None | Some(EvaluatorArg::Auto | EvaluatorArg::Playouts));
    let wishes = [
        (!is_none, "--evaluator"),
        (net.is_some(), "--net"),
        (katago.is_some(), "--katago"),
        (lambda.is_some(), "--lambda"),
        (selection.is_some(), "--selection"),
    ];
    match wishes.into_iter().find(|&(is_typed, _)| is_typed) {
        Some((_, option)) => Err(EvaluatorsError::Classical { option, engine }.into()),
        None => Ok(()),
    }
}

/// Tells whether nothing else says when a search is enough.
fn is_unlimited(args: &EngineArgs) -> bool {
    args.playouts.is_none() && args.engines.depth.is_none()
}

/// Returns who judges: nobody, where nothing was said of evaluators and something of playouts or of what a game's
/// evaluation is for.
fn evaluators_asked(args: &EngineArgs) -> EvaluatorsArgs {
    let EngineArgs { evaluators, batch, mode, policy, .. } = args;
    let is_of_playouts = batch.is_some() || mode.is_some() || policy.is_some();
    let is_of_playouts = is_of_playouts || args.engines.are_asked();
    let evaluator =
        (is_of_playouts && !evaluators.names_a_judge()).then_some(EvaluatorArg::Playouts);
    EvaluatorsArgs { evaluator: evaluator.or(evaluators.evaluator), ..evaluators.clone() }
}

fn asks_of_the_tree(args: &EngineArgs) -> bool {
    args.playouts.is_some()
        || args.window.is_some()
        || args.batch.is_some()
        || args.mode.is_some()
        || args.policy.is_some()
        || args.final_move.is_some()
        || args.engines.leaf.is_some()
        || args.evaluators.is_asked()
        || !args.set.is_empty()
}

fn rules(args: &EngineArgs) -> Result<Rules, SearchConfigError> {
    let komi = GoRules::komi_from_points(args.komi)?;
    let terms = Terms { komi, variant: args.rules, ..Terms::of(args.game) };
    Ok(Rules::new(args.game, args.size.map_or(terms, |size| size.of(terms)))?)
}

/// The plan of every search. Nothing measured may decide in a reproducible one: there batches are
/// leaf-parallel unless subtrees are asked for, and those grow with the tree alone.
fn plan(args: &EngineArgs, rules: &Rules, lambda: f32) -> Result<Plan, SearchConfigError> {
    let sizing = if lambda < 1.0 { sizing(args) } else { judged_sizing(args)? };
    let window = if lambda < 1.0 { REPRODUCIBLE_WINDOW } else { REPRODUCIBLE_EVALUATIONS };
    let fixed = args.reproducible.then_some(window.max(sizing.playouts.unwrap_or(1)));
    with_game!(rules, G, _rules => {
        let policy = args.policy.unwrap_or(G::POLICY);
        let window = args.window.map(NonZeroU32::get).or(fixed);
        let plan = Plan { sizing, window, in_order: args.reproducible, ..Plan::of(policy) };
        plan.check::<G>()?;
        Ok(plan)
    })
}

fn sizing(args: &EngineArgs) -> Sizing {
    let wish = args.mode.unwrap_or_default();
    let fixed = (args.reproducible && wish != Wish::Subtree).then_some(REPRODUCIBLE_BATCH);
    let fits = |fixed: u32| args.window.map_or(fixed, |window| window.get().min(fixed));
    Sizing { wish, playouts: args.batch.map(NonZeroU32::get).or(fixed.map(fits)) }
}

/// The same where a network judges each leaf: once, so that a batch of several is a subtree.
fn judged_sizing(args: &EngineArgs) -> Result<Sizing, SearchConfigError> {
    let playouts = args.batch.map(NonZeroU32::get);
    let wish = match (args.mode.unwrap_or_default(), playouts) {
        (Wish::LeafParallel, Some(batch)) if batch > 1 => {
            return Err(SearchConfigError::JudgedOnce(batch));
        }
        (Wish::Auto, Some(batch)) if batch > 1 => Wish::Subtree,
        (wish, _) => wish,
    };
    Ok(Sizing { wish, playouts })
}

/// Parameters with what `--set` changes.
///
/// # Errors
/// [`SearchConfigError`] names the setting and what was expected.
pub fn parameters(
    mut parameters: Parameters,
    set: &[String],
) -> Result<Parameters, SearchConfigError> {
    for setting in set {
        let wrong = || SearchConfigError::Setting(setting.clone());
        let (name, value) = setting.split_once('=').ok_or_else(wrong)?;
        parameters.set(name.trim(), value.trim().parse().map_err(|_| wrong())?)?;
    }
    Ok(parameters)
}

/// Tells of numbers that were set and that this search does not ask.
fn tell_unheard(args: &EngineArgs, parameters: &Parameters) {
    for (name, _) in args.set.iter().filter_map(|setting| setting.split_once('=')) {
        let name = name.trim();
        if let Some(why) = parameters.unheard(name) {
            tracing::warn!("--set {name} changes nothing here: {why}");
        }
    }
}

/// Settings by other rules of the same game, of which another may judge, and another lead.
///
/// - `model`: what the classical engine evaluates by, where it was read from a file.
fn by_rules(
    args: &EngineArgs,
    judging: &Judging,
    first: &Rules,
    (unasked, model): (Unasked, Option<Arc<str>>),
) -> ByRules {
    let (args, judging, start) = (args.clone(), judging.clone(), first.clone());
    let choose = move |rules: &Rules| {
        let of = |judging: &Judging, rules: &Rules| {
            let tuning = tuning(&args, judging)?;
            let plan = plan(&args, rules, tuning.parameters.lambda)?;
            let unasked = leader(&args, judging, unasked);
            let classical = engines::classical(&args.engines, rules, model.clone(), unasked)?;
            Ok::<_, SearchConfigError>(Chosen { tuning, plan, classical })
        };
        // What is asked for of a judge fits the rules that a game began with; these it may not.
        of(&judging.under(rules), rules)
            .or_else(|_| of(&judging, &start))
            .expect("they were found to be sound by the rules of the beginning")
    };
    ByRules { first: first.clone(), choose: Arc::new(choose) }
}

fn tuning(args: &EngineArgs, judging: &Judging) -> Result<Tuning, SearchConfigError> {
    let with_leaves = |leaf| Parameters::with_leaves(args.game, leaf);
    // A static evaluation beside itself would be asked twice.
    let leaf = args.engines.leaf.or(judging.is_beside_playouts().then_some(Valuing::Playout));
    let base = leaf.map_or(Parameters::of(args.game), with_leaves);
    let parameters = parameters(judging.tuned(base), &args.set)?;
    if parameters.lambda > 0.0 && judging.evaluator.is_none() {
        return Err(SearchConfigError::NobodyJudges(parameters.lambda));
    }
    Ok(Tuning {
        parameters,
        evaluator: judging.evaluator,
        seed: args.seed,
        tree_bytes_max: usize::try_from(args.tree_memory.as_u64()).unwrap_or(usize::MAX),
        final_move: args.final_move.unwrap_or(FinalMove::usual(&parameters)),
    })
}

#[cfg(test)]
mod tests {
    use banyan_games::Kind;
    use clap::{Args as _, Parser as _};

    use super::*;
    use crate::options::{Cli, Command, EnginesArgs};

    #[test]
    fn who_judges_follows_the_rules_of_the_game() {
        use banyan_games::gomoku::{GomokuRules, Variant};
        use banyan_knowledge::evaluator::KATAGO;
        use banyan_knowledge::statics;

        let judge = |typed: &str, rules: &Rules| {
            let settings = to_play(typed).expect(typed).settings.under(rules);
            let Tuning { parameters, evaluator, .. } = settings.tuning;
            assert_eq!(parameters.lambda > 0.0, evaluator.is_some(), "{typed}, {rules:?}");
            assert_eq!(parameters.puct, evaluator.is_some(), "{typed}, {rules:?}");
            evaluator
        };
        let gomoku = |side, variant| -> Rules {
            GomokuRules::new(side, side, variant).expect("a size").into()
        };
        let go = |size| -> Rules { GoRules::new(size, 15).expect("a size").into() };
        let is_static = |digest: Option<_>| digest.map(statics::is_static);
        for typed in ["--game gomoku", "--game gomoku --rules renju", "--game gomoku --size 20"] {
            let by = |side, variant| is_static(judge(typed, &gomoku(side, variant)));
            assert_eq!(by(15, Variant::Freestyle), Some(false), "{typed}");
            assert_eq!(by(15, Variant::Renju), Some(true), "{typed}");
            assert_eq!(by(19, Variant::Freestyle), Some(true), "{typed}");
        }
        for typed in ["--game go", "--game go --size 5"] {
            assert_eq!(is_static(judge(typed, &go(9))), Some(false), "{typed}");
            assert_eq!(judge(typed, &go(5)), None, "{typed}: no network sees the board");
        }
        for typed in ["--katago k", "--katago k --size 19"] {
            assert_eq!(judge(typed, &go(5)), Some(KATAGO), "{typed}");
            assert_eq!(judge(typed, &go(21)), None, "{typed}: it judges up to 19x19");
        }
        let named = "--game gomoku --evaluator net";
        assert_eq!(is_static(judge(named, &gomoku(15, Variant::Renju))), Some(false));
        assert_eq!(judge("--game gomoku --batch 8", &gomoku(15, Variant::Freestyle)), None);
        let mixed = to_play("--game othello --evaluator mixed").expect("patterns and playouts");
        let parameters = mixed.settings.tuning.parameters;
        assert_eq!(parameters.lambda, 0.5);
        let played_out = Parameters::with_leaves(Kind::Othello, Valuing::Playout);
        assert_eq!(parameters.leaf_plies, played_out.leaf_plies, "its leaves are played out");
    }

    #[test]
    fn who_leads_follows_the_rules_of_the_game() {
        use banyan_games::gomoku::{GomokuRules, Variant};

        let leads = |typed: &str, side, variant| {
            let rules = GomokuRules::new(side, side, variant).expect("a size").into();
            let settings = to_play(typed).expect(typed).settings.under(&rules);
            settings.engines.classical.is_some()
        };
        for typed in [
            "--game gomoku",
            "--game gomoku --ponder",
            "--game gomoku --rules renju",
            "--game gomoku --size 20",
        ] {
            assert!(!leads(typed, 15, Variant::Freestyle), "{typed}: a network judges");
            assert!(leads(typed, 15, Variant::Renju), "{typed}");
            assert!(leads(typed, 20, Variant::Freestyle), "{typed}");
        }
        for typed in [
            "--game gomoku --engine uct",
            "--game gomoku --playouts 100",
            "--game gomoku --evaluator net",
        ] {
            assert!(!leads(typed, 15, Variant::Freestyle), "{typed}");
        }
        for typed in ["--game gomoku --engine mtdf", "--game gomoku --depth 3"] {
            assert!(leads(typed, 15, Variant::Freestyle), "{typed}");
        }
    }

    #[test]
    fn what_the_classical_engines_alone_have_is_refused_where_the_tree_searches() {
        for asked in ["--evaluation stages", "--horizon branches", "--depth 3", "--beam 4"] {
            assert!(to_play(&format!("--game othello {asked}")).is_ok(), "{asked}");
            let words = format!("--game othello --playouts 100 {asked}");
            let refused = to_play(&words).expect_err("the tree has none").to_string();
            let option = asked.split(' ').next().expect("a word");
            let expected = format!(
                "{option} is not for --engine uct: expected --engine alphabeta or mtdf with it"
            );
            assert_eq!(refused, expected);
        }
        for (words, told) in [
            (
                "--game othello --evaluation nonsense",
                "othello has no evaluation 'nonsense': expected patterns or",
            ),
            (
                "--game gomoku --evaluation nonsense",
                "gomoku has no evaluation 'nonsense': expected mix or shapes or windows or",
            ),
            ("--game go --evaluation nonsense", "go has no evaluation, which --evaluation needs"),
        ] {
            let refused = to_play(words).expect_err("no such thing").to_string();
            assert!(refused.starts_with(told), "{refused}");
        }
    }

    #[test]
    fn tables_that_are_cut_or_none_or_of_another_evaluation_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let said = |game: &str, contents: &[u8], more: &str| {
            let file = folder.path().join("a.tables");
            std::fs::write(&file, contents).expect("written");
            let file = file.display();
            let words = format!("--game {game} --engine alphabeta --patterns {file}{more}");
            to_play(&words).map_or_else(|why| why.to_string(), |_| "taken".to_owned())
        };
        let weights = include_bytes!("../../knowledge/src/gomoku/weights.txt");
        let tables = include_bytes!("../../knowledge/src/connect6/tables.txt");
        let zipped = include_bytes!("../../../models/gomoku.mix.gz");
        for (game, contents, more, words) in [
            ("gomoku", &weights[..], "", "taken"),
            ("gomoku", &weights[..], " --evaluation shapes", "taken"),
            (
                "gomoku",
                &weights[..],
                " --evaluation mix",
                "--patterns holds shapes, and --evaluation says mix",
            ),
            (
                "connect6",
                &tables[..],
                " --evaluation td",
                "--patterns holds tables, and --evaluation says td",
            ),
            ("gomoku", b"", "", "0 of 1414 lines of weights: is the file cut short?"),
            ("gomoku", &weights[..9000], "", "is the file cut short?"),
            ("connect6", b"", "", "a.tables"),
            ("connect6", b"connect6-tables\n", "", "is the file cut short?"),
            ("gomoku", zipped, "", "a.tables: compressed by gzip, and no table"),
            ("connect6", b"\xff", "", "a.tables: no text, and so no table"),
        ] {
            let said = said(game, contents, more);
            assert!(said.contains(words), "{game}{more}: {said}");
        }
    }

    #[test]
    fn wishes_about_evaluators_that_nobody_would_hear_are_refused() {
        for (typed, words) in [
            (
                "--game gomoku --engine alphabeta --evaluator net",
                "--evaluator beside --engine alphabeta, which asks no evaluator: expected --engine uct",
            ),
            (
                "--game othello --engine mtdf --selection puct",
                "--selection beside --engine mtdf, which asks no evaluator: expected --engine uct",
            ),
            ("--set lambda=0.5 --lambda 0.2", "--set lambda and --lambda: expected one of both"),
        ] {
            assert_eq!(to_play(typed).expect_err(typed).to_string(), words);
        }
        for heard in [
            "--game gomoku --engine alphabeta --evaluator playouts",
            "--evaluator net --policy uniform",
        ] {
            assert!(to_play(heard).is_ok(), "{heard}");
        }
    }

    #[test]
    fn help_lists_the_evaluations_of_each_game_and_the_default_first() {
        let command = EnginesArgs::augment_args(clap::Command::new("search"));
        let mut arguments = command.get_arguments();
        let evaluation = arguments.find(|it| it.get_id() == "evaluation").expect("an option");
        let help = evaluation.get_help().expect("help").to_string();
        for (game, kind) in [
            ("Othello", Kind::Othello),
            ("Gomoku", Kind::Gomoku),
            ("Connect6", Kind::Connect6),
            ("Hex", Kind::Hex),
        ] {
            let rules = Rules::new(kind, Terms::of(kind)).expect("the usual board");
            let names = with_game!(&rules, G, _rules => {
                let names = G::evaluation_names();
                assert_eq!(names[0], G::evaluations()[G::SEARCHED_BY].name());
                assert_eq!(names.len(), G::evaluations().len());
                names.join(", ")
            });
            // What follows the default in brackets is no name.
            let help = help.replace(" (with alphabeta a selective search of its own)", "");
            assert!(help.contains(&format!("{game}: {names}")), "{game}: {names}: {help}");
        }
    }

    fn to_play(words: &str) -> Result<SearchConfig, SearchConfigError> {
        let words = "banyan gtp --threads 1".split(' ').chain(words.split(' '));
        let Command::Gtp(args) = Cli::try_parse_from(words).expect("options").command else {
            panic!("not gtp");
        };
        SearchConfig::to_play(&args.engine)
    }

    #[test]
    fn whoever_asks_something_of_the_tree_gets_the_tree_even_by_its_default() {
        let has_classical = |words: &str| {
            let config = to_play(&format!("--game othello {words}")).expect("sound");
            config.settings.engines.classical.is_some()
        };
        assert!(has_classical("--seed 2"));
        for asked in ["--final-move visits", "--final-move bound", "--mode auto", "--batch 1"] {
            assert!(!has_classical(asked), "{asked}");
        }
    }

    #[test]
    fn batches_that_a_network_judges_are_those_asked_for() {
        let sizing = |words: &str| {
            let config = to_play(&format!("--game go --evaluator net {words}")).expect("sound");
            let Sizing { wish, playouts } = config.settings.plan.sizing;
            (wish, playouts)
        };
        assert_eq!(sizing("--seed 2"), (Wish::Auto, None));
        assert_eq!(sizing("--mode leaf-parallel"), (Wish::LeafParallel, None));
        assert_eq!(sizing("--mode subtree"), (Wish::Subtree, None));
        assert_eq!(sizing("--batch 1"), (Wish::Auto, Some(1)));
        assert_eq!(sizing("--batch 24"), (Wish::Subtree, Some(24)));
        let reproducible = "--reproducible --playouts 90";
        assert_eq!(sizing(reproducible), (Wish::Auto, None));
        assert_eq!(sizing(&format!("{reproducible} --batch 16")), (Wish::Subtree, Some(16)));
    }

    #[test]
    fn what_no_search_can_keep_to_is_refused() {
        let refused = |words: &str| to_play(words).expect_err("no search").to_string();
        assert!(refused("--game othello --policy heavy").contains("no heavy playouts"));
        assert!(refused("--game go --window 4 --batch 8").contains("a window of 4"));
        assert!(refused("--game go --batch 4000000000").contains("too large"));
        let judged = refused("--game go --evaluator net --mode leaf-parallel --batch 8");
        assert!(judged.contains("--batch 8: a network judges each leaf once"), "{judged}");
    }
}

//! Options as what they mean; refused with the broken relation named.

mod engines;
mod evaluators;
mod openings;

pub use engines::EnginesError;
pub use evaluators::EvaluatorsError;
pub use openings::opening;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use banyan_engine::tuning::Tuning;
use banyan_engine::{Limits, Settings};
use banyan_games::go::GoRules;
use banyan_games::{Rules, RulesError, Terms, with_game};
use banyan_jobs::{Evaluators, Plan, PlanError, Purpose, Sizing, Wish, is_exact, limits};
use banyan_knowledge::Knowledge;
use banyan_search::{FinalMove, Parameters, ParametersError};
use banyan_worker::dial::{Address, DialError};
use banyan_worker::token::TokenError;
use banyan_worker::{Token, tls};

use crate::cli::{
    ClusterArgs, EngineArgs, EvaluatorArg, EvaluatorsArgs, PORT, RemoteArgs, ServeArgs, WaitArgs,
};
use crate::cluster::Models;
use crate::node::Setup;
use crate::rpc::{Security, TlsFiles};
use crate::seats::Serving;
use crate::site::Pages;
use engines::Unasked;
use evaluators::{Judging, Networks};

/// Playouts in flight of a reproducible search, unless told otherwise.
const REPRODUCIBLE_WINDOW: u32 = 256;

/// The same of evaluations, of which each costs more and there are fewer.
const REPRODUCIBLE_EVALUATIONS: u32 = 8;

/// Playouts in a batch of a reproducible search, unless told otherwise.
const REPRODUCIBLE_BATCH: u32 = 8;

/// Where `banyan serve` listens unless told otherwise.
const SERVED_AT: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, PORT));

/// The default time of a search that has no other bound.
const TIME: Duration = Duration::from_secs(10);

/// Everything a searching command needs to know.
#[derive(Clone, Debug)]
pub struct Config {
    /// The game.
    pub rules: Rules,
    /// Threads and address.
    pub setup: Setup,
    /// Workers to wait for.
    pub wait: WaitArgs,
    /// How to search.
    pub settings: Settings,
    /// Who judges positions.
    pub evaluator: &'static str,
    /// The time of a move, only where it was asked for.
    pub asked_time: Option<Duration>,
}

/// A relation that does not hold.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The board.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// An engine.
    #[error(transparent)]
    Engines(#[from] EnginesError),
    /// A share of evaluations without an evaluator.
    #[error("--set lambda={0}: there is nobody to judge: expected --net FILE with --lambda")]
    NobodyJudges(f32),
    /// An evaluator.
    #[error(transparent)]
    Evaluators(#[from] EvaluatorsError),
    /// A number of the search.
    #[error(transparent)]
    Parameters(#[from] ParametersError),
    /// `--set` without a number.
    #[error(
        "'{0}' is no setting: expected NAME=VALUE, such as exploration=0.5; `banyan params` lists them all"
    )]
    Setting(String),
    /// Too many threads.
    #[error("{0} threads are too many: at most {max}", max = limits::THREADS_MAX)]
    Threads(u32),
    /// A search that cannot be.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// An open door.
    #[error(
        "{0} can be reached from other machines, and anybody could join or attach: \
         give --token-file or --tls-client-ca, listen on 127.0.0.1, or say --insecure"
    )]
    Open(SocketAddr),
    /// Metrics for anybody.
    #[error(
        "metrics at {0} can be read from other machines by anybody: give --token-file, which \
         scrapers must then show, serve them on 127.0.0.1, or say --insecure"
    )]
    OpenMetrics(SocketAddr),
    /// Pages for anybody.
    #[error(
        "pages at {0} can be seen from other machines, and anybody could play and ban there: give \
         --token-file, which browsers must then show, or --tls-client-ca, serve them on 127.0.0.1, or \
         say --insecure"
    )]
    OpenPages(SocketAddr),
    /// No address, or a file that cannot be read.
    #[error(transparent)]
    Address(#[from] DialError),
    /// A token that is none.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The file.
    #[error("{file}: {reason}")]
    File {
        /// Which.
        file: String,
        /// Why not.
        reason: String,
    },
}

impl Config {
    /// Checks what was typed.
    ///
    /// # Errors
    /// [`ConfigError`] names the value and what was expected.
    pub fn new(args: &EngineArgs) -> Result<Config, ConfigError> {
        Config::with(args, Unasked::Tree)
    }

    /// The same for who plays moves: where nothing was said of the engine or the tree, whoever plays
    /// best searches.
    ///
    /// # Errors
    /// As [`Config::new`].
    pub fn to_play(args: &EngineArgs) -> Result<Config, ConfigError> {
        let tree = asks_of_the_tree(args);
        Config::with(args, if tree { Unasked::Tree } else { Unasked::Strongest })
    }

    fn with(args: &EngineArgs, unasked: Unasked) -> Result<Config, ConfigError> {
        let rules = rules(args)?;
        let judging = evaluators::judging(&evaluators_asked(args), &rules)?;
        // Where a network judges it leads, unless something of the classical engines was asked for.
        let is_led = judging.evaluator.is_some() && !args.engines.are_asked();
        let unasked = if is_led { Unasked::Tree } else { unasked };
        let tuning = tuning(args, &judging)?;
        let evaluator = judging.name();
        if args.reproducible && judging.evaluator.is_some_and(|it| !is_exact(it)) {
            return Err(EvaluatorsError::Reproducible.into());
        }
        let Judging { evaluators, models, katago, .. } = judging;
        Ok(Config {
            setup: Setup {
                kind: Some(args.game),
                evaluators,
                models,
                katago,
                ..setup(&args.cluster)?
            },
            wait: args.wait.clone(),
            settings: Settings {
                tuning,
                plan: plan(args, &rules, tuning.parameters.lambda)?,
                limits: Limits {
                    time: args.time.or_else(|| is_unlimited(args).then_some(TIME)),
                    playouts: args.playouts,
                    depth: args.engines.depth,
                },
                digest: args.reproducible,
                engines: engines::choice(&args.engines, &rules, tuning.tree_bytes_max, unasked)?,
                purpose: Purpose::Thinking,
                book: None,
            },
            evaluator,
            asked_time: args.time,
            rules,
        })
    }
}

/// Tells whether nothing else says when a search is enough.
fn is_unlimited(args: &EngineArgs) -> bool {
    args.playouts.is_none() && args.engines.depth.is_none()
}

/// Who judges: no network, where nothing was said of evaluators and something of playouts or of what a game's
/// evaluation is for.
fn evaluators_asked(args: &EngineArgs) -> EvaluatorsArgs {
    let EngineArgs { evaluators, batch, mode, policy, .. } = args;
    let is_of_playouts = batch.is_some() || mode.is_some() || policy.is_some();
    let is_of_playouts = is_of_playouts || args.engines.are_asked();
    let evaluator = (is_of_playouts && !evaluators.is_asked()).then_some(EvaluatorArg::Playouts);
    EvaluatorsArgs { evaluator: evaluator.or(evaluators.evaluator), ..evaluators.clone() }
}

fn asks_of_the_tree(args: &EngineArgs) -> bool {
    args.playouts.is_some()
        || args.ponder
        || args.window.is_some()
        || args.batch.is_some()
        || args.mode.is_some()
        || args.policy.is_some()
        || args.final_move.is_some()
        || args.engines.leaf.is_some()
        || args.evaluators.is_asked()
        || !args.set.is_empty()
}

fn rules(args: &EngineArgs) -> Result<Rules, ConfigError> {
    let komi = GoRules::komi_from_points(args.komi)?;
    let terms = Terms { komi, variant: args.rules, ..Terms::of(args.game) };
    Ok(Rules::new(args.game, args.size.map_or(terms, |size| size.of(terms)))?)
}

/// The plan of every search. Nothing measured may decide in a reproducible one: there batches are
/// leaf-parallel unless subtrees are asked for, and those grow with the tree alone.
fn plan(args: &EngineArgs, rules: &Rules, lambda: f32) -> Result<Plan, PlanError> {
    let sizing = if lambda < 1.0 { sizing(args) } else { Sizing::default() };
    let window = if lambda < 1.0 { REPRODUCIBLE_WINDOW } else { REPRODUCIBLE_EVALUATIONS };
    let fixed = args.reproducible.then_some(window.max(sizing.playouts.unwrap_or(1)));
    with_game!(rules, G, _rules => {
        let policy = args.policy.unwrap_or(G::POLICY);
        let window = args.window.map(NonZeroU32::get).or(fixed);
        let plan = Plan { sizing, window, in_order: args.reproducible, ..Plan::of(policy) };
        plan.check::<G>().map(|()| plan)
    })
}

/// Settings of a cluster of one's own.
///
/// # Errors
/// [`ConfigError`] names the value and what was expected.
pub fn setup(args: &ClusterArgs) -> Result<Setup, ConfigError> {
    let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let threads = args.threads.unwrap_or_else(cores);
    if threads > limits::THREADS_MAX {
        return Err(ConfigError::Threads(threads));
    }
    let security = security(args)?;
    let asks_token = security.token.is_some();
    let asks =
        asks_token || security.tls.as_ref().is_some_and(|tls| tls.client_authority.is_some());
    let is_open = |address: &SocketAddr| !address.ip().is_loopback() && !args.insecure;
    if let Some(address) = args.listen.filter(is_open).filter(|_| !asks) {
        return Err(ConfigError::Open(address));
    }
    if let Some(address) = args.metrics.filter(is_open).filter(|_| !asks_token) {
        return Err(ConfigError::OpenMetrics(address));
    }
    if let Some(address) = args.http.filter(is_open).filter(|_| !asks) {
        return Err(ConfigError::OpenPages(address));
    }
    let page = |address| Pages {
        address,
        tree_bytes_max: None,
        learning: None,
        networks: BTreeMap::new(),
    };
    Ok(Setup {
        threads,
        listen: args.listen,
        security,
        metrics: args.metrics,
        pages: args.http.map(page),
        kind: None,
        serving: None,
        audit_every: args.audit,
        evaluators: Evaluators::default(),
        models: Models::default(),
        katago: None,
    })
}

/// The cluster that `banyan serve` starts.
///
/// # Errors
/// [`ConfigError`] names the value and what was expected.
pub fn serving(args: &ServeArgs) -> Result<Setup, ConfigError> {
    let listen = args.cluster.listen.unwrap_or(SERVED_AT);
    let cluster = ClusterArgs { listen: Some(listen), ..args.cluster.clone() };
    let tree_bytes_max = usize::try_from(args.tree_memory.as_u64()).unwrap_or(usize::MAX);
    let mut setup = setup(&cluster)?;
    let networks = evaluators::networks(&args.nets)?;
    let digests = networks.of_games.values().map(|network| network.digest).collect();
    let serving =
        Serving { sessions_max: args.sessions, tree_bytes_max, networks: Arc::new(digests) };
    if let Some(pages) = &mut setup.pages {
        pages.tree_bytes_max = Some(tree_bytes_max);
        pages.learning = args.learning.clone();
        pages.networks = networks.of_games;
    }
    let Networks { evaluators, models, .. } = networks;
    Ok(Setup { serving: Some(serving), evaluators, models, ..setup })
}

/// Where the coordinator is that was named by `--remote`, and how to speak with it.
///
/// # Errors
/// [`ConfigError`] for what is no address or no token, and for files that cannot be read.
pub fn remote_address(
    args: &RemoteArgs,
    cluster: &ClusterArgs,
) -> Result<Option<Address>, ConfigError> {
    let Some(remote) = &args.remote else { return Ok(None) };
    let identity = cluster.tls_cert.clone().zip(cluster.tls_key.clone());
    let server_name = args.tls_name.clone();
    let tls = args.tls_ca.clone();
    let tls = tls.map(|authority| tls::TlsFiles { authority, identity, server_name });
    let token = Token::find(cluster.token_file.as_deref())?;
    Ok(Some(Address::new(remote, token, tls)?))
}

/// A token is looked for only by who listens: a variable meant for workers must not stop a search.
fn security(args: &ClusterArgs) -> Result<Security, ConfigError> {
    let is_open = |address: Option<SocketAddr>| address.is_some_and(|it| !it.ip().is_loopback());
    let is_open = is_open(args.metrics) || is_open(args.http);
    if args.listen.is_none() && !is_open {
        return Ok(Security::default());
    }
    let token = Token::find(args.token_file.as_deref())?;
    let files = args.tls_cert.clone().zip(args.tls_key.clone());
    let client_authority = args.tls_client_ca.clone();
    let tls = files.map(|(certificate, key)| TlsFiles { certificate, key, client_authority });
    Ok(Security { token, tls })
}

fn sizing(args: &EngineArgs) -> Sizing {
    let wish = args.mode.unwrap_or_default();
    let fixed = (args.reproducible && wish != Wish::Subtree).then_some(REPRODUCIBLE_BATCH);
    let fits = |fixed: u32| args.window.map_or(fixed, |window| window.get().min(fixed));
    Sizing { wish, playouts: args.batch.map(NonZeroU32::get).or(fixed.map(fits)) }
}

/// Parameters with what `--set` changes.
///
/// # Errors
/// [`ConfigError`] names the setting and what was expected.
pub(crate) fn parameters(
    mut parameters: Parameters,
    set: &[String],
) -> Result<Parameters, ConfigError> {
    for setting in set {
        let wrong = || ConfigError::Setting(setting.clone());
        let (name, value) = setting.split_once('=').ok_or_else(wrong)?;
        parameters.set(name.trim(), value.trim().parse().map_err(|_| wrong())?)?;
    }
    Ok(parameters)
}

fn tuning(args: &EngineArgs, judging: &Judging) -> Result<Tuning, ConfigError> {
    let with_leaves = |leaf| Parameters::with_leaves(args.game, leaf);
    let base = args.engines.leaf.map_or(Parameters::of(args.game), with_leaves);
    let parameters = parameters(judging.tuned(base), &args.set)?;
    if parameters.lambda > 0.0 && judging.evaluator.is_none() {
        return Err(ConfigError::NobodyJudges(parameters.lambda));
    }
    Ok(Tuning {
        parameters,
        evaluator: judging.evaluator,
        seed: args.seed,
        tree_bytes_max: usize::try_from(args.tree_memory.as_u64()).unwrap_or(usize::MAX),
        final_move: args.final_move.unwrap_or(FinalMove::usual(&parameters)),
    })
}

/// The keys of a settings file as texts, by option name with `-`.
///
/// # Errors
/// [`ConfigError::File`] for a file that cannot be read, is no TOML, or holds more than plain values.
pub fn read_file(path: &Path) -> Result<BTreeMap<String, String>, ConfigError> {
    let wrong = |reason: String| ConfigError::File { file: path.display().to_string(), reason };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| wrong(e.to_string()))?;
    let plain = |(key, value): (String, toml::Value)| {
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            toml::Value::Boolean(truth) => truth.to_string(),
            _ => return Err(wrong(format!("{key} must be a text, a number or true or false"))),
        };
        Ok((key.replace('_', "-"), text))
    };
    table.into_iter().map(plain).collect()
}

/// Makes the values of a settings file the defaults of every command that has such an option.
///
/// # Errors
/// [`ConfigError::File`] for a key that is no option of any command.
pub fn apply_file(
    mut root: clap::Command,
    path: &Path,
    mut values: BTreeMap<String, String>,
) -> Result<clap::Command, ConfigError> {
    let mut known = Vec::new();
    let mut set = |arg: clap::Arg| {
        let key = arg.get_long().unwrap_or_default().to_owned();
        known.push(key.clone());
        match values.get(&key) {
            Some(value) => arg.default_value(value.clone()),
            None => arg,
        }
    };
    root = root.mut_args(&mut set);
    let names: Vec<String> = root.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    for name in names {
        root = root.mut_subcommand(name, |command| command.mut_args(&mut set));
    }
    values.retain(|key, _| !known.contains(key));
    match values.into_keys().next() {
        None => Ok(root),
        Some(key) => Err(ConfigError::File {
            file: path.display().to_string(),
            reason: format!("'{key}' is no option of any command"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::{Cli, Command};

    fn to_play(words: &str) -> Result<Config, ConfigError> {
        let words = "banyan gtp --threads 1".split(' ').chain(words.split(' '));
        let Command::Gtp(args) = Cli::try_parse_from(words).expect("options").command else {
            panic!("not gtp");
        };
        Config::to_play(&args.engine)
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
    fn what_no_search_can_keep_to_is_refused() {
        let refused = |words: &str| to_play(words).expect_err("no search").to_string();
        assert!(refused("--game othello --policy heavy").contains("no heavy playouts"));
        assert!(refused("--game go --window 4 --batch 8").contains("a window of 4"));
        assert!(refused("--game go --batch 4000000000").contains("too large"));
    }
}

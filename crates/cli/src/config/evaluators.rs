//! Judges of positions, as they were typed and as they are meant.

mod katago;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use banyan_engine::tuning::Tuning;
use banyan_games::{Kind, Rules, Size};
use banyan_jobs::{Evaluators, ModelDigest, ModelFiles};
use banyan_katago::CommandLine;
use banyan_knowledge::evaluator::KATAGO;
use banyan_knowledge::judges::{self, Judge, Reach, size_of};
use banyan_knowledge::network::{self, NetError};
use banyan_knowledge::statics;
use banyan_net::{FileError, Network};
use banyan_search::Parameters;
use clap::ValueEnum as _;

use crate::options::{EvaluatorArg, EvaluatorsArgs, SelectionArg};

/// Returns what is typed for it.
fn name(evaluator: EvaluatorArg) -> String {
    let value = evaluator.to_possible_value();
    value.map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Share of the network beside playouts, where nobody says.
const MIXED_LAMBDA: f32 = 0.5;

/// An evaluator that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum EvaluatorsError {
    /// A file that holds no network.
    #[error("{}: {why}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Reason.
        why: FileError,
    },
    /// A network that does not fit.
    #[error("{}: {why}", .file.display())]
    Net {
        /// The file.
        file: PathBuf,
        /// Reason.
        why: NetError,
    },
    /// One of another game.
    #[error("{}: network for {found}, the game is {wanted}", .file.display())]
    Game {
        /// The file.
        file: PathBuf,
        /// Its game.
        found: Kind,
        /// The one that is played.
        wanted: Kind,
    },
    /// Another one of the same game.
    #[error("{}: a second network for {kind}: expected one a game", .file.display())]
    Second {
        /// The file.
        file: PathBuf,
        /// Its game.
        kind: Kind,
    },
    /// A wish about evaluators beside an engine that asks none.
    #[error("{option} beside --engine {engine}, which asks no evaluator: expected --engine uct")]
    Classical {
        /// What was asked for.
        option: &'static str,
        /// Who asks none.
        engine: &'static str,
    },
    /// None at all.
    #[error("no network for {0} is built in: expected --net FILE, or --evaluator auto")]
    NoNet(Kind),
    /// No static evaluation.
    #[error("there is no static evaluation of {0}: expected --evaluator net or playouts")]
    NoPatterns(Kind),
    /// A network, and a static evaluation.
    #[error("--net with --evaluator patterns: expected one of both")]
    NetOfPatterns,
    /// Too small a board.
    #[error("networks judge boards of 7x7 to 25x25, not {}x{}: expected --evaluator auto or playouts", .0.width, .0.height)]
    Board(Size),
    /// KataGo, and another evaluator.
    #[error("--katago with --evaluator {}: expected auto, katago or mixed", name(*.0))]
    Unasked(EvaluatorArg),
    /// Two evaluators.
    #[error("--net with KataGo: expected one of both")]
    Two,
    /// No KataGo.
    #[error(
        "--evaluator katago, and no KataGo can be there: expected --katago COMMAND, or --listen ADDRESS for \
         workers that have one"
    )]
    NoKataGo,
    /// Another game.
    #[error("KataGo judges go, not {0}")]
    NotGo(Kind),
    /// Too large a board.
    #[error("KataGo judges boards up to 19x19, not {0}")]
    Large(Size),
    /// A komi that it does not take.
    #[error("KataGo takes a komi of -150 to 150, not {0}")]
    Komi(f64),
    /// An evaluator that differs from machine to machine.
    #[error(
        "KataGo judges in floating point, which differs from machine to machine: \
         --reproducible is for --evaluator net, patterns and playouts"
    )]
    Reproducible,
    /// No share.
    #[error("--lambda {0}: expected a share from 0 to 1")]
    Lambda(f32),
    /// A share of an evaluator that is not asked.
    #[error(
        "--lambda {0}, and nobody judges beside playouts: expected --evaluator net, patterns or mixed"
    )]
    LambdaOfPlayouts(f32),
}

/// Judges of positions.
#[derive(Clone, Debug)]
pub struct Judging {
    /// Those of this process.
    pub evaluators: Evaluators,
    /// The one that is asked by the rules of a search.
    pub evaluator: Option<ModelDigest>,
    /// Those that may be asked, by the rules of a game, the first choice first.
    judges: Vec<Judge>,
    /// Their files, for workers that have them not.
    pub models: ModelFiles,
    /// Command that starts KataGo beside them.
    pub katago: Option<CommandLine>,
    /// Share of the one that is asked.
    lambda: f32,
    selection: Option<SelectionArg>,
}

impl Judging {
    /// Tells whether a network is asked.
    pub(super) fn is_by_network(&self) -> bool {
        self.evaluator.is_some_and(|digest| !statics::is_static(digest))
    }

    /// Tells whether a static evaluation is asked beside playouts.
    pub(super) fn is_beside_playouts(&self) -> bool {
        self.lambda < 1.0 && self.evaluator.is_some_and(statics::is_static)
    }

    /// The same where a game has these rules. Whose word counts for nothing is not asked.
    pub(super) fn under(&self, rules: &Rules) -> Judging {
        let evaluator = judges::first(&self.judges, rules).filter(|_| self.lambda > 0.0);
        Judging { evaluator, ..self.clone() }
    }

    /// The parameters of a search that is judged so.
    pub(crate) fn tuned(&self, parameters: Parameters) -> Parameters {
        let (lambda, unasked) = match self.evaluator {
            Some(_) => (self.lambda, SelectionArg::Puct),
            None => (0.0, SelectionArg::Rave),
        };
        let puct = self.selection.unwrap_or(unasked) == SelectionArg::Puct;
        Parameters { lambda, puct, ..parameters }
    }
}

/// Returns the name of whoever judges, as answers say it.
pub fn judge_of(tuning: &Tuning) -> &'static str {
    match tuning.evaluator {
        None => "playouts",
        Some(_) if tuning.parameters.lambda < 1.0 => "mixed",
        Some(KATAGO) => "katago",
        Some(digest) if statics::is_static(digest) => statics::NAME,
        Some(_) => "net",
    }
}

/// Returns the judges of positions of a game where nothing was said of them.
///
/// # Errors
/// None but those of the networks that are built in.
pub fn unasked(rules: &Rules) -> Result<Judging, EvaluatorsError> {
    let (evaluator, net, katago, lambda, selection) = (None, None, None, None, None);
    judging(&EvaluatorsArgs { evaluator, net, katago, lambda, selection }, rules)
}

/// Returns the judges of positions of a game, by what was typed.
///
/// # Errors
/// [`EvaluatorsError`] names the file or the value, and what was expected.
pub(super) fn judging(args: &EvaluatorsArgs, rules: &Rules) -> Result<Judging, EvaluatorsError> {
    let &EvaluatorsArgs { evaluator, ref net, lambda, selection, .. } = args;
    let asked = evaluator.unwrap_or(EvaluatorArg::Auto);
    if let Some(lambda) = lambda.filter(|lambda| !(0.0..=1.0).contains(lambda)) {
        return Err(EvaluatorsError::Lambda(lambda));
    }
    if let Some(judging) = katago::judging(args, rules)? {
        return Ok(judging);
    }
    let kind = rules.kind();
    let mut found = Found::default();
    match (asked, net) {
        (EvaluatorArg::Playouts, _) => {}
        (EvaluatorArg::Patterns, Some(_)) => return Err(EvaluatorsError::NetOfPatterns),
        (EvaluatorArg::Patterns, None) => {
            found.add_patterns(kind);
            if found.judges.is_empty() {
                return Err(EvaluatorsError::NoPatterns(kind));
            }
        }
        (_, Some(file)) => found.read(file, kind)?,
        (EvaluatorArg::Net, None) => found.add_built_in(kind, is_seen),
        (_, None) => found.add_built_in(kind, is_learned),
    }
    // Where a network has not learned, and nobody asks for it alone.
    match asked {
        EvaluatorArg::Auto if statics::leads(kind) => found.add_patterns(kind),
        EvaluatorArg::Mixed => {
            found.add_patterns(kind);
            found.add_built_in(kind, is_seen);
        }
        _ => {}
    }
    let Found { evaluators, judges, models } = found;
    if judges.is_empty() && matches!(asked, EvaluatorArg::Net | EvaluatorArg::Mixed) {
        return Err(EvaluatorsError::NoNet(kind));
    }
    // Whoever was named is not given up for another without a word, but where rules change later.
    let is_named = match asked {
        EvaluatorArg::Playouts => false,
        EvaluatorArg::Net => true,
        _ => net.is_some(),
    };
    let first = if is_named { &judges[..judges.len().min(1)] } else { &judges[..] };
    if judges::first(first, rules).is_none() {
        if is_named || asked == EvaluatorArg::Mixed {
            return Err(EvaluatorsError::Board(size_of(rules)));
        }
        if let Some(lambda) = lambda {
            return Err(EvaluatorsError::LambdaOfPlayouts(lambda));
        }
    }
    let unasked = if asked == EvaluatorArg::Mixed { MIXED_LAMBDA } else { 1.0 };
    let lambda = lambda.unwrap_or(unasked);
    let judging =
        Judging { evaluators, evaluator: None, judges, models, katago: None, lambda, selection };
    Ok(judging.under(rules))
}

/// Evaluators made ready, where each is asked, and their files.
#[derive(Default)]
struct Found {
    evaluators: Evaluators,
    judges: Vec<Judge>,
    models: ModelFiles,
}

/// Boards and rules that the network of this program has learned.
fn is_learned(network: &Network) -> Reach {
    let (least, most) = network.about().sides;
    Reach::Learned(least as u8..=most as u8)
}

/// All that a network sees.
fn is_seen(_: &Network) -> Reach {
    Reach::SEEN
}

impl Found {
    /// The static evaluation that is part of this program, if there is one.
    fn add_patterns(&mut self, kind: Kind) {
        let digest = statics::add_static(&mut self.evaluators, kind);
        self.judges.extend(digest.map(|digest| Judge { digest, reach: Reach::All }));
    }

    /// The network that is part of this program, if there is one.
    fn add_built_in(&mut self, kind: Kind, reach: fn(&Network) -> Reach) {
        let Some(network) = network::built_in(kind) else { return };
        let is_there = self.judges.iter().any(|judge| judge.digest == network.digest());
        if is_there || network::add_network(&mut self.evaluators, &network).is_ok() {
            self.judges.push(Judge { digest: network.digest(), reach: reach(&network) });
            self.models.extend(models(&network));
        }
    }

    /// The network of a file.
    fn read(&mut self, file: &Path, wanted: Kind) -> Result<(), EvaluatorsError> {
        let (network, found) = add(file, &mut self.evaluators)?;
        if found != wanted {
            return Err(EvaluatorsError::Game { file: file.to_owned(), found, wanted });
        }
        self.judges.push(Judge { digest: network.digest(), reach: Reach::SEEN });
        self.models.extend(models(&network));
        Ok(())
    }
}

/// The file of a network, for others; nothing where it cannot be written.
fn models(network: &Network) -> ModelFiles {
    let file = network.write().ok().map(|bytes| (network.digest(), bytes.into()));
    file.into_iter().collect()
}

/// Makes the network of a file one of those that judge; it and its game.
fn add(file: &Path, evaluators: &mut Evaluators) -> Result<(Network, Kind), EvaluatorsError> {
    let wrong = |why| EvaluatorsError::File { file: file.to_owned(), why };
    let network = Network::load(file).map_err(wrong)?;
    let kind = network::add_network(evaluators, &network)
        .map_err(|why| EvaluatorsError::Net { file: file.to_owned(), why })?;
    Ok((network, kind))
}

/// Networks of several games.
#[derive(Debug, Default)]
pub struct Networks {
    /// Made ready.
    pub evaluators: Evaluators,
    /// Their files, for workers that have them not.
    pub models: ModelFiles,
    /// The one of each game, and what it is asked about.
    pub of_games: BTreeMap<Kind, Judge>,
}

/// The networks of some files, of a game each, and those of this program for the other games.
///
/// # Errors
/// [`EvaluatorsError`] names the file and what is wrong with it.
pub fn networks(files: &[PathBuf]) -> Result<Networks, EvaluatorsError> {
    let mut all = Networks::default();
    for file in files {
        let (network, kind) = add(file, &mut all.evaluators)?;
        // Who names a file wants it, whatever it has learned on.
        let named = Judge { digest: network.digest(), reach: Reach::SEEN };
        if all.of_games.insert(kind, named).is_some() {
            return Err(EvaluatorsError::Second { file: file.clone(), kind });
        }
        all.models.extend(models(&network));
    }
    for kind in Kind::ALL {
        // Front ends and books may name it beside one of a file.
        if let Some(network) = network::built_in(kind)
            && all.evaluators.has(network.digest())
                | network::add_network(&mut all.evaluators, &network).is_ok()
        {
            let learned = Judge { digest: network.digest(), reach: is_learned(&network) };
            all.of_games.entry(kind).or_insert(learned);
            all.models.extend(models(&network));
        }
        statics::add_static(&mut all.evaluators, kind);
    }
    Ok(all)
}

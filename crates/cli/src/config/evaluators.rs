//! Judges of positions, as they were typed and as they are meant.

mod katago;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use banyan_games::{Game as _, Kind, Rules, Size, with_game};
use banyan_jobs::{Evaluators, ModelDigest, ModelFiles};
use banyan_katago::CommandLine;
use banyan_knowledge::evaluator::KATAGO;
use banyan_knowledge::network::{self, NetError};
use banyan_knowledge::{planes, statics};
use banyan_net::{FileError, Network};
use banyan_search::Parameters;
use banyan_web::board::BoardNetwork;
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
    #[error("no network for {0} is built in: expected --net FILE, or --evaluator playouts")]
    NoNet(Kind),
    /// No static evaluation.
    #[error("there is no static evaluation of {0}: expected --evaluator net or playouts")]
    NoPatterns(Kind),
    /// A network, and a static evaluation.
    #[error("--net with --evaluator patterns: expected one of both")]
    NetOfPatterns,
    /// Too small a board.
    #[error("networks judge boards of 7x7 to 25x25, not {}x{}: expected --evaluator playouts", .0.width, .0.height)]
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
    /// An evaluator that differs from machine to machine.
    #[error(
        "KataGo judges in floating point, which differs from machine to machine: \
         --reproducible is for --evaluator net and playouts"
    )]
    Reproducible,
    /// No share.
    #[error("--lambda {0}: expected a share from 0 to 1")]
    Lambda(f32),
    /// A share of an evaluator that is not asked.
    #[error("--lambda {0} with --evaluator playouts: expected --evaluator net or mixed")]
    LambdaOfPlayouts(f32),
}

/// Judges of positions.
#[derive(Clone, Debug)]
pub struct Judging {
    /// Those of this process.
    pub evaluators: Evaluators,
    /// The one that is asked.
    pub evaluator: Option<ModelDigest>,
    /// Its file, for workers that have it not.
    pub models: ModelFiles,
    /// Command that starts KataGo beside them.
    pub katago: Option<CommandLine>,
    /// Its share.
    lambda: f32,
    selection: Option<SelectionArg>,
}

impl Judging {
    fn by_playouts(selection: Option<SelectionArg>) -> Judging {
        Judging {
            evaluators: Evaluators::default(),
            models: ModelFiles::default(),
            evaluator: None,
            katago: None,
            lambda: 0.0,
            selection,
        }
    }

    /// Returns the name of the judge, as answers say it.
    pub fn name(&self) -> &'static str {
        match self.evaluator {
            None => "playouts",
            Some(_) if self.lambda < 1.0 => "mixed",
            Some(KATAGO) => "katago",
            Some(digest) if statics::is_static(digest) => statics::NAME,
            Some(_) => "net",
        }
    }

    /// Tells whether a network is asked.
    pub(super) fn is_by_network(&self) -> bool {
        self.evaluator.is_some_and(|digest| !statics::is_static(digest))
    }

    /// The parameters of a search that is judged so.
    pub(super) fn tuned(&self, parameters: Parameters) -> Parameters {
        let unasked =
            if self.evaluator.is_some() { SelectionArg::Puct } else { SelectionArg::Rave };
        let puct = self.selection.unwrap_or(unasked) == SelectionArg::Puct;
        Parameters { lambda: self.lambda, puct, ..parameters }
    }
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
    let board = with_game!(rules, G, rules => G::new(rules).size());
    let found = match (asked, net) {
        (EvaluatorArg::Playouts, _) => None,
        (EvaluatorArg::Patterns, Some(_)) => return Err(EvaluatorsError::NetOfPatterns),
        (EvaluatorArg::Patterns, None) => Some(of_patterns(rules.kind())?),
        (_, Some(file)) => Some(read(file, rules.kind())?),
        (EvaluatorArg::Auto, None) => leading(rules, board)?,
        (EvaluatorArg::Mixed, None) => {
            built_in(rules.kind(), None).or_else(|| of_patterns(rules.kind()).ok())
        }
        (_, None) => built_in(rules.kind(), None),
    };
    let is_network = |&(_, digest, _): &Found| !statics::is_static(digest);
    if found.as_ref().is_some_and(is_network) && !planes::is_board(board) {
        return Err(EvaluatorsError::Board(board));
    }
    let Some((evaluators, digest, models)) = found else {
        return match (asked, lambda) {
            (EvaluatorArg::Net | EvaluatorArg::Mixed, _) => {
                Err(EvaluatorsError::NoNet(rules.kind()))
            }
            (_, Some(lambda)) => Err(EvaluatorsError::LambdaOfPlayouts(lambda)),
            (_, None) => Ok(Judging::by_playouts(selection)),
        };
    };
    let unasked = if asked == EvaluatorArg::Mixed { MIXED_LAMBDA } else { 1.0 };
    let lambda = lambda.unwrap_or(unasked);
    // Whose word counts for nothing is not asked.
    let evaluator = Some(digest).filter(|_| lambda > 0.0);
    Ok(Judging { evaluators, evaluator, models, katago: None, lambda, selection })
}

/// Who judges where nobody says: a network that has learned these rules and this board, else the static evaluation of a
/// game in which a tree is better by it than by playouts.
fn leading(rules: &Rules, board: Size) -> Result<Option<Found>, EvaluatorsError> {
    let kind = rules.kind();
    let learned = if network::is_learned(rules) { built_in(kind, Some(board)) } else { None };
    match learned {
        None if statics::leads(kind) => of_patterns(kind).map(Some),
        found => Ok(found),
    }
}

/// An evaluator made ready, its digest, and its file where it has one.
type Found = (Evaluators, ModelDigest, ModelFiles);

/// The static evaluation that is part of this program.
fn of_patterns(kind: Kind) -> Result<Found, EvaluatorsError> {
    let mut evaluators = Evaluators::default();
    let digest = statics::add_static(&mut evaluators, kind);
    let digest = digest.ok_or(EvaluatorsError::NoPatterns(kind))?;
    Ok((evaluators, digest, ModelFiles::default()))
}

/// The file of a network, for others; nothing where it cannot be written.
fn models(network: &Network) -> ModelFiles {
    let file = network.write().ok().map(|bytes| (network.digest(), bytes.into()));
    file.into_iter().collect()
}

fn read(file: &Path, wanted: Kind) -> Result<Found, EvaluatorsError> {
    let mut evaluators = Evaluators::default();
    let (network, found) = add(file, &mut evaluators)?;
    if found != wanted {
        return Err(EvaluatorsError::Game { file: file.to_owned(), found, wanted });
    }
    Ok((evaluators, network.digest(), models(&network)))
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
    /// The one of each game, and the boards that it judges.
    pub of_games: BTreeMap<Kind, BoardNetwork>,
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
        let named = BoardNetwork { digest: network.digest(), learned_on: None };
        if all.of_games.insert(kind, named).is_some() {
            return Err(EvaluatorsError::Second { file: file.clone(), kind });
        }
        all.models.extend(models(&network));
    }
    for kind in Kind::ALL {
        let network = network::built_in(kind).filter(|_| !all.of_games.contains_key(&kind));
        if let Some(network) = network
            && network::add_network(&mut all.evaluators, &network).is_ok()
        {
            let (least, most) = network.about().sides;
            let learned_on = Some(least as u16..=most as u16);
            all.of_games.insert(kind, BoardNetwork { digest: network.digest(), learned_on });
            all.models.extend(models(&network));
        }
        statics::add_static(&mut all.evaluators, kind);
    }
    Ok(all)
}

/// The network that is part of this program.
///
/// - `board`: one that it must have learned on.
fn built_in(kind: Kind, board: Option<Size>) -> Option<Found> {
    let network = network::built_in(kind)?;
    let knows = |size: Size| network.about().knows(size.width.into(), size.height.into());
    if !board.is_none_or(knows) {
        return None;
    }
    let mut evaluators = Evaluators::default();
    network::add_network(&mut evaluators, &network).ok()?;
    Some((evaluators, network.digest(), models(&network)))
}

//! From the wire to jobs. Any bytes give a message within the limits or a [`WireError`], never a
//! panic.
//!
//! Reading order: `batch` (what is asked of a worker), `tally` (what came of it), here roots and messages.

mod batch;

mod tally;

use std::sync::Arc;
use std::time::Duration;

use banyan_games::connect6::Connect6Rules;
use banyan_games::go::GoRules;
use banyan_games::gomoku::{GomokuRules, Variant};
use banyan_games::hex::HexRules;
use banyan_games::othello::OthelloRules;
use banyan_games::{Color, Move, Rules, RulesError, Size};
use banyan_jobs::limits::{self, LimitError};
use banyan_jobs::{
    BatchId, Digest, Epoch, Evaluated, FromWorker, GameSupport, Growing, ModelPart, Offer, Profile,
    Root, RootId, SessionId, ToWorker, Usage,
};
use banyan_jobs::{Parameters, Proof};
use banyan_knowledge::{ModelDigest, Policy};

use crate::error::WireError;
use crate::wire;
use batch::lent;
use tally::tally;
use wire::from_worker::Message as Up;
use wire::to_worker::Message as Down;

/// A message from a worker.
///
/// # Errors
/// [`WireError`]; the connection should be closed with it.
pub fn from_worker(message: wire::FromWorker) -> Result<FromWorker, WireError> {
    Ok(match message.message.ok_or(WireError::Missing("content"))? {
        Up::Hello(found) => FromWorker::Hello(hello(found)?),
        Up::Tallies(wire::Tallies { tallies }) => {
            at_most("tallies in a message", tallies.len(), limits::TALLIES_PER_MESSAGE_MAX)?;
            FromWorker::Tallies(tallies.into_iter().map(tally).collect::<Result<_, _>>()?)
        }
        Up::Failed(wire::Failed { batch, reason }) => {
            FromWorker::Failed(BatchId(batch), text(&reason, 300))
        }
        Up::Pong(wire::Pong { nonce, cpu_ns, evaluations, evaluations_room }) => {
            let evaluated = Evaluated { count: evaluations, room: evaluations_room };
            FromWorker::Pong {
                nonce,
                usage: Usage { cpu: Duration::from_nanos(cpu_ns), evaluated },
            }
        }
        Up::Draining(wire::Draining {}) => FromWorker::Draining,
        Up::Want(wire::Want { digest, offset }) => FromWorker::Want(named_model(&digest)?, offset),
        Up::Offers(wire::Offers { evaluators }) => FromWorker::Offers(offers(evaluators)?),
        Up::Threads(wire::Threads { threads }) => FromWorker::Threads(self::threads(threads)?),
        Up::Unfit(wire::Unfit { digest, reason }) => {
            FromWorker::Unfit(named_model(&digest)?, text(&reason, 300))
        }
    })
}

/// A message from the coordinator.
///
/// # Errors
/// [`WireError`]; the connection should be closed with it.
pub fn to_worker(message: wire::ToWorker) -> Result<ToWorker, WireError> {
    Ok(match message.message.ok_or(WireError::Missing("content"))? {
        Down::Welcome(wire::Welcome {}) => ToWorker::Welcome,
        Down::Refused(wire::Refused { reason }) => ToWorker::Refused(text(&reason, 300)),
        Down::Root(found) => ToWorker::Root(Arc::new(root(found)?)),
        Down::Lend(wire::Lend { batches }) => {
            at_most("batches in a message", batches.len(), limits::BATCHES_PER_MESSAGE_MAX)?;
            ToWorker::Lend(batches.into_iter().map(lent).collect::<Result<_, _>>()?)
        }
        Down::Drop(wire::Drop { batches }) => {
            at_most("batches in a message", batches.len(), limits::BATCHES_PER_MESSAGE_MAX)?;
            ToWorker::Drop(batches.into_iter().map(BatchId).collect())
        }
        Down::Forget(id) => ToWorker::Forget(root_id(id)),
        Down::Ping(wire::Ping { nonce }) => ToWorker::Ping(nonce),
        Down::Released(wire::Released {}) => ToWorker::Released,
        Down::Farewell(wire::Farewell {}) => ToWorker::Farewell,
        Down::Need(wire::Need { digest }) => ToWorker::Need(named_model(&digest)?),
        Down::Part(wire::ModelPart { digest, offset, total, bytes }) => {
            at_most("bytes of a part of a model", bytes.len(), limits::MODEL_PART_BYTES_MAX)?;
            let digest = named_model(&digest)?;
            ToWorker::Part(ModelPart { digest, offset, total, bytes: bytes.into() })
        }
    })
}

fn hello(hello: wire::Hello) -> Result<Profile, WireError> {
    let wire::Hello { name, threads, build, protocol, games, evaluators, spreads } = hello;
    at_most("games in a hello", games.len(), limits::GAMES_MAX)?;
    let game = |support: wire::GameSupport| {
        let wire::GameSupport { name, fingerprint, models } = support;
        let name = text(&name, limits::NAME_CHARS_MAX);
        GameSupport { name, fingerprint, models: Digest(models) }
    };
    Ok(Profile {
        name: text(&name, limits::NAME_CHARS_MAX),
        threads: self::threads(threads)?,
        build: text(&build, limits::NAME_CHARS_MAX),
        protocol,
        games: games.into_iter().map(game).collect(),
        evaluators: offers(evaluators)?,
        spreads,
    })
}

fn threads(threads: u32) -> Result<u32, WireError> {
    at_most("threads", threads as usize, limits::THREADS_MAX as usize)?;
    if threads == 0 { Err(WireError::Missing("thread")) } else { Ok(threads) }
}

fn offers(offers: Vec<wire::Offer>) -> Result<Vec<Offer>, WireError> {
    at_most("evaluators of a worker", offers.len(), limits::EVALUATORS_MAX)?;
    offers.into_iter().map(offer).collect()
}

fn named_model(digest: &[u8]) -> Result<ModelDigest, WireError> {
    model_digest(digest)?.ok_or(WireError::Missing("digest of a model"))
}

fn offer(offer: wire::Offer) -> Result<Offer, WireError> {
    let wire::Offer { game, digest, name } = offer;
    Ok(Offer {
        game: text(&game, limits::NAME_CHARS_MAX),
        digest: named_model(&digest)?,
        name: text(&name, limits::NAME_CHARS_MAX),
    })
}

fn root_id(id: wire::RootId) -> RootId {
    let wire::RootId { session, epoch } = id;
    RootId { session: SessionId(session), epoch: Epoch(epoch) }
}

pub(crate) fn root(root: wire::Root) -> Result<Root, WireError> {
    let wire::Root {
        id,
        rules,
        setup,
        plies,
        first,
        side_to_move,
        parameters,
        tree_seed,
        models,
        evaluator,
    } = root;
    at_most("setup stones", setup.len(), Size::AREA_MAX)?;
    at_most("plies of a root", plies.len(), limits::ROOT_PLIES_MAX)?;
    Ok(Root {
        id: root_id(id.ok_or(WireError::Missing("root id"))?),
        rules: wire_rules(rules.ok_or(WireError::Missing("rules"))?)?,
        setup: setup.into_iter().map(stone).collect::<Result<_, _>>()?,
        first: color(first)?,
        plies: plies.into_iter().map(stone).collect::<Result<_, _>>()?,
        side_to_move: color(side_to_move)?,
        growing: Growing {
            parameters: Parameters::from_values(&parameters)?,
            seed: tree_seed,
            evaluator: model_digest(&evaluator)?,
        },
        models: Digest(models),
    })
}

/// A digest of 32 bytes, or none.
fn model_digest(bytes: &[u8]) -> Result<Option<ModelDigest>, WireError> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let wrong = |_| LimitError::Unequal {
        what: "bytes of a digest",
        found: bytes.len() as u64,
        expected: 32,
    };
    Ok(Some(ModelDigest(bytes.try_into().map_err(wrong)?)))
}

fn wire_rules(rules: wire::Rules) -> Result<Rules, WireError> {
    use wire::rules::Game;
    Ok(match rules.game.ok_or(WireError::Missing("game"))? {
        Game::Go(wire::GoRules { size, komi_half_points }) => {
            let komi = i16::try_from(komi_half_points)
                .map_err(|_| RulesError::Komi(f64::from(komi_half_points).to_string()))?;
            GoRules::new(size, komi)?.into()
        }
        Game::Othello(wire::OthelloRules {}) => OthelloRules.into(),
        Game::Gomoku(wire::GomokuRules { width, height, variant }) => {
            GomokuRules::new(width, height, gomoku_variant(variant)?)?.into()
        }
        Game::Connect6(wire::Connect6Rules { size }) => Connect6Rules::new(size)?.into(),
        Game::Hex(wire::HexRules { size }) => HexRules::new(size)?.into(),
    })
}

fn gomoku_variant(variant: i32) -> Result<Variant, WireError> {
    match wire::GomokuVariant::try_from(variant) {
        Ok(wire::GomokuVariant::Freestyle) => Ok(Variant::Freestyle),
        Ok(wire::GomokuVariant::Standard) => Ok(Variant::Standard),
        Ok(wire::GomokuVariant::Renju) => Ok(Variant::Renju),
        Err(_) => Err(WireError::Unknown { what: "variant of Gomoku", found: variant.into() }),
    }
}

fn color(color: i32) -> Result<Color, WireError> {
    match wire::Color::try_from(color) {
        Ok(wire::Color::Black) => Ok(Color::Black),
        Ok(wire::Color::White) => Ok(Color::White),
        Err(_) => Err(WireError::Unknown { what: "color", found: color.into() }),
    }
}

fn stone(packed: u32) -> Result<(Color, Move), WireError> {
    let color = if packed & 1 == 0 { Color::Black } else { Color::White };
    Ok((color, one_move(packed / 2)?))
}

pub(crate) fn policy(policy: i32) -> Result<Policy, WireError> {
    match wire::Policy::try_from(policy) {
        Ok(wire::Policy::Uniform) => Ok(Policy::Uniform),
        Ok(wire::Policy::Heavy) => Ok(Policy::Heavy),
        Err(_) => Err(WireError::Unknown { what: "policy", found: policy.into() }),
    }
}

pub(crate) fn one_move(number: u32) -> Result<Move, WireError> {
    let unknown = |_| WireError::Unknown { what: "move", found: number.into() };
    u16::try_from(number).map(Move).map_err(unknown)
}

pub(crate) fn proof(bits: u8) -> Result<Proof, WireError> {
    match bits {
        0..=3 => Ok(Proof::from_bits(bits)),
        _ => Err(WireError::Unknown { what: "proof", found: bits.into() }),
    }
}

/// Within a limit on what is held in memory.
pub(crate) fn at_most(what: &'static str, found: usize, max: usize) -> Result<(), LimitError> {
    limits::at_most(what, found as u64, max as u64)
}

fn exactly(what: &'static str, found: usize, expected: usize) -> Result<(), LimitError> {
    limits::equal(what, found as u64, expected as u64)
}

/// The text of a stranger, cut to a length and without control characters.
pub(crate) fn text(text: &str, chars_max: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(chars_max).collect()
}

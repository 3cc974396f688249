//! From the wire to jobs. Any bytes give a message within the limits or a [`WireError`], never a
//! panic.

use std::sync::Arc;
use std::time::Duration;

use banyan_games::connect6::Connect6Rules;
use banyan_games::counts::Asked;
use banyan_games::go::GoRules;
use banyan_games::gomoku::{GomokuRules, Variant};
use banyan_games::hex::HexRules;
use banyan_games::othello::OthelloRules;
use banyan_games::{Amaf, Color, Counts, Move, Rules, RulesError, Size};
use banyan_jobs::limits::{self, LimitError};
use banyan_jobs::sums::MARGIN_MAX;
use banyan_jobs::{
    Alone, Answer, Attempt, Batch, BatchId, Bound, Depths, Digest, Epoch, Evaluate, Evaluated,
    FromWorker, GameSupport, Grow, Growing, Job, Judged, Lent, ModelPart, Offer, Play, PlayedGame,
    Playouts, Practice, Practise, Profile, Root, RootId, SessionId, Solve, Solved, Sought, Spread,
    Tally, ToWorker, Trial, Tried, Usage, Wanted,
};
use banyan_jobs::{Bounds, INFINITE, Known, Parameters, Proof, Siblings, Subtree};
use banyan_knowledge::evaluator::{SCORE_ONE, VALUE_ONE};
use banyan_knowledge::{Chance, Judgement, ModelDigest, Policy};

use crate::error::WireError;
use crate::numbers::{Number, unpack};
use crate::wire;
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
            ToWorker::Part(ModelPart { digest: named_model(&digest)?, offset, total, bytes })
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

fn lent(batch: wire::Batch) -> Result<Lent, WireError> {
    let wire::Batch { id, root, attempt, path, job } = batch;
    at_most("plies of a path", path.len(), limits::PATH_PLIES_MAX)?;
    let batch = Batch {
        id: BatchId(id),
        root: root_id(root.ok_or(WireError::Missing("root id"))?),
        path: path.into_iter().map(one_move).collect::<Result<_, _>>()?,
        job: self::job(job.ok_or(WireError::Missing("job"))?)?,
    };
    Ok(Lent { batch: Arc::new(batch), attempt: Attempt(attempt) })
}

fn job(job: wire::batch::Job) -> Result<Job, WireError> {
    use wire::batch::Job as From;
    Ok(match job {
        From::LeafParallel(asked) => Job::LeafParallel(playouts(asked)?),
        From::Subtree(asked) => Job::Subtree(grow(asked)?),
        From::Solve(subproblem) => Job::Solve(solve(subproblem)?),
        From::Evaluate(wire::Evaluate { ownership }) => Job::Evaluate(Evaluate { ownership }),
        From::Play(asked) => Job::Play(play(asked)?),
        From::Try(asked) => Job::Try(trial(asked)?),
        From::Practise(asked) => Job::Practise(practise(asked)?),
    })
}

fn play(play: wire::Play) -> Result<Play, WireError> {
    let wire::Play { seed, games, full, short, decided, full_permille, judged, cost } = play;
    at_most("games of a batch", games as usize, limits::GAMES_PER_BATCH_MAX as usize)?;
    if games == 0 {
        return Err(WireError::Missing("game"));
    }
    for visits in [full, short, decided] {
        at_most("visits of a search", visits as usize, limits::SELFPLAY_VISITS_MAX as usize)?;
        if visits == 0 {
            return Err(WireError::Missing("visit"));
        }
    }
    at_most("full searches of a thousand", full_permille as usize, 1000)?;
    playouts_of_a_batch(cost)?;
    let depths = Depths { full, short, decided, full_permille };
    Ok(Play { wanted: Wanted { seed, games, depths }, judged, cost })
}

fn trial(asked: wire::Try) -> Result<Trial, WireError> {
    let wire::Try { rule, alone, completions, seed } = asked;
    at_most("bytes of a rule", rule.len(), limits::RULE_BYTES_MAX)?;
    let most = limits::COMPLETIONS_PER_TRIAL_MAX as usize;
    at_most("completions of a trial", completions as usize, most)?;
    Ok(Trial { rule, alone, completions, seed })
}

fn practise(asked: wire::Practise) -> Result<Practise, WireError> {
    let wire::Practise { seed, games, plies, solve_from, evaluation, judged, cost } = asked;
    at_most("games of a batch", games as usize, limits::GAMES_PER_BATCH_MAX as usize)?;
    at_most("plies of a search", plies as usize, limits::PRACTICE_PLIES_MAX as usize)?;
    at_most("empty points to solve", solve_from as usize, limits::PRACTICE_SOLVE_MAX as usize)?;
    for (count, what) in [(games, "game"), (plies, "ply")] {
        if count == 0 {
            return Err(WireError::Missing(what));
        }
    }
    playouts_of_a_batch(cost)?;
    let practice = Practice { seed, games, plies, solve_from, evaluation };
    Ok(Practise { practice, judged, cost })
}

fn playouts(playouts: wire::Playouts) -> Result<Playouts, WireError> {
    let wire::Playouts { count, policy, seed, amaf, ownership } = playouts;
    playouts_of_a_batch(count)?;
    let policy = self::policy(policy)?;
    Ok(Playouts { count, policy, seed, asked: Asked { amaf, ownership } })
}

/// Some, and not too many.
fn playouts_of_a_batch(count: u32) -> Result<(), WireError> {
    at_most("playouts of a batch", count as usize, limits::PLAYOUTS_PER_BATCH_MAX as usize)?;
    if count == 0 { Err(WireError::Missing("playout")) } else { Ok(()) }
}

fn grow(grow: wire::Grow) -> Result<Grow, WireError> {
    let wire::Grow { playouts: asked, floor, known_visits: visits, known, judged, spread } = grow;
    let playouts = playouts(asked.ok_or(WireError::Missing("playout"))?)?;
    if floor == 0 {
        return Err(WireError::Missing("floor of visits"));
    }
    at_most("visits of a leaf", visits as usize, limits::KNOWN_VISITS_MAX as usize)?;
    let subtree = known.map(|known| subtree(known, visits)).transpose()?.unwrap_or_default();
    let spread = spread.map(self::spread).transpose()?;
    Ok(Grow { playouts, floor, known: Box::new(Known { visits, subtree }), judged, spread })
}

fn spread(spread: wire::Spread) -> Result<Spread, WireError> {
    let wire::Spread { parts, playouts } = spread;
    at_most("parts in flight", parts as usize, limits::PARTS_MAX as usize)?;
    playouts_of_a_batch(playouts)?;
    if parts == 0 { Err(WireError::Missing("part")) } else { Ok(Spread { parts, playouts }) }
}

fn solve(subproblem: wire::Solve) -> Result<Solve, WireError> {
    use wire::solve::Sought as From;
    let wire::Solve { alpha, beta, nodes_max, cost, sought } = subproblem;
    let bounds = Bounds { alpha, beta };
    let (sought, bound_max) = match sought.ok_or(WireError::Missing("kind of value"))? {
        From::Score(wire::Score {}) => (Sought::Score, limits::SCORE_BOUND_MAX),
        From::Value(wire::Value { evaluation, depth }) => {
            at_most("plies of a subproblem", depth as usize, limits::SOLVING_DEPTH_MAX as usize)?;
            (Sought::Value { evaluation, depth }, INFINITE)
        }
    };
    for end in [alpha, beta] {
        at_most("bounds of a subproblem", end.unsigned_abs() as usize, bound_max as usize)?;
    }
    if alpha >= beta {
        return Err(WireError::EmptyBounds { alpha, beta });
    }
    at_most("positions of a subproblem", nodes_max as usize, limits::SOLVING_NODES_MAX as usize)?;
    playouts_of_a_batch(cost)?;
    Ok(Solve { sought, bounds, nodes_max, cost })
}

fn solved(answer: wire::Solved) -> Result<Solved, WireError> {
    let wire::Solved { bound, value, nodes } = answer;
    at_most("value", value.unsigned_abs() as usize, INFINITE as usize)?;
    let bound = match wire::Bound::try_from(bound) {
        Ok(wire::Bound::Unknown) => Bound::Unknown,
        Ok(wire::Bound::Exact) => Bound::Exact(value),
        Ok(wire::Bound::AtLeast) => Bound::AtLeast(value),
        Ok(wire::Bound::AtMost) => Bound::AtMost(value),
        Err(_) => return Err(WireError::Unknown { what: "bound", found: bound.into() }),
    };
    Ok(Solved { bound, nodes })
}

fn tally(tally: wire::Tally) -> Result<Tally, WireError> {
    use wire::tally::Answer as From;
    let wire::Tally { batch, answer } = tally;
    let answer = match answer.ok_or(WireError::Missing("answer"))? {
        From::Counts(sums) => Answer::Counts(counts(sums)?),
        From::Subtree(wire::SubtreeCounts { counts: sums, subtree: below }) => {
            let counts = counts(sums.ok_or(WireError::Missing("counts"))?)?;
            let below = below.ok_or(WireError::Missing("subtree"))?;
            let below = subtree(below, counts.playouts())?;
            Answer::Subtree(counts, Box::new(below))
        }
        From::Solved(found) => Answer::Solved(solved(found)?),
        From::Judged(judgement) => Answer::Judged(judged(judgement)?),
        From::Played(games) => Answer::Played(played(&games)?),
        From::Tried(found) => Answer::Tried(tried(found)?),
        From::Practised(wire::Practised { games }) => {
            at_most("bytes of games", games.len(), limits::PRACTICE_BYTES_MAX)?;
            Answer::Practised(games)
        }
    };
    Ok(Tally { batch: BatchId(batch), answer })
}

fn played(played: &wire::Played) -> Result<Vec<PlayedGame>, WireError> {
    at_most("games of a batch", played.games.len(), limits::GAMES_PER_BATCH_MAX as usize)?;
    let unread = |why: serde_json::Error| WireError::Game(why.to_string());
    let game = |text: &String| serde_json::from_str(text).map_err(unread);
    played.games.iter().map(game).collect()
}

fn tried(tried: wire::Tried) -> Result<Tried, WireError> {
    let wire::Tried { alone, proof, agreed, contradicted, open } = tried;
    at_most("bytes of a proof", proof.len(), limits::PROOF_BYTES_MAX)?;
    let most = limits::COMPLETIONS_PER_TRIAL_MAX as usize;
    for count in [agreed, contradicted, open] {
        at_most("completions of a trial", count as usize, most)?;
    }
    let unknown = |_| WireError::Unknown { what: "proof of a rule alone", found: alone.into() };
    let alone = match wire::Alone::try_from(alone).map_err(unknown)? {
        wire::Alone::Unasked => Alone::Unasked,
        wire::Alone::Unproven => Alone::Unproven,
        wire::Alone::Contradicted => Alone::Contradicted,
        wire::Alone::Proven => Alone::Proven(proof),
    };
    Ok(Tried { alone, judged: Judged { agreed, contradicted, open } })
}

fn judged(judgement: wire::Judged) -> Result<Judgement, WireError> {
    let wire::Judged { value, policy, score, ownership } = judgement;
    at_most("value of a judgement", value as usize, VALUE_ONE.into())?;
    at_most("moves of a policy", policy.len(), Size::AREA_MAX + 1)?;
    at_most("points with owners", ownership.len(), Size::AREA_MAX)?;
    let score_max = SCORE_ONE as usize * MARGIN_MAX as usize;
    at_most("score", score.unwrap_or(0).unsigned_abs() as usize, score_max)?;
    Ok(Judgement {
        value: value as u16,
        policy: policy.into_iter().map(Chance).collect(),
        score,
        ownership: ownership.into_iter().map(u8::cast_signed).collect(),
    })
}

fn counts(counts: wire::Counts) -> Result<Counts, WireError> {
    let wire::Counts {
        wins,
        draws,
        losses,
        margin_sum,
        plies,
        amaf_visits,
        amaf_half_wins,
        ownership,
    } = counts;
    let playouts = [wins, draws, losses].into_iter().map(u64::from).sum::<u64>();
    at_most("playouts of a tally", playouts as usize, limits::PLAYOUTS_PER_BATCH_MAX as usize)?;
    at_most("margin sum", margin_sum.unsigned_abs() as usize, (playouts * MARGIN_MAX) as usize)?;
    let amaf_visits = unpack("number of AMAF entries", &amaf_visits, 2 * Size::AREA_MAX)?;
    let amaf_half_wins = unpack("number of AMAF entries", &amaf_half_wins, 2 * Size::AREA_MAX)?;
    at_most("points with owners", ownership.len(), Size::AREA_MAX)?;
    for (&visits, &half_wins) in amaf_visits.iter().zip(&amaf_half_wins) {
        at_most("playouts of an AMAF entry", visits as usize, playouts as usize)?;
        at_most("half wins of an AMAF entry", half_wins as usize, 2 * visits as usize)?;
    }
    for &held in &ownership {
        at_most("playouts of an owner", held.unsigned_abs() as usize, playouts as usize)?;
    }
    if amaf_visits.len() != amaf_half_wins.len() {
        return Err(WireError::Missing("AMAF entry"));
    }
    let amaf = Amaf { visits: amaf_visits, half_wins: amaf_half_wins };
    let amaf = (!amaf.visits.is_empty()).then_some(amaf);
    let ownership = (!ownership.is_empty()).then_some(ownership);
    Ok(Counts { wins, draws, losses, margin_sum, plies, amaf, ownership })
}

/// A list with a number for each child.
fn for_each_child<N: Number>(bytes: &[u8], children: usize) -> Result<Vec<N>, WireError> {
    let list = unpack("number of children", bytes, children)?;
    exactly("children of a subtree", list.len(), children)?;
    Ok(list)
}

fn subtree(subtree: wire::Subtree, playouts: u32) -> Result<Subtree, WireError> {
    let wire::Subtree {
        parents,
        sizes,
        moves,
        visits,
        half_wins,
        amaf_visits,
        amaf_half_wins,
        proofs,
        mut priors,
        judged,
        leaf_judged,
    } = subtree;
    at_most("groups of siblings", parents.len(), limits::GROUPS_MAX)?;
    let groups = groups(&parents, &sizes)?;
    let children = groups.iter().map(|siblings| usize::from(siblings.children)).sum();
    let moves: Vec<u32> = for_each_child(&moves, children)?;
    let visits = for_each_child(&visits, children)?;
    let half_wins = for_each_child(&half_wins, children)?;
    let amaf_visits = for_each_child(&amaf_visits, children)?;
    let amaf_half_wins = for_each_child(&amaf_half_wins, children)?;
    let judged: Vec<u64> = for_each_child(&judged, children)?;
    for (visits, half_wins) in [(&visits, &half_wins), (&amaf_visits, &amaf_half_wins)] {
        for (&visits, &half_wins) in visits.iter().zip(half_wins) {
            at_most("visits of a child", visits as usize, playouts as usize)?;
            at_most("half wins of a child", half_wins as usize, 2 * visits as usize)?;
        }
    }
    passed_through(&groups, &visits, playouts)?;
    let moves = moves.into_iter().map(one_move).collect::<Result<_, _>>()?;
    let proofs = match proofs.len() {
        0 => vec![Proof::Open; children],
        found => {
            exactly("proofs of a subtree", found, children)?;
            proofs.into_iter().map(proof).collect::<Result<_, _>>()?
        }
    };
    if !priors.is_empty() {
        exactly("priors of a subtree", priors.len(), children)?;
    }
    priors.resize(children, 0);
    let sums = judged.iter().zip(&visits).map(|(&sum, &visits)| (sum, visits));
    for (sum, visits) in sums.chain([(leaf_judged, playouts)]) {
        let most = u64::from(visits) * u64::from(VALUE_ONE);
        limits::at_most("sum of evaluations", sum, most)?;
    }
    Ok(Subtree {
        groups,
        moves,
        visits,
        half_wins,
        amaf_visits,
        amaf_half_wins,
        proofs,
        priors,
        judged,
        leaf_judged,
    })
}

/// Groups of siblings of which each but the first has a parent among the children before it.
fn groups(parents: &[u32], sizes: &[u32]) -> Result<Vec<Siblings>, WireError> {
    exactly("sizes of groups of siblings", sizes.len(), parents.len())?;
    let mut groups = Vec::with_capacity(parents.len());
    let mut before = 0;
    for (&parent, &size) in parents.iter().zip(sizes) {
        let children = u64::from(size / 4);
        if children == 0 {
            return Err(WireError::Missing("number of siblings"));
        }
        at_most("children of siblings", children as usize, Size::AREA_MAX + 1)?;
        at_most("parent of siblings", parent as usize, before)?;
        if (parent == 0) != groups.is_empty() {
            return Err(WireError::Unknown { what: "parent of siblings", found: parent.into() });
        }
        let side = if size & 1 == 0 { Color::Black } else { Color::White };
        groups.push(Siblings {
            parent: parent.checked_sub(1),
            side,
            children: children as u16,
            is_partial: size & 2 != 0,
        });
        before += children as usize;
    }
    Ok(groups)
}

/// Checks that every playout of a child passed through its parent, and through the root first.
fn passed_through(groups: &[Siblings], visits: &[u32], root: u32) -> Result<(), WireError> {
    let mut first = 0;
    for siblings in groups {
        let children = &visits[first..first + usize::from(siblings.children)];
        first += children.len();
        let parent = siblings.parent.map_or(root, |child| visits[child as usize]);
        let sum: u64 = children.iter().map(|&visits| u64::from(visits)).sum();
        at_most("visits of siblings", sum as usize, parent as usize)?;
    }
    Ok(())
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

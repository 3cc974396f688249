//! From jobs to the wire. Structs are taken apart completely, so that a new field must be handled.

use banyan_games::counts::Asked;
use banyan_games::{Amaf, Color, Counts, Move, Rules, gomoku};
use banyan_jobs::{
    Alone, Answer, Batch, Bound, Depths, Evaluate, FromWorker, GameSupport, Grow, Growing, Job,
    Judged, Label, Labelling, Lent, ModelPart, Offer, Play, PlayedGame, Playouts, Practice,
    Practise, Profile, Root, RootId, Solve, Solved, Sought, Spread, Tally, ToWorker, Trial, Tried,
    Usage, Wanted,
};
use banyan_jobs::{Bounds, Known, Proof, Siblings, Subtree};
use banyan_knowledge::{Chance, Judgement, ModelDigest, Policy};

use crate::numbers::pack;
use crate::wire;
use wire::from_worker::Message as Up;
use wire::to_worker::Message as Down;

/// A message to the coordinator.
pub fn from_worker(message: FromWorker) -> wire::FromWorker {
    let message = match message {
        FromWorker::Hello(profile) => Up::Hello(hello(profile)),
        FromWorker::Tallies(tallies) => {
            Up::Tallies(wire::Tallies { tallies: tallies.into_iter().map(tally).collect() })
        }
        FromWorker::Failed(batch, reason) => Up::Failed(wire::Failed { batch: batch.0, reason }),
        FromWorker::Pong { nonce, usage: Usage { cpu, evaluated } } => Up::Pong(wire::Pong {
            nonce,
            cpu_ns: cpu.as_nanos() as u64,
            evaluations: evaluated.count,
            evaluations_room: evaluated.room,
        }),
        FromWorker::Draining => Up::Draining(wire::Draining {}),
        FromWorker::Want(ModelDigest(digest), offset) => {
            Up::Want(wire::Want { digest: digest.to_vec(), offset })
        }
        FromWorker::Offers(offers) => {
            Up::Offers(wire::Offers { evaluators: offers.into_iter().map(offer).collect() })
        }
        FromWorker::Threads(threads) => Up::Threads(wire::Threads { threads }),
        FromWorker::Unfit(ModelDigest(digest), reason) => {
            Up::Unfit(wire::Unfit { digest: digest.to_vec(), reason })
        }
    };
    wire::FromWorker { message: Some(message) }
}

/// A message to a worker.
pub fn to_worker(message: ToWorker) -> wire::ToWorker {
    let message = match message {
        ToWorker::Welcome => Down::Welcome(wire::Welcome {}),
        ToWorker::Refused(reason) => Down::Refused(wire::Refused { reason }),
        ToWorker::Root(position) => Down::Root(root(&position)),
        ToWorker::Lend(lent) => {
            Down::Lend(wire::Lend { batches: lent.iter().map(batch).collect() })
        }
        ToWorker::Forget(id) => Down::Forget(root_id(id)),
        ToWorker::Ping(nonce) => Down::Ping(wire::Ping { nonce }),
        ToWorker::Drop(batches) => {
            Down::Drop(wire::Drop { batches: batches.into_iter().map(|batch| batch.0).collect() })
        }
        ToWorker::Released => Down::Released(wire::Released {}),
        ToWorker::Farewell => Down::Farewell(wire::Farewell {}),
        ToWorker::Need(ModelDigest(digest)) => Down::Need(wire::Need { digest: digest.to_vec() }),
        ToWorker::Part(ModelPart { digest: ModelDigest(digest), offset, total, bytes }) => {
            let (digest, bytes) = (digest.to_vec(), bytes.to_vec());
            Down::Part(wire::ModelPart { digest, offset, total, bytes })
        }
    };
    wire::ToWorker { message: Some(message) }
}

fn hello(profile: Profile) -> wire::Hello {
    let Profile { name, threads, build, protocol, games, evaluators, spreads } = profile;
    let game = |support: GameSupport| {
        let GameSupport { name, fingerprint, models } = support;
        wire::GameSupport { name, fingerprint, models: models.0 }
    };
    wire::Hello {
        name,
        threads,
        build,
        protocol,
        games: games.into_iter().map(game).collect(),
        evaluators: evaluators.into_iter().map(offer).collect(),
        spreads,
    }
}

fn offer(offer: Offer) -> wire::Offer {
    let Offer { game, digest: ModelDigest(digest), name } = offer;
    wire::Offer { game, digest: digest.to_vec(), name }
}

fn root_id(id: RootId) -> wire::RootId {
    let RootId { session, epoch } = id;
    wire::RootId { session: session.0, epoch: epoch.0 }
}

pub(crate) fn root(root: &Root) -> wire::Root {
    let Root { id, rules, setup, first, plies, side_to_move, growing, models } = root;
    let Growing { parameters, seed, evaluator } = growing;
    wire::Root {
        id: Some(root_id(*id)),
        rules: Some(wire_rules(rules)),
        setup: setup.iter().map(stone).collect(),
        plies: plies.iter().map(stone).collect(),
        first: color(*first).into(),
        side_to_move: color(*side_to_move).into(),
        parameters: parameters.values().to_vec(),
        tree_seed: *seed,
        models: models.0,
        evaluator: evaluator.map(|ModelDigest(digest)| digest.to_vec()).unwrap_or_default(),
    }
}

fn wire_rules(rules: &Rules) -> wire::Rules {
    use wire::rules::Game;
    let game = match rules {
        Rules::Go(rules) => Game::Go(wire::GoRules {
            size: rules.size().into(),
            komi_half_points: rules.komi().into(),
        }),
        Rules::Othello(_) => Game::Othello(wire::OthelloRules {}),
        Rules::Gomoku(rules) => Game::Gomoku(wire::GomokuRules {
            width: rules.size().width.into(),
            height: rules.size().height.into(),
            variant: match rules.variant() {
                gomoku::Variant::Freestyle => wire::GomokuVariant::Freestyle,
                gomoku::Variant::Standard => wire::GomokuVariant::Standard,
                gomoku::Variant::Renju => wire::GomokuVariant::Renju,
            }
            .into(),
        }),
        Rules::Connect6(rules) => {
            Game::Connect6(wire::Connect6Rules { size: rules.size().width.into() })
        }
        Rules::Hex(rules) => Game::Hex(wire::HexRules { size: rules.size().width.into() }),
    };
    wire::Rules { game: Some(game) }
}

fn color(color: Color) -> wire::Color {
    match color {
        Color::Black => wire::Color::Black,
        Color::White => wire::Color::White,
    }
}

pub(crate) fn policy(policy: Policy) -> wire::Policy {
    match policy {
        Policy::Uniform => wire::Policy::Uniform,
        Policy::Heavy => wire::Policy::Heavy,
    }
}

fn stone(&(color, Move(mv)): &(Color, Move)) -> u32 {
    u32::from(mv) * 2 + color.index() as u32
}

fn batch(lent: &Lent) -> wire::Batch {
    let Lent { batch, attempt } = lent;
    let Batch { id, root, path, job } = &**batch;
    wire::Batch {
        id: id.0,
        root: Some(root_id(*root)),
        attempt: attempt.0,
        path: path.iter().map(|mv| mv.0.into()).collect(),
        job: Some(self::job(job)),
    }
}

fn job(job: &Job) -> wire::batch::Job {
    use wire::batch::Job as To;
    match job {
        Job::LeafParallel(asked) => To::LeafParallel(playouts(*asked)),
        Job::Subtree(asked) => To::Subtree(grow(asked)),
        Job::Solve(subproblem) => To::Solve(solve(*subproblem)),
        &Job::Evaluate(Evaluate { ownership }) => To::Evaluate(wire::Evaluate { ownership }),
        &Job::Play(asked) => To::Play(play(asked)),
        &Job::Practise(asked) => To::Practise(practise(asked)),
        &Job::Label(asked) => To::Label(label(asked)),
        Job::Try(Trial { rule, alone, completions, seed }) => To::Try(wire::Try {
            rule: rule.clone(),
            alone: *alone,
            completions: *completions,
            seed: *seed,
        }),
    }
}

fn play(Play { wanted, judged, cost }: Play) -> wire::Play {
    let Wanted { seed, games, depths } = wanted;
    let Depths { full, short, decided, full_permille } = depths;
    wire::Play { seed, games, full, short, decided, full_permille, judged, cost }
}

fn practise(Practise { practice, judged, cost }: Practise) -> wire::Practise {
    let Practice { seed, games, plies, solve_from, evaluation } = practice;
    wire::Practise { seed, games, plies, solve_from, evaluation, judged, cost }
}

fn label(Label { labelling, judged, cost }: Label) -> wire::Label {
    let Labelling { seed, count, from, evaluation } = labelling;
    wire::Label { seed, count, from, evaluation, judged, cost }
}

fn playouts(Playouts { count, policy, seed, asked }: Playouts) -> wire::Playouts {
    let Asked { amaf, ownership } = asked;
    wire::Playouts { count, policy: self::policy(policy).into(), seed, amaf, ownership }
}

fn grow(Grow { playouts: asked, floor, known, judged, spread }: &Grow) -> wire::Grow {
    let Known { visits, subtree: below } = &**known;
    wire::Grow {
        playouts: Some(playouts(*asked)),
        floor: *floor,
        known_visits: *visits,
        known: Some(subtree(below.clone())),
        judged: *judged,
        spread: spread.map(|Spread { parts, playouts }| wire::Spread { parts, playouts }),
    }
}

fn solve(Solve { sought, bounds, nodes_max, cost }: Solve) -> wire::Solve {
    let Bounds { alpha, beta } = bounds;
    let sought = match sought {
        Sought::Score => wire::solve::Sought::Score(wire::Score {}),
        Sought::Value { evaluation, depth } => {
            wire::solve::Sought::Value(wire::Value { evaluation, depth })
        }
    };
    wire::Solve { alpha, beta, nodes_max, cost, sought: Some(sought) }
}

fn tally(Tally { batch, answer }: Tally) -> wire::Tally {
    wire::Tally { batch: batch.0, answer: Some(self::answer(answer)) }
}

fn answer(answer: Answer) -> wire::tally::Answer {
    use wire::tally::Answer as To;
    match answer {
        Answer::Counts(sums) => To::Counts(counts(sums)),
        Answer::Subtree(sums, below) => To::Subtree(wire::SubtreeCounts {
            counts: Some(counts(sums)),
            subtree: Some(subtree(*below)),
        }),
        Answer::Solved(found) => To::Solved(solved(found)),
        Answer::Judged(judgement) => To::Judged(judged(judgement)),
        Answer::Played(games) => To::Played(played(&games)),
        Answer::Tried(found) => To::Tried(tried(found)),
        Answer::Practised(games) => To::Practised(wire::Practised { games }),
        Answer::Labelled(positions) => To::Labelled(wire::Labelled { positions }),
    }
}

fn counts(counts: Counts) -> wire::Counts {
    let Counts { wins, draws, losses, margin_sum, plies, amaf, ownership } = counts;
    let Amaf { visits, half_wins } = amaf.unwrap_or_default();
    wire::Counts {
        wins,
        draws,
        losses,
        margin_sum,
        plies,
        amaf_visits: pack(&visits),
        amaf_half_wins: pack(&half_wins),
        ownership: ownership.unwrap_or_default(),
    }
}

fn solved(Solved { bound, nodes }: Solved) -> wire::Solved {
    let (bound, value) = match bound {
        Bound::Unknown => (wire::Bound::Unknown, 0),
        Bound::Exact(value) => (wire::Bound::Exact, value),
        Bound::AtLeast(value) => (wire::Bound::AtLeast, value),
        Bound::AtMost(value) => (wire::Bound::AtMost, value),
    };
    wire::Solved { bound: bound.into(), value, nodes }
}

fn played(games: &[PlayedGame]) -> wire::Played {
    let text = |game| serde_json::to_string(game).expect("a game is JSON");
    wire::Played { games: games.iter().map(text).collect() }
}

fn tried(Tried { alone, judged }: Tried) -> wire::Tried {
    let Judged { agreed, contradicted, open } = judged;
    let (alone, proof) = match alone {
        Alone::Unasked => (wire::Alone::Unasked, String::new()),
        Alone::Unproven => (wire::Alone::Unproven, String::new()),
        Alone::Contradicted => (wire::Alone::Contradicted, String::new()),
        Alone::Proven(proof) => (wire::Alone::Proven, proof),
    };
    wire::Tried { alone: alone.into(), proof, agreed, contradicted, open }
}

fn judged(Judgement { value, policy, score, ownership }: Judgement) -> wire::Judged {
    wire::Judged {
        value: value.into(),
        policy: policy.into_iter().map(|Chance(byte)| byte).collect(),
        score,
        ownership: ownership.into_iter().map(i8::cast_unsigned).collect(),
    }
}

fn subtree(subtree: Subtree) -> wire::Subtree {
    let Subtree { groups, moves, visits, half_wins, amaf_visits, amaf_half_wins, .. } = subtree;
    let Subtree { proofs, priors, judged, leaf_judged, .. } = subtree;
    let (parents, sizes) = groups.into_iter().map(siblings).unzip();
    let proven = proofs.iter().any(|&proof| proof != Proof::Open);
    wire::Subtree {
        parents,
        sizes,
        moves: pack(&moves.into_iter().map(|mv| u32::from(mv.0)).collect::<Vec<_>>()),
        visits: pack(&visits),
        half_wins: pack(&half_wins),
        amaf_visits: pack(&amaf_visits),
        amaf_half_wins: pack(&amaf_half_wins),
        proofs: if proven { proofs.into_iter().map(Proof::bits).collect() } else { Vec::new() },
        priors: if priors.iter().all(|&prior| prior == 0) { Vec::new() } else { priors },
        judged: pack(&judged),
        leaf_judged,
    }
}

fn siblings(siblings: Siblings) -> (u32, u32) {
    let Siblings { parent, side, children, is_partial } = siblings;
    let size = 4 * u32::from(children) + 2 * u32::from(is_partial) + side.index() as u32;
    (parent.map_or(0, |child| child + 1), size)
}

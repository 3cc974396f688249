//! Tests that what is written reads back, and that nothing that arrives can panic.

use std::sync::Arc;
use std::time::Duration;

use banyan_games::connect6::Connect6Rules;
use banyan_games::counts::Asked;
use banyan_games::go::GoRules;
use banyan_games::gomoku::{GomokuRules, Variant};
use banyan_games::othello::OthelloRules;
use banyan_games::{Amaf, Color, Counts, Kind, Move, Rules};
use banyan_jobs::Thought;
use banyan_jobs::limits::LimitError;
use banyan_jobs::{Alone, Judged, Label, Labelling, Practice, Practise, Trial, Tried};
use banyan_jobs::{
    Answer, Attempt, Batch, BatchId, Bound, Depths, Digest, Epoch, Evaluate, Evaluated, FromWorker,
    GameSupport, Grow, Growing, Job, Lent, ModelPart, Offer, Play, PlayedGame, Playouts, Profile,
    Root, RootId, SessionId, Solve, Solved, Sought, Spread, Tally, ToWorker, Usage, Wanted, limits,
};
use banyan_jobs::{Bounds, Known, Parameters, Proof, Siblings, Subtree};
use banyan_knowledge::{Chance, Judgement, ModelDigest, Policy};
use proptest::prelude::*;
use prost::Message;

use crate::numbers::pack;
use crate::{WireError, decode, encode, wire};
use wire::tally::Answer as Wire;

fn round_trip_down(message: ToWorker) {
    let bytes = encode::to_worker(message.clone()).encode_to_vec();
    let back = wire::ToWorker::decode(&bytes[..]).expect("our own bytes");
    assert_eq!(decode::to_worker(back), Ok(message));
}

fn round_trip_up(message: FromWorker) {
    let bytes = encode::from_worker(message.clone()).encode_to_vec();
    let back = wire::FromWorker::decode(&bytes[..]).expect("our own bytes");
    assert_eq!(decode::from_worker(back), Ok(message));
}

fn id() -> RootId {
    RootId { session: SessionId(3), epoch: Epoch(9) }
}

fn batch() -> Batch {
    Batch {
        id: BatchId::new(SessionId(3), 77),
        root: id(),
        path: vec![Move(0), Move::PASS, Move(624)],
        job: Job::LeafParallel(playouts()),
    }
}

fn playouts() -> Playouts {
    let asked = Asked { amaf: true, ownership: true };
    Playouts { count: 8, policy: Policy::Heavy, seed: u64::MAX, asked }
}

fn subproblem(sought: Sought) -> Solve {
    Solve { sought, bounds: Bounds::below(-64), nodes_max: 1 << 26, cost: 3 }
}

fn asking(job: Job) -> ToWorker {
    let batch = Arc::new(Batch { job, ..batch() });
    ToWorker::Lend(vec![Lent { batch, attempt: Attempt(1) }])
}

/// Why a job that is asked for is refused.
fn refusal(job: Job) -> String {
    decode::to_worker(encode::to_worker(asking(job))).expect_err("refused").to_string()
}

fn counts() -> Counts {
    let mut counts = Counts::new(4, Asked { amaf: true, ownership: true });
    (counts.wins, counts.draws, counts.losses) = (3, 1, 4);
    (counts.margin_sum, counts.plies) = (-29, 311);
    counts.amaf = Some(Amaf {
        visits: vec![0, 8, 3, 0, 0, 0, 1, 2],
        half_wins: vec![0, 9, 6, 0, 0, 0, 0, 4],
    });
    counts.ownership = Some(vec![-8, 8, 0, 1]);
    counts
}

fn tally() -> Tally {
    Tally { batch: batch().id, answer: Answer::Counts(counts()) }
}

fn subtree() -> Subtree {
    let siblings = |parent, side, children| Siblings {
        parent,
        side,
        children,
        is_partial: side == Color::White,
    };
    Subtree {
        groups: vec![siblings(None, Color::Black, 2), siblings(Some(1), Color::White, 1)],
        moves: vec![Move(3), Move::PASS, Move(624)],
        visits: vec![1, 6, 3],
        half_wins: vec![2, 12, 0],
        amaf_visits: vec![8, 0, 1],
        amaf_half_wins: vec![9, 0, 2],
        proofs: vec![Proof::Open, Proof::Win, Proof::Draw],
        priors: vec![0; 3],
        judged: vec![0; 3],
        leaf_judged: 0,
    }
}

fn grown_tally() -> Tally {
    Tally { answer: Answer::Subtree(counts(), Box::new(subtree())), ..tally() }
}

fn game() -> PlayedGame {
    PlayedGame {
        size: 7,
        komi: -15,
        seed: u64::MAX,
        opening: 1,
        moves: vec![0, 49],
        values: vec![-1, 500],
        thoughts: vec![Thought { ply: 1, visits: 64, policy: vec![(3, 9_000), (49, 1_000)] }],
        winner: "W".to_owned(),
        margin: -83,
        ownership: ".BW".repeat(16) + ".",
    }
}

#[test]
fn games_of_self_play_that_mean_nothing_are_refused() {
    let asked = |change: fn(&mut wire::Play)| {
        let depths = Depths { full: 64, short: 16, decided: 8, full_permille: 350 };
        let wanted = Wanted { seed: 1, games: 8, depths };
        let ToWorker::Lend(lent) = asking(Job::Play(Play { wanted, judged: true, cost: 9 })) else {
            panic!("it is lent")
        };
        let mut wire = encode::to_worker(ToWorker::Lend(lent));
        let Some(wire::to_worker::Message::Lend(lend)) = &mut wire.message else {
            panic!("it is lent")
        };
        let Some(wire::batch::Job::Play(play)) = &mut lend.batches[0].job else {
            panic!("games are asked for")
        };
        change(play);
        decode::to_worker(wire).expect_err("refused").to_string()
    };
    assert_eq!(asked(|play| play.games = 0), "the message has no game");
    assert_eq!(asked(|play| play.short = 0), "the message has no visit");
    assert!(asked(|play| play.games = 65).contains("games of a batch"));
    assert!(asked(|play| play.full = 65_537).contains("visits of a search"));
    assert!(asked(|play| play.full_permille = 1_001).contains("of a thousand"));
}

fn trial(alone: bool) -> Trial {
    Trial { rule: r#"{"layout":["X."]}"#.to_owned(), alone, completions: 1000, seed: u64::MAX }
}

fn practise() -> Practise {
    let seed = u64::MAX;
    let practice = Practice { seed, games: 64, plies: 20, solve_from: 24, evaluation: u32::MAX };
    Practise { practice, judged: false, cost: 65_536 }
}

#[test]
fn games_of_classical_searches_that_mean_nothing_are_refused() {
    let refused = |change: fn(&mut Practise)| {
        let mut asked = practise();
        change(&mut asked);
        refusal(Job::Practise(asked))
    };
    assert_eq!(refused(|it| it.practice.games = 0), "the message has no game");
    assert_eq!(refused(|it| it.practice.plies = 0), "the message has no ply");
    assert!(refused(|it| it.practice.games = 65).contains("games of a batch"));
    assert!(refused(|it| it.practice.plies = 21).contains("plies of a search"));
    assert!(refused(|it| it.practice.solve_from = 25).contains("empty points to solve"));
    let answer = Answer::Practised(vec![7; limits::PRACTICE_BYTES_MAX + 1]);
    let wire = encode::from_worker(FromWorker::Tallies(vec![Tally { answer, ..tally() }]));
    let why = decode::from_worker(wire).expect_err("refused").to_string();
    assert!(why.contains("bytes of games"), "{why}");
}

fn label() -> Label {
    let count = limits::LABELS_PER_BATCH_MAX;
    let labelling = Labelling { seed: u64::MAX, count, from: 1, evaluation: u32::MAX };
    Label { labelling, judged: false, cost: 65_536 }
}

#[test]
fn positions_of_classical_searches_that_mean_nothing_are_refused() {
    let refused = |change: fn(&mut Label)| {
        let mut asked = label();
        change(&mut asked);
        refusal(Job::Label(asked))
    };
    assert_eq!(refused(|it| it.labelling.count = 0), "the message has no position");
    assert!(refused(|it| it.labelling.count = 65).contains("positions of a batch"));
    assert!(refused(|it| it.labelling.from = 1_000).contains("plies passed over: 1000"));
    let answer = Answer::Labelled(vec![7; limits::PRACTICE_BYTES_MAX + 1]);
    let wire = encode::from_worker(FromWorker::Tallies(vec![Tally { answer, ..tally() }]));
    let why = decode::from_worker(wire).expect_err("refused").to_string();
    assert!(why.contains("bytes of positions"), "{why}");
}

#[test]
fn trials_of_rules_beyond_the_limits_are_refused() {
    let refused = |trial: Trial| refusal(Job::Try(trial));
    let long = " ".repeat(limits::RULE_BYTES_MAX + 1);
    assert!(refused(Trial { rule: long, ..trial(true) }).contains("bytes of a rule"));
    assert!(refused(Trial { completions: 1001, ..trial(true) }).contains("completions of a trial"));
    let refused = |change: fn(&mut wire::Tried)| {
        let answer = Answer::Tried(Tried::default());
        let mut wire = encode::from_worker(FromWorker::Tallies(vec![Tally { answer, ..tally() }]));
        let Some(wire::from_worker::Message::Tallies(tallies)) = &mut wire.message else {
            panic!("tallies")
        };
        let Some(wire::tally::Answer::Tried(tried)) = &mut tallies.tallies[0].answer else {
            panic!("a trial")
        };
        change(tried);
        decode::from_worker(wire).expect_err("refused").to_string()
    };
    assert!(refused(|tried| tried.alone = 4).contains("proof of a rule alone"));
    assert!(refused(|tried| tried.open = u32::MAX).contains("completions of a trial"));
    let beyond = |tried: &mut wire::Tried| tried.proof = "a".repeat(limits::PROOF_BYTES_MAX + 1);
    assert!(refused(beyond).contains("bytes of a proof"));
}

#[test]
fn every_message_to_a_worker_reads_back_as_written() {
    round_trip_down(ToWorker::Welcome);
    round_trip_down(ToWorker::Refused("too old".to_owned()));
    round_trip_down(ToWorker::Forget(id()));
    round_trip_down(ToWorker::Ping(u64::MAX));
    round_trip_down(ToWorker::Drop(vec![BatchId(0), BatchId(u64::MAX)]));
    round_trip_down(ToWorker::Released);
    round_trip_down(ToWorker::Farewell);
    let lent = |attempt| Lent { batch: Arc::new(batch()), attempt: Attempt(attempt) };
    round_trip_down(ToWorker::Lend(vec![lent(1), lent(2)]));
    let known = Box::new(Known { visits: 8, subtree: subtree() });
    let grow = Grow { playouts: playouts(), floor: 9, known, judged: true, spread: None };
    round_trip_down(asking(Job::Subtree(grow.clone())));
    let spread = Some(Spread { parts: limits::PARTS_MAX, playouts: 1 });
    round_trip_down(asking(Job::Subtree(Grow { spread, ..grow })));
    for sought in [Sought::Score, Sought::Value { evaluation: 1, depth: 128 }] {
        round_trip_down(asking(Job::Solve(subproblem(sought))));
    }
    for ownership in [false, true] {
        round_trip_down(asking(Job::Evaluate(Evaluate { ownership })));
    }
    for judged in [false, true] {
        let depths = Depths { full: 64, short: 16, decided: 8, full_permille: 350 };
        let wanted = Wanted { seed: u64::MAX, games: 64, depths };
        round_trip_down(asking(Job::Play(Play { wanted, judged, cost: 65_536 })));
    }
    for alone in [false, true] {
        round_trip_down(asking(Job::Try(trial(alone))));
        round_trip_down(asking(Job::Practise(Practise { judged: alone, ..practise() })));
        round_trip_down(asking(Job::Label(Label { judged: alone, ..label() })));
    }
    let fits = "a size that is played";
    for rules in [
        Rules::from(GoRules::new(19, -13).expect(fits)),
        OthelloRules.into(),
        GomokuRules::new(15, 20, Variant::Standard).expect(fits).into(),
        GomokuRules::new(5, 25, Variant::Freestyle).expect(fits).into(),
        GomokuRules::new(15, 15, Variant::Renju).expect(fits).into(),
        Connect6Rules::new(19).expect(fits).into(),
    ] {
        round_trip_down(ToWorker::Root(Arc::new(Root {
            id: id(),
            rules,
            setup: vec![(Color::Black, Move(3)), (Color::White, Move(0))],
            first: Color::White,
            plies: vec![(Color::White, Move::PASS), (Color::Black, Move(624))],
            side_to_move: Color::White,
            growing: Growing {
                parameters: Parameters::of(Kind::Othello),
                seed: u64::MAX,
                evaluator: Some(ModelDigest([7; 32])),
            },
            models: Digest(u64::MAX),
        })));
    }
}

#[test]
fn every_message_from_a_worker_reads_back_as_written() {
    round_trip_up(FromWorker::Hello(Profile {
        name: "attic".to_owned(),
        threads: 64,
        build: "1.2.3".to_owned(),
        protocol: 7,
        games: vec![GameSupport {
            name: "go".to_owned(),
            fingerprint: u64::MAX,
            models: Digest(u64::MAX - 1),
        }],
        evaluators: vec![Offer {
            game: "go".to_owned(),
            digest: ModelDigest([7; 32]),
            name: "b6c96, KataGo 1.17.2".to_owned(),
        }],
        spreads: true,
    }));
    round_trip_up(FromWorker::Threads(17));
    round_trip_up(FromWorker::Tallies(vec![tally(), grown_tally(), tally()]));
    for bound in [Bound::Exact(7), Bound::AtLeast(64), Bound::AtMost(-64), Bound::Unknown] {
        let answer = Answer::Solved(Solved { bound, nodes: u32::MAX });
        round_trip_up(FromWorker::Tallies(vec![Tally { answer, ..tally() }]));
    }
    for judgement in [judgement(), Judgement { score: None, ownership: Vec::new(), ..judgement() }]
    {
        let answer = Answer::Judged(judgement);
        round_trip_up(FromWorker::Tallies(vec![Tally { answer, ..tally() }]));
    }
    let answer = Answer::Played(vec![game(), game()]);
    round_trip_up(FromWorker::Tallies(vec![Tally { answer, ..tally() }]));
    for alone in [
        Alone::Unasked,
        Alone::Unproven,
        Alone::Contradicted,
        Alone::Proven("b1 (a1: c1; pass: a1)".to_owned()),
    ] {
        let judged = Judged { agreed: 1000, contradicted: 1, open: 2 };
        let answer = Answer::Tried(Tried { alone, judged });
        round_trip_up(FromWorker::Tallies(vec![Tally { answer, ..tally() }]));
    }
    for answer in [Answer::Practised, Answer::Labelled] {
        let answer = answer(vec![7; limits::PRACTICE_BYTES_MAX]);
        round_trip_up(FromWorker::Tallies(vec![Tally { answer, ..tally() }]));
    }
    let digest = ModelDigest([7; 32]);
    round_trip_up(FromWorker::Want(digest, u64::MAX));
    round_trip_up(FromWorker::Unfit(digest, "damaged".to_owned()));
    let offer = Offer { game: "hex".to_owned(), digest, name: "net".to_owned() };
    round_trip_up(FromWorker::Offers(vec![offer.clone(), offer]));
    round_trip_up(FromWorker::Failed(BatchId(5), "no such root".to_owned()));
    let evaluated = Evaluated { count: 300, room: u64::MAX };
    let usage = Usage { cpu: Duration::from_nanos(123_456_789), evaluated };
    round_trip_up(FromWorker::Pong { nonce: 4, usage });
    round_trip_up(FromWorker::Draining);
}

/// Messages of a peer that does not keep the limits, and what we say.
#[test]
fn what_is_beyond_a_limit_is_refused_with_its_number() {
    let counted = |change: fn(&mut wire::Counts)| {
        decode_with(tally(), |answer| {
            let Wire::Counts(counts) = answer else { panic!("counts are counts") };
            change(counts);
        })
    };
    let solved = |value| {
        let bound = wire::Bound::Exact.into();
        decode_with(tally(), |answer| {
            *answer = Wire::Solved(wire::Solved { bound, value, nodes: 1 })
        })
    };
    for change in [
        (|counts| counts.wins = u32::MAX) as fn(&mut wire::Counts),
        |counts| counts.wins = 2_000_000_000,
        |counts| counts.margin_sum = i64::MIN,
        |counts| counts.amaf_visits = vec![1; 1251],
        |counts| counts.amaf_visits = pack(&[0_u32, 9, 3, 0, 0, 0, 1, 2]),
        |counts| counts.amaf_half_wins = pack(&[0_u32, 17, 6, 0, 0, 0, 0, 4]),
        |counts| counts.ownership[0] = 9,
        |counts| counts.ownership[0] = i32::MIN,
        |counts| counts.ownership = vec![0; 626],
    ] {
        is_too_many(counted(change));
    }
    is_too_many(solved(2_000_000_001));
    is_too_many(solved(i32::MIN));
    let missing = counted(|counts| counts.amaf_visits.truncate(6));
    assert_eq!(missing, Err(WireError::Missing("AMAF entry")));
}

/// A tally as a peer sends it that has changed the answer.
fn decode_with(
    tally: Tally,
    change: impl FnOnce(&mut wire::tally::Answer),
) -> Result<FromWorker, WireError> {
    let message = encode::from_worker(FromWorker::Tallies(vec![tally]));
    let Some(wire::from_worker::Message::Tallies(mut tallies)) = message.message else {
        panic!("tallies are tallies")
    };
    change(tallies.tallies[0].answer.as_mut().expect("an answer"));
    let message = wire::from_worker::Message::Tallies(tallies);
    decode::from_worker(wire::FromWorker { message: Some(message) })
}

fn judgement() -> Judgement {
    Judgement {
        value: 32_768,
        policy: vec![Chance(0), Chance(255), Chance(1)],
        score: Some(-1_000),
        ownership: vec![-127, 127],
    }
}

#[test]
fn a_judgement_that_cannot_be_is_refused() {
    let judged = |change: fn(&mut wire::Judged)| {
        let tally = Tally { answer: Answer::Judged(judgement()), ..tally() };
        decode_with(tally, |answer| {
            let Wire::Judged(judged) = answer else { panic!("it is judged") };
            change(judged);
        })
    };
    assert!(judged(|_| {}).is_ok());
    is_too_many(judged(|it| it.value = 32_769));
    is_too_many(judged(|it| it.policy = vec![1; 627]));
    is_too_many(judged(|it| it.ownership = vec![1; 626]));
    is_too_many(judged(|it| it.score = Some(i32::MIN)));
}

#[test]
fn an_evaluator_is_named_by_a_whole_digest_or_not_at_all() {
    let rules = GoRules::new(9, 15).expect("a size of Go");
    let record = banyan_games::Record::<banyan_games::go::Go>::new(&rules);
    let root = Root::of(&record, Color::Black, id(), Growing::of(Kind::Go));
    let named = |evaluator: Vec<u8>| decode::root(wire::Root { evaluator, ..encode::root(&root) });
    let found = |bytes| named(bytes).expect("sound").growing.evaluator;
    assert_eq!(found(vec![]), None);
    assert_eq!(found(vec![9; 32]), Some(ModelDigest([9; 32])));
    assert!(named(vec![9; 31]).is_err());
}

fn is_too_many(refused: Result<FromWorker, WireError>) {
    assert!(matches!(refused, Err(WireError::Limit(LimitError::TooMany { .. }))), "{refused:?}");
}

#[test]
fn a_tally_without_an_answer_or_with_half_of_one_is_refused() {
    let tallies = wire::Tallies { tallies: vec![wire::Tally { batch: 1, answer: None }] };
    let message = wire::FromWorker { message: Some(wire::from_worker::Message::Tallies(tallies)) };
    assert_eq!(decode::from_worker(message), Err(WireError::Missing("answer")));
    for (change, missing) in [
        ((|grown| grown.counts = None) as fn(&mut wire::SubtreeCounts), "counts"),
        (|grown| grown.subtree = None, "subtree"),
    ] {
        let refused = decode_with(grown_tally(), |answer| {
            let Wire::Subtree(grown) = answer else { panic!("it is grown") };
            change(grown);
        });
        assert_eq!(refused, Err(WireError::Missing(missing)));
    }
}

#[test]
fn a_subtree_that_does_not_fit_together_is_refused() {
    let grown = |change: fn(&mut wire::Subtree)| {
        decode_with(grown_tally(), |answer| {
            let Wire::Subtree(grown) = answer else { panic!("it is grown") };
            change(grown.subtree.as_mut().expect("a subtree"));
        })
    };
    assert!(grown(|_| {}).is_ok());
    for change in [
        (|grown| grown.visits[0] = 9) as fn(&mut wire::Subtree),
        // More came to siblings than to their parent: 4 + 6 of 8, 7 of 6.
        |grown| grown.visits[0] = 4,
        |grown| grown.visits[2] = 7,
        |grown| grown.half_wins[0] = 3,
        |grown| grown.amaf_half_wins = pack(&[9_u32, 1, 2]),
        |grown| grown.judged = pack(&[1_u64 << 40, 0, 0]),
        |grown| grown.judged.clear(),
        |grown| grown.priors = vec![1, 2],
        |grown| grown.visits.truncate(2),
        |grown| grown.moves = pack(&[65_536_u32, 3, 4]),
        |grown| grown.proofs = vec![0, 0, 4],
        |grown| grown.proofs = vec![0],
        |grown| grown.parents[1] = 3,
        |grown| grown.parents[1] = 0,
        |grown| grown.parents[0] = 1,
        |grown| grown.sizes[1] = 1,
        |grown| grown.sizes[0] = u32::MAX,
        |grown| grown.sizes.truncate(1),
        |grown| (grown.parents, grown.sizes) = (vec![0; 17], vec![2; 17]),
    ] {
        assert!(grown(change).is_err());
    }
}

#[test]
fn parameters_that_are_out_of_range_or_missing_are_refused() {
    let rules = OthelloRules;
    let record = banyan_games::Record::<banyan_games::othello::Othello>::new(&rules);
    let growing = Growing::of(Kind::Othello);
    let root = Root::of(&record, Color::Black, id(), growing);
    let parameters = |values: Vec<f32>| {
        let message = encode::to_worker(ToWorker::Root(Arc::new(root.clone())));
        let Some(wire::to_worker::Message::Root(mut root)) = message.message else {
            panic!("a root is a root")
        };
        root.parameters = values;
        let message = wire::to_worker::Message::Root(root);
        decode::to_worker(wire::ToWorker { message: Some(message) })
    };
    let values = growing.parameters.values().to_vec();
    assert!(parameters(values.clone()).is_ok());
    assert!(parameters(values[1..].to_vec()).is_err());
    assert!(parameters([&[f32::NAN], &values[1..]].concat()).is_err());
}

/// A batch as a peer sends it that has changed it.
fn lend_with(job: Job, change: impl FnOnce(&mut wire::Batch)) -> Result<ToWorker, WireError> {
    let message = encode::to_worker(asking(job));
    let Some(wire::to_worker::Message::Lend(mut lend)) = message.message else {
        panic!("a lease is a lease")
    };
    change(&mut lend.batches[0]);
    let message = wire::to_worker::Message::Lend(lend);
    decode::to_worker(wire::ToWorker { message: Some(message) })
}

#[test]
fn a_batch_of_nothing_or_of_too_much_is_refused() {
    let lend = |change: fn(&mut wire::Batch)| lend_with(Job::LeafParallel(playouts()), change);
    assert_eq!(lend(|batch| batch.root = None), Err(WireError::Missing("root id")));
    assert_eq!(lend(|batch| batch.job = None), Err(WireError::Missing("job")));
    assert!(lend(|batch| batch.path = vec![65_536]).is_err());
    assert!(lend(|batch| batch.path = vec![0; 2049]).is_err());
    let asked = |change: fn(&mut wire::Playouts)| {
        lend_with(Job::LeafParallel(playouts()), |batch| {
            let Some(wire::batch::Job::LeafParallel(playouts)) = &mut batch.job else {
                panic!("playouts are playouts")
            };
            change(playouts);
        })
    };
    assert_eq!(asked(|playouts| playouts.count = 0), Err(WireError::Missing("playout")));
    let huge = asked(|playouts| playouts.count = 999_999_999).expect_err("huge").to_string();
    let max = limits::PLAYOUTS_PER_BATCH_MAX;
    assert_eq!(huge, format!("playouts of a batch: 999999999, at most {max}"));
    assert!(asked(|playouts| playouts.policy = 99).is_err());
}

#[test]
fn a_private_tree_without_playouts_or_a_floor_is_refused() {
    let grow = Job::Subtree(Grow {
        playouts: playouts(),
        floor: 9,
        known: Box::default(),
        judged: false,
        spread: None,
    });
    for (change, missing) in [
        ((|grow| grow.playouts = None) as fn(&mut wire::Grow), "playout"),
        (|grow| grow.floor = 0, "floor of visits"),
        (|grow| grow.spread = Some(wire::Spread { parts: 0, playouts: 9 }), "part"),
        (|grow| grow.spread = Some(wire::Spread { parts: 9, playouts: 0 }), "playout"),
    ] {
        let refused = lend_with(grow.clone(), |batch| {
            let Some(wire::batch::Job::Subtree(grow)) = &mut batch.job else {
                panic!("a tree is a tree")
            };
            change(grow);
        });
        assert_eq!(refused, Err(WireError::Missing(missing)));
    }
    let crowded = lend_with(grow, |batch| {
        let Some(wire::batch::Job::Subtree(grow)) = &mut batch.job else {
            panic!("a tree is a tree")
        };
        grow.spread = Some(wire::Spread { parts: limits::PARTS_MAX + 1, playouts: 9 });
    });
    assert!(matches!(crowded, Err(WireError::Limit(LimitError::TooMany { .. }))), "{crowded:?}");
}

#[test]
fn a_worker_that_says_it_has_no_threads_is_refused() {
    let threads = |threads| {
        let message = wire::from_worker::Message::Threads(wire::Threads { threads });
        decode::from_worker(wire::FromWorker { message: Some(message) })
    };
    assert_eq!(threads(0), Err(WireError::Missing("thread")));
    assert!(threads(limits::THREADS_MAX).is_ok() && threads(limits::THREADS_MAX + 1).is_err());
}

#[test]
fn a_subproblem_without_sense_is_refused() {
    use wire::solve::Sought as Worth;
    let score = |alpha, beta, nodes_max| wire::Solve {
        sought: Some(Worth::Score(wire::Score {})),
        alpha,
        beta,
        nodes_max,
        cost: 1,
    };
    let value = |alpha, beta, depth| wire::Solve {
        sought: Some(Worth::Value(wire::Value { evaluation: 0, depth })),
        ..score(alpha, beta, 1)
    };
    let ask = |subproblem| {
        lend_with(Job::Solve(self::subproblem(Sought::Score)), |batch| {
            batch.job = Some(wire::batch::Job::Solve(subproblem));
        })
    };
    assert!(ask(score(-65, 65, 1)).is_ok() && ask(value(0, 1, 128)).is_ok());
    for wrong in [
        score(65, 66, 1),
        score(i32::MIN, 0, 1),
        score(0, 1, u32::MAX),
        score(3, 3, 1),
        value(-2_000_000_001, 0, 1),
        value(5, 4, 1),
        value(0, 1, 129),
        wire::Solve { sought: None, ..score(0, 1, 1) },
        wire::Solve { cost: 0, ..score(0, 1, 1) },
        wire::Solve { cost: u32::MAX, ..score(0, 1, 1) },
    ] {
        assert!(ask(wrong).is_err(), "{wrong:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_give_a_message_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        if let Ok(message) = wire::FromWorker::decode(&bytes[..]) {
            let _ = decode::from_worker(message);
        }
        if let Ok(message) = wire::ToWorker::decode(&bytes[..]) {
            let _ = decode::to_worker(message);
        }
    }

    /// Bytes that are nearly right get further in.
    #[test]
    fn a_message_with_changed_bytes_gives_a_message_or_an_error(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let lent = Lent { batch: Arc::new(batch()), attempt: Attempt(1) };
        let mut bytes = encode::to_worker(ToWorker::Lend(vec![lent])).encode_to_vec();
        for (index, byte) in &changes {
            let at = index.index(bytes.len());
            bytes[at] = *byte;
        }
        if let Ok(message) = wire::ToWorker::decode(&bytes[..]) {
            let _ = decode::to_worker(message);
        }
        let mut bytes = encode::from_worker(FromWorker::Tallies(vec![tally()])).encode_to_vec();
        for (index, byte) in &changes {
            let at = index.index(bytes.len());
            bytes[at] = *byte;
        }
        if let Ok(message) = wire::FromWorker::decode(&bytes[..]) {
            let _ = decode::from_worker(message);
        }
    }
}

#[test]
fn parts_of_models_read_back_and_one_that_is_too_large_is_refused() {
    let part = |len| ModelPart {
        digest: ModelDigest([3; 32]),
        offset: 1 << 40,
        total: u64::MAX,
        bytes: vec![9; len].into(),
    };
    let sent = |message: ToWorker| decode::to_worker(encode::to_worker(message));
    for message in [
        ToWorker::Need(ModelDigest([3; 32])),
        ToWorker::Part(part(0)),
        ToWorker::Part(part(limits::MODEL_PART_BYTES_MAX)),
    ] {
        assert_eq!(sent(message.clone()), Ok(message));
    }
    assert!(sent(ToWorker::Part(part(limits::MODEL_PART_BYTES_MAX + 1))).is_err());
}

#[test]
fn what_strangers_write_is_cut_and_loses_its_control_characters() {
    let long = format!("\u{1b}[31m\r\n{}", "é".repeat(400));
    let hello = wire::Hello {
        name: long.clone(),
        threads: 1,
        build: long.clone(),
        protocol: 1,
        games: vec![wire::GameSupport { name: long.clone(), ..Default::default() }],
        evaluators: Vec::new(),
        spreads: false,
    };
    let greeting = |hello| {
        let message = wire::from_worker::Message::Hello(hello);
        decode::from_worker(wire::FromWorker { message: Some(message) })
    };
    let cut = |chars: usize| format!("[31m{}", "é".repeat(chars - 4));
    let Ok(FromWorker::Hello(profile)) = greeting(hello.clone()) else { panic!("it is a hello") };
    let name = cut(limits::NAME_CHARS_MAX);
    assert_eq!((&profile.name, &profile.build, &profile.games[0].name), (&name, &name, &name));
    let games = vec![wire::GameSupport::default(); limits::GAMES_MAX + 1];
    assert!(greeting(wire::Hello { games, ..hello.clone() }).is_err());
    let offer = |digest: &[u8]| wire::Offer { digest: digest.to_vec(), ..Default::default() };
    let offers = |evaluators| greeting(wire::Hello { evaluators, ..hello.clone() });
    assert!(offers(vec![offer(&[7; 32])]).is_ok());
    assert!(offers(vec![offer(&[])]).is_err() && offers(vec![offer(&[7; 31])]).is_err());
    assert!(offers(vec![offer(&[7; 32]); limits::EVALUATORS_MAX + 1]).is_err());
    let failed = wire::from_worker::Message::Failed(wire::Failed { batch: 1, reason: long });
    let failed = decode::from_worker(wire::FromWorker { message: Some(failed) });
    assert_eq!(failed, Ok(FromWorker::Failed(BatchId(1), cut(300))));
}

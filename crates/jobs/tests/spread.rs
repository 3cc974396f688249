//! Batches whose trees are grown by parts: the same tree whoever runs those.

use std::collections::VecDeque;

use banyan_games::counts::Asked;
use banyan_games::go::{Go, GoRules};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game, Kind, Move, Record};
use banyan_jobs::{
    Answer, Batch, BatchId, Evaluators, Grow, Growing, Job, Part, Playouts, Prepared, Root, RootId,
    RunError, Spread, Workspace, fit,
};
use banyan_knowledge::Policy;
use banyan_knowledge::network::{add_network, built_in};
use banyan_search::Parameters;

const SPREAD: Spread = Spread { parts: 5, playouts: 50 };

fn batch(count: u32, judged: bool) -> Batch {
    let asked = Asked { amaf: !judged, ownership: !judged };
    let playouts = Playouts { count, policy: Policy::Heavy, seed: 9, asked };
    let grow = Grow { playouts, floor: 8, known: Box::default(), judged, spread: Some(SPREAD) };
    let (id, root) = (BatchId::default(), RootId::default());
    Batch { id, root, path: Vec::new(), job: Job::Subtree(grow) }
}

fn othello(empty: usize) -> Prepared {
    let mut record = Record::<Othello>::new(&OthelloRules);
    let mut moves = Vec::new();
    while record.plies().len() + empty < 60 && record.position().outcome().is_none() {
        moves.clear();
        record.position().candidates(&mut moves);
        let mv = moves[record.plies().len() % moves.len()];
        record.play(mv).expect("legal");
    }
    let side = record.position().side_to_move();
    let root = Root::of(&record, side, RootId::default(), Growing::of(Kind::Othello));
    Prepared::new(&root).expect("a position")
}

/// Runs a batch's parts as a cluster might: all that are in flight, the newest first.
fn by_others(prepared: &Prepared, batch: &Batch) -> (Answer, u32) {
    let mut spreading =
        prepared.spread(batch, &mut Workspace::default()).expect("legal").expect("to be spread");
    let (mut in_flight, mut answered) = (VecDeque::new(), VecDeque::new());
    let (mut most, mut space) = (0, Workspace::default());
    while !spreading.is_complete() {
        while let Some(Part { path, job }) = spreading.next() {
            in_flight.push_front(Batch { path, job, ..batch.clone() });
        }
        most = most.max(in_flight.len() + answered.len());
        let tallies = prepared.run_all(
            &in_flight.drain(..).collect::<Vec<_>>().iter().collect::<Vec<_>>(),
            &mut space,
        );
        tallies.into_iter().rev().for_each(|it| answered.push_back(it.expect("legal").answer));
        spreading.merge(&answered.pop_front().expect("a part is in flight"));
    }
    (spreading.end(&mut space), most as u32)
}

#[test]
fn parts_that_others_run_make_the_tree_that_one_thread_makes() {
    for (prepared, count) in [(othello(50), 1500), (othello(6), 900)] {
        let batch = batch(count, false);
        let alone = prepared.run(&batch).expect("legal").answer;
        let board = fit::Board { game: Kind::Othello, area: 64 };
        assert_eq!(fit::check(&batch, &alone, board), Ok(()));
        assert_eq!(alone.playouts(), count);
        assert_eq!(by_others(&prepared, &batch), (alone, SPREAD.parts));
    }
}

#[test]
fn moves_to_a_part_count_as_played() {
    let (prepared, spread) = (othello(50), batch(3000, false));
    let Answer::Subtree(counts, grown) = prepared.run(&spread).expect("legal").answer else {
        panic!("a subtree")
    };
    let amaf = counts.amaf.expect("asked for");
    // Whoever is through a child of the root has played its move.
    for (mv, &visits) in
        grown.moves.iter().zip(&grown.visits).take(usize::from(grown.groups[0].children))
    {
        let point = mv.index().expect("a point");
        let played = amaf.visits[2 * point] + amaf.visits[2 * point + 1];
        assert!(played >= visits, "{mv:?}: {played} of {visits}");
    }
    assert_eq!(counts.ownership.map(|owners| owners.len()), Some(64));
    // Games are as long as those of a tree that is not spread.
    let Job::Subtree(grow) = spread.job.clone() else { panic!("a subtree") };
    let plain = Batch { job: Job::Subtree(Grow { spread: None, ..grow }), ..spread };
    let plain = prepared.run(&plain).expect("legal").answer;
    let ratio = counts.plies as f64 / plain.counts().expect("playouts").plies as f64;
    assert!((0.8..1.25).contains(&ratio), "{ratio}");
}

#[test]
fn evaluations_are_spread_as_playouts_are() {
    let network = built_in(Kind::Go).expect("part of the program");
    let mut evaluators = Evaluators::default();
    add_network(&mut evaluators, &network).expect("its own game");
    let rules = GoRules::new(7, 15).expect("a size");
    let parameters = Parameters { lambda: 1.0, ..Parameters::of(Kind::Go) };
    let growing = Growing { parameters, seed: 1, evaluator: Some(network.digest()) };
    let record = Record::<Go>::new(&rules);
    let root = Root::of(&record, Color::Black, RootId::default(), growing);
    let prepared = Prepared::with(&root, &evaluators).expect("a position");
    let batch = batch(160, true);
    let alone = prepared.run(&batch).expect("legal").answer;
    let board = fit::Board { game: Kind::Go, area: 49 };
    assert_eq!(fit::check(&batch, &alone, board), Ok(()));
    assert_eq!(alone.playouts(), 160);
    assert_eq!(by_others(&prepared, &batch).0, alone);
}

#[test]
fn a_batch_that_is_not_spread_has_no_parts() {
    let (prepared, space) = (othello(50), &mut Workspace::default());
    let spread = batch(100, false);
    let Job::Subtree(grow) = &spread.job else { panic!("a subtree") };
    let job = Job::Subtree(Grow { spread: None, ..grow.clone() });
    assert!(prepared.spread(&Batch { job, ..spread.clone() }, space).expect("legal").is_none());
    let refused = prepared.spread(&Batch { path: vec![Move(0)], ..spread }, space);
    assert!(refused.is_err_and(|why| matches!(why, RunError::IllegalPath { .. })));
}

//! Running a batch: pure, checked, the same on every thread.

use std::sync::Arc;

use banyan_games::counts::Asked;
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Counts, Game, Kind, Move, Record, Rng, SetupError};
use banyan_jobs::{
    Answer, Batch, BatchId, Bound, Bounds, Digest, Dropped, Epoch, Grow, Growing, Job, Known,
    Playouts, Prepared, Root, RootError, RootId, RunError, SessionId, Solve, Solved, Sought,
    Subtree, Tally, Workspace, fit,
};
use banyan_knowledge::Policy;
use banyan_search::endgame::{Board, EXACT, Solver};
use banyan_search::{Parameters, Proof};

fn root(plies: &[(Color, Move)]) -> Root {
    let record = Record::<Go>::new(&GoRules::new(9, 15).expect("a size of Go"));
    let id = RootId { session: SessionId(1), epoch: Epoch(2) };
    Root { plies: plies.to_vec(), ..Root::of(&record, Color::Black, id, Growing::of(Kind::Go)) }
}

fn batch(path: &[Move]) -> Batch {
    Batch {
        id: BatchId::new(SessionId(1), 5),
        root: root(&[]).id,
        path: path.to_vec(),
        job: Job::LeafParallel(PLAYOUTS),
    }
}

const OTHELLO: fit::Board = fit::Board { game: Kind::Othello, area: 64 };

const PLAYOUTS: Playouts = Playouts {
    count: 20,
    policy: Policy::Uniform,
    seed: 42,
    asked: Asked { amaf: true, ownership: true },
};

fn subproblem(job: Solve) -> Batch {
    Batch { job: Job::Solve(job), ..batch(&[]) }
}

fn solved(tally: &Tally) -> Solved {
    tally.answer.solved().expect("an answer to a subproblem")
}

/// Counts of a private tree.
fn grown(prepared: &Prepared, batch: &Batch) -> (Counts, Subtree) {
    match prepared.run(batch).expect("legal").answer {
        Answer::Subtree(counts, subtree) => (counts, *subtree),
        other => panic!("a subtree batch reports its tree: {other:?}"),
    }
}

#[test]
fn a_batch_gives_the_same_tally_every_time_and_on_every_thread() {
    let prepared = Prepared::new(&root(&[])).expect("the start");
    let batch = batch(&[Move(40), Move(41)]);
    let tally = prepared.run(&batch).expect("legal");
    assert_eq!(tally.answer.playouts(), 20);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(prepared.run(&batch).as_ref(), Ok(&tally)));
        }
    });
    let job = Job::LeafParallel(Playouts { seed: 43, ..PLAYOUTS });
    let other = prepared.run(&Batch { job, ..batch }).expect("legal");
    assert_ne!(other, tally);
}

#[test]
fn batches_of_several_policies_are_each_what_they_are_alone() {
    let prepared = Prepared::new(&root(&[])).expect("the start");
    let policies = [Policy::Heavy, Policy::Uniform, Policy::Heavy];
    let batches = policies.map(|policy| {
        let job = Job::LeafParallel(Playouts { policy, ..PLAYOUTS });
        Batch { job, ..batch(&[Move(40)]) }
    });
    let [heavy, uniform, again] = batches.each_ref();
    let found = prepared.run_all(&[heavy, uniform, again], &mut Workspace::default());
    assert_eq!(found, [heavy, uniform, again].map(|batch| prepared.run(batch)));
    assert_ne!(found[0], found[1]);
    assert_eq!(found[0], found[2]);
}

#[test]
fn an_illegal_path_is_refused_with_the_ply() {
    let prepared = Prepared::new(&root(&[])).expect("the start");
    let twice = prepared.run(&batch(&[Move(40), Move(40)])).expect_err("occupied").to_string();
    let id = batch(&[]).id;
    assert_eq!(twice, format!("batch {id}: ply 2 of its path, E5, is illegal"));
    for nonsense in [81, 999, 65_534] {
        let refused = prepared.run(&batch(&[Move(nonsense)]));
        assert!(matches!(refused, Err(RunError::IllegalPath { ply: 1, .. })), "{refused:?}");
    }
}

#[test]
fn a_batch_of_another_root_is_refused() {
    let prepared = Prepared::new(&root(&[])).expect("the start");
    let named = RootId { session: SessionId(1), epoch: Epoch(3) };
    let refused = prepared.run(&Batch { root: named, ..batch(&[]) });
    assert!(matches!(refused, Err(RunError::OtherRoot { .. })), "{refused:?}");
}

#[test]
fn a_root_that_is_no_position_is_refused_with_the_ply() {
    let twice = [(Color::Black, Move(40)), (Color::White, Move(40))];
    let refused = Prepared::new(&root(&twice)).expect_err("occupied").to_string();
    assert_eq!(refused, "root 1.2, ply 2: illegal move E5");
    let setup = vec![(Color::Black, Move(0)), (Color::White, Move(0))];
    let refused = Prepared::new(&Root { setup, ..root(&[]) });
    let occupied = |error: &RootError| {
        matches!(error, RootError::Setup { reason: SetupError::Occupied { .. }, .. })
    };
    assert!(refused.as_ref().is_err_and(occupied), "{refused:?}");
}

#[test]
fn a_root_that_names_other_models_is_refused_with_both() {
    let own = root(&[]);
    let other = Root { models: Digest(own.models.0 ^ 1), ..own.clone() };
    let refused = Prepared::new(&other).expect_err("other models").to_string();
    let (named, held) = (other.models, own.models);
    assert_eq!(
        refused,
        format!("root 1.2 names the models {named} of go, and this build has {held}")
    );
    assert_eq!(own.check_models::<Go>(), Ok(()));
}

fn grow(playouts: Playouts, floor: u32, known: Known) -> Job {
    Job::Subtree(Grow { playouts, floor, known: Box::new(known), judged: false, spread: None })
}

/// Batches of both kinds of playouts and of several sizes, of which the third cannot be run.
fn mixed() -> Vec<Batch> {
    let playouts = |seed, count| Playouts { seed, count, ..PLAYOUTS };
    let flat = |seed, count, path: &[Move]| Batch {
        job: Job::LeafParallel(playouts(seed, count)),
        ..batch(path)
    };
    let grown = |seed, count, path: &[Move]| Batch {
        job: grow(playouts(seed, count), 4, Known::default()),
        ..batch(path)
    };
    vec![
        flat(1, 1, &[Move(40)]),
        grown(2, 90, &[Move(40), Move(41)]),
        flat(3, 5, &[Move(40), Move(40)]),
        flat(4, 11, &[]),
        grown(5, 33, &[]),
        flat(6, 1, &[Move(7), Move::PASS]),
    ]
}

#[test]
fn every_answer_fits_its_job_and_no_other_kind_of_job() {
    let record = endgame(12, 1);
    let (side, id) = (record.position().side_to_move(), root(&[]).id);
    let root = Root::of(&record, side, id, Growing::of(Kind::Othello));
    let prepared = Prepared::new(&root).expect("an endgame");
    let bounds = Bounds::below(2);
    let solve = |sought| Job::Solve(Solve { sought, bounds, nodes_max: 1 << 20, cost: 1 });
    let jobs = [
        Job::LeafParallel(PLAYOUTS),
        grow(PLAYOUTS, 2, Known::default()),
        solve(Sought::Score),
        solve(Sought::Value { evaluation: 0, depth: 3 }),
    ];
    let asked = |job: &Job| Batch { job: job.clone(), ..batch(&[]) };
    let run = |job: &Job| prepared.run(&asked(job)).expect("a job");
    let kind = |job: &Job| std::mem::discriminant(job);
    for job in &jobs {
        let answer = run(job).answer;
        for other in &jobs {
            let is_fit = fit::check(&asked(other), &answer, OTHELLO).is_ok();
            assert!(if job == other { is_fit } else { !is_fit || kind(job) == kind(other) });
        }
    }
}

#[test]
fn batches_run_together_give_the_tallies_that_each_gives_alone() {
    let prepared = Prepared::new(&root(&[])).expect("the start");
    let batches = mixed();
    let alone: Vec<_> = batches.iter().map(|batch| prepared.run(batch)).collect();
    assert!(alone[2].is_err());
    // What the room was used for before must not matter.
    let mut space = Workspace::default();
    for _ in 0..2 {
        let together = prepared.run_all(&batches.iter().collect::<Vec<_>>(), &mut space);
        assert_eq!(together, alone);
    }
}

#[test]
fn a_subtree_batch_counts_each_playout_once_and_reports_whom_it_visited() {
    let prepared = Prepared::new(&root(&[])).expect("the start");
    let floor = 20;
    let job = grow(Playouts { count: 2_000, ..PLAYOUTS }, floor, Known::default());
    let (counts, grown) = grown(&prepared, &Batch { job, ..batch(&[Move(40)]) });
    assert_eq!(counts.playouts(), 2_000);
    let (first, others) = grown.groups.split_first().expect("the leaf's children");
    assert_eq!((first.parent, first.side, first.children), (None, Color::White, 81));
    assert_eq!(grown.visits[..81].iter().sum::<u32>(), 2_000);
    assert!(!others.is_empty());
    let mut before = 81;
    for siblings in others {
        let parent = siblings.parent.expect("a child reported before") as usize;
        assert!(parent < before && grown.visits[parent] >= floor);
        let children = usize::from(siblings.children);
        let through: u32 = grown.visits[before..before + children].iter().sum();
        assert!(through < grown.visits[parent]);
        before += children;
    }
    assert_eq!(before, grown.children());
    // The AMAF tally of White's moves is what the leaf's children were credited with.
    let amaf = counts.amaf.expect("asked for");
    for child in 0..81 {
        if let Some(point) = grown.moves[child].index() {
            let slot = 2 * point + Color::White.index();
            assert_eq!(amaf.visits[slot], grown.amaf_visits[child]);
            assert_eq!(amaf.half_wins[slot], grown.amaf_half_wins[child]);
        }
    }
}

#[test]
fn a_subtree_batch_goes_on_from_what_is_known_and_reports_only_what_is_new() {
    // Priors would tell everybody where to look.
    let mut root = root(&[]);
    root.growing.parameters.prior_visits = 0.0;
    let prepared = Prepared::new(&root).expect("the start");
    let run = |seed, known| {
        let job = grow(Playouts { count: 500, seed, ..PLAYOUTS }, 2, known);
        grown(&prepared, &Batch { job, ..batch(&[]) }).1
    };
    let first = run(1, Known::default());
    let best = (0..81).max_by_key(|&child| first.visits[child]).expect("some child");
    let afresh = run(2, Known::default());
    let further = run(2, Known { visits: 500, subtree: first.clone() });
    for grown in [&afresh, &further] {
        assert_eq!(grown.visits[..82].iter().sum::<u32>(), 500);
    }
    assert_eq!(further.moves[..82], first.moves[..82]);
    // Who knows where the good moves are looks at fewer others.
    let looked_at = |grown: &banyan_jobs::Subtree| {
        grown.visits[..82].iter().filter(|&&visits| visits > 0).count()
    };
    assert!(looked_at(&further) < looked_at(&afresh), "best was {best}");
}

#[test]
fn a_subtree_batch_reports_what_a_short_search_proves_below_it() {
    let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
    // White wins by fours in nine plies, further than so few playouts see.
    let moves = "g7 f7 i6 j8 i4 e8 i5 i7 h6 f8 g8 h8 e9 g9 h7 f6 g6 i9";
    let mut record = Record::<Gomoku>::new(&rules);
    for word in moves.split(' ') {
        let mv = record.position().parse_move(word).expect("a point");
        record.play(mv).expect("free");
    }
    let proofs = |proof_nodes: u32| {
        let parameters = Parameters { proof_nodes, ..Parameters::of(Kind::Gomoku) };
        let growing = Growing { parameters, seed: 3, evaluator: None };
        let id = root(&[]).id;
        let side = record.position().side_to_move();
        let prepared = Prepared::new(&Root::of(&record, side, id, growing)).expect("a root");
        let asked = Asked { amaf: false, ownership: false };
        let job = grow(Playouts { count: 600, asked, ..PLAYOUTS }, 2, Known::default());
        let (counts, grown) = grown(&prepared, &Batch { job, ..batch(&[]) });
        assert_eq!(counts.playouts(), 600);
        grown.proofs.iter().filter(|&&proof| proof != Proof::Open).count()
    };
    assert!(proofs(50) > proofs(0), "{} {}", proofs(50), proofs(0));
}

/// A random game of Othello with so many points left.
fn endgame(empties: u32, seed: u64) -> Record<Othello> {
    let mut rng = Rng::from_seed(seed);
    loop {
        let mut record = Record::<Othello>::new(&OthelloRules);
        while record.position().outcome().is_none() {
            if Board::from(record.position()).empties().count_ones() == empties {
                return record;
            }
            let moves = record.candidates();
            record.play(moves[rng.below(moves.len() as u32) as usize]).expect("legal");
        }
    }
}

#[test]
fn a_subproblem_is_answered_as_the_solver_would_whatever_was_asked_before() {
    let mut space = Workspace::default();
    for seed in 0..20 {
        let record = endgame(12, seed);
        let (position, id) = (record.position(), root(&[]).id);
        let root = Root::of(&record, position.side_to_move(), id, Growing::of(Kind::Othello));
        let prepared = Prepared::new(&root).expect("an endgame");
        let exact = Solver::new(1 << 20).solve(Board::from(position), EXACT, &mut |_| true);
        let exact = exact.expect("not stopped").score;
        for at_least in [exact - 2, exact, exact + 2] {
            let bounds = Bounds::below(at_least);
            let sought = Sought::Score;
            let batch = subproblem(Solve { sought, bounds, nodes_max: 1 << 20, cost: 1 });
            let tally = prepared.run(&batch).expect("an answer");
            let found = solved(&tally);
            let is_true = match found.bound {
                Bound::AtLeast(value) => (at_least..=exact).contains(&value),
                Bound::AtMost(value) => (exact..at_least).contains(&value),
                Bound::Exact(_) | Bound::Unknown => false,
            };
            assert!(is_true, "{exact}, at least {at_least}: {found:?}");
            let again = prepared.run_all(&[&batch], &mut space);
            assert_eq!(again, [Ok(tally)], "a table that was used before changes nothing");
        }
    }
}

#[test]
fn a_subproblem_of_a_value_is_answered_as_one_alone_would_and_a_dropped_one_not_at_all() {
    let record = endgame(40, 5);
    let (position, id) = (record.position(), root(&[]).id);
    let root = Root::of(&record, position.side_to_move(), id, Growing::of(Kind::Othello));
    let prepared = Prepared::new(&root).expect("a position");
    let ask = |bounds, depth, space: &mut Workspace| {
        let sought = Sought::Value { evaluation: 0, depth };
        let batch = subproblem(Solve { sought, bounds, nodes_max: 1 << 20, cost: 1 });
        prepared.run_all(&[&batch], space).remove(0)
    };
    let bound = |bounds, depth, space: &mut Workspace| {
        solved(&ask(bounds, depth, space).expect("an answer")).bound
    };
    let mut space = Workspace::default();
    for depth in 1..6 {
        let Bound::Exact(value) = bound(Bounds::FULL, depth, &mut space) else {
            panic!("the whole bounds was asked for")
        };
        let above = bound(Bounds::below(value + 1), depth, &mut space);
        assert!(matches!(above, Bound::AtMost(most) if most >= value), "{depth}: {above:?}");
        let below = bound(Bounds::below(value), depth, &mut space);
        assert!(matches!(below, Bound::AtLeast(least) if least <= value), "{depth}: {below:?}");
        let fresh = ask(Bounds::FULL, depth, &mut Workspace::default());
        assert_eq!(ask(Bounds::FULL, depth, &mut space), fresh, "whatever was asked before");
    }
    let dropped = Arc::new(Dropped::default());
    let mut space = Workspace::new(dropped.clone());
    assert!(ask(Bounds::FULL, 2, &mut space).is_ok());
    dropped.add(&[batch(&[]).id]);
    assert!(matches!(ask(Bounds::FULL, 2, &mut space), Err(RunError::Dropped { .. })));
}

#[test]
fn a_subproblem_that_costs_too_much_is_given_up_and_one_that_makes_no_sense_refused() {
    let record = endgame(34, 3);
    let (side, id) = (record.position().side_to_move(), root(&[]).id);
    let endgame = Root::of(&record, side, id, Growing::of(Kind::Othello));
    let bounds = Bounds::below(2);
    let batch = subproblem(Solve { sought: Sought::Score, bounds, nodes_max: 30_000, cost: 1 });
    let tally = Prepared::new(&endgame).expect("an endgame").run(&batch).expect("an answer");
    let solved = solved(&tally);
    assert_eq!(solved.bound, Bound::Unknown);
    assert!((30_000..60_000).contains(&solved.nodes), "{}", solved.nodes);
    assert_eq!(fit::check(&batch, &tally.answer, OTHELLO), Ok(()));
    let refused = Prepared::new(&root(&[])).expect("the start").run(&batch);
    let why = refused.expect_err("Go").to_string();
    assert!(why.ends_with("go has no answer to its question"), "{why}");
}

//! Running a batch: pure, checked, the same on every thread.

use std::sync::Arc;

use banyan_games::connect6::Connect6Rules;
use banyan_games::counts::Asked;
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Counts, Game, Kind, Move, Record, Rng, Rules, SetupError, with_game};
use banyan_jobs::{
    Alone, Answer, Batch, BatchId, Bound, Bounds, Depths, Digest, Dropped, Epoch, Evaluate, Grow,
    Growing, Job, Known, ModelDigest, Play, Playouts, Practice, Practise, Prepared, Root,
    RootError, RootId, RunError, SessionId, Solve, Solved, Sought, Subtree, Tally, Trial, Tried,
    Wanted, Workspace, fit,
};
use banyan_knowledge::{Evaluators, Policy, pattern_files};
use banyan_search::endgame::{Board, EXACT, Solver};
use banyan_search::{Parameters, Proof};
use banyan_selfplay::patterns;

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

const GO7: fit::Board = fit::Board { game: Kind::Go, area: 49 };

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
    let run = |job: &Job| prepared.run(&Batch { job: job.clone(), ..batch(&[]) }).expect("a job");
    let kind = |job: &Job| std::mem::discriminant(job);
    for job in &jobs {
        let answer = run(job).answer;
        for other in &jobs {
            let is_fit = fit::check(other, &answer, OTHELLO).is_ok();
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
    assert_eq!(fit::check(&batch.job, &tally.answer, OTHELLO), Ok(()));
    let refused = Prepared::new(&root(&[])).expect("the start").run(&batch);
    let why = refused.expect_err("Go").to_string();
    assert!(why.ends_with("go has no answer to its question"), "{why}");
}

#[test]
fn games_of_self_play_are_those_of_their_seeds_in_every_game() {
    let depths = Depths { full: 4, short: 2, decided: 1, full_permille: 500 };
    let wanted = Wanted { seed: 3, games: 2, depths };
    let play = |judged| Batch {
        id: BatchId(1),
        root: RootId::default(),
        path: Vec::new(),
        job: Job::Play(Play { wanted, judged, cost: 9 }),
    };
    let go = Record::<Go>::new(&GoRules::new(7, 15).expect("a size of Go"));
    let root = Root::of(&go, Color::Black, RootId::default(), Growing::of(Kind::Go));
    let prepared = Prepared::new(&root).expect("a position");
    let tally = prepared.run(&play(false)).expect("games");
    let games = banyan_selfplay::play::<Go>(None, 7, &wanted).expect("games");
    assert_eq!(tally.answer.played(), Some(&games[..]));
    assert_eq!(fit::check(&play(false).job, &tally.answer, GO7), Ok(()));
    let mut fewer = games.clone();
    fewer.pop();
    let misfit =
        fit::check(&play(false).job, &Answer::Played(fewer), GO7).expect_err("one is missing");
    assert_eq!(misfit.to_string(), "holds games that were not asked for: 1 games of 2");
    let nobody = prepared.run(&play(true)).expect_err("no evaluator is here");
    assert_eq!(nobody, RunError::NoEvaluator { batch: BatchId(1) });
    let other = Record::<Othello>::new(&OthelloRules);
    let root = Root::of(&other, Color::Black, RootId::default(), Growing::of(Kind::Othello));
    let tally = Prepared::new(&root).expect("a position").run(&play(false)).expect("games");
    let games = banyan_selfplay::play::<Othello>(None, 8, &wanted).expect("games");
    assert_eq!(tally.answer.played(), Some(&games[..]));
    assert_eq!(fit::check(&play(false).job, &tally.answer, OTHELLO), Ok(()));
    let other = fit::Board { game: Kind::Go, area: 64 };
    assert!(fit::check(&play(false).job, &tally.answer, other).is_err(), "games of another game");
}

#[test]
fn a_trial_of_a_rule_is_made_by_the_rules_of_its_root() {
    let batch = |trial: Trial| Batch {
        id: BatchId(1),
        root: RootId::default(),
        path: Vec::new(),
        job: Job::Try(trial),
    };
    let gomoku = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
    let connect6 = Connect6Rules::new(19).expect("a size");
    let rules: [Rules; 3] =
        [GoRules::new(9, 15).expect("a size").into(), gomoku.into(), connect6.into()];
    for rules in rules {
        let game = rules.kind();
        let root = with_game!(&rules, G, rules => {
            let record = Record::<G>::new(rules);
            Root::of(&record, Color::Black, RootId::default(), Growing::of(game))
        });
        let prepared = Prepared::new(&root).expect("a position");
        let trial = Trial { completions: 5, ..Trial::sample(game).expect("a sample") };
        let tally = prepared.run(&batch(trial.clone())).expect("it is tried");
        let tried = tally.answer.tried().expect("a trial");
        assert_eq!(Ok(tried.clone()), trial.run(&rules).map_err(|why| why.to_string()));
        assert_eq!((tried.judged.agreed, tried.judged.contradicted), (5, 0), "{game}");
        assert_eq!(matches!(tried.alone, Alone::Proven(_)), game == Kind::Go);
        let (job, board) = (Job::Try(trial.clone()), fit::Board::of(&rules));
        assert_eq!(fit::check(&job, &tally.answer, board), Ok(()));
        let misfit = |change: fn(&mut Tried)| {
            let mut other = tried.clone();
            change(&mut other);
            fit::check(&job, &Answer::Tried(other), board).expect_err("it does not fit").to_string()
        };
        assert!(misfit(|tried| tried.judged.open += 1).ends_with("6 completions instead of 5"));
        if game == Kind::Go {
            let words = misfit(|tried| tried.alone = Alone::Unproven);
            assert!(words.ends_with("5 completions of a rule that is not proven alone"), "{words}");
            assert!(misfit(|tried| tried.alone = Alone::Unasked).contains("proven alone: false"));
        } else {
            assert!(misfit(|tried| tried.alone = Alone::Contradicted).contains("alone: true"));
        }
        let nonsense = Trial { rule: "{}".to_owned(), ..trial };
        let why = prepared.run(&batch(nonsense)).expect_err("no rule").to_string();
        assert!(why.starts_with("batch 1: no trial of a rule: missing field"), "{why}");
    }
    let othello = Record::<Othello>::new(&OthelloRules);
    let root = Root::of(&othello, Color::Black, RootId::default(), Growing::of(Kind::Othello));
    let prepared = Prepared::new(&root).expect("a position");
    let why =
        prepared.run(&batch(Trial::sample(Kind::Go).expect("a sample"))).expect_err("Othello");
    assert!(why.to_string().ends_with("rules of othello are not learned"), "{why}");
}

#[test]
fn whoever_changes_a_rule_is_contradicted() {
    let rules = Rules::from(Connect6Rules::new(19).expect("a size"));
    let trial = Trial::sample(Kind::Connect6).expect("a sample");
    // Without the four stones in a column the two in the row win nothing.
    let rule = trial.rule.replace("??X?????", "??.?????");
    let tried = Trial { rule, completions: 10, ..trial }.run(&rules).expect("it is tried");
    assert!(tried.judged.contradicted > 0, "{tried:?}");
}

#[test]
fn games_of_classical_searches_are_those_of_their_seeds_by_what_is_named() {
    let practice = Practice { seed: 3, games: 2, plies: 2, solve_from: 6, evaluation: 0 };
    let gomoku = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
    let connect6 = Connect6Rules::new(19).expect("a size");
    let rules: [Rules; 3] = [OthelloRules.into(), gomoku.into(), connect6.into()];
    for rules in rules {
        let game = rules.kind();
        let batch = |practice: Practice, judged| Batch {
            id: BatchId(1),
            root: RootId::default(),
            path: Vec::new(),
            job: Job::Practise(Practise::new(game, practice, judged)),
        };
        let root = with_game!(&rules, G, rules => {
            let record = Record::<G>::new(rules);
            Root::of(&record, Color::Black, RootId::default(), Growing::of(game))
        });
        let prepared = Prepared::new(&root).expect("a position");
        let both = batch(practice, false);
        let tally = prepared.run(&both).expect("games");
        let games = tally.answer.practised().expect("games").to_vec();
        assert_eq!(games, patterns::play(&rules, None, &practice).expect("games"));
        let ones = [3, 4].map(|seed| {
            let one = Practice { seed, games: 1, ..practice };
            prepared.run(&batch(one, false)).expect("a game")
        });
        let ones: Vec<u8> =
            ones.iter().flat_map(|it| it.answer.practised().expect("a game").to_vec()).collect();
        assert_eq!(ones, games, "{game}");
        let board = fit::Board::of(&rules);
        assert_eq!(fit::check(&both.job, &tally.answer, board), Ok(()));
        let misfit = |games: &[u8]| {
            let answer = Answer::Practised(games.to_vec());
            fit::check(&both.job, &answer, board).expect_err("it does not fit").to_string()
        };
        assert!(misfit(&[]).ends_with("0 games of 2"));
        assert!(misfit(&games[..games.len() - 1]).ends_with("game 2 is cut short"));
        if game == Kind::Othello {
            let mut other = games.clone();
            other[2] ^= 1;
            assert!(misfit(&other).ends_with("game 1 ends otherwise than it says"));
            // A game of no plies has no end to be searched for.
            let none = [0, 0, 0, 0, 0, 0];
            assert!(misfit(&none).ends_with("game 1 ends otherwise than it says"));
        }
        let nobody = prepared.run(&batch(practice, true)).expect_err("no tables are named");
        assert_eq!(nobody, RunError::NoEvaluator { batch: BatchId(1) });
        if game != Kind::Othello {
            let unknown = batch(Practice { evaluation: 99, ..practice }, false);
            let why = prepared.run(&unknown).expect_err("no such evaluation").to_string();
            assert!(why.contains("evaluation 99 of "), "{why}");
        }
    }
    let tables = include_bytes!("../../../models/othello.tuples");
    let tables = pattern_files::read(Kind::Othello, tables).expect("tables");
    let (digest, mut evaluators) = (ModelDigest([7; 32]), Evaluators::default());
    evaluators.add_patterns(digest, tables);
    let record = Record::<Othello>::new(&OthelloRules);
    let growing = Growing { evaluator: Some(digest), ..Growing::of(Kind::Othello) };
    let root = Root::of(&record, Color::Black, RootId::default(), growing);
    let prepared = Prepared::with(&root, &evaluators).expect("a position");
    let job = Job::Practise(Practise::new(Kind::Othello, practice, true));
    let named = Batch { id: BatchId(1), root: root.id, path: Vec::new(), job };
    let tally = prepared.run(&named).expect("games by the tables that are named");
    let built_in = patterns::play(&OthelloRules.into(), None, &practice).expect("games");
    assert_eq!(tally.answer.practised(), Some(&built_in[..]), "they are those of the build");
    let job = Job::Evaluate(Evaluate { ownership: false });
    let judge = Batch { id: BatchId(2), root: root.id, path: Vec::new(), job };
    let nobody = prepared.run(&judge).expect_err("tables judge no leaves");
    assert_eq!(nobody, RunError::NoEvaluator { batch: BatchId(2) });
}

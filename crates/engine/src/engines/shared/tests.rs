//! Shared searches with a cluster of one thread, which may lie for a while.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use banyan_games::othello::Othello;
use banyan_games::{Game, Move, Record, Rng};
use banyan_jobs::{Answer, Bound, INFINITE, Solved, Sought, Tally};
use banyan_search::classical::Found;

use super::*;
use crate::alone::Alone;
use crate::engines::Task;
use crate::question::Limits;

/// A liar: when it searches a leaf for so many plies or fewer it says that its side to move is done for.
#[derive(Clone, Copy)]
struct LiesUpTo(u32);

impl LiesUpTo {
    /// An answer, and whether lies come to light with it.
    fn answer(&mut self, honest: Tally, subproblem: Solve) -> (Tally, bool) {
        let Sought::Value { depth, .. } = subproblem.sought else { panic!("a search for values") };
        let (alpha, solved) = (subproblem.bounds.alpha, honest.answer.solved().expect("an answer"));
        if depth > self.0 {
            let is_found_out = self.0 > 0;
            self.0 = 0;
            return (honest, is_found_out);
        }
        let bound = if alpha > -INFINITE { Bound::AtMost(alpha) } else { solved.bound };
        (Tally { answer: Answer::Solved(Solved { bound, ..solved }), ..honest }, false)
    }
}

/// A cluster that answers every batch at once.
fn cluster(mut lies: LiesUpTo) -> Arc<dyn Lender> {
    Alone::answering(Box::new(move |batch, honest| {
        let Job::Solve(subproblem) = batch.job else { panic!("a subproblem") };
        lies.answer(honest, subproblem)
    }))
}

/// Searches the start of Othello until five plies are known; the depths that it went through, with
/// what was found in the end.
fn search_with(lies: LiesUpTo) -> (Vec<u32>, Found) {
    search_by(cluster(lies), "")
}

/// The same by any cluster, after some plies.
fn search_by(lender: Arc<dyn Lender>, plies: &str) -> (Vec<u32>, Found) {
    let mut record = Record::<Othello>::new(&Default::default());
    for ply in plies.split_whitespace() {
        let mv = record.position().parse_move(ply).expect("a move");
        record.play(mv).expect("legal");
    }
    let position = record.position();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let task = Task {
        record: &record,
        position,
        moves: &moves,
        is_analysis: false,
        limits: Limits { time: Some(Duration::from_secs(60)), ..Limits::default() },
        interval: Duration::from_millis(100),
        saves_time: false,
        stop: &AtomicBool::new(false),
    };
    let alone = Found {
        best: moves[0],
        value: 0,
        line: vec![moves[0]],
        depth: 1,
        is_exact: false,
        nodes: 0,
        passes: 0,
    };
    let mut shared = Shared::new(lender);
    let together = Together { shared: &mut shared, evaluation: 0, nodes_per_s: 1e6 };
    let mut depths = vec![1];
    let (found, _) = together.deepen(&task, alone, &mut |found| {
        if depths.last() != Some(&found.depth) {
            depths.push(found.depth);
        }
        found.depth < 5 && depths.len() < 20
    });
    (depths, found)
}

#[test]
fn nothing_that_came_of_lies_is_kept() {
    let (depths, honest) = search_with(LiesUpTo(0));
    assert_eq!(depths, [1, 2, 3, 4, 5]);
    // Leaves of four plies are searched for two of them: lies come to light in the fifth.
    let (depths, found) = search_with(LiesUpTo(2));
    assert_eq!(depths, [1, 2, 3, 4, 1, 2, 3, 4, 5], "it begins again");
    assert_eq!((found.best, found.value), (honest.best, honest.value));
}

#[test]
fn no_two_searches_lend_batches_of_one_name() {
    let lender = cluster(LiesUpTo(0));
    let (one, two) = (Shared::new(lender.clone()), Shared::new(lender));
    assert_ne!(one.session, two.session);
}

#[test]
fn threads_of_others_are_asked_where_they_make_up_for_what_they_do_not_know() {
    let crew = |&(threads, is_own): &(u32, bool)| Crew { threads, is_own };
    for (nodes, all_moves, few_moves) in [
        (&[][..], false, false),
        (&[(1, false)], true, false),
        (&[(1, false), (2, false)], true, false),
        (&[(2, false), (2, false)], true, true),
        (&[(3, true)], false, false),
        (&[(1, true), (3, false)], true, false),
        (&[(1, true), (14, false)], true, false),
        (&[(1, true), (15, false)], true, true),
        (&[(64, true)], false, false),
        (&[(8, true), (7, false)], false, false),
        (&[(8, true), (8, false)], true, false),
        (&[(8, true), (24, false)], true, true),
    ] {
        let crews: Vec<Crew> = nodes.iter().map(crew).collect();
        let found = [Enough::ALL_MOVES, Enough::FEW_MOVES].map(|enough| enough.is_reached(&crews));
        assert_eq!(found, [all_moves, few_moves], "{nodes:?}");
    }
}

/// The best move of three plies of Othello and how often its depths were gone through, where the `nth`
/// answer that would change the mind is turned around.
fn found_with_a_lie_at(nth: u64) -> (Move, i32, usize) {
    let mut answers = 0;
    let lender = Alone::answering(Box::new(move |batch, honest| {
        answers += 1;
        let Job::Solve(solve) = &batch.job else { panic!("a subproblem") };
        let (alpha, solved) = (solve.bounds.alpha, honest.answer.solved().expect("an answer"));
        if answers != nth || alpha <= -INFINITE {
            return (honest, false);
        }
        let answer = Answer::Solved(Solved { bound: Bound::AtMost(alpha), ..solved });
        (Tally { answer, ..honest }, false)
    }));
    let (depths, found) = search_by(lender, "f5 d6 c3 d3 c4");
    (found.best, found.value, depths.len())
}

#[test]
fn an_answer_that_changes_the_best_move_is_asked_for_twice() {
    let (best, value, _) = found_with_a_lie_at(0);
    let mut moved = Vec::new();
    for nth in 1..40 {
        let (lied_to, lied, _) = found_with_a_lie_at(nth);
        if lied_to != best {
            moved.push((nth, lied_to, lied));
        }
    }
    assert_eq!(moved, [], "instead of {best:?} at {value}");
}

/// What a cluster of one finds of an endgame of ten empty points while it is asked `looks` times whether to go on; it
/// `lies` when it is asked about a position for the first time.
fn solved_within(looks: u32, lies: bool) -> (Option<i32>, bool) {
    let mut record = Record::<Othello>::new(&Default::default());
    let mut rng = Rng::from_seed(5);
    let mut moves = Vec::new();
    loop {
        moves.clear();
        record.position().legal_moves(&mut moves);
        let empty = record.position().endgame().expect("Othello").empties().count_ones();
        if empty <= 10 && moves.len() > 2 {
            break;
        }
        record.play(moves[rng.below(moves.len() as u32) as usize]).expect("legal");
    }
    let mut asked = std::collections::HashSet::new();
    let lender = Alone::answering(Box::new(move |batch, honest| {
        let Job::Solve(solve) = &batch.job else { panic!("a subproblem") };
        if !lies || !asked.insert(batch.path.clone()) {
            return (honest, false);
        }
        let solved = honest.answer.solved().expect("an answer");
        let answer = Answer::Solved(Solved { bound: Bound::AtMost(solve.bounds.alpha), ..solved });
        (Tally { answer, ..honest }, false)
    }));
    let side = record.position().side_to_move();
    let mut left = looks;
    let mut goes_on = |_| {
        left = left.saturating_sub(1);
        left > 0
    };
    let found = Shared::new(lender).solve(&record, side, &moves, &mut goes_on);
    (found.solution.map(|it| it.score), found.is_exact)
}

#[test]
fn an_end_of_time_makes_no_proof_of_what_was_said_once() {
    let (truth, is_exact) = solved_within(u32::MAX, false);
    let truth = truth.filter(|_| is_exact).expect("time enough");
    assert_eq!(solved_within(u32::MAX, true), (Some(truth), true), "it is found out");
    for looks in 1..60 {
        let (score, is_exact) = solved_within(looks, true);
        assert!(score.is_none_or(|score| score == truth), "{looks}: {score:?} in place of {truth}");
        assert!(!is_exact || score == Some(truth), "{looks}");
    }
}

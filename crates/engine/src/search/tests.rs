//! Number of playouts that may be in flight, and their scoring.

use banyan_games::Game;
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Counts, Kind, Margin, Record};
use banyan_jobs::{Answer, Growing, Prepared, Root, Sizing, Wish};
use banyan_knowledge::Policy;
use banyan_search::Searchable;
use banyan_search::{FinalMove, Parameters};

use super::*;
use crate::search::progress::Progress;

const FREE: Plan = Plan { seed: 1, ..Plan::of(Policy::Uniform) };

fn search<G: Searchable>(position: G, plan: Plan) -> Search<G> {
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    let mut tree = Tree::new(Parameters::of(G::KIND), 7, 1 << 20, Color::White);
    tree.allow_at_root(Color::Black, &moves);
    Search::new(tree, RootId::default(), position, plan, 0)
}

fn gomoku() -> Gomoku {
    Gomoku::new(&GomokuRules::new(7, 7, Default::default()).expect("a size"))
}

/// Playouts that a new search has in flight when it finds no more room.
fn in_flight(plan: Plan, threads: u32) -> u32 {
    let mut search = search(gomoku(), plan);
    search.set_capacity(ClusterCapacity { threads, ..ClusterCapacity::default() });
    while search.has_room(u32::MAX) {
        assert!(matches!(search.iterate(), Iteration::Batch(_)));
    }
    search.in_flight()
}

#[test]
fn few_playouts_are_hardly_made_in_parallel() {
    let limited = |playouts| Plan { playouts_max: Some(playouts), ..FREE };
    assert_eq!(in_flight(FREE, 1), 16);
    assert_eq!(in_flight(limited(2_000), 1), 3);
    assert_eq!(in_flight(limited(100_000), 1), 16);
    // Each thread has one to play and one to come.
    assert_eq!(in_flight(limited(2_000), 4), 8);
    let batches_of_4 = Sizing { playouts: Some(4), ..Sizing::default() };
    assert_eq!(in_flight(Plan { sizing: batches_of_4, ..limited(2_000) }, 1), 8);
    // What is asked for is done.
    assert_eq!(in_flight(Plan { window: Some(12), ..limited(2_000) }, 1), 12);
}

/// A search whose playouts are all won by 1.5 points, after so many batches.
fn won<G: Searchable>(position: G, batches: u32) -> Search<G> {
    let mut search = search(position, FREE);
    for _ in 0..batches {
        let Iteration::Batch(batch) = search.iterate() else { panic!("no end is near") };
        let mut counts = Counts::default();
        (0..batch.job.cost()).for_each(|_| counts.add(Outcome { margin: Margin(3) }, 10));
        let answer = Answer::Counts(counts);
        assert!(search.take(None, Tally { batch: batch.id, answer }));
    }
    search
}

#[test]
fn every_playout_through_a_move_counts_for_its_score_where_points_are_won() {
    let go = Go::new(&GoRules::new(9, 15).expect("a size"));
    let sums = won(go, 60).sums().clone();
    let scored: u64 = sums.scores.iter().map(|scores| scores.playouts).sum();
    assert_eq!((scored, sums.playouts), (60, 60));
    for scores in &sums.scores {
        assert_eq!(sums.score(scores.mv, Color::White), Some(-1.5));
    }
    assert!(won(gomoku(), 50).sums().scores.is_empty());
}

#[test]
fn a_search_with_scores_that_cannot_be_is_not_gone_on_with() {
    let go = Go::new(&GoRules::new(9, 15).expect("a size"));
    let standing = won(go.clone(), 60).standing();
    let resume = |change: fn(&mut Sums)| {
        let mut again = won(go.clone(), 60);
        let mut progress: Progress = standing.progress.clone();
        change(&mut progress.sums);
        again.resume(progress).err().map(|refused| refused.to_string())
    };
    assert_eq!(resume(|_| {}), None);
    let wrong: [fn(&mut Sums); 3] = [
        |sums| sums.scores[0].playouts = 61,
        |sums| sums.scores[0].margin_sum = i64::MIN,
        |sums| sums.scores = vec![sums.scores[0]; 83],
    ];
    for (change, what) in wrong.into_iter().zip(["playouts of a score", "margin sum", "moves"]) {
        let refused = resume(change).expect("nonsense");
        assert!(refused.contains(what), "{refused}");
    }
}

/// A search of subtree batches whose answers all come from a peer, which changes what it proves; ends when
/// the search does, or after so many batches.
fn told_by_a_peer(
    position: &Gomoku,
    plies: &[u16],
    batches: u32,
    lie: impl Fn(&mut Proof),
) -> Search<Gomoku> {
    let rules = GomokuRules::new(7, 7, Default::default()).expect("a size");
    let mut record = Record::<Gomoku>::new(&rules);
    plies.iter().for_each(|&point| record.play(Move(point)).expect("legal"));
    let sizing = Sizing { wish: Wish::Subtree, playouts: Some(64) };
    let mut search = search(position.clone(), Plan { sizing, ..FREE });
    let growing =
        Growing { parameters: *search.tree.parameters(), seed: 7, ..Growing::of(Kind::Gomoku) };
    let root = Root::of(&record, record.position().side_to_move(), RootId::default(), growing);
    let prepared = Prepared::new(&root).expect("a position");
    for _ in 0..batches {
        match search.iterate() {
            Iteration::Batch(batch) => {
                let mut tally = prepared.run(&batch).expect("a legal path");
                if let Answer::Subtree(_, subtree) = &mut tally.answer {
                    subtree.proofs.iter_mut().for_each(&lie);
                }
                assert!(search.take(Some(WorkerId(1)), tally));
            }
            Iteration::Counted | Iteration::Awaited => {}
            Iteration::Complete => break,
        }
        while let Some(claim) = search.claim() {
            search.settle(claim.look_into());
        }
    }
    search
}

#[test]
fn no_proof_that_a_peer_made_up_decides_a_move_or_ends_a_search() {
    for lie in [Proof::Win, Proof::Loss, Proof::Draw] {
        let search = told_by_a_peer(&gomoku(), &[], 60, |proof| *proof = lie);
        let tree = &search.tree;
        assert_eq!(tree.proof(tree.root()), Proof::Open, "{lie:?}");
        let candidates = tree.candidates(FinalMove::Visits);
        assert!(candidates.iter().all(|candidate| candidate.proof == Proof::Open), "{lie:?}");
        assert!(tree.visits(tree.root()) >= 20 * 64, "{lie:?}: the search goes on");
    }
}

#[test]
fn a_win_that_a_peer_has_found_is_made_sure_of_and_ends_the_search() {
    // Black has three in a row with both ends open.
    let plies = [22, 0, 23, 6, 24, 48];
    let mut position = gomoku();
    plies.iter().for_each(|&point| position.play(Move(point)));
    let search = told_by_a_peer(&position, &plies, 2_000, |_| ());
    let tree = &search.tree;
    assert_eq!(tree.proof(tree.root()), Proof::Loss, "of White, who moved into the root");
    assert_eq!(tree.candidates(FinalMove::Visits)[0].proof, Proof::Win);
}

#[test]
fn a_search_of_which_nobody_knows_what_is_a_lie_begins_anew() {
    let mut search = search(gomoku(), FREE);
    let mut made = 0;
    // Ownership lists make tallies large, so that the first of them are soon forgotten.
    let points = limits::MERGED_BYTES_MAX / 4 / 50;
    while made < 200 {
        let Iteration::Batch(batch) = search.iterate() else { panic!("no end is near") };
        made += 1;
        let ownership = Some(vec![0; if made == 1 { 49 } else { points }]);
        let counts = Counts { wins: batch.job.cost(), ownership, ..Counts::default() };
        let answer = Answer::Counts(counts);
        assert!(search.take(Some(WorkerId(1)), Tally { batch: batch.id, answer }));
    }
    let Iteration::Batch(under_way) = search.iterate() else { panic!("no end is near") };
    search.take_back(WorkerId(1));
    assert_eq!(search.tree.visits(search.tree.root()), 0);
    assert_eq!((search.sums().playouts, search.sums().taken_back), (0, made));
    let mut counts = Counts::default();
    (0..under_way.job.cost()).for_each(|_| counts.add(Outcome { margin: Margin(3) }, 10));
    assert!(search.take(None, Tally { batch: under_way.id, answer: Answer::Counts(counts) }));
    assert_eq!(search.tree.visits(search.tree.root()), u64::from(under_way.job.cost()));
    assert_eq!(search.end().0.unobserved_total(), 0);
}

#[test]
fn a_tree_that_is_merged_in_order_does_not_depend_on_who_played() {
    let plies = [22, 0, 23, 6, 24, 48];
    let rules = GomokuRules::new(7, 7, Default::default()).expect("a size");
    let mut record = Record::<Gomoku>::new(&rules);
    plies.iter().for_each(|&point| record.play(Move(point)).expect("legal"));
    let grown = |is_peer: fn(u64) -> bool| {
        let sizing = Sizing { wish: Wish::Subtree, playouts: Some(64) };
        let plan = Plan { sizing, in_order: true, window: Some(64), ..FREE };
        let mut search = search(record.position().clone(), plan);
        let parameters = *search.tree.parameters();
        let growing = Growing { parameters, seed: 7, ..Growing::of(Kind::Gomoku) };
        let side = record.position().side_to_move();
        let root = Root::of(&record, side, RootId::default(), growing);
        let prepared = Prepared::new(&root).expect("a position");
        for nth in 0..400 {
            match search.iterate() {
                Iteration::Batch(batch) => {
                    let tally = prepared.run(&batch).expect("a legal path");
                    assert!(search.take(is_peer(nth).then_some(WorkerId(1)), tally));
                    assert!(search.merge_next());
                }
                Iteration::Counted | Iteration::Awaited => {}
                Iteration::Complete => break,
            }
        }
        assert_ne!(search.tree.proof(search.tree.root()), Proof::Open, "Black wins by force");
        assert!(search.standing().progress.made_sure > 0, "proofs were looked into");
        search.tree.digest()
    };
    let own = grown(|_| false);
    assert_eq!(grown(|_| true), own, "all by a peer");
    assert_eq!(grown(|nth| nth % 3 == 0), own, "some by a peer");
}

#[test]
fn what_was_made_to_be_sure_counts_for_who_goes_on() {
    let mut again = search(gomoku(), FREE);
    let progress = Progress { made_sure: 70_000, ..again.standing().progress };
    again.resume(progress.clone()).expect("counts that fit");
    assert_eq!(again.standing().progress, progress);
}

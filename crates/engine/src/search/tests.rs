//! How many playouts may be in flight, and how they are scored.

use banyan_games::Game;
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Counts, Margin};
use banyan_jobs::{Answer, Sizing};
use banyan_knowledge::Policy;
use banyan_search::Parameters;
use banyan_search::Searchable;

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

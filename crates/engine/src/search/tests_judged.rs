//! Searches by evaluations: what is asked for, what waits, and what becomes of the answers.

use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::{Color, Game, Move, Record, Rng};
use banyan_jobs::{
    Answer, Epoch, Evaluators, Growing, Job, ModelDigest, Prepared, Root, SessionId, Workspace,
};
use banyan_knowledge::{Knowledge, Policy, network};
use banyan_net::Network;
use banyan_search::{FinalMove, Parameters};

use super::*;
use crate::sizing::{Sizing, Wish};

const ROOT: RootId = RootId { session: SessionId(1), epoch: Epoch(1) };

fn parameters(lambda: f32) -> Parameters {
    Parameters { lambda, puct: true, ..Parameters::of(Go::KIND) }
}

fn search(lambda: f32, plan: Plan) -> Search<Go> {
    let position = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    let mut tree = Tree::new(parameters(lambda), 7, 1 << 22, Color::White);
    tree.allow_at_root(Color::Black, &moves);
    Search::new(tree, ROOT, position, plan, 0)
}

/// Prepares to run a search's batches, by a network of chance weights: of an earlier encoding, as users have them still.
fn prepared(lambda: f32) -> Prepared {
    let ours = Go::ENCODING.expect("networks judge Go");
    let before = ours.earlier().next().expect("one version before");
    let network = Network::random_for(&before, (1, 16), 1).expect("a shape that may be");
    let mut evaluators = Evaluators::default();
    network::add_network(&mut evaluators, &network).expect("a network of Go");
    let record = Record::<Go>::new(&GoRules::new(9, 15).expect("a size of Go"));
    let evaluator: Option<ModelDigest> = Some(network.digest());
    let growing = Growing { parameters: parameters(lambda), seed: 7, evaluator };
    let root = Root::of(&record, Color::Black, ROOT, growing);
    Prepared::with(&root, &evaluators).expect("its evaluator is here")
}

fn judged(playouts: u64) -> Plan {
    Plan { seed: 1, playouts_max: Some(playouts), ..Plan::of(Policy::Uniform) }
}

/// Runs what a search asks for to its end; batches in flight are answered in an order of chance.
fn finish(mut search: Search<Go>, seed: u64) -> Search<Go> {
    let prepared = prepared(search.tree.parameters().lambda);
    let (mut rng, mut flying, mut space) = (Rng::from_seed(seed), Vec::new(), Workspace::default());
    let mut last = None;
    while !search.is_finished() {
        while search.has_room(u32::MAX) {
            match search.iterate() {
                Iteration::Batch(batch) => {
                    // The scheduler takes them in the order of their numbers.
                    assert!(last.is_none_or(|last| last < batch.id), "{last:?} {:?}", batch.id);
                    last = Some(batch.id);
                    flying.push(batch);
                }
                Iteration::Counted => {}
                Iteration::Awaited | Iteration::Complete => break,
            }
        }
        if !search.merge_next() && !flying.is_empty() {
            let batch = flying.swap_remove(rng.below(flying.len() as u32) as usize);
            let tally = prepared.run_all(&[&batch], &mut space).pop().expect("one");
            assert!(search.take(None, tally.expect("a good batch")));
        }
    }
    search
}

#[test]
fn a_visit_is_an_evaluation_and_as_many_are_made_as_were_planned() {
    let search = finish(search(1.0, judged(120)), 1);
    assert_eq!(search.tree.visits(search.tree.root()), 120);
    assert_eq!((search.sums().playouts, search.in_flight()), (120, 0));
    let (tree, _) = search.end();
    assert_eq!(tree.unobserved_total(), 0);
}

#[test]
fn a_root_that_is_won_is_searched_for_the_move_that_wins() {
    let mut position = Gomoku::new(&GomokuRules::new(9, 9, Variant::Freestyle).expect("a size"));
    for text in ["c5", "a1", "d5", "a3", "e5", "a7", "f5", "i9"] {
        position.play(position.parse_move(text).expect("a point"));
    }
    assert!(position.proven(100).is_some(), "Black makes five");
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    let parameters = Parameters { lambda: 1.0, puct: true, ..Parameters::of(Gomoku::KIND) };
    assert!(parameters.proof_nodes > 0);
    let mut tree = Tree::new(parameters, 7, 1 << 22, Color::White);
    tree.allow_at_root(Color::Black, &moves);
    let mut search = Search::new(tree, ROOT, position, judged(50), 0);
    let Iteration::Batch(first) = search.iterate() else { panic!("the root is judged") };
    assert!(first.path.is_empty());
}

#[test]
fn nobody_asks_twice_for_a_judgement_that_is_on_its_way() {
    let mut search = search(1.0, judged(50));
    search.set_capacity(ClusterCapacity { threads: 8, ..ClusterCapacity::default() });
    let Iteration::Batch(first) = search.iterate() else { panic!("the root waits") };
    assert!(first.path.is_empty() && matches!(first.job, Job::Evaluate(_)));
    assert_eq!(search.iterate(), Iteration::Awaited);
    let tally = prepared(1.0).run(&first).expect("a judgement");
    assert!(search.take(None, tally.clone()));
    assert!(!search.take(None, tally), "once is enough");
    let mut leaves = Vec::new();
    while let Iteration::Batch(batch) = search.iterate() {
        assert!(!leaves.contains(&batch.path), "{batch:?}");
        leaves.push(batch.path);
    }
    assert!(leaves.len() > 1, "{leaves:?}");
}

#[test]
fn evaluations_merged_in_order_give_the_same_tree_whoever_is_first() {
    let plan = Plan { in_order: true, window: Some(8), ..judged(150) };
    let digests = [1, 2, 3, 4].map(|seed| finish(search(1.0, plan), seed).tree.digest());
    assert_eq!(digests, [digests[0]; 4]);
    let free = finish(search(1.0, Plan { in_order: false, window: None, ..plan }), 1);
    assert_eq!(free.tree.visits(free.tree.root()), 150);
}

fn by_subtrees(evaluations: u64) -> Plan {
    let sizing = Sizing { wish: Wish::Subtree, playouts: Some(16) };
    Plan { sizing, in_order: true, window: Some(64), ..judged(evaluations) }
}

#[test]
fn private_trees_bring_home_what_their_leaves_were_judged_to_be() {
    let searches = [1, 2, 3].map(|seed| finish(search(1.0, by_subtrees(800)), seed));
    let digests = searches.each_ref().map(|search| search.tree.digest());
    assert_eq!(digests, [digests[0]; 3], "whoever is first");
    let tree = &searches[0].tree;
    assert_eq!(tree.visits(tree.root()), 800);
    let singly = finish(search(1.0, judged(800)), 1);
    let value = |search: &Search<Go>| search.tree.value(search.tree.root());
    assert!((value(&searches[0]) - value(&singly)).abs() < 0.05);
    // Each child with visits has priors that its siblings share, and a value.
    let candidates = tree.candidates(FinalMove::Visits);
    let shares: f64 = candidates.iter().map(|it| it.prior).sum();
    assert!((shares - 1.0).abs() < 1e-3, "{shares}");
    let visits: u64 = candidates.iter().map(|it| it.visits).sum();
    assert_eq!(visits, 799, "one evaluation is the root's own");
    assert!(candidates[0].value > 0.0 && candidates[0].value < 1.0);
}

#[test]
fn what_a_liar_said_of_private_trees_is_taken_back() {
    let liar = WorkerId(9);
    let plan = Plan { in_order: false, window: None, ..by_subtrees(320) };
    let mut search = search(1.0, plan);
    let prepared = prepared(1.0);
    for _ in 0..10 {
        let Iteration::Batch(batch) = search.iterate() else { panic!("one at a time") };
        let mut tally = prepared.run(&batch).expect("a tally");
        let Answer::Subtree(counts, grown) = &mut tally.answer else { panic!("it was grown") };
        grown.leaf_judged = u64::from(counts.playouts()) << 15;
        assert!(search.take(Some(liar), tally));
    }
    assert_eq!(search.tree.value(search.tree.root()), 0.0, "White moved into it, and loses");
    search.take_back(liar);
    assert_eq!(search.tree.visits(search.tree.root()), 0);
    assert!(search.tree.candidates(FinalMove::Visits).iter().all(|it| it.visits == 0));
    let search = finish(search, 1);
    assert_eq!(search.tree.visits(search.tree.root()), 320);
    assert!(search.tree.value(search.tree.root()) > 0.0);
}

#[test]
fn a_judgement_beside_playouts_is_no_visit_and_moves_the_value() {
    let [plain, mixed] = [0.0, 0.5].map(|lambda| {
        let mut search = search(lambda, judged(300));
        search.set_capacity(ClusterCapacity { threads: 2, ..ClusterCapacity::default() });
        finish(search, 1)
    });
    for search in [&plain, &mixed] {
        assert_eq!(search.tree.visits(search.tree.root()), 300);
        assert_eq!(search.sums().playouts, 300);
    }
    let value = |search: &Search<Go>| search.tree.value(search.tree.root());
    assert_ne!(value(&plain), value(&mixed));
    assert_eq!(mixed.in_flight(), 0);
}

/// Makes batches one after the other, each merged before the next, until no more is wanted.
fn go_on(search: &mut Search<Go>, mut wants_more: impl FnMut(&Search<Go>) -> bool) {
    let prepared = prepared(search.tree.parameters().lambda);
    while wants_more(search) {
        match search.iterate() {
            Iteration::Batch(batch) => {
                assert!(search.take(None, prepared.run(&batch).expect("a good batch")));
                // Where order does not matter it is merged by now.
                search.merge_next();
            }
            Iteration::Counted | Iteration::Awaited => {}
            Iteration::Complete => break,
        }
    }
}

#[test]
fn a_search_that_stood_before_a_judgement_asks_for_it_when_it_goes_on() {
    let plan = || Plan { in_order: true, ..judged(300) };
    let mut search = search(0.5, plan());
    for stop in 1..4 {
        let mut met = 0;
        go_on(&mut search, |search| {
            met += usize::from(search.asking.is_some());
            met < 2 * stop
        });
        assert!(search.asking.is_some());
        let progress::Standing { image, progress } = search.standing();
        let empty = Tree::new(parameters(0.5), 7, 1 << 22, Color::White);
        let tree = empty.with_image(image, &search.position).expect("its own");
        let mut resumed = Search::new(tree, ROOT, search.position.clone(), plan(), 0);
        assert!(resumed.resume(progress.clone()).expect("its own").is_empty());
        assert_eq!(resumed.standing().progress, progress);
        go_on(&mut resumed, |_| true);
        let mut whole = self::search(0.5, plan());
        go_on(&mut whole, |_| true);
        assert_eq!(resumed.tree.digest(), whole.tree.digest());
    }
}

#[test]
fn a_judgement_on_its_way_that_a_restart_forgets_may_be_asked_for_again() {
    let mut search = search(0.5, judged(300));
    go_on(&mut search, |search| search.asking.is_none());
    let path = search.asking.clone().expect("a node to be judged");
    let Iteration::Batch(_) = search.iterate() else { panic!("its judgement comes first") };
    let standing = search.standing();
    assert_eq!((standing.progress.asking, standing.progress.flights.len()), (None, 0));
    let empty = Tree::new(parameters(0.5), 7, 1 << 22, Color::White);
    let mut tree = empty.with_image(standing.image, &search.position).expect("its own");
    assert_eq!(tree.ask_judgement(&path), Some(path));
}

#[test]
fn what_a_liar_said_of_leaves_is_taken_back() {
    let liar = WorkerId(9);
    let mut search = search(1.0, judged(60));
    let prepared = prepared(1.0);
    for _ in 0..40 {
        let Iteration::Batch(batch) = search.iterate() else { panic!("one at a time") };
        let mut tally = prepared.run(&batch).expect("a judgement");
        if let Answer::Judged(judgement) = &mut tally.answer {
            judgement.value = 32_768;
        }
        assert!(search.take(Some(liar), tally));
    }
    assert_eq!(search.tree.value(search.tree.root()), 0.0, "White moved into it, and loses");
    search.take_back(liar);
    assert_eq!(search.tree.visits(search.tree.root()), 0);
    assert_eq!((search.sums().playouts, search.sums().taken_back), (0, 40));
    let search = finish(search, 1);
    assert_eq!(search.tree.visits(search.tree.root()), 60);
    assert!(search.tree.candidates(FinalMove::Visits)[0].value > 0.0);
    assert_eq!(search.tree.move_into(search.tree.root()), Move::PASS);
}

#[test]
fn few_evaluations_are_planned_at_the_root_where_that_is_asked_for() {
    let tried = |gumbel_visits| {
        let parameters = Parameters { gumbel_visits, ..parameters(1.0) };
        let mut planned = search(1.0, judged(65));
        let mut tree = Tree::new(parameters, 7, 1 << 22, Color::White);
        let mut moves = Vec::new();
        planned.position.candidates(&mut moves);
        tree.allow_at_root(Color::Black, &moves);
        planned.tree = tree;
        let search = finish(planned, 1);
        assert_eq!(search.tree.visits(search.tree.root()), 65);
        let candidates = search.tree.candidates(FinalMove::Visits);
        candidates.iter().map(|it| it.visits).filter(|&visits| visits > 0).collect::<Vec<_>>()
    };
    // 64 visits in four rounds: 16 moves once, 8 twice, 4 four times, 2 eight times.
    let expected: Vec<u64> = [vec![15; 2], vec![7; 2], vec![3; 4], vec![1; 8]].concat();
    assert_eq!(tried(64), expected);
    assert_ne!(tried(63), expected, "too many to plan");
}

#[test]
fn what_a_liar_sent_before_its_turn_comes_out_again_when_that_has_come() {
    let liar = WorkerId(9);
    let mut search = search(1.0, Plan { in_order: true, window: Some(8), ..judged(64) });
    let prepared = prepared(1.0);
    let next = |search: &mut Search<Go>| match search.iterate() {
        Iteration::Batch(batch) => prepared.run(&batch).expect("a tally"),
        other => panic!("{other:?}"),
    };
    let root = next(&mut search);
    assert!(search.take(None, root) && search.merge_next());
    let [first, second] = [(); 2].map(|()| next(&mut search));
    assert!(search.take(Some(liar), second));
    search.take_back(liar);
    assert!(search.take(None, first));
    assert!(search.merge_next() && search.merge_next());
    assert_eq!(search.tree.visits(search.tree.root()), 2);
    assert_eq!((search.sums().playouts, search.sums().taken_back), (2, 1));
    let whole = finish(search, 1);
    assert_eq!(whole.tree.visits(whole.tree.root()), 64);
}

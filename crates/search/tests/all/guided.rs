//! Searches by an evaluator alone, by networks of chance weights and by ones that know what to expect.

use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Game, Move};
use banyan_knowledge::{
    Chance, Evaluator, EvaluatorError, Judgement, Knowledge as _, ModelDigest, Net, Query, planes,
};
use banyan_net::Network;
use banyan_search::{FinalMove, Guided, guided};

/// An evaluator that likes one point, and whoever holds it.
#[derive(Debug)]
struct Liking(Move);

impl Evaluator<Go> for Liking {
    fn name(&self) -> &str {
        "liking"
    }

    fn digest(&self) -> ModelDigest {
        ModelDigest([0; 32])
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn evaluate(
        &self,
        queries: &[Query<'_, Go>],
        judgements: &mut Vec<Judgement>,
    ) -> Result<(), EvaluatorError> {
        judgements.clear();
        judgements.extend(queries.iter().map(|query| Judgement {
            value: match query.position.stone(self.0) {
                Some(Color::Black) => 32_768,
                Some(Color::White) => 0,
                None => 16_384,
            },
            policy: vec![Chance::of(1.0 / 82.0); 82],
            ..Judgement::default()
        }));
        Ok(())
    }
}

fn start() -> Go {
    Go::new(&GoRules::new(9, 15).expect("a size of Go"))
}

fn net(seed: u64) -> Net {
    let network = Network::random_for(&Go::ENCODING.expect("for networks"), (2, 16), seed);
    Net::new::<Go>(&network.expect("a shape that may be")).expect("a network of Go")
}

#[test]
fn a_search_finds_the_point_that_its_evaluator_likes() {
    let liked = Move(31);
    let mut guided = Guided::new(start(), guided::parameters::<Go>(), 1);
    guided.search(&Liking(liked), 400).expect("never refuses");
    let best = guided.tree.candidates(FinalMove::Visits)[0];
    assert_eq!(best.mv, liked);
    assert!(best.value > 0.9 && best.visits > 200, "{best:?}");
    assert_eq!(guided.tree.visits(guided.tree.root()), 400);
    assert_eq!(guided.tree.unobserved_total(), 0);
}

#[test]
fn a_visit_is_an_evaluation_and_the_first_is_of_the_root() {
    let mut guided = Guided::new(start(), guided::parameters::<Go>(), 1);
    let waiting = guided.walk(None).expect("the game goes on");
    assert_eq!(waiting.leaf.hash(), start().hash());
    let mut judgements = Vec::new();
    net(1).evaluate(&[Query::of(&waiting.leaf)], &mut judgements).expect("a board for networks");
    guided.merge(&waiting, &judgements[0]);
    let tree = &guided.tree;
    assert_eq!(tree.visits(tree.root()), 1);
    // The root's value is for who moved into it.
    let white = 1.0 - f64::from(judgements[0].value) / 32_768.0;
    assert!((tree.value(tree.root()) - white).abs() < 1e-9);
    let likeliest =
        tree.candidates(FinalMove::Visits).into_iter().max_by(|a, b| a.prior.total_cmp(&b.prior));
    let likeliest = likeliest.expect("candidates").mv;
    let best = (0..82u16).max_by_key(|&at| {
        std::cmp::Reverse(match judgements[0].policy[usize::from(at)].0 {
            0 => 256,
            byte => u16::from(byte),
        })
    });
    let chance = judgements[0].chance(likeliest);
    assert_eq!(Some(chance), best.map(|at| judgements[0].policy[usize::from(at)]));
}

#[test]
fn the_same_search_twice_gives_the_same_tree_and_another_network_another() {
    let digest = |seed| {
        let mut guided = Guided::new(start(), guided::parameters::<Go>(), 1);
        guided.search(&net(seed), 150).expect("a board for networks");
        guided.tree.digest()
    };
    assert_eq!(digest(1), digest(1));
    assert_ne!(digest(1), digest(2));
}

#[test]
fn what_is_known_below_a_move_is_kept_when_it_is_played() {
    let mut guided = Guided::new(start(), guided::parameters::<Go>(), 1);
    guided.search(&net(1), 300).expect("a board for networks");
    let best = guided.tree.candidates(FinalMove::Visits)[0];
    guided.play(best.mv);
    assert_eq!(guided.tree.visits(guided.tree.root()), best.visits);
    guided.search(&net(1), best.visits + 50).expect("a board for networks");
    assert_eq!(guided.tree.visits(guided.tree.root()), best.visits + 50);
}

#[test]
fn an_ended_game_is_counted_without_an_evaluation_and_proven() {
    let mut position = start();
    position.play(Move::PASS);
    let mut guided = Guided::new(position, guided::parameters::<Go>(), 1);
    // The pass ends the game, by which White wins the komi.
    guided.search(&Liking(Move(0)), 2_000).expect("never refuses");
    let tree = &guided.tree;
    let best = tree.candidates(FinalMove::Visits)[0];
    assert_eq!((best.mv, best.value), (Move::PASS, 1.0));
    assert!(guided.is_decided() && tree.visits(tree.root()) < 2_000);
}

#[test]
fn a_board_that_is_too_small_is_refused_in_words() {
    let small = Go::new(&GoRules::new(5, 15).expect("a size of Go"));
    let refused = net(1).evaluate(&[Query::of(&small)], &mut Vec::new()).expect_err("too small");
    assert_eq!(refused.to_string(), "net cannot judge: a board of 5x5 is too small");
    assert!(!planes::is_board(small.size()));
}

//! Searches by an evaluator alone, by networks of chance weights and by ones that know what to expect.

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::hex::{Hex, HexRules};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game, Move, Rng};
use banyan_knowledge::{
    Chance, Evaluator, EvaluatorError, Judgement, Knowledge as _, ModelDigest, Net, Query, planes,
};
use banyan_net::Network;
use banyan_search::gumbel::{self, Considered};
use banyan_search::{FinalMove, Guided, Gumbel, Noise, Parameters, Searchable, guided};

/// An evaluator that likes one point, and whoever holds it; and gives a pass so much of a chance.
#[derive(Debug)]
struct Liking {
    point: Move,
    pass: f32,
}

impl Liking {
    /// All moves are as likely.
    fn point(point: Move) -> Liking {
        Liking { point, pass: 1.0 / 82.0 }
    }
}

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
        let other = (1.0 - self.pass) / 81.0;
        let chance = |point| Chance::of(if point == 81 { self.pass } else { other });
        judgements.clear();
        judgements.extend(queries.iter().map(|query| Judgement {
            value: match query.position.stone(self.point) {
                Some(Color::Black) => 32_768,
                Some(Color::White) => 0,
                None => 16_384,
            },
            policy: (0..=81).map(chance).collect(),
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
    // Policies say nothing here: each move must be tried.
    let curious =
        Parameters { puct_exploration: 2.0, puct_reduction: 0.0, ..guided::parameters::<Go>() };
    let mut guided = Guided::new(start(), curious, 1);
    guided.search(&Liking::point(liked), 400).expect("never refuses");
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
    guided.search(&Liking::point(Move(0)), 2_000).expect("never refuses");
    let tree = &guided.tree;
    let best = tree.candidates(FinalMove::Visits)[0];
    assert_eq!((best.mv, best.value), (Move::PASS, 1.0));
    assert!(guided.is_decided() && tree.visits(tree.root()) < 2_000);
}

#[test]
fn who_is_left_nothing_but_a_pass_that_loses_looks_at_other_moves() {
    // Black wins where both pass.
    let start = Go::new(&GoRules::new(9, -15).expect("a size of Go"));
    let mut guided = Guided::new(start, guided::parameters::<Go>(), 1);
    guided.search(&Liking { point: Move(0), pass: 0.99 }, 200).expect("never refuses");
    let tree = &guided.tree;
    let best = tree.candidates(FinalMove::Visits)[0];
    assert_eq!(best.mv, Move::PASS);
    assert!(best.value < 0.9, "White does not have to pass: {best:?}");
}

#[test]
fn a_board_that_is_too_small_is_refused_in_words() {
    let small = Go::new(&GoRules::new(5, 15).expect("a size of Go"));
    let refused = net(1).evaluate(&[Query::of(&small)], &mut Vec::new()).expect_err("too small");
    assert_eq!(refused.to_string(), "net cannot judge: a board of 5x5 is too small");
    assert!(!planes::is_board(small.size()));
}

/// A game of a network of chance weights with itself, searched ply by ply.
fn play<G: Searchable>(start: G, plies: usize) {
    let encoding = G::ENCODING.expect("networks judge every game");
    let network = Network::random_for(&encoding, (1, 16), 1).expect("a shape that may be");
    let net = Net::new::<G>(&network).expect("a network of this game");
    let mut guided = Guided::new(start, guided::parameters::<G>(), 1);
    for _ in 0..plies {
        let root = guided.tree.root();
        let visits = guided.tree.visits(root) + 25;
        guided.search(&net, visits).expect("a board for networks");
        let best = guided.tree.candidates(FinalMove::Visits)[0];
        assert!(guided.position().is_legal(best.mv), "{best:?}");
        assert!(best.visits > 0 && best.prior > 0.0, "{best:?}");
        guided.play(best.mv);
    }
}

#[test]
fn a_network_guides_a_search_of_every_game() {
    let fits = "a size that is played";
    play(Go::new(&GoRules::new(13, 13).expect(fits)), 8);
    play(Othello::new(&OthelloRules), 12);
    let renju = GomokuRules::new(15, 15, Variant::Renju).expect(fits);
    // Nobody has five stones before.
    play(Gomoku::new(&renju), 8);
    play(Connect6::new(&Connect6Rules::new(19).expect(fits)), 7);
    play(Hex::new(&HexRules::new(11).expect(fits)), 12);
}

/// A search of the start by so many visits, planned at the root.
fn planned(evaluator: &dyn Evaluator<Go>, visits: usize, seed: u64) -> (Guided<Go>, Gumbel) {
    let mut guided = Guided::new(start(), guided::parameters::<Go>(), 1);
    guided.search(evaluator, 1).expect("never refuses");
    let considered = Considered { moves: 16, chance: 1.0 };
    let mut rng = Rng::from_seed(seed);
    let mut plan = Gumbel::new(&guided.tree, visits, considered, &mut rng);
    let mut judgements = Vec::new();
    while let Some(first) = plan.next(&guided.tree) {
        let Some(waiting) = guided.walk(Some(first)) else { continue };
        evaluator.evaluate(&[Query::of(&waiting.leaf)], &mut judgements).expect("never refuses");
        guided.merge(&waiting, &judgements[0]);
    }
    (guided, plan)
}

#[test]
fn few_visits_are_planned_and_find_what_is_good_among_those_considered() {
    let mut found = 0;
    for seed in 0..20 {
        let (guided, plan) = planned(&Liking::point(Move(40)), 32, seed);
        let tree = &guided.tree;
        assert_eq!(tree.visits(tree.root()), 33);
        let tried = tree.candidates(FinalMove::Visits).into_iter().filter(|it| it.visits > 0);
        assert_eq!(tried.count(), 16);
        let liked = tree.child(tree.root(), Move(40)).expect("a candidate");
        if tree.visits(liked) > 0 {
            found += 1;
            assert_eq!(plan.best(tree), Some(Move(40)));
            let policy = gumbel::improved_policy(tree);
            let best = policy.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("moves");
            assert!(best.0 == Move(40) && best.1 > 0.9, "{best:?}");
            assert!((policy.iter().map(|it| it.1).sum::<f32>() - 1.0).abs() < 1e-3);
        }
    }
    // 16 of 82 moves by chance.
    assert!((1..12).contains(&found), "{found}");
}

#[test]
fn noise_moves_priors_and_leaves_them_shares() {
    let mut guided = Guided::new(start(), guided::parameters::<Go>(), 1);
    guided.search(&net(1), 1).expect("a board for networks");
    let priors = |guided: &Guided<Go>| -> Vec<f64> {
        guided.tree.candidates(FinalMove::Visits).iter().map(|it| it.prior).collect()
    };
    let before = priors(&guided);
    let noise = Noise { share: 0.25, concentration: 10.0 };
    guided.tree.add_root_noise(noise, &mut Rng::from_seed(1));
    let after = priors(&guided);
    let moved = before.iter().zip(&after).filter(|(a, b)| (*a - *b).abs() > 0.002).count();
    assert!(moved > 10, "{moved}");
    assert!((after.iter().sum::<f64>() - 1.0).abs() < 1e-6);
}

#[test]
fn an_own_eye_may_be_filled_where_an_evaluator_judges() {
    let eye = Move(0);
    let mut position = start();
    let stones = [(Color::Black, Move(1)), (Color::Black, Move(9)), (Color::Black, Move(10))];
    position.set_up(&stones, Color::Black).expect("stones that can stand");
    let mut candidates = Vec::new();
    position.candidates(&mut candidates);
    assert!(!candidates.contains(&eye), "playouts leave it alone");
    // Policies say nothing here, and by default 400 visits try half of the board.
    let curious =
        Parameters { puct_exploration: 2.0, puct_reduction: 0.0, ..guided::parameters::<Go>() };
    let mut guided = Guided::new(position, curious, 1);
    guided.search(&Liking::point(eye), 400).expect("never refuses");
    assert_eq!(guided.tree.candidates(FinalMove::Visits)[0].mv, eye);
}

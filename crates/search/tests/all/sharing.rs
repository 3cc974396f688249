//! Searches shared by made-up solvers: the value is that of one alone, and what sharing costs.

use std::ops::RangeInclusive;
use std::sync::Arc;

use banyan_games::Game;
use banyan_games::Rng;
use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_knowledge::{Evaluation, Knowledge};
use banyan_search::classical::{self, Found, Horizon, Memory, Method, Probe, Top, Watch, probe};
use banyan_search::endgame::{self, Board, EXACT, Solver};
use banyan_search::parallel::{Below, Bound, ParallelAlphaBeta, Subproblem};

use crate::evaluations::Changed;

/// The board of an OBF line, and the score that it gives its best move.
fn problem(line: &str) -> (Othello, Option<i32>) {
    let (squares, rest) = line.split_at(64);
    let discs = |marks: [char; 2]| {
        let set = squares.chars().enumerate().filter(|(_, square)| marks.contains(square));
        set.fold(0, |discs, (at, _)| discs | 1u64 << at)
    };
    let (black, white) = (discs(['X', '*']), discs(['O', 'o']));
    let is_black = rest.trim().starts_with(['X', '*']);
    let (own, other) = if is_black { (black, white) } else { (white, black) };
    let scores = rest.split(';').filter_map(|part| part.split_once(':'));
    let scores = scores.filter_map(|(_, score)| score.trim().parse().ok());
    (Othello::of_discs(own, other), scores.max())
}

/// A subproblem on its way, the answer that will come, and when: in positions that a solver looks at.
struct Working {
    subproblem: Subproblem,
    bound: Bound,
    done_at: u64,
}

/// The cost of a search.
#[derive(Default)]
struct Cost {
    nodes: u64,
    subproblems: usize,
    /// Positions that the busiest solver looked at, and waited for.
    time: u64,
}

/// Answers all of a search's subproblems with so many solvers that work side by side on a clock of
/// positions.
fn share<G: Knowledge, B: Below<G>>(
    parallel: &mut ParallelAlphaBeta<G, B>,
    (root, solvers): (&G, usize),
    mut solve: impl FnMut(&G, &Subproblem) -> (Bound, u64),
) -> Cost {
    let (mut working, mut cost) = (Vec::<Working>::new(), Cost::default());
    while !parallel.is_solved() {
        while working.len() < solvers
            && let Some(subproblem) = parallel.ask()
        {
            let mut position = root.clone();
            subproblem.path.iter().for_each(|&mv| position.play(mv));
            let (bound, nodes) = solve(&position, &subproblem);
            cost.nodes += nodes;
            cost.subproblems += 1;
            working.push(Working { subproblem, bound, done_at: cost.time + nodes });
        }
        let soonest = (0..working.len()).min_by_key(|&at| working[at].done_at).expect("asked");
        let Working { subproblem, bound, done_at } = working.remove(soonest);
        cost.time = done_at;
        parallel.answer(subproblem.leaf, bound);
    }
    cost
}

/// Solves an endgame with so many solvers.
fn endgame(root: &Othello, (mut top, solvers): (endgame::Top, usize)) -> (i32, Cost) {
    let mut moves = Vec::new();
    top.ranked(root, &mut moves);
    let mut parallel = ParallelAlphaBeta::closing_in(root, &moves, top, endgame::Top::guess(root));
    let mut solver = Solver::new(1 << 20);
    let cost = share(&mut parallel, (root, solvers), |position, subproblem| {
        solver.clear();
        let beta = subproblem.bounds.beta;
        let board = Board::from(position);
        let found = solver.solve(board, subproblem.bounds, &mut |_| true).expect("not stopped");
        let bound = if found.score >= beta { Bound::AtLeast } else { Bound::AtMost };
        (bound(found.score), found.nodes)
    });
    (parallel.bounds().0, cost)
}

/// The game's evaluation where every line has the same depth, so that the value is minimax's.
fn plain<G: Knowledge>() -> Arc<dyn Evaluation<G>> {
    Arc::new(Changed { forces: false, ..Changed::whole() })
}

/// Searches a position deeper and deeper with so many solvers; the value to each depth, and what each
/// cost.
fn deepen<G: Knowledge>(
    (root, evaluation): (&G, &Arc<dyn Evaluation<G>>),
    (plies, solvers): (usize, usize),
    (depths, mut guess): (RangeInclusive<u32>, i32),
) -> Vec<(i32, Cost)> {
    let mut moves = Vec::new();
    let mut top = Top::new(evaluation.clone(), plies);
    top.ranked(root, &mut moves);
    let (mut found, mut memory) = (Vec::<(i32, Cost)>::new(), Memory::new(8 << 20));
    for depth in depths {
        let mut parallel = ParallelAlphaBeta::scouting(root, &moves, top.to_depth(depth), guess);
        let cost = share(&mut parallel, (root, solvers), |position, subproblem| {
            let depth = depth.saturating_sub(subproblem.path.len() as u32 + subproblem.less);
            let bounds = subproblem.bounds;
            let evaluation = &**evaluation;
            let asked = Probe { position, evaluation, depth, bounds };
            probe(&mut memory, &asked, &mut |_| true).expect("not stopped")
        });
        // Values of odd depths are like each other, and so are those of even ones.
        let value = parallel.bounds().0;
        guess = found.last().map_or(value, |&(value, _)| value);
        found.push((value, cost));
        let best = parallel.best().expect("a move");
        classical::bring_forward(&mut moves, best);
        top = Top::after(parallel);
    }
    found
}

struct Patient(Vec<(i32, u64)>);

impl Watch for Patient {
    fn goes_on(&mut self, _: u64) -> bool {
        true
    }

    fn deepened(&mut self, found: &Found) {
        self.0.push((found.value, found.nodes));
    }
}

/// Values to each depth by one alone, and positions looked at so far.
fn alone<G: Knowledge>(
    (position, evaluation): (&G, &dyn Evaluation<G>),
    depth_max: u32,
) -> Vec<(i32, u64)> {
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    let problem = classical::Problem {
        position,
        moves: &moves,
        evaluation,
        method: Method::AlphaBeta,
        horizon: Horizon::Depth,
        depth_max,
    };
    let mut watch = Patient(Vec::new());
    classical::search(&mut Memory::new(128 << 20), &problem, &mut watch);
    watch.0
}

fn random<G: Knowledge>(rules: &G::Rules, plies: u32, rng: &mut Rng) -> G {
    let mut position = G::new(rules);
    for _ in 0..plies {
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        if moves.is_empty() {
            return random(rules, plies, rng);
        }
        position.play(moves[rng.below(moves.len() as u32) as usize]);
    }
    if position.outcome().is_some() { random(rules, plies, rng) } else { position }
}

fn shares_a_classical_search<G: Knowledge>(
    rules: &G::Rules,
    plies: u32,
    depths: RangeInclusive<u32>,
) {
    let mut rng = Rng::from_seed(9);
    for _ in 0..6 {
        let position: G = random(rules, plies, &mut rng);
        let alone = alone((&position, &*plain()), *depths.end());
        for (plies, solvers) in [(1, 1), (2, 1), (2, 3), (2, 30)] {
            let found = deepen((&position, &plain()), (plies, solvers), (depths.clone(), 0));
            for (depth, (value, _)) in depths.clone().zip(found) {
                // One alone stops deepening where the game is decided.
                let Some(&(expected, _)) = alone.get(depth as usize - 1) else { break };
                assert_eq!(value, expected, "{depth} plies by {solvers}, {position:?}");
            }
        }
    }
}

#[test]
fn a_shared_classical_search_has_the_values_of_one_alone() {
    shares_a_classical_search::<Othello>(&OthelloRules, 20, 3..=5);
    let gomoku = GomokuRules::new(9, 9, Variant::Freestyle).expect("a size");
    shares_a_classical_search::<Gomoku>(&gomoku, 8, 2..=3);
    shares_a_classical_search::<Connect6>(&Connect6Rules::new(7).expect("a size"), 5, 2..=3);
}

#[expect(clippy::print_stdout, reason = "a table for people")]
fn measure<G: Knowledge>(rules: &G::Rules, plies: u32, depths: RangeInclusive<u32>) {
    let mut rng = Rng::from_seed(5);
    let positions: Vec<G> = (0..6).map(|_| random(rules, plies, &mut rng)).collect();
    let nodes = |found: &[(i32, u64)], depth: u32| {
        let at = |depth: u32| found.get(depth as usize - 1).or(found.last()).expect("one").1;
        at(depth) - at(depth - 1)
    };
    let own = &G::evaluations()[0];
    let alone = positions.iter().map(|position| alone((position, &**own), *depths.end()));
    let alone: Vec<_> = alone.collect();
    for tops in [1, 2] {
        for solvers in [1, 2, 4, 16] {
            let mut sums = vec![(0, 0, 0, 0); depths.clone().count()];
            for (position, alone) in positions.iter().zip(&alone) {
                let guess = alone.get(*depths.start() as usize - 2).map_or(0, |found| found.0);
                let found = deepen((position, own), (tops, solvers), (depths.clone(), guess));
                for (sum, (depth, (_, cost))) in sums.iter_mut().zip(depths.clone().zip(found)) {
                    sum.0 += nodes(alone, depth);
                    sum.1 += cost.nodes;
                    sum.2 += cost.time;
                    sum.3 += cost.subproblems;
                }
            }
            for (depth, (alone, nodes, time, subproblems)) in depths.clone().zip(sums) {
                println!(
                    "{} to {depth}, top of {tops} by {solvers}: {alone} positions alone, {:.2} times \
                     as fast, {:.2} times the positions, {subproblems} subproblems",
                    G::KIND,
                    alone as f64 / time as f64,
                    nodes as f64 / alone as f64,
                );
            }
        }
    }
}

#[test]
#[ignore = "minutes"]
fn what_sharing_a_classical_search_costs() {
    measure::<Othello>(&OthelloRules, 20, 8..=10);
    let gomoku = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
    measure::<Gomoku>(&gomoku, 8, 6..=10);
    measure::<Connect6>(&Connect6Rules::new(19).expect("a size"), 7, 5..=7);
}

#[test]
fn a_shared_endgame_has_the_score_of_one_that_was_not() {
    let mut rng = Rng::from_seed(4);
    for _ in 0..20 {
        let mut position = Othello::new(&OthelloRules);
        while Board::from(&position).empties().count_ones() > 15 && position.outcome().is_none() {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        if position.outcome().is_some() {
            continue;
        }
        let alone = Solver::new(1 << 20).solve(Board::from(&position), EXACT, &mut |_| true);
        let alone = alone.expect("not stopped").score;
        for solvers in [1, 3, 20] {
            let (score, _) = endgame(&position, (endgame::Top { empties_max: 12 }, solvers));
            assert_eq!(score, alone, "{solvers} solvers, {position:?}");
        }
    }
}

/// `FFO=positions.obf cargo test --release -p banyan-search --test all sharing -- --ignored --nocapture`
#[test]
#[ignore = "minutes, and a file of positions in FFO"]
#[expect(clippy::print_stdout, reason = "a table for people")]
fn what_sharing_costs() {
    let file = std::env::var("FFO").expect("FFO names a file of positions in OBF");
    let text = std::fs::read_to_string(&file).expect("the file that FFO names");
    for (number, line) in text.lines().filter(|line| line.len() > 64).take(5).enumerate() {
        let (position, expected) = problem(line);
        let alone = Solver::new(256 << 20).solve(Board::from(&position), EXACT, &mut |_| true);
        let alone = alone.expect("not stopped");
        println!("position {number}: {:+}, {} boards alone", alone.score, alone.nodes);
        for empties_max in [16, 17, 18] {
            for solvers in [1, 2, 4, 16] {
                let (score, cost) = endgame(&position, (endgame::Top { empties_max }, solvers));
                assert_eq!(Some(score), expected);
                println!(
                    "  from {empties_max} empties on by {solvers}: {:.2} times as fast, {:.2} \
                     times the boards, {} subproblems",
                    alone.nodes as f64 / cost.time as f64,
                    cost.nodes as f64 / alone.nodes as f64,
                    cost.subproblems
                );
            }
        }
    }
}

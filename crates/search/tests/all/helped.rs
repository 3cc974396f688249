//! Searches by several threads that share a table, against those by one.

use std::sync::atomic::{AtomicU32, Ordering};

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Game, Rng};
use banyan_knowledge::Knowledge;
use banyan_knowledge::othello::learned::DISC;
use banyan_search::classical::{
    self, Found, Horizon, Memory, Method, Problem, Step, Watch, search, search_helped,
};
use banyan_search::endgame::{Board, EXACT, Solver, WINNER};
use banyan_search::{Helpers, midgame};

use crate::classical::{candidates, random};

/// Helpers, and how often they were asked.
#[derive(Debug, Default)]
struct Threads {
    count: usize,
    asked: AtomicU32,
}

impl Threads {
    fn of(count: usize) -> Threads {
        Threads { count, asked: AtomicU32::new(0) }
    }

    fn asked(&self) -> u32 {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Helpers for Threads {
    fn count(&self) -> usize {
        self.count
    }

    fn run(&self, own: &mut dyn FnMut(), help: &(dyn Fn(usize) + Sync)) {
        self.asked.fetch_add(1, Ordering::Relaxed);
        std::thread::scope(|scope| {
            (0..self.count).for_each(|number| drop(scope.spawn(move || help(number))));
            own();
        });
    }
}

/// Goes on for so many positions.
struct For(u64);

impl Watch for For {
    fn goes_on(&mut self, nodes: u64) -> bool {
        nodes < self.0
    }
}

/// Where all moves are looked at the value is that of minimax, whoever helps.
#[test]
fn helpers_change_no_value_of_a_search_of_all_moves() {
    let mut rng = Rng::from_seed(1);
    let stages =
        Othello::evaluations().iter().find(|it| it.name() == "stages").expect("it is there");
    let helpers = Threads::of(3);
    for method in [Method::AlphaBeta, Method::Mtdf(Step::Adaptive(64))] {
        for _ in 0..2 {
            let position: Othello = random(&OthelloRules, &(8..30), &mut rng);
            let problem = Problem {
                position: &position,
                moves: &candidates(&position),
                evaluation: &**stages,
                method,
                horizon: Horizon::Depth,
                depth_max: 10,
            };
            // So small a table that all write the same places.
            let mut memories = [1 << 13, 1 << 13].map(Memory::new);
            let alone = search(&mut memories[0], &problem, &mut For(u64::MAX));
            let helped = search_helped(&helpers, &mut memories[1], &problem, &mut For(u64::MAX));
            assert_eq!((helped.depth, helped.value), (alone.depth, alone.value), "{position:?}");
            assert!(position.is_legal(helped.best) && helped.line[0] == helped.best);
            let mut after = position.clone();
            after.play(helped.best);
            let mut memory = Memory::new(1 << 20);
            let of_best =
                Problem { position: &after, moves: &candidates(&after), depth_max: 9, ..problem };
            let found = search(&mut memory, &of_best, &mut For(u64::MAX));
            let turned = after.side_to_move() != position.side_to_move();
            let worth = if turned { -found.value } else { found.value };
            assert_eq!(worth, helped.value, "{position:?}");
        }
    }
    assert!(helpers.asked() > 0, "{helpers:?}");
}

#[test]
fn helpers_change_no_score_of_an_endgame() {
    let mut rng = Rng::from_seed(2);
    let helpers = Threads::of(3);
    for plies in [42, 42, 43, 43] {
        let position: Othello = random(&OthelloRules, &(plies..plies + 1), &mut rng);
        let board = Board::from(&position);
        let goes_on = &mut |_| true;
        let alone = Solver::new(1 << 22).solve(board, EXACT, goes_on).expect("not stopped");
        let mut solver = Solver::new(1 << 14);
        let helped = solver.solve_helped(&helpers, board, EXACT, goes_on).expect("not stopped");
        assert_eq!(helped.score, alone.score, "{position:?}");
        let mut end = position.clone();
        for &mv in &helped.line {
            assert!(end.is_legal(mv), "{helped:?} in {position:?}");
            end.play(mv);
        }
        let points = end.outcome().expect("the line ends the game").margin.0 / 2;
        let sign = if position.side_to_move().index() == 0 { 1 } else { -1 };
        assert_eq!(sign * points, helped.score, "{position:?}");
        let winner = solver.solve_helped(&helpers, board, WINNER, goes_on).expect("not stopped");
        assert_eq!(winner.score.signum(), alone.score.signum());
    }
    assert!(helpers.asked() >= 4, "{helpers:?}");
}

#[test]
fn helpers_change_no_score_of_a_search_by_tables_to_the_end() {
    let mut rng = Rng::from_seed(3);
    let helpers = Threads::of(3);
    for plies in [40, 41, 42] {
        let position: Othello = random(&OthelloRules, &(plies..plies + 1), &mut rng);
        let board = Board::from(&position);
        let alone = Solver::new(1 << 22).solve(board, EXACT, &mut |_| true).expect("not stopped");
        let question =
            midgame::Question { board, moves: &candidates(&position), depth_max: u32::MAX };
        let mut memory = midgame::Memory::new(1 << 20);
        let found = midgame::search_helped(&helpers, &mut memory, &question, &mut For(u64::MAX));
        assert_eq!((found.is_exact, found.value), (true, DISC * alone.score), "{position:?}");
        assert!(position.is_legal(found.best), "{found:?}");
    }
    assert!(helpers.asked() > 0, "{helpers:?}");
}

/// The one that asks counts the positions of all, and all of them end.
#[test]
fn a_search_with_helpers_that_is_stopped_answers_with_what_it_has() {
    const NODES: u64 = 1_500_000;
    let ends = |found: Found, legal: bool| {
        assert!(legal && found.depth > 0 && !found.is_exact, "{found:?}");
        assert!(found.nodes >= NODES, "{found:?}");
    };
    let helpers = Threads::of(3);
    let position = Othello::new(&OthelloRules);
    let question = midgame::Question {
        board: Board::from(&position),
        moves: &candidates(&position),
        depth_max: u32::MAX,
    };
    let mut memory = midgame::Memory::new(1 << 20);
    let found = midgame::search_helped(&helpers, &mut memory, &question, &mut For(NODES));
    ends(found.clone(), position.is_legal(found.best));
    assert!(helpers.asked() > 0);
    let helpers = Threads::of(3);
    let rules = Connect6Rules::new(19).expect("a size");
    let position: Connect6 = random(&rules, &(5..6), &mut Rng::from_seed(5));
    let problem = Problem {
        position: &position,
        moves: &candidates(&position),
        evaluation: &*Connect6::evaluations()[0],
        method: Method::AlphaBeta,
        horizon: Horizon::Depth,
        depth_max: u32::MAX,
    };
    let mut memory = classical::Memory::new(1 << 22);
    let found = search_helped(&helpers, &mut memory, &problem, &mut For(NODES));
    ends(found.clone(), position.is_legal(found.best));
    assert!(helpers.asked() > 0);
    // So few positions that to begin threads would take longer.
    let helpers = Threads::of(3);
    search_helped(&helpers, &mut classical::Memory::new(1 << 22), &problem, &mut For(5_000));
    assert_eq!(helpers.asked(), 0);
}

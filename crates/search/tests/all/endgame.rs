//! The solver against what others have found out, and against itself.

use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game, Move, Rng};
use banyan_search::Bounds;
use banyan_search::endgame::{Board, EXACT, Solver};

fn solver() -> Solver {
    Solver::new(4 << 20)
}

/// A random position with so many empty points whose game goes on.
fn random(empties: u32, rng: &mut Rng) -> Othello {
    loop {
        let mut position = Othello::new(&OthelloRules);
        while position.outcome().is_none() {
            if Board::from(&position).empties().count_ones() == empties {
                return position;
            }
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
    }
}

/// Minimax by the rules of the game alone, for the side to move.
fn minimax(position: &Othello) -> i32 {
    let side = position.side_to_move();
    if let Some(outcome) = position.outcome() {
        let points = outcome.margin.0 / 2;
        return if side == Color::Black { points } else { -points };
    }
    let mut moves: Vec<Move> = Vec::new();
    position.legal_moves(&mut moves);
    let value = |mv| {
        let mut next = position.clone();
        next.play(mv);
        -minimax(&next)
    };
    moves.into_iter().map(value).max().expect("the game goes on")
}

#[test]
fn random_endgames_have_the_value_of_minimax() {
    let mut rng = Rng::from_seed(11);
    let mut solver = solver();
    for round in 0..400 {
        let position = random(1 + round % 8, &mut rng);
        let found =
            solver.solve(Board::from(&position), EXACT, &mut |_| true).expect("not stopped");
        assert_eq!(found.score, minimax(&position), "{position:?}");
    }
}

#[test]
fn the_line_is_legal_and_leads_to_the_score() {
    let mut rng = Rng::from_seed(12);
    let mut solver = solver();
    let mut passes = 0;
    for round in 0..60 {
        let position = random(6 + round % 8, &mut rng);
        let found =
            solver.solve(Board::from(&position), EXACT, &mut |_| true).expect("not stopped");
        let mut end = position.clone();
        for &mv in &found.line {
            assert!(end.is_legal(mv), "{:?} in {position:?}", found.line);
            passes += u32::from(mv.is_pass());
            end.play(mv);
        }
        let points = end.outcome().expect("the line ends the game").margin.0 / 2;
        let black = if position.side_to_move() == Color::Black { points } else { -points };
        assert_eq!(black, found.score);
    }
    assert!(passes > 5, "{passes}");
}

#[test]
fn every_window_gives_the_score_or_a_bound_on_its_side() {
    let mut rng = Rng::from_seed(13);
    for round in 0..40 {
        let board = Board::from(&random(9 + round % 4, &mut rng));
        let score = solver().solve(board, EXACT, &mut |_| true).expect("not stopped").score;
        let mut solver = solver();
        for alpha in (-63..63).step_by(9) {
            let found = solver
                .solve(board, Bounds::new(alpha, alpha + 2), &mut |_| true)
                .expect("not stopped");
            match found.score {
                bound if bound <= alpha => assert!(score <= bound, "{board:?}"),
                bound if bound >= alpha + 2 => assert!(score >= bound, "{board:?}"),
                exact => assert_eq!(exact, score, "{board:?}"),
            }
        }
    }
}

#[test]
fn a_stopped_solver_says_nothing_and_then_goes_on_where_it_was() {
    let mut rng = Rng::from_seed(14);
    let board = Board::from(&random(18, &mut rng));
    let mut solver = Solver::new(16 << 20);
    let whole = self::solver().solve(board, EXACT, &mut |_| true).expect("not stopped");
    let mut looks = 0;
    let stopped = solver.solve(board, EXACT, &mut |nodes| {
        looks += 1;
        nodes < whole.nodes / 2
    });
    assert!(stopped.is_none() && looks > 1);
    let again = solver.solve(board, EXACT, &mut |_| true).expect("not stopped");
    assert_eq!(again.score, whole.score);
    assert!(again.nodes < whole.nodes, "{} {}", again.nodes, whole.nodes);
}

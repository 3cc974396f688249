//! Othello's search by tables over patterns, against plain minimax and the exact solver.

use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Game, Move, Rng};
use banyan_knowledge::Knowledge;
use banyan_knowledge::othello::learned::DISC;
use banyan_search::classical::{Found, Watch};
use banyan_search::endgame::{Board, EXACT, Solver};
use banyan_search::midgame::{EVALUATION, Memory, Question, plain_value, search};

/// A position after so many random plies whose game goes on and whose side to move has a move.
fn position(plies: u32, rng: &mut Rng) -> Othello {
    loop {
        let mut position = Othello::new(&OthelloRules);
        for _ in 0..plies {
            let moves = moves(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        if moves(&position).iter().any(|mv| !mv.is_pass()) {
            return position;
        }
    }
}

fn moves(position: &Othello) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// The value by the tables after so many placements, for the side to move; a pass costs no depth.
fn minimax(position: &Othello, depth: u32) -> i32 {
    let tables =
        Othello::evaluations().iter().find(|it| it.name() == EVALUATION).expect("it is there");
    let moves = moves(position);
    if depth == 0 {
        return tables.value(position);
    }
    let after = |mv| {
        let mut child = position.clone();
        child.play(mv);
        child
    };
    match moves[..] {
        [] => {
            let (own, other) = position.own_and_other();
            let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
            DISC * ((own - other) + (own - other).signum() * (64 - own - other))
        }
        [mv] if mv.is_pass() => -minimax(&after(mv), depth),
        _ => moves.iter().map(|&mv| -minimax(&after(mv), depth - 1)).max().expect("some"),
    }
}

/// Goes on for so many questions.
struct For(u32);

impl Watch for For {
    fn goes_on(&mut self, _: u64) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

fn found(position: &Othello, depth_max: u32, questions: u32) -> Found {
    let question = Question { board: Board::from(position), moves: &moves(position), depth_max };
    search(&mut Memory::new(1 << 20), &question, &mut For(questions))
}

#[test]
fn without_cuts_on_probability_the_value_is_that_of_minimax() {
    let mut rng = Rng::from_seed(1);
    let mut memory = Memory::new(1 << 20);
    for plies in [6, 14, 22, 30, 38, 44] {
        let position = position(plies, &mut rng);
        for depth in 0..=3 {
            let found = plain_value(&mut memory, Board::from(&position), depth);
            assert_eq!(found, minimax(&position, depth), "{plies} {depth} {position:?}");
        }
    }
}

#[test]
fn a_search_that_ends_by_itself_knows_the_score_and_a_move_that_reaches_it() {
    let mut rng = Rng::from_seed(2);
    let mut solver = Solver::new(1 << 20);
    for plies in [46, 47, 48, 49, 50, 54] {
        let position = position(plies, &mut rng);
        let score = |position: &Othello| match position.outcome() {
            Some(outcome) => outcome.margin.0 / 2,
            None => solver.solve(Board::from(position), EXACT, &mut |_| true).expect("whole").score,
        };
        let mut score = score;
        let found = found(&position, u32::MAX, u32::MAX);
        assert!(found.is_exact, "{found:?}");
        assert_eq!(found.value, DISC * score(&position), "{position:?}");
        let mut after = position.clone();
        after.play(found.best);
        let side = position.side_to_move();
        let reached = match after.outcome() {
            Some(outcome) => outcome.margin.0 / 2 * if side.index() == 0 { 1 } else { -1 },
            None if after.side_to_move() == side => score(&after),
            None => -score(&after),
        };
        assert_eq!(DISC * reached, found.value, "{position:?}");
    }
}

#[test]
fn a_line_is_legal_and_begins_with_the_best_move_and_no_depth_is_beyond_the_greatest() {
    let mut rng = Rng::from_seed(3);
    for plies in [4, 12, 20, 28] {
        let mut position = position(plies, &mut rng);
        let found = found(&position, 6, u32::MAX);
        assert_eq!((found.depth, found.line[0], found.is_exact), (6, found.best, false));
        for mv in found.line {
            assert!(position.is_legal(mv), "{mv:?} in {position:?}");
            position.play(mv);
        }
    }
}

#[test]
fn one_that_is_stopped_at_once_still_has_a_legal_move_and_one_that_must_pass_passes() {
    let mut rng = Rng::from_seed(4);
    let position = position(10, &mut rng);
    let stopped = found(&position, u32::MAX, 1);
    assert!(position.is_legal(stopped.best), "{stopped:?}");
    assert!(stopped.nodes < 100_000 && stopped.depth < 10, "{stopped:?}");
    let board = Board { own: 0x8000_0000_0000_0000, other: 0x0000_0000_0000_0003 };
    let question = Question { board, moves: &[Move::PASS], depth_max: 4 };
    assert_eq!(search(&mut Memory::new(1 << 20), &question, &mut For(9)).best, Move::PASS);
}

#[test]
fn no_search_is_deeper_than_it_was_told_to_be() {
    let mut rng = Rng::from_seed(9);
    for plies in [40, 46, 48, 51, 54] {
        let position = position(plies, &mut rng);
        let empties =
            64 - position.own_and_other().0.count_ones() - position.own_and_other().1.count_ones();
        for depth in [1, 3, 5, 8] {
            let answer = found(&position, depth, u32::MAX);
            assert_eq!(answer.depth, depth.min(empties), "{empties} empties: {position:?}");
            assert_eq!(answer.is_exact, depth >= empties, "{empties} empties, depth {depth}");
        }
    }
}

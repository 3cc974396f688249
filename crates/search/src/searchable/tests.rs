//! Proofs of leaves, game by game.

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::go::{Go, GoRules};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::{Color, Game, Move, Outcome, Rng};

use super::Searchable;
use crate::endgame::{Board, EXACT, Solver, board};

/// Black has played every second of these points.
fn after<G: Game>(mut position: G, moves: &str) -> G {
    for word in moves.split(' ') {
        let mv = position.parse_move(word).expect("a point");
        position.play(mv);
    }
    position
}

#[test]
fn a_win_by_fours_is_proven_and_what_needs_a_quiet_move_is_not() {
    let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
    let fours = "f6 g5 i5 h4 e5 g8 g7 h8 h6 f8 e8 e6 f7 j4 g6 i8 j8 h5 e7 d7 f5 i6";
    let position = after(Gomoku::new(&rules), fours);
    assert_eq!(position.proven(50), Some(Outcome::win(position.side_to_move())));
    assert_eq!(position.proven(1), None);
    let threes = after(Gomoku::new(&rules), "i10 j9 j11 i9 j12 i12 h9 g8");
    assert_eq!(threes.proven(5_000), None);
    assert_eq!(after(Gomoku::new(&rules), "h8").proven(50), None);
}

#[test]
fn a_turn_that_makes_six_is_proven() {
    let rules = Connect6Rules::new(19).expect("a size");
    // Black has four in a row, and White's stones lie elsewhere.
    let position = after(Connect6::new(&rules), "k10 a1 c1 k11 k12 a3 c3 k13 s1 a5 c5");
    assert_eq!(position.side_to_move(), Color::Black);
    assert_eq!(position.proven(50), Some(Outcome::win(Color::Black)));
    let fewer = after(Connect6::new(&rules), "k10 a1 c1 k11 s3 a3 c3");
    assert_eq!(fewer.proven(50), None);
}

#[test]
fn the_end_of_othello_is_proven_as_the_solver_proves_it() {
    let (mut rng, mut solver) = (Rng::from_seed(6), Solver::new(1 << 20));
    for empties in [2, 3, 5, 6, 7, 8].repeat(8) {
        let position = board::tests::random(empties, &mut rng);
        let exact = solver.solve(Board::from(&position), EXACT, &mut |_| true);
        let side = position.side_to_move();
        let expected = match exact.expect("solved").score {
            0 => Outcome::DRAW,
            1.. => Outcome::win(side),
            _ => Outcome::win(!side),
        };
        let found = position.proven(500).expect("few empties");
        assert_eq!(found.winner(), expected.winner(), "{position:?}");
    }
    assert_eq!(board::tests::random(20, &mut rng).proven(500), None);
    let one_left = board::tests::random(1, &mut rng);
    assert_eq!(one_left.proven(500), None);
}

#[test]
fn of_go_nothing_is_proven() {
    let mut position = Go::new(&GoRules::new(5, 1).expect("a size"));
    position.play(Move::point(12));
    assert_eq!(position.proven(1_000_000), None);
}

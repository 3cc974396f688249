//! What a short search proves of a leaf: who wins it, for the tree to know instead of to guess.
//!
//! Gomoku: wins of the side to move by fours; Connect6: by double threats; Othello: everything, once few
//! points are empty. Other games have no such search.
//!
//! # Source
//! S4 for solvers in front of Monte Carlo; Winands, Björnsson & Saito 2008 for what the tree makes of it.

use std::any::Any;

use banyan_games::Outcome;
use banyan_games::connect6::Connect6;
use banyan_games::gomoku::Gomoku;
use banyan_knowledge::Knowledge;

use crate::effort::Effort;
use crate::endgame::{self, Board};
use crate::threats;

/// Memory for a search of double threats, which must not take longer to clear than to fill.
const TABLE_BYTES: usize = 1 << 14;

/// How a position ends when both sides play their best, if at most about `nodes_max` positions show it.
///
/// The position must not have ended; by how much it is won is not said.
pub fn outcome<G: Knowledge>(position: &G, nodes_max: u64) -> Option<Outcome> {
    let side = position.side_to_move();
    let any = position as &dyn Any;
    if let Some(gomoku) = any.downcast_ref::<Gomoku>() {
        return threats::wins_by_fours(gomoku, nodes_max).then(|| Outcome::win(side));
    }
    if let Some(connect6) = any.downcast_ref::<Connect6>() {
        let effort = Effort { nodes_max, table_bytes: TABLE_BYTES };
        let found = threats::connect6(connect6, effort, &mut |_| true);
        return found.win.map(|_| Outcome::win(side));
    }
    let sign = endgame::sign_of_few(Board::of(position)?, nodes_max)?;
    Some(match sign {
        0 => Outcome::DRAW,
        1.. => Outcome::win(side),
        _ => Outcome::win(!side),
    })
}

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use banyan_games::connect6::Connect6Rules;
    use banyan_games::go::{Go, GoRules};
    use banyan_games::gomoku::{GomokuRules, Variant};
    use banyan_games::{Color, Move, Rng};

    use super::*;
    use crate::endgame::{EXACT, Solver, board};

    /// Black has played every second of these points.
    fn after<G: Knowledge>(mut position: G, moves: &str) -> G {
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
        assert_eq!(outcome(&position, 50), Some(Outcome::win(position.side_to_move())));
        assert_eq!(outcome(&position, 1), None);
        let threes = after(Gomoku::new(&rules), "i10 j9 j11 i9 j12 i12 h9 g8");
        assert_eq!(outcome(&threes, 5_000), None);
        assert_eq!(outcome(&after(Gomoku::new(&rules), "h8"), 50), None);
    }

    #[test]
    fn a_turn_that_makes_six_is_proven() {
        let rules = Connect6Rules::new(19).expect("a size");
        // Black has four in a row, and White's stones lie elsewhere.
        let position = after(Connect6::new(&rules), "k10 a1 c1 k11 k12 a3 c3 k13 s1 a5 c5");
        assert_eq!(position.side_to_move(), Color::Black);
        assert_eq!(outcome(&position, 50), Some(Outcome::win(Color::Black)));
        let fewer = after(Connect6::new(&rules), "k10 a1 c1 k11 s3 a3 c3");
        assert_eq!(outcome(&fewer, 50), None);
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
            let found = outcome(&position, 500).expect("few empties");
            assert_eq!(found.winner(), expected.winner(), "{position:?}");
        }
        assert_eq!(outcome(&board::tests::random(20, &mut rng), 500), None);
        let one_left = board::tests::random(1, &mut rng);
        assert_eq!(outcome(&one_left, 500), None);
    }

    #[test]
    fn of_go_nothing_is_proven() {
        let mut position = Go::new(&GoRules::new(5, 1).expect("a size"));
        position.play(Move::point(12));
        assert_eq!(outcome(&position, 1_000_000), None);
    }
}

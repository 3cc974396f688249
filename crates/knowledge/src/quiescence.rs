//! Quiescence search: what an evaluation says of a position once whatever is urgent in it has been played.

use banyan_games::{Color, Outcome};

use crate::evaluation::{Accumulator, EVALUATION_MAX, Evaluation, accompany};
use crate::knowledge::Knowledge;

/// Positions that are looked at below one, about; then those that are reached are evaluated as they stand. Some 40, 200
/// and 1,000 played about as well: docs/experiments/connect6.md.
const POSITIONS: u32 = 100;

/// Changes with whatever changes what is said of a position, [`POSITIONS`] too.
pub const IDENTITY: &[u8] = b"quiescence 2";

/// Value of a position for its side to move, at most [`EVALUATION_MAX`] either way, which is a win; by the moves
/// alone that [`Evaluation::quiescence_value`] names, until all is quiet.
pub fn value<G: Knowledge>(evaluation: &dyn Evaluation<G>, position: &G) -> i32 {
    if !G::HAS_URGENT_MOVES {
        return evaluation.value(position);
    }
    let mut search = Search { accumulator: accompany(evaluation, position), left: POSITIONS };
    search.value(position, (-EVALUATION_MAX, EVALUATION_MAX))
}

struct Search<'a, G> {
    accumulator: Box<dyn Accumulator<G> + 'a>,
    left: u32,
}

impl<G: Knowledge> Search<'_, G> {
    /// The value of a position whose game goes on.
    fn value(&mut self, position: &G, (mut alpha, beta): (i32, i32)) -> i32 {
        let mut moves = Vec::new();
        if let Some(value) = self.accumulator.quiescence_value(position, &mut moves) {
            return value;
        }
        if self.left == 0 {
            return self.accumulator.value(position);
        }
        let side = position.side_to_move();
        let mut best = -EVALUATION_MAX;
        for mv in moves {
            self.left = self.left.saturating_sub(1);
            let mut child = position.clone();
            child.play(mv);
            self.accumulator.play(position, mv);
            let value = match child.outcome() {
                Some(outcome) => finished(outcome, side),
                // A turn of Connect6 has two stones of one side.
                None if child.side_to_move() == side => self.value(&child, (alpha, beta)),
                None => -self.value(&child, (-beta, -alpha)),
            };
            self.accumulator.take_back();
            best = best.max(value);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

fn finished(outcome: Outcome, side: Color) -> i32 {
    match outcome.winner() {
        None => 0,
        Some(winner) if winner == side => EVALUATION_MAX,
        Some(_) => -EVALUATION_MAX,
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use banyan_games::connect6::{Connect6, Connect6Rules};
    use banyan_games::rng::Rng;

    use super::*;

    fn after(moves: &str) -> Connect6 {
        let mut position = Connect6::new(&Connect6Rules::new(19).expect("a size"));
        for word in moves.split_whitespace() {
            position.play(position.parse_move(word).expect("a point"));
        }
        position
    }

    fn said_of(position: &Connect6) -> i32 {
        value(&*Connect6::evaluations()[Connect6::SEARCHED_BY], position)
    }

    /// Five in a row by Black, who has left two stones for White to stop with.
    const FIVE: &str = "k10 a1 c1 l10 m10 e1 g1 n10 o10";

    #[test]
    fn a_win_by_the_first_stone_of_a_turn_is_one_of_the_turn() {
        let first = after(&format!("{FIVE} a5 a9"));
        assert_eq!((first.side_to_move(), first.plies_left()), (Color::Black, 2));
        assert_eq!(said_of(&first), EVALUATION_MAX);
    }

    #[test]
    fn what_is_stopped_is_worth_what_it_is_worth_afterwards() {
        let open = after(FIVE);
        let stopped = after(&format!("{FIVE} j10 p10"));
        let evaluation = &*Connect6::evaluations()[Connect6::SEARCHED_BY];
        assert_eq!(evaluation.quiescence_value(&open, &mut Vec::new()), None);
        assert_eq!(said_of(&stopped), evaluation.value(&stopped));
        // Black has two stones next.
        assert_eq!(said_of(&open), -said_of(&stopped));
    }

    #[test]
    fn what_two_stones_cannot_stop_is_lost() {
        // Fours at the edge, each of which one stone stops.
        let two = "k10 g1 i3 a2 b2 k5 m7 c2 d2 o1 q3 a9 b9 s5 g12 c9 d9 i14 m16";
        let three = after(&format!("{two} a16 b16 o18 q12 c16 d16"));
        let two = after(&format!("{two} k15 m13"));
        assert_eq!((two.side_to_move(), two.plies_left()), (Color::White, 2));
        assert!(said_of(&two) > -EVALUATION_MAX);
        assert_eq!((three.side_to_move(), three.plies_left()), (Color::White, 2));
        assert_eq!(said_of(&three), -EVALUATION_MAX);
    }

    /// The same without a bound, and without leaving anything out; and the positions that it looked at.
    fn plainly(position: &Connect6) -> (i32, u32) {
        let evaluation = &*Connect6::evaluations()[Connect6::SEARCHED_BY];
        let side = position.side_to_move();
        if let Some(outcome) = position.outcome() {
            return (finished(outcome, side), 1);
        }
        let mut moves = Vec::new();
        if let Some(value) = evaluation.quiescence_value(position, &mut moves) {
            return (value, 1);
        }
        let (mut best, mut positions) = (i32::MIN, 1);
        for mv in moves {
            let mut child = position.clone();
            child.play(mv);
            let (value, below) = plainly(&child);
            let is_own = child.side_to_move() == side;
            best = best.max(if is_own { value } else { -value });
            positions += below;
            if positions > POSITIONS {
                break;
            }
        }
        (best, positions)
    }

    #[test]
    fn it_says_what_plain_minimax_says() {
        let (mut rng, mut urgent, mut wins) = (Rng::from_seed(4), 0, 0);
        for _ in 0..40 {
            let mut position = Connect6::new(&Connect6Rules::new(9).expect("a size"));
            for _ in 0..20 {
                let mut moves = Vec::new();
                position.candidates(&mut moves);
                position.play(moves[rng.below(moves.len() as u32) as usize]);
                if position.outcome().is_some() {
                    break;
                }
                let (expected, positions) = plainly(&position);
                if positions <= POSITIONS {
                    assert_eq!(said_of(&position), expected, "{position:?}");
                    urgent += u32::from(positions > 1);
                    wins += u32::from(positions > 1 && expected == EVALUATION_MAX);
                }
            }
        }
        assert!(urgent > 20 && wins > 5, "{urgent} {wins}");
    }
}

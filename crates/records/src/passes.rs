//! Passes that nobody has to write down.

use banyan_games::{Game, Move, Record};

/// Tells whether the side to move can do nothing but pass.
pub fn is_forced<G: Game>(record: &Record<G>) -> bool {
    let mut moves = Vec::new();
    record.position().legal_moves(&mut moves);
    moves == [Move::PASS]
}

#[cfg(test)]
mod tests {
    use banyan_games::Color;
    use banyan_games::othello::{Othello, OthelloRules};

    use super::*;

    #[test]
    fn a_pass_is_forced_where_nothing_else_is_legal() {
        // White cannot turn a1, Black can turn b1.
        let stones = [(Color::Black, Move::point(0)), (Color::White, Move::point(1))];
        let [black, white] = [Color::Black, Color::White].map(|side| {
            Record::<Othello>::set_up(&OthelloRules, &stones, side).expect("a position")
        });
        assert!(is_forced(&white) && !is_forced(&black));
    }
}

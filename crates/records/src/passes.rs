//! Passes that nobody has to write down.

use banyan_games::{Color, Game, IllegalMove, Move, Record};

/// Tells whether the side to move can do nothing but pass.
pub fn is_forced<G: Game>(position: &G) -> bool {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves == [Move::PASS]
}

/// Plays the pass that a line ends before, where it is forced: books hold the position after it.
pub fn play_forced<G: Game>(record: &mut Record<G>) {
    if is_forced(record.position()) {
        let played = record.play(Move::PASS);
        debug_assert!(played.is_ok(), "a forced pass is legal");
    }
}

/// Plays a move of a line from which forced passes may be left out.
///
/// # Errors
/// Rule that forbids it.
pub fn play<G: Game>(record: &mut Record<G>, mv: Move) -> Result<(), IllegalMove> {
    if !mv.is_pass() && is_forced(record.position()) {
        record.play(Move::PASS)?;
    }
    record.play(mv)
}

/// Tells whether a game of territory is over: the sides passed one after the other.
pub fn is_agreed<G: Game>(position: &G) -> bool {
    G::TERRITORY && position.outcome().is_some()
}

/// Takes back the last pass of a game of territory that passes ended, for a stone that follows: the sides disagreed
/// and play on. Returns what was taken back; nothing where the game is not over.
pub fn play_on<G: Game>(record: &mut Record<G>) -> Option<(Color, Move)> {
    is_agreed(record.position()).then(|| record.undo()).flatten()
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::othello::{Othello, OthelloRules};

    use super::*;

    #[test]
    fn a_pass_is_forced_where_nothing_else_is_legal() {
        // White cannot turn a1, Black can turn b1.
        let stones = [(Color::Black, Move::point(0)), (Color::White, Move::point(1))];
        let [black, white] = [Color::Black, Color::White].map(|side| {
            Record::<Othello>::set_up(&OthelloRules, &stones, side).expect("a position")
        });
        assert!(is_forced(white.position()) && !is_forced(black.position()));
    }

    #[test]
    fn a_game_of_territory_goes_on_from_before_the_last_pass() {
        let mut record = Record::<Go>::new(&GoRules::new(5, 1).expect("rules"));
        for mv in [Move::point(6), Move::PASS] {
            record.play(mv).expect("legal");
            assert_eq!(play_on(&mut record), None);
        }
        record.play(Move::PASS).expect("legal");
        assert_eq!(play_on(&mut record), Some((Color::Black, Move::PASS)));
        assert_eq!((record.plies().len(), record.position().outcome()), (2, None));
    }

    #[test]
    fn a_line_may_end_before_a_forced_pass() {
        let stones = [(Color::Black, Move::point(0)), (Color::White, Move::point(1))];
        for (side, passes) in [(Color::White, 1), (Color::Black, 0)] {
            let mut record =
                Record::<Othello>::set_up(&OthelloRules, &stones, side).expect("a position");
            play_forced(&mut record);
            assert_eq!(
                (record.plies().len(), record.position().side_to_move()),
                (passes, Color::Black)
            );
        }
    }

    #[test]
    fn a_forced_pass_may_be_left_out_and_may_be_said() {
        let stones = [(Color::Black, Move::point(0)), (Color::White, Move::point(1))];
        let white = Record::<Othello>::set_up(&OthelloRules, &stones, Color::White);
        let white = white.expect("a position");
        for line in [&[Move::point(2)][..], &[Move::PASS, Move::point(2)]] {
            let mut record = white.clone();
            line.iter().for_each(|&mv| play(&mut record, mv).expect("Black turns b1"));
            assert_eq!(record.plies().len(), 2, "{line:?}");
        }
        assert!(play(&mut white.clone(), Move::point(9)).is_err());
    }
}

//! A position to be judged, with the plies that led to it.

use banyan_games::go::{Go, GoRules};
use banyan_games::{Color, Game, Move, Record, Size};

/// A game of Go that stands at the position to be judged.
///
/// KataGo takes it that sides alternate, so the plies here do: what lies before a side's second ply in a row
/// is told as stones alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Size and komi.
    pub rules: GoRules,
    /// Stones before the first of the plies.
    pub stones: Vec<(Color, Move)>,
    /// Side that plays the first of the plies; the side to move where there are none.
    pub first: Color,
    /// Plies since, by turns.
    pub plies: Vec<Move>,
}

impl Position {
    /// The position that a game has reached, with `side` to move.
    pub fn of(record: &Record<Go>, side: Color) -> Position {
        Position::new(record.start(), record.plies(), side)
    }

    /// The position that these plies lead to from `start`, with `side` to move. They must be legal, each
    /// played by the side beside it.
    pub fn new(start: &Go, plies: &[(Color, Move)], side: Color) -> Position {
        let mut expected = side;
        let alternating = plies.iter().rev().take_while(|&&(color, _)| {
            expected = !expected;
            color == expected
        });
        let (before, told) = plies.split_at(plies.len() - alternating.count());
        Position {
            rules: start.rules().clone(),
            stones: stones(&played(start, before)),
            first: told.first().map_or(side, |&(color, _)| color),
            plies: told.iter().map(|&(_, mv)| mv).collect(),
        }
    }

    /// The position some plies later.
    pub fn after(&self, path: &[Move]) -> Position {
        let mut later = self.clone();
        later.plies.extend_from_slice(path);
        later
    }

    /// Its board.
    pub fn size(&self) -> Size {
        Size::square(self.rules.size())
    }

    /// Returns the side to move in the position that is judged.
    pub fn side_to_move(&self) -> Color {
        if self.plies.len().is_multiple_of(2) { self.first } else { !self.first }
    }
}

fn played(start: &Go, plies: &[(Color, Move)]) -> Go {
    let mut position = start.clone();
    for &(color, mv) in plies {
        // Every side may be to move in Go.
        let _ = position.set_side_to_move(color);
        position.play(mv);
    }
    position
}

fn stones(position: &Go) -> Vec<(Color, Move)> {
    let points = (0..position.size().area()).map(Move::point);
    points.filter_map(|point| Some((position.stone(point)?, point))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(plies: &[(Color, usize)]) -> Record<Go> {
        let mut record = Record::new(&GoRules::new(9, 14).expect("a board"));
        for &(color, point) in plies {
            record.play_as(color, Move::point(point)).expect("a legal ply");
        }
        record
    }

    use Color::{Black, White};

    #[test]
    fn a_game_by_turns_is_told_ply_by_ply() {
        let record = record(&[(Black, 40), (White, 41), (Black, 42)]);
        let position = Position::of(&record, White);
        assert_eq!((position.first, position.side_to_move()), (Black, White));
        assert!(position.stones.is_empty());
        assert_eq!(position.plies, [40, 41, 42].map(Move::point));
        let later = position.after(&[Move::PASS]);
        assert_eq!((later.plies.len(), later.side_to_move()), (4, Black));
    }

    #[test]
    fn before_a_second_ply_in_a_row_there_are_only_stones() {
        let record = record(&[(Black, 40), (Black, 41), (White, 1), (Black, 2)]);
        let position = Position::of(&record, White);
        assert_eq!(position.stones, [(Black, Move::point(40))]);
        assert_eq!((position.first, position.plies.len()), (Black, 3));
    }

    #[test]
    fn where_the_side_that_just_played_is_to_move_there_are_no_plies() {
        let record = record(&[(Black, 40), (White, 41)]);
        let position = Position::of(&record, White);
        assert_eq!(position.stones.len(), 2);
        assert!(position.plies.is_empty());
        assert_eq!((position.first, position.side_to_move()), (White, White));
    }

    #[test]
    fn captured_stones_are_not_told() {
        let record = record(&[(White, 0), (Black, 1), (Black, 9)]);
        let position = Position::of(&record, Black);
        assert_eq!(position.stones, [(Black, Move::point(1)), (Black, Move::point(9))]);
    }
}

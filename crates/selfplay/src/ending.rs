//! Games of Go at their end: who holds what once dead stones are taken off by playing on.

use banyan_games::counts::Asked;
use banyan_games::go::Go;
use banyan_games::{Color, Counts, Game as _, Outcome, Record, Rng};
use banyan_knowledge::{Knowledge as _, Policy};

/// Playouts by which stones live or die.
const PLAYOUTS: u32 = 64;

/// A point is held by who has it in this share of the playouts, in percent above even.
const SURE: i32 = 60;

/// A game goes on for so many times the board's points at most, then it is scored as it stands.
const PLIES_A_POINT: usize = 2;

/// The board after the game; without owners where the game has no territory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// Half points that Black won by.
    pub margin: i32,
    /// "B", "W" or "." of each point.
    pub ownership: String,
}

/// Outcome of a game, by its rules or by its length; nothing while it goes on.
pub(crate) fn outcome(record: &Record<Go>) -> Option<Outcome> {
    let position = record.position();
    let is_long = record.plies().len() >= PLIES_A_POINT * position.size().area();
    position.outcome().or_else(|| is_long.then(|| position.score_without(&[])).flatten())
}

/// Settles the last position of a game: heavy playouts go on from it, and a point is whose it mostly is.
pub(crate) fn settle(last: &Go, rng: &mut Rng) -> Ending {
    let mut position = last.clone();
    // Two passes have ended the game; the playouts are of the same stones with the other side to move.
    let side = position.side_to_move();
    position.set_side_to_move(!side).expect("sides may be set in Go");
    let area = position.size().area();
    let mut counts = Counts::new(area, Asked { amaf: false, ownership: true });
    position.playouts_by(Policy::Heavy, PLAYOUTS, rng, &mut counts);
    let held = counts.ownership.unwrap_or_default();
    let owner = |&held: &i32| match 100 * held / PLAYOUTS as i32 {
        SURE.. => Some(Color::Black),
        ..=-60 => Some(Color::White),
        _ => None,
    };
    let owners: Vec<_> = held.iter().map(owner).collect();
    let count = |color| owners.iter().filter(|&&owner| owner == Some(color)).count() as i32;
    let margin = 2 * (count(Color::Black) - count(Color::White)) - i32::from(last.rules().komi());
    let letter = |owner: &Option<Color>| match owner {
        Some(Color::Black) => 'B',
        Some(Color::White) => 'W',
        None => '.',
    };
    Ending { margin, ownership: owners.iter().map(letter).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::go::GoRules;
    use banyan_games::notation::drawn;

    #[test]
    fn dead_stones_are_taken_off_and_the_board_is_shared_out() {
        // White's stone in the corner is dead; Black holds three rows, White three, the middle is closed.
        let (stones, _) = drawn(
            ". . . . . O .
             . . . . . . .
             X X X X X X X
             O O O O O O O
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        );
        let rules = GoRules::new(7, 15).unwrap();
        let mut record = Record::<Go>::set_up(&rules, &stones, Color::Black).unwrap();
        for _ in 0..2 {
            assert_eq!(outcome(&record), None);
            record.play(banyan_games::Move::PASS).unwrap();
        }
        assert!(outcome(&record).is_some());
        let ending = settle(record.position(), &mut Rng::from_seed(1));
        assert_eq!(ending.ownership, "B".repeat(21) + &"W".repeat(28));
        assert_eq!(ending.margin, 2 * (21 - 28) - 15);
    }
}

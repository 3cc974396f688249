//! Dynamic komi: in a handicap game a move is searched as if White had been given more points, fewer
//! the longer the game has lasted.
//!
//! With even play a handicap is worth many points, and a search in which one side wins nearly every
//! playout tells its moves apart badly: the side that is ahead plays slackly, the one that is behind at
//! random. Points that make up for the handicap bring the playouts back to even.
//!
//! # Source
//! Baudiš 2011, *Balancing MCTS by Dynamically Adjusting the Komi Value*: linear handicap compensation.

use banyan_games::{Color, Record, Rules};
use banyan_search::Searchable;

/// Worth of a handicap stone, in half points. Source: as above, seven points.
const STONE: i64 = 14;

/// Nothing is lent after plies on so many hundredths of the board's points.
const PLIES_PERCENT: i64 = 45;

/// Half points that White is lent in this position; 0 where the game has no handicap.
///
/// A game has one when it began with two or more stones of Black's, none of White's, and White to move.
pub fn lent<G: Searchable>(record: &Record<G>) -> i16 {
    let stones = record.setup();
    let is_handicap = G::TERRITORY
        && stones.len() >= 2
        && stones.iter().all(|&(color, _)| color == Color::Black)
        && record.start().side_to_move() == Color::White;
    if !is_handicap {
        return 0;
    }
    let last = PLIES_PERCENT * record.position().size().area() as i64 / 100;
    let left = (last - record.plies().len() as i64).max(0);
    // One stone is what having the first move is worth in an even game.
    let whole = STONE * (stones.len() as i64 - 1) * left / last.max(1);
    // In whole points: the tree is kept for as long as the komi stays the same.
    i16::try_from(whole / 2 * 2).unwrap_or(i16::MAX)
}

/// The game under the komi that it is searched by; nothing where that is its own.
pub fn with_lent<G: Searchable>(record: &Record<G>) -> Option<Record<G>> {
    let lent = lent(record);
    let rules: Rules = record.start().rules().clone().into();
    let Rules::Go(go) = &rules else { return None };
    if lent == 0 {
        return None;
    }
    let komi = f64::from(go.komi() + lent) / 2.0;
    let rules = G::Rules::try_from(rules.with_komi(komi).ok()?).ok()?;
    record.under(&rules)
}

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use banyan_games::Move;
    use banyan_games::go::{Go, GoRules};
    use banyan_games::othello::{Othello, OthelloRules};

    use super::*;

    /// A game of 9x9 at komi 0.5 that begins with these stones, after so many plies.
    fn game(stones: &[(Color, usize)], side: Color, plies: usize) -> Record<Go> {
        let rules = GoRules::new(9, 1).expect("a size of Go");
        let stones: Vec<_> = stones.iter().map(|&(color, at)| (color, Move::point(at))).collect();
        let mut record = Record::<Go>::set_up(&rules, &stones, side).expect("stones that stand");
        for point in (0..81).filter(|point| point % 2 == 1).take(plies) {
            record.play(Move::point(point)).expect("every second point is free");
        }
        record
    }

    const TWO: &[(Color, usize)] = &[(Color::Black, 20), (Color::Black, 60)];
    const FOUR: &[(Color, usize)] =
        &[(Color::Black, 20), (Color::Black, 24), (Color::Black, 56), (Color::Black, 60)];

    #[test]
    fn what_is_lent_shrinks_from_seven_points_a_stone_to_nothing() {
        // 36 plies; the first stone makes up for the first move.
        assert_eq!(lent(&game(TWO, Color::White, 0)), 14);
        assert_eq!(lent(&game(FOUR, Color::White, 0)), 42);
        assert_eq!(lent(&game(FOUR, Color::White, 18)), 20);
        assert_eq!(lent(&game(FOUR, Color::White, 35)), 0);
        assert_eq!(lent(&game(FOUR, Color::White, 40)), 0);
    }

    #[test]
    fn only_handicap_games_are_lent_points() {
        assert_eq!(lent(&game(&[], Color::Black, 3)), 0);
        assert_eq!(lent(&game(&TWO[..1], Color::White, 3)), 0);
        // A problem, not a handicap.
        assert_eq!(lent(&game(TWO, Color::Black, 0)), 0);
        assert_eq!(lent(&game(&[TWO[0], TWO[1], (Color::White, 40)], Color::White, 0)), 0);
        assert_eq!(lent(&Record::<Othello>::new(&OthelloRules)), 0);
        assert!(with_lent(&game(&[], Color::Black, 3)).is_none());
    }

    #[test]
    fn the_game_that_is_searched_differs_by_komi_alone() {
        let played = game(FOUR, Color::White, 10);
        let searched = with_lent(&played).expect("points are lent");
        assert_eq!(searched.start().rules().komi(), 1 + lent(&played));
        assert_eq!((searched.setup(), searched.plies()), (played.setup(), played.plies()));
        assert_eq!(searched.position().stones_hash(), played.position().stones_hash());
    }
}

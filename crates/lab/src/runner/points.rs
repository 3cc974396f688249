//! Match points: 1, ½ or 0 a game, and the board's own points where these are equal.
//!
//! # Source
//! S8: a match has an even number of games, and the difference of discs breaks ties.

use std::fmt;

use banyan_games::Margin;

use super::log::{Entrant, GameLine};

/// The match so far, by points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchPoints {
    /// Halves of a point of each entrant.
    halves: [u32; 2],
    /// Points on the boards, the first's minus the second's.
    margin: Margin,
    /// Games with a margin; the others were decided by a line, a resignation, time or a fault.
    scored: u32,
}

/// Criterion that decides a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// One side has more points.
    Points,
    /// Points are equal, and one side has more on the boards.
    Margin,
}

impl MatchPoints {
    /// Adds a game.
    pub fn add(&mut self, game: &GameLine) {
        match game.winner {
            Some(winner) => self.halves[winner.index()] += 2,
            None => self.halves.iter_mut().for_each(|halves| *halves += 1),
        }
        if let Some(points) = game.margin {
            self.margin.0 += (2.0 * points) as i32;
            self.scored += 1;
        }
    }

    /// Points of one side.
    pub fn of(&self, entrant: Entrant) -> f64 {
        f64::from(self.halves[entrant.index()]) / 2.0
    }

    /// Points on the boards, the first's minus the second's, over all games with a margin.
    pub fn margin(&self) -> f64 {
        self.margin.as_points()
    }

    /// Games with a margin.
    pub fn scored(&self) -> u32 {
        self.scored
    }

    /// The winner of the match, and the criterion; nobody where points and margin are equal.
    pub fn winner(&self) -> Option<(Entrant, DecidedBy)> {
        let [first, second] = self.halves.map(i64::from);
        let ahead = |difference: i64| match difference {
            0 => None,
            1.. => Some(Entrant::First),
            _ => Some(Entrant::Second),
        };
        let by_points = ahead(first - second).map(|it| (it, DecidedBy::Points));
        by_points.or_else(|| Some((ahead(self.margin.0.into())?, DecidedBy::Margin)))
    }
}

impl fmt::Display for MatchPoints {
    /// On one line, as in `match points: first 2.5, second 1.5; margin of first +14 in 4 games; first wins`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = Entrant::BOTH.map(|entrant| self.of(entrant));
        write!(f, "match points: first {first}, second {second}")?;
        if self.scored > 0 {
            write!(f, "; margin of first {:+} in {} games", self.margin(), self.scored)?;
        }
        match self.winner() {
            Some((winner, DecidedBy::Points)) => write!(f, "; {} wins", winner.name()),
            Some((winner, DecidedBy::Margin)) => {
                write!(f, "; {} wins by the margin", winner.name())
            }
            None => write!(f, "; a tie"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::log::tests::line;
    use super::super::verdict::Reason;
    use super::*;

    /// After games with these margins for the first, or those that are given and no margin.
    fn after(games: &[(Option<Entrant>, Option<f64>)]) -> MatchPoints {
        let mut points = MatchPoints::default();
        for (number, &(winner, margin)) in (1..).zip(games) {
            points.add(&GameLine { margin, ..line(number, winner, Reason::Rules) });
        }
        points
    }

    const FIRST: Option<Entrant> = Some(Entrant::First);
    const SECOND: Option<Entrant> = Some(Entrant::Second);

    #[test]
    fn a_win_is_a_point_and_a_draw_half_of_one() {
        let games =
            [(FIRST, Some(12.0)), (SECOND, Some(-40.0)), (None, Some(0.0)), (FIRST, Some(2.5))];
        let points = after(&games);
        assert_eq!(Entrant::BOTH.map(|entrant| points.of(entrant)), [2.5, 1.5]);
        // 12 - 40 + 0 + 2.5: the second's win was higher, but points come first.
        assert_eq!((points.margin(), points.scored()), (-25.5, 4));
        assert_eq!(points.winner(), Some((Entrant::First, DecidedBy::Points)));
    }

    #[test]
    fn the_difference_of_discs_breaks_a_tie_of_points() {
        let points = after(&[(FIRST, Some(12.0)), (SECOND, Some(-40.0))]);
        assert_eq!(points.winner(), Some((Entrant::Second, DecidedBy::Margin)));
        assert_eq!(
            points.to_string(),
            "match points: first 1, second 1; margin of first -28 in 2 games; second wins by the margin"
        );
        assert_eq!(after(&[(FIRST, Some(12.0)), (SECOND, Some(-12.0))]).winner(), None);
    }

    #[test]
    fn games_without_a_score_count_as_points_alone() {
        let points = after(&[(FIRST, None), (SECOND, None), (None, None)]);
        assert_eq!(points.winner(), None);
        assert_eq!(points.to_string(), "match points: first 1.5, second 1.5; a tie");
        let points = after(&[(FIRST, None), (SECOND, Some(-4.0))]);
        assert_eq!(points.winner(), Some((Entrant::Second, DecidedBy::Margin)));
    }
}

//! The scale of values: whole numbers for the side to move, finished games beyond every evaluation.

use banyan_games::{Color, Move, Outcome};
use banyan_knowledge::{EVALUATION_MAX, Knowledge};

use crate::bounds::Bounds;

/// A won game is worth at least this.
pub const WON: i32 = 1_500_000_000;

const _: () = assert!(EVALUATION_MAX < WON);

/// Weight of a point of margin against a stone on the board.
const MARGIN: i32 = 1024;

/// Worth of a finished game for `side`: [`WON`] and more, 0, or the negative.
///
/// Wins by more points come first, then wins on a board with fewer stones: sooner. The stones, not the
/// plies, so that one position has one worth by whatever way it was reached.
///
/// # Source
/// S8: "win by as much, lose by as little as possible".
pub(super) fn finished(outcome: Outcome, stones: i32, side: Color) -> i32 {
    let points = outcome.margin.0.abs() / 2;
    let worth = WON + MARGIN * points - stones;
    match outcome.winner() {
        None => 0,
        Some(winner) if winner == side => worth,
        Some(_) => -worth,
    }
}

/// Tells whether this is the value of a finished game that somebody won.
pub fn is_decided(value: i32) -> bool {
    value.abs() > EVALUATION_MAX
}

/// Tells whether this is the value of a finished game that the other side won.
pub(super) fn is_lost(value: i32) -> bool {
    value < -EVALUATION_MAX
}

/// Stones on the board.
pub(super) fn stones<G: Knowledge>(position: &G) -> i32 {
    let points = (0..position.size().area()).map(Move::point);
    points.filter(|&point| position.stone(point).is_some()).count() as i32
}

/// View of one value by the two sides of a ply: it is negated only when the mover changes.
///
/// A pass in Othello gives the same opponent another ply; the first of two plies of a turn in Connect6
/// leaves the same side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    Same,
    Turned,
}

impl View {
    pub fn of(parent: Color, child: Color) -> View {
        if parent == child { View::Same } else { View::Turned }
    }

    pub fn value(self, value: i32) -> i32 {
        match self {
            View::Same => value,
            View::Turned => -value,
        }
    }

    pub fn bounds(self, bounds: Bounds) -> Bounds {
        match self {
            View::Same => bounds,
            View::Turned => bounds.turned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::INFINITE;
    use banyan_games::Margin;

    #[test]
    fn a_win_by_more_is_worth_more_and_then_a_sooner_one() {
        let by = |points| Outcome { margin: Margin::points(points) };
        let black = |points, stones| finished(by(points), stones, Color::Black);
        assert!(black(10, 64) > black(8, 20) && black(8, 20) > black(8, 30));
        assert!(black(2, 625) > EVALUATION_MAX && black(-2, 625) < -EVALUATION_MAX);
        assert!(black(64, 13) < INFINITE);
        assert_eq!(black(-6, 60), -finished(by(-6), 60, Color::White));
        assert!(black(-2, 60) > black(-4, 60) && black(-2, 60) > black(-2, 50));
        assert_eq!(finished(Outcome::DRAW, 64, Color::White), 0);
    }
}

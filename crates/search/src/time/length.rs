//! How long a game is going to last, as far as one can tell beforehand.

use banyan_games::Kind;

/// Stones of a game of lines between engines: few last longer.
const LINE_STONES: usize = 60;

/// As many stones may always follow there.
const LINE_STONES_LEFT_MIN: usize = 24;

/// The reserve lasts for so many plies of one side, where so many can follow.
const RESERVE_PLIES_MIN: usize = 20;

/// A game's expected length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLength {
    kind: Kind,
    area: usize,
}

impl GameLength {
    /// That of a game on a board of so many points.
    pub fn of(kind: Kind, area: usize) -> GameLength {
        GameLength { kind, area }
    }

    /// Plies that one side may still have to play, above 0: half of what is left of the plies that are usual, which are
    /// three quarters of the board, and never less than an eighth of it; in games of lines half of what is left of 60
    /// stones, and never less than twelve, where the board is not smaller than that.
    ///
    /// - `plies`: both sides' plies so far.
    pub fn own_plies_left(self, plies: usize) -> u32 {
        let (usual, left_min) = (self.area * 3 / 4, self.area / 4);
        let (usual, left_min) = match self.kind {
            Kind::Gomoku | Kind::Connect6 => {
                (usual.min(LINE_STONES), left_min.min(LINE_STONES_LEFT_MIN))
            }
            Kind::Go | Kind::Othello | Kind::Hex => (usual, left_min),
        };
        (usual.saturating_sub(plies).max(left_min) / 2).max(1) as u32
    }

    /// Plies of one side that a reserve is kept for, above 0: half of the empty points, and 20 at least; a quarter of
    /// them in games of lines, which hardly ever fill the board; in Othello one more than can follow.
    ///
    /// - `plies`: both sides' plies so far.
    pub fn reserve_plies(self, plies: usize) -> u32 {
        let empty = self.area.saturating_sub(plies);
        let reserved = match self.kind {
            Kind::Go | Kind::Hex => (empty / 2).max(RESERVE_PLIES_MIN),
            Kind::Gomoku | Kind::Connect6 => (empty / 4).max(RESERVE_PLIES_MIN),
            // Four discs are there from the beginning.
            Kind::Othello => empty.saturating_sub(4) / 2 + 1,
        };
        reserved as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: Kind, side: usize) -> GameLength {
        GameLength::of(kind, side * side)
    }

    #[test]
    fn games_of_lines_end_long_before_the_board_is_full() {
        let left = |kind, side, plies| of(kind, side).own_plies_left(plies);
        assert_eq!((left(Kind::Go, 19, 0), left(Kind::Go, 19, 300)), (135, 45));
        assert_eq!((left(Kind::Connect6, 19, 0), left(Kind::Connect6, 19, 300)), (30, 12));
        assert_eq!((left(Kind::Gomoku, 15, 20), left(Kind::Gomoku, 15, 50)), (20, 12));
        // Where the board is small it is the board that counts.
        assert_eq!((left(Kind::Gomoku, 5, 0), left(Kind::Gomoku, 5, 20)), (9, 3));
    }

    #[test]
    fn othello_keeps_nothing_for_plies_that_cannot_follow() {
        let kept = |kind, side, plies| of(kind, side).reserve_plies(plies);
        assert_eq!((kept(Kind::Othello, 8, 0), kept(Kind::Othello, 8, 59)), (31, 1));
        assert_eq!((kept(Kind::Go, 9, 0), kept(Kind::Go, 9, 70)), (40, 20));
        assert_eq!((kept(Kind::Gomoku, 15, 0), kept(Kind::Gomoku, 15, 200)), (56, 20));
    }
}

//! Hex on any square board up to 25x25: Black joins top and bottom, White left and right.
//!
//! There is no swap: who opens has the better game.

use std::fmt;

use crate::counts::Observer;
use crate::game::{Game, SetupError};
use crate::kind::{Kind, RulesError};
use crate::notation::Notation;
use crate::rng::{Rng, mix};
use crate::symmetry::Symmetry;
use crate::types::{Color, Move, Outcome, Size};

/// The size of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexRules {
    size: Size,
}

impl HexRules {
    /// Rules for a square board of 2 to 25 points a side.
    ///
    /// # Errors
    /// [`RulesError::Size`] outside that.
    pub fn new(size: u32) -> Result<HexRules, RulesError> {
        let (game, expected) = (Kind::Hex, "a square of 2 to 25");
        if !(2..=u32::from(Size::SIDE_MAX)).contains(&size) {
            return Err(RulesError::Size { game, width: size, height: size, expected });
        }
        Ok(HexRules { size: Size::square(size as u8) })
    }

    /// The board.
    pub fn size(&self) -> Size {
        self.size
    }
}

impl fmt::Display for HexRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hex {0}x{0}", self.size.width)
    }
}

/// A position of Hex. A point touches its neighbours in the row and the column, the one to the right of
/// that above and the one to the left of that below.
#[derive(Clone, Debug)]
pub struct Hex {
    rules: HexRules,
    stones: [Stones; 2],
    side: Color,
    ended: Option<Outcome>,
    stones_hash: u64,
}

/// One side's stones in lines across its way: Black's rows, White's columns.
type Stones = [u32; Size::SIDE_MAX as usize];

impl Hex {
    /// Line and bit of a point among the stones of `color`.
    ///
    /// Which points touch each other is the same whether rows or columns are lines, so both sides go
    /// from the first line to the last.
    fn place(&self, color: Color, point: Move) -> (usize, u32) {
        let side = u16::from(self.rules.size.width);
        let (row, column) = (point.0 / side, point.0 % side);
        match color {
            Color::Black => (row.into(), column.into()),
            Color::White => (column.into(), row.into()),
        }
    }

    fn put(&mut self, color: Color, point: Move) {
        let (line, bit) = self.place(color, point);
        self.stones[color.index()][line] |= 1 << bit;
        self.stones_hash ^= mix(u64::from(point.0) << 1 | color as u64);
    }

    fn empty_points(&self) -> impl Iterator<Item = Move> {
        let points = (0..self.size().area()).map(Move::point);
        points.filter(|&point| self.stone(point).is_none())
    }

    /// Tells whether a chain of `color` joins its two edges.
    fn joins(&self, color: Color) -> bool {
        let last = usize::from(self.rules.size.width) - 1;
        let stones = &self.stones[color.index()];
        let mut reached: Stones = [0; Size::SIDE_MAX as usize];
        reached[0] = stones[0];
        // Down and up again, until no line reaches more: chains may wind.
        loop {
            let before = reached;
            for line in 1..=last {
                let above = reached[line - 1];
                reached[line] = along(reached[line] | above | above >> 1, stones[line]);
            }
            for line in (0..last).rev() {
                let below = reached[line + 1];
                reached[line] = along(reached[line] | below | below << 1, stones[line]);
            }
            if reached[last] != 0 || reached == before {
                return reached[last] != 0;
            }
        }
    }
}

/// The stones of a line that those reached are joined to within it.
fn along(reached: u32, stones: u32) -> u32 {
    let mut reached = reached & stones;
    loop {
        let wider = (reached | reached << 1 | reached >> 1) & stones;
        if wider == reached {
            return reached;
        }
        reached = wider;
    }
}

impl Game for Hex {
    type Rules = HexRules;

    const KIND: Kind = Kind::Hex;
    const NOTATION: Notation = Notation::Othello;

    fn new(rules: &HexRules) -> Hex {
        let stones = [[0; Size::SIDE_MAX as usize]; 2];
        Hex { rules: rules.clone(), stones, side: Color::Black, ended: None, stones_hash: 0 }
    }

    fn rules(&self) -> &HexRules {
        &self.rules
    }

    fn size(&self) -> Size {
        self.rules.size
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn stone(&self, point: Move) -> Option<Color> {
        Color::BOTH.into_iter().find(|&color| {
            let (line, bit) = self.place(color, point);
            self.stones[color.index()][line] >> bit & 1 == 1
        })
    }

    fn is_legal(&self, mv: Move) -> bool {
        let on_board = usize::from(mv.0) < self.size().area();
        on_board && self.ended.is_none() && self.stone(mv).is_none()
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.ended.is_none() {
            moves.extend(self.empty_points());
        }
    }

    fn play(&mut self, mv: Move) {
        let side = self.side;
        self.put(side, mv);
        self.side = !side;
        if self.joins(side) {
            self.ended = Some(Outcome::win(side));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended
    }

    /// Half a turn leaves each side its edges.
    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::NONE, Symmetry::HALF_TURN]
    }

    fn hash(&self) -> u64 {
        mix(self.stones_hash ^ self.side as u64)
    }

    fn stones_hash(&self) -> u64 {
        self.stones_hash
    }

    fn set_up(&mut self, stones: &[(Color, Move)], side: Color) -> Result<(), SetupError> {
        *self = Hex { side, ..Hex::new(&self.rules) };
        for &(color, point) in stones {
            self.check_free(color, point)?;
            self.put(color, point);
        }
        let winner = Color::BOTH.into_iter().find(|&color| self.joins(color));
        self.ended = winner.map(Outcome::win);
        Ok(())
    }

    /// Fills the board: later stones cut no chain, and a full board has exactly one winner.
    fn playout(&mut self, rng: &mut Rng, observer: &mut impl Observer) -> (Outcome, u32) {
        if let Some(outcome) = self.ended {
            observer.ended(outcome, |point| self.stone(Move::point(point)));
            return (outcome, 0);
        }
        let mut empty: Vec<Move> = self.empty_points().collect();
        let plies = empty.len() as u32;
        while !empty.is_empty() {
            let point = empty.swap_remove(rng.below(empty.len() as u32) as usize);
            observer.played(self.side, point);
            self.put(self.side, point);
            self.side = !self.side;
        }
        let winner = if self.joins(Color::Black) { Color::Black } else { Color::White };
        let outcome = Outcome::win(winner);
        self.ended = Some(outcome);
        observer.ended(outcome, |point| self.stone(Move::point(point)));
        (outcome, plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::drawn;

    fn position(drawing: &str) -> Hex {
        let (stones, points) = drawn(drawing);
        let mut position = Hex::new(&HexRules::new(points.isqrt() as u32).expect("a size"));
        position.set_up(&stones, Color::Black).expect("free points");
        position
    }

    #[test]
    fn chains_lean_to_the_left_on_their_way_down() {
        let winner = |drawing| position(drawing).outcome().and_then(Outcome::winner);
        assert_eq!(winner("..X .X. X.."), Some(Color::Black));
        assert_eq!(winner("X.. .X. ..X"), None, "these do not touch");
        assert_eq!(winner("..O .O. O.."), Some(Color::White));
        assert_eq!(winner("OOX .XO X.."), Some(Color::Black));
        assert_eq!(winner("XX. OO. XX."), None);
    }

    #[test]
    fn a_chain_may_wind_back_up() {
        let drawing = "X..... X.XXX. X.X.X. X.X.X. XX..X. ....X.";
        assert_eq!(position(drawing).outcome(), Some(Outcome::win(Color::Black)));
        let cut = "X..... X.XXX. X.X.X. X.X.X. X...X. ....X.";
        assert_eq!(position(cut).outcome(), None);
    }

    #[test]
    fn a_full_board_has_one_winner() {
        let mut rng = Rng::from_seed(1);
        for side in [2, 5, 11, 25].into_iter().cycle().take(400) {
            let mut position = Hex::new(&HexRules::new(side).expect("a size"));
            let (outcome, _) = position.playout(&mut rng, &mut crate::NoObserver);
            let winner = outcome.winner().expect("no draws in Hex");
            assert!(position.joins(winner) && !position.joins(!winner), "{position:?}");
        }
    }
}

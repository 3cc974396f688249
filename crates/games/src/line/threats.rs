//! Effects of a stone on each empty point for either side, for people who look at a board. No search: only the windows
//! through the point are looked at, one by one.

use super::position::Position;
use super::rules::LineRules;
use super::windows::Windows;
use crate::game::Game as _;
use crate::types::{Color, Move};

/// Effect of one stone, the least first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Threat {
    /// Nothing, or it may not be put there.
    #[default]
    Nothing,
    /// With one more it would threaten, in more than one way: an open three of Gomoku.
    Builds,
    /// The other side would have to stop it in its next turn: a four.
    Threatens,
    /// It completes a line, if need be with what is left of the turn.
    Wins,
}

impl<R: LineRules> Position<R> {
    /// Returns the effects of a stone of each side, by [`Color::index`] and point.
    pub fn threats(&self) -> [Vec<Threat>; 2] {
        let windows = Windows::of(self);
        let of_side = |side: Color| {
            let points = (0..self.size().area()).map(Move::point);
            points.map(|point| self.threat(&windows, side, point)).collect()
        };
        Color::BOTH.map(of_side)
    }

    fn threat(&self, windows: &Windows<R>, side: Color, point: Move) -> Threat {
        if !windows.allows(side, point) {
            return Threat::Nothing;
        }
        if windows.wins_at(side, point) {
            return Threat::Wins;
        }
        let is_next = self.side_to_move() == side;
        let left = if is_next { self.plies_left() } else { R::STONES_A_TURN };
        let mut builds = 0;
        let mut most = Threat::Nothing;
        for stones in self.windows_through(point).filter_map(|window| window.alone(side)) {
            let lacking = R::LENGTH as u8 - stones - 1;
            // Alone it does not complete a line, whatever this window says: an overline may not count.
            if (1..left).contains(&lacking) {
                return Threat::Wins;
            }
            if lacking > 0 && lacking <= R::STONES_A_TURN {
                most = Threat::Threatens;
            }
            builds += u32::from(lacking == R::STONES_A_TURN + 1);
        }
        if builds > 1 { most.max(Threat::Builds) } else { most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect6::{Connect6, Connect6Rules};
    use crate::gomoku::{Gomoku, GomokuRules, Variant};

    /// Points where a stone of `side` does this, in words.
    fn points<R: LineRules>(position: &Position<R>, side: Color, what: Threat) -> Vec<String> {
        let threats = position.threats();
        let all = threats[side.index()].iter().enumerate().filter(|(_, it)| **it == what);
        all.map(|(at, _)| position.move_text(Move::point(at))).collect()
    }

    fn gomoku(variant: Variant, stones: [&str; 2]) -> Gomoku {
        let rules = GomokuRules::new(15, 15, variant).expect("rules");
        Gomoku::with_stones(&rules, stones, Color::Black).expect("they can stand")
    }

    #[test]
    fn in_gomoku_a_fifth_stone_wins_a_fourth_threatens_and_a_third_that_is_open_builds() {
        let position = gomoku(Variant::Freestyle, ["e8 f8 g8 h8", "d8"]);
        assert_eq!(points(&position, Color::Black, Threat::Wins), ["i8"]);
        let position = gomoku(Variant::Freestyle, ["f8 g8 h8", ""]);
        let fours = points(&position, Color::Black, Threat::Threatens);
        assert_eq!(fours, ["d8", "e8", "i8", "j8"]);
        assert!(points(&position, Color::White, Threat::Threatens).is_empty());
        let position = gomoku(Variant::Freestyle, ["g8 h8", ""]);
        let threes = points(&position, Color::Black, Threat::Builds);
        assert_eq!(threes, ["e8", "f8", "i8", "j8"]);
        let position = gomoku(Variant::Freestyle, ["g8 h8", "f8"]);
        assert!(points(&position, Color::Black, Threat::Builds).is_empty(), "one end is closed");
    }

    #[test]
    fn what_the_rules_forbid_or_do_not_count_is_no_threat() {
        let six = ["d8 e8 f8 h8 i8", ""];
        assert_eq!(points(&gomoku(Variant::Freestyle, six), Color::Black, Threat::Wins), ["g8"]);
        assert!(points(&gomoku(Variant::Standard, six), Color::Black, Threat::Wins).is_empty());
        let renju = gomoku(Variant::Renju, six).threats();
        let closed = Move::point(7 * 15 + 6).index().expect("a point");
        assert_eq!(renju[Color::Black.index()][closed], Threat::Nothing, "an overline");
    }

    #[test]
    fn in_connect6_a_turn_wins_by_two_stones() {
        let rules = Connect6Rules::new(19).expect("a size");
        let stones = ["k10 l10 m10 n10", "j10 a1 b1"];
        let position = Connect6::with_stones(&rules, stones, Color::Black).expect("they stand");
        assert_eq!(points(&position, Color::Black, Threat::Wins), ["o10", "p10"]);
        let three = ["k10 l10 m10", "j10"];
        let position = Connect6::with_stones(&rules, three, Color::Black).expect("they stand");
        let fours = points(&position, Color::Black, Threat::Threatens);
        assert_eq!(fours, ["n10", "o10", "p10"]);
    }
}

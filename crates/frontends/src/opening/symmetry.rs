//! Points of a board that are one, because a symmetry makes one of the other.

use banyan_engine::Playable;
use banyan_games::{Move, Symmetry};

/// Tells whether some symmetry that keeps the stones makes one of these points of the other.
pub fn are_one<G: Playable>(position: &G, one: Move, other: Move) -> bool {
    let size = position.size();
    let keeps = |it: Symmetry| it.keeps(size, |point| position.stone(point));
    Symmetry::all(size).any(|it| it.image(one, size) == other && keeps(it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Game;
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    fn position(size: (u32, u32), stones: &str) -> Gomoku {
        let rules = GomokuRules::new(size.0, size.1, Variant::Freestyle).expect("rules");
        let mut position = Gomoku::new(&rules);
        for word in stones.split_whitespace() {
            position.play(position.parse_move(word).expect("a point"));
        }
        position
    }

    fn images(position: &Gomoku, point: &str) -> usize {
        let point = position.parse_move(point).expect("a point");
        let all = (0..position.size().area()).map(Move::point);
        all.filter(|&other| are_one(position, point, other)).count()
    }

    #[test]
    fn an_empty_board_has_eight_images_of_a_point_and_a_rectangle_four() {
        assert_eq!(images(&position((15, 15), ""), "a2"), 8);
        assert_eq!(images(&position((15, 15), ""), "b2"), 4);
        assert_eq!(images(&position((15, 15), ""), "h8"), 1);
        assert_eq!(images(&position((15, 10), ""), "a2"), 4);
    }

    #[test]
    fn stones_take_symmetries_away() {
        assert_eq!(images(&position((15, 15), "h8"), "a2"), 8);
        assert_eq!(images(&position((15, 15), "h8 h9"), "a2"), 2);
        // Of a diagonal the other reflection is left.
        assert_eq!(images(&position((15, 15), "h8 i9"), "a2"), 2);
        assert_eq!(images(&position((15, 15), "h8 h9 j9"), "a2"), 1);
        // The same stones in another colour are others.
        assert_eq!(images(&position((15, 15), "g8 i8"), "a2"), 2);
        assert_eq!(images(&position((15, 15), "g8 a1 i8 o1"), "h3"), 1);
    }
}

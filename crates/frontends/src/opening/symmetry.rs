//! The symmetries of a board: eight of a square one, four of another.

use banyan_games::{Move, Size};
use banyan_search::Searchable;

/// A turn or reflection: which axes run backwards, and whether rows and columns change places.
#[derive(Clone, Copy, Debug)]
struct Symmetry {
    backwards: [bool; 2],
    is_transposed: bool,
}

impl Symmetry {
    /// All that map a board of this size onto itself, the one that changes nothing among them.
    fn all(size: Size) -> impl Iterator<Item = Symmetry> {
        let is_square = size.width == size.height;
        (0..if is_square { 8 } else { 4 }).map(|bits: u8| Symmetry {
            backwards: [bits & 1 != 0, bits & 2 != 0],
            is_transposed: bits & 4 != 0,
        })
    }

    /// Where a point of the board goes.
    fn image(self, point: Move, size: Size) -> Move {
        let (width, height) = (usize::from(size.width), usize::from(size.height));
        let index = usize::from(point.0);
        let (mut row, mut column) = (index / width, index % width);
        if self.backwards[0] {
            row = height - 1 - row;
        }
        if self.backwards[1] {
            column = width - 1 - column;
        }
        if self.is_transposed {
            (row, column) = (column, row);
        }
        Move::point(row * width + column)
    }

    /// Tells whether the stones lie as before.
    fn keeps<G: Searchable>(self, position: &G) -> bool {
        let size = position.size();
        let mut points = (0..size.area()).map(Move::point);
        points.all(|point| position.stone(point) == position.stone(self.image(point, size)))
    }
}

/// Tells whether some symmetry that keeps the stones makes one of these points of the other.
pub fn are_one<G: Searchable>(position: &G, one: Move, other: Move) -> bool {
    let size = position.size();
    Symmetry::all(size).any(|it| it.image(one, size) == other && it.keeps(position))
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

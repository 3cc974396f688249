//! The symmetries of a board: eight of a square one, four of another.
//!
//! Which of them keep a game the same is the game's to say ([`crate::Game::symmetries`]).

use crate::types::{Color, Move, Size};

/// A turn or reflection: which axes run backwards, and whether rows and columns then change places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    backwards: [bool; 2],
    is_transposed: bool,
}

impl Symmetry {
    /// The one that changes nothing.
    pub const NONE: Symmetry = Symmetry { backwards: [false; 2], is_transposed: false };
    /// Half a turn.
    pub const HALF_TURN: Symmetry = Symmetry { backwards: [true; 2], is_transposed: false };

    /// All that map a board of this size onto itself, [`Symmetry::NONE`] first.
    pub fn all(size: Size) -> impl Iterator<Item = Symmetry> {
        let is_square = size.width == size.height;
        (0..if is_square { 8 } else { 4 }).map(|bits: u8| Symmetry {
            backwards: [bits & 1 != 0, bits & 2 != 0],
            is_transposed: bits & 4 != 0,
        })
    }

    /// Returns the image of a point of the board; a pass stays one.
    pub fn image(self, mv: Move, size: Size) -> Move {
        let Some(index) = mv.index() else { return mv };
        let (width, height) = (usize::from(size.width), usize::from(size.height));
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

    /// The one that takes this one back.
    pub fn inverse(self) -> Symmetry {
        let [rows, columns] = self.backwards;
        let backwards = if self.is_transposed { [columns, rows] } else { [rows, columns] };
        Symmetry { backwards, ..self }
    }

    /// Tells whether stones lie as before.
    ///
    /// - `stone`: the stone on a point of the board.
    pub fn keeps(self, size: Size, stone: impl Fn(Move) -> Option<Color>) -> bool {
        let mut points = (0..size.area()).map(Move::point);
        points.all(|point| stone(point) == stone(self.image(point, size)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_taken_back_by_the_inverse_and_no_two_points_share_one() {
        for size in [Size::square(5), Size { width: 4, height: 6 }] {
            assert_eq!(Symmetry::all(size).next(), Some(Symmetry::NONE));
            for symmetry in Symmetry::all(size) {
                let mut images: Vec<Move> = Vec::new();
                for point in (0..size.area()).map(Move::point) {
                    let image = symmetry.image(point, size);
                    assert_eq!(symmetry.inverse().image(image, size), point, "{symmetry:?}");
                    images.push(image);
                }
                images.sort();
                images.dedup();
                assert_eq!(images.len(), size.area());
                assert_eq!(symmetry.image(Move::PASS, size), Move::PASS);
            }
        }
    }
}

//! Notations in which the people of each game write a move: `D4`, `f5`, `h8`.

use crate::types::{Color, Move, Size};

/// A way to name the points of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `D4`: capitals without I, rows counted from the bottom (Go).
    Go,
    /// `f5`: small letters, rows counted from the top (Othello, Hex).
    Othello,
    /// `h8`: small letters, rows counted from the bottom (Gomoku, Connect6).
    Line,
}

/// The stones of a drawing, row by row from the top: `X` is Black, `O` White, any other mark an empty
/// point; blanks and line ends say nothing. Also the number of its points.
pub fn drawn(drawing: &str) -> (Vec<(Color, Move)>, usize) {
    let marks = || drawing.chars().filter(|mark| !mark.is_whitespace());
    let stone = |(point, mark)| match mark {
        'X' => Some((Color::Black, Move::point(point))),
        'O' => Some((Color::White, Move::point(point))),
        _ => None,
    };
    (marks().enumerate().filter_map(stone).collect(), marks().count())
}

/// Reasons why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// Neither `pass` nor a letter followed by a number.
    #[error("'{0}' is not a move: expected a letter and a number such as D4, or pass")]
    Malformed(String),
    /// A well-formed point that this board does not have.
    #[error("'{text}' is outside the board of size {size}")]
    OutsideBoard {
        /// The text that was typed.
        text: String,
        /// The board it was meant for.
        size: Size,
    },
}

impl Notation {
    /// The letter of a column, `0..25`.
    pub fn column(self, column: u8) -> char {
        match self {
            Notation::Go if column >= 8 => char::from(b'A' + column + 1),
            Notation::Go => char::from(b'A' + column),
            Notation::Othello | Notation::Line => char::from(b'a' + column),
        }
    }

    /// The printed number of a row; rows count from the top, from 0.
    pub fn row(self, row: u8, size: Size) -> u8 {
        match self {
            Notation::Othello => row + 1,
            Notation::Go | Notation::Line => size.height - row,
        }
    }

    /// The move as text; a pass is `pass`. A point outside the board, which only a stranger can have
    /// named, is given by its number.
    pub fn format(self, mv: Move, size: Size) -> String {
        let Some(index) = mv.index() else { return "pass".to_owned() };
        if index >= size.area() {
            return format!("point {index}");
        }
        let width = usize::from(size.width);
        let (row, column) = ((index / width) as u8, (index % width) as u8);
        format!("{}{}", self.column(column), self.row(row, size))
    }

    /// The move that a text names, in any case.
    ///
    /// # Errors
    /// [`MoveTextError`] for anything else; whether the move is legal is not asked here.
    pub fn parse(self, text: &str, size: Size) -> Result<Move, MoveTextError> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::PASS);
        }
        let malformed = || MoveTextError::Malformed(shorten(text));
        let outside = || MoveTextError::OutsideBoard { text: shorten(text), size };
        let mut letters = text.chars();
        let letter = letters.next().ok_or_else(malformed)?.to_ascii_uppercase();
        let digits = letters.as_str();
        let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if !letter.is_ascii_uppercase() || !all_digits {
            return Err(malformed());
        }
        let column = (0..size.width)
            .find(|&c| self.column(c).to_ascii_uppercase() == letter)
            .ok_or_else(outside)?;
        let number: u8 = digits.parse().map_err(|_| outside())?;
        let row = (0..size.height).find(|&r| self.row(r, size) == number).ok_or_else(outside)?;
        Ok(Move::point(usize::from(row) * usize::from(size.width) + usize::from(column)))
    }
}

/// Texts come from strangers: an error message repeats at most this much of one.
fn shorten(text: &str) -> String {
    text.chars().take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_every_size_reads_back_as_written() {
        for notation in [Notation::Go, Notation::Othello, Notation::Line] {
            for side in 2..=Size::SIDE_MAX {
                let size = Size { width: side, height: 27 - side };
                for mv in (0..size.area()).map(Move::point).chain([Move::PASS]) {
                    let text = notation.format(mv, size);
                    assert_eq!(notation.parse(&text, size), Ok(mv), "{text}");
                }
            }
        }
    }

    #[test]
    fn points_are_named_as_each_game_names_them() {
        assert_eq!(Notation::Go.format(Move::point(0), Size::square(19)), "A19");
        assert_eq!(Notation::Go.format(Move::point(8), Size::square(9)), "J9");
        assert_eq!(Notation::Othello.format(Move::point(0), Size::square(8)), "a1");
        assert_eq!(Notation::Line.format(Move::point(7 * 15 + 7), Size::square(15)), "h8");
        assert_eq!(Notation::Go.parse("d4", Size::square(9)), Ok(Move::point(5 * 9 + 3)));
    }

    #[test]
    fn what_is_no_move_is_refused_with_its_text() {
        let size = Size::square(9);
        for text in ["", "4", "D", "D4x", "é4", "-1", "D-4", "D 4", "DD4"] {
            let refused = Notation::Go.parse(text, size);
            assert!(matches!(refused, Err(MoveTextError::Malformed(_))), "{text}: {refused:?}");
        }
        for text in ["I5", "K1", "A0", "A10", "Z99", "A99999999999999"] {
            let refused = Notation::Go.parse(text, size);
            assert!(matches!(refused, Err(MoveTextError::OutsideBoard { .. })), "{text}");
        }
    }
}

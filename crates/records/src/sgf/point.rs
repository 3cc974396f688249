//! Points, rectangles and moves as SGF writes them.

use banyan_games::{Kind, Move, Notation, Size};

/// The point that a text names: two letters, column then row from the top left (`dp`), or, as some
/// programs of Othello and Gomoku write it, the game's own notation (`f5`).
///
/// Boards here have at most 25 a side, so capitals, which the format keeps for wider boards, are
/// read as small letters: the programs of Connect6 write them.
pub(super) fn point(text: &str, size: Size, notation: Notation) -> Option<Move> {
    match text.trim().as_bytes() {
        &[column, row] if row.is_ascii_alphabetic() => {
            let (column, row) = (letter(column)?, letter(row)?);
            let inside = column < size.width && row < size.height;
            inside.then(|| at(column, row, size))
        }
        _ => notation.parse(text.trim(), size).ok().filter(|mv| !mv.is_pass()),
    }
}

/// The points of a list's entry: one, or all of a rectangle `aa:cc`.
pub(super) fn points(text: &str, size: Size, notation: Notation) -> Option<Vec<Move>> {
    let Some((one, other)) = text.split_once(':') else {
        return Some(vec![point(text, size, notation)?]);
    };
    let one = corner(point(one, size, notation)?, size)?;
    let other = corner(point(other, size, notation)?, size)?;
    let rows = one.1.min(other.1)..=one.1.max(other.1);
    let columns = one.0.min(other.0)..=one.0.max(other.0);
    Some(rows.flat_map(|row| columns.clone().map(move |column| at(column, row, size))).collect())
}

/// The plies of a B or W: one, or two where a Connect6 program writes both stones as `jjkk` or `j9l11`.
///
/// A pass is empty, `tt` where the board does not reach so far, or the word. None where somebody resigned, which Little
/// Golem writes as a move.
pub(super) fn plies(text: &str, size: Size, kind: Kind, notation: Notation) -> Option<Vec<Move>> {
    let text = text.trim();
    let old_pass = text.eq_ignore_ascii_case("tt") && size.width <= 19 && size.height <= 19;
    if text.is_empty() || old_pass || text.eq_ignore_ascii_case("pass") {
        return Some(vec![Move::PASS]);
    }
    if text.eq_ignore_ascii_case("resign") {
        return Some(Vec::new());
    }
    if kind == Kind::Connect6
        && let Some((one, other)) = two_stones(text)
    {
        return Some(vec![point(one, size, notation)?, point(other, size, notation)?]);
    }
    Some(vec![point(text, size, notation)?])
}

/// Both stones of a turn, written without a space; nothing where it is one.
fn two_stones(text: &str) -> Option<(&str, &str)> {
    let is_seam = |it: &[u8]| it[0].is_ascii_digit() && it[1].is_ascii_alphabetic();
    let seam = text.as_bytes().windows(2).position(is_seam).map(|at| at + 1);
    text.split_at_checked(seam.or((text.len() == 4).then_some(2))?)
}

/// The point as the format writes it; a pass is empty.
pub(super) fn write(mv: Move, size: Size) -> String {
    let Some((column, row)) = corner(mv, size) else {
        return String::new();
    };
    [column, row].map(|n| char::from(b'a' + n)).iter().collect()
}

fn letter(byte: u8) -> Option<u8> {
    byte.is_ascii_alphabetic().then(|| byte.to_ascii_lowercase() - b'a')
}

fn at(column: u8, row: u8, size: Size) -> Move {
    Move::point(usize::from(row) * usize::from(size.width) + usize::from(column))
}

fn corner(mv: Move, size: Size) -> Option<(u8, u8)> {
    let (index, width) = (mv.index()?, usize::from(size.width));
    Some(((index % width) as u8, (index / width) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Size = Size { width: 19, height: 13 };

    #[test]
    fn points_are_column_then_row_from_the_top_left() {
        assert_eq!(point("ca", WIDE, Notation::Go), Some(Move::point(2)));
        assert_eq!(point("ac", WIDE, Notation::Go), Some(Move::point(2 * 19)));
        assert_eq!(point("SM", WIDE, Notation::Go), Some(Move::point(19 * 13 - 1)));
        assert_eq!(point("an", WIDE, Notation::Go), None);
        assert_eq!(point("ta", WIDE, Notation::Go), None);
        assert_eq!(point("f5", Size::square(8), Notation::Othello), Some(Move::point(4 * 8 + 5)));
        assert_eq!(point("é", WIDE, Notation::Go), None);
    }

    #[test]
    fn every_point_reads_back_as_written() {
        for mv in (0..WIDE.area()).map(Move::point) {
            assert_eq!(point(&write(mv, WIDE), WIDE, Notation::Go), Some(mv));
        }
        assert_eq!(write(Move::PASS, WIDE), "");
    }

    #[test]
    fn a_rectangle_stands_for_all_its_points() {
        let square: Vec<Move> = [0, 1, 19, 20].map(Move::point).to_vec();
        assert_eq!(points("aa:bb", WIDE, Notation::Go), Some(square.clone()));
        assert_eq!(points("bb:aa", WIDE, Notation::Go), Some(square));
        assert_eq!(points("aa:", WIDE, Notation::Go), None);
    }

    #[test]
    fn passes_are_empty_or_tt_where_the_board_ends_before() {
        let pass = Some(vec![Move::PASS]);
        assert_eq!(plies("", WIDE, Kind::Go, Notation::Go), pass);
        assert_eq!(plies("tt", WIDE, Kind::Go, Notation::Go), pass);
        let large = Size::square(21);
        let corner = Some(vec![Move::point(19 * 21 + 19)]);
        assert_eq!(plies("tt", large, Kind::Go, Notation::Go), corner);
        // Little Golem ends a game so.
        assert_eq!(plies("resign", WIDE, Kind::Hex, Notation::Line), Some(Vec::new()));
    }

    #[test]
    fn a_turn_of_connect6_may_be_one_value() {
        let read = |text| plies(text, Size::square(19), Kind::Connect6, Notation::Line);
        assert_eq!(read("AAbb"), Some(vec![Move::point(0), Move::point(20)]));
        assert_eq!(read("aé1"), None);
        // As Little Golem writes it.
        let line = |text| Notation::Line.parse(text, Size::square(19)).expect("a point");
        assert_eq!(read("j9l11"), Some(vec![line("j9"), line("l11")]));
        assert_eq!(read("j10a1"), Some(vec![line("j10"), line("a1")]));
        assert_eq!(read("j10"), Some(vec![line("j10")]));
        assert_eq!((read("pass"), read("j9l")), (Some(vec![Move::PASS]), None));
    }
}

//! A position as text, with the coordinates that the game's people use.

use std::fmt::Write as _;

use banyan_games::{Color, Game, Move};

/// Rows of stones (`X` Black, `O` White, `.` empty) between their coordinates; `last` is marked.
pub fn text<G: Game>(position: &G, last: Option<Move>) -> String {
    let size = position.size();
    let columns = (0..size.width).map(|column| G::NOTATION.column(column));
    let letters = columns.map(|letter| format!(" {letter}")).collect::<String>();
    let mut text = format!("   {letters}\n");
    for row in 0..size.height {
        let number = G::NOTATION.row(row, size);
        let _ = write!(text, " {number:>2}");
        for column in 0..size.width {
            let point =
                Move::point(usize::from(row) * usize::from(size.width) + usize::from(column));
            let stone = match position.stone(point) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None => '.',
            };
            let mark = if last == Some(point) { '(' } else { ' ' };
            let mark = if mark == ' ' && column > 0 && last == Some(Move(point.0 - 1)) {
                ')'
            } else {
                mark
            };
            let _ = write!(text, "{mark}{stone}");
        }
        let closing = last == Some(Move((u16::from(row) + 1) * u16::from(size.width) - 1));
        let _ = writeln!(text, "{}{number:<2}", if closing { ')' } else { ' ' });
    }
    let _ = write!(text, "   {letters}");
    text
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::{Game, Record};

    #[test]
    fn the_last_stone_is_marked_and_rows_count_from_the_bottom() {
        let mut record = Record::<Go>::new(&GoRules::new(3, 0).expect("a size of Go"));
        for text in ["a1", "c2"] {
            record.play(record.position().parse_move(text).expect("a point")).expect("legal");
        }
        let last = record.plies().last().map(|&(_, mv)| mv);
        let expected = "    A B C\n  3 . . . 3 \n  2 . .(O)2 \n  1 X . . 1 \n    A B C";
        assert_eq!(super::text(record.position(), last), expected);
    }
}

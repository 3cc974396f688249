//! A position as text, with the coordinates that the game's people use.

use banyan_games::{Color, Game, Move, Record};

/// The board with its coordinates, the last ply in brackets, and a line on how the game stands.
pub fn text<G: Game>(record: &Record<G>) -> String {
    let position = record.position();
    let size = position.size();
    let last = record.plies().last().map(|&(_, mv)| mv).filter(|mv| !mv.is_pass());
    let columns = (0..size.width).map(|column| format!(" {}", G::NOTATION.column(column)));
    let head = format!("  {}", columns.collect::<String>());
    let mut text = format!("{head}\n");
    for row in 0..size.height {
        let number = G::NOTATION.row(row, size);
        text.push_str(&format!("{number:2}"));
        let mut after = ' ';
        for column in 0..size.width {
            let point =
                Move::point(usize::from(row) * usize::from(size.width) + usize::from(column));
            let is_last = last == Some(point);
            text.push(if is_last { '(' } else { after });
            text.push(stone(position.stone(point)));
            after = if is_last { ')' } else { ' ' };
        }
        text.push_str(&format!("{after}{number}\n"));
    }
    text + &head + "\n" + &state(record)
}

const fn stone(color: Option<Color>) -> char {
    match color {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    }
}

fn state<G: Game>(record: &Record<G>) -> String {
    let position = record.position();
    let next = match position.outcome() {
        Some(outcome) => format!("over, {outcome}"),
        None => format!("{} to move", position.side_to_move()),
    };
    format!("{}; {} plies, {next}", position.rules(), record.plies().len())
}

#[cfg(test)]
mod tests {
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
    use banyan_games::othello::{Othello, OthelloRules};

    use super::*;

    #[test]
    fn the_last_ply_stands_in_brackets() {
        let rules = GomokuRules::new(6, 5, Variant::Freestyle).expect("a board");
        let mut record = Record::<Gomoku>::new(&rules);
        for mv in ["a1", "f5"] {
            let mv = record.position().parse_move(mv).expect("on the board");
            record.play(mv).expect("empty");
        }
        let expected = "
   a b c d e f
 5 . . . . .(O)5
 4 . . . . . . 4
 3 . . . . . . 3
 2 . . . . . . 2
 1 X . . . . . 1
   a b c d e f
gomoku 6x5, five or more; 2 plies, black to move";
        assert_eq!(format!("\n{}", text(&record)), expected);
    }

    #[test]
    fn othello_counts_its_rows_from_the_top() {
        let text = text(&Record::<Othello>::new(&OthelloRules));
        assert_eq!(text.lines().nth(4), Some(" 4 . . . O X . . . 4"));
    }
}

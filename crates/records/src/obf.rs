//! Othello positions as the programs of its endgame suites write them (OBF): a position a line.
//!
//! `64 squares, side to move; MOVE:SCORE; MOVE:SCORE;` with `X` for Black, `O` for White and `-` for an
//! empty point, row by row from a1. What stands after `%` or `#` is a comment.

use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game, Move, Record};

/// One line of a file.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The line's number, from 1.
    pub line: usize,
    /// The position; its game goes on or is over.
    pub record: Record<Othello>,
    /// The moves whose scores the file tells, for the side to move.
    pub scores: Vec<(Move, i32)>,
}

/// A line that is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ObfError {
    line: usize,
    reason: String,
}

/// Reads a file of positions.
///
/// # Errors
/// [`ObfError`] with the first line that is no position, and what was expected.
pub fn read(text: &str) -> Result<Vec<Problem>, ObfError> {
    // Some editors begin a file with it.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut problems = Vec::new();
    for (index, whole) in text.lines().enumerate() {
        let line = index + 1;
        let said = whole.split(['%', '#']).next().unwrap_or_default().trim();
        if !said.is_empty() {
            problems.push(problem(line, said).map_err(|reason| ObfError { line, reason })?);
        }
    }
    Ok(problems)
}

fn problem(line: usize, text: &str) -> Result<Problem, String> {
    let mut parts = text.split(';').map(str::trim);
    let mut words = parts.next().unwrap_or_default().split_whitespace();
    let stones = stones(words.next().unwrap_or_default())?;
    if stones.is_empty() {
        return Err("no disc stands on any square: expected at least one".to_owned());
    }
    let side = match words.next() {
        Some("X" | "x" | "*") => Color::Black,
        Some("O" | "o") => Color::White,
        Some(other) => return Err(format!("'{other}' is no side to move: expected X or O")),
        None => return Err("no side to move: expected X or O after the squares".to_owned()),
    };
    let record =
        Record::set_up(&OthelloRules, &stones, side).map_err(|refused| refused.to_string())?;
    let scores = parts.filter(|part| !part.is_empty()).map(|part| score(&record, part));
    let scores = scores.collect::<Result<_, _>>()?;
    Ok(Problem { line, record, scores })
}

/// The stones of 64 squares, row by row from a1.
///
/// # Errors
/// A sentence on the squares that are none, or too few or too many.
pub fn stones(squares: &str) -> Result<Vec<(Color, Move)>, String> {
    let found = squares.chars().count();
    if found != 64 {
        return Err(format!("{found} squares: expected 64 of X, O and -"));
    }
    let mut stones = Vec::new();
    for (at, square) in squares.chars().enumerate() {
        match square {
            'X' | 'x' | '*' => stones.push((Color::Black, Move::point(at))),
            'O' | 'o' => stones.push((Color::White, Move::point(at))),
            '-' | '.' => {}
            other => return Err(format!("'{other}' is no square: expected X, O or -")),
        }
    }
    Ok(stones)
}

fn score(record: &Record<Othello>, text: &str) -> Result<(Move, i32), String> {
    let wrong = || format!("'{text}' is no score: expected one such as A4:+10");
    let (mv, score) = text.split_once(':').ok_or_else(wrong)?;
    let mv = record.position().parse_move(mv.trim()).map_err(|error| error.to_string())?;
    let score = score.trim().parse().map_err(|_| wrong())?;
    Ok((mv, score))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARES: &str = "---------------------------OX------XO---------------------------";

    #[test]
    fn a_line_is_a_position_with_scores() {
        let text = format!("# start\n\n{SQUARES} X; F5:+0; D3:-2;\n{SQUARES} O % White\n");
        let problems = read(&text).expect("positions");
        assert_eq!(problems.len(), 2);
        let [black, white] = [&problems[0], &problems[1]];
        assert_eq!((black.line, white.line, white.scores.len()), (3, 4, 0));
        assert_eq!(black.record.position().hash(), Othello::new(&OthelloRules).hash());
        assert_eq!(white.record.position().side_to_move(), Color::White);
        let f5 = black.record.position().parse_move("f5").expect("a point");
        assert_eq!(black.scores[0], (f5, 0));
        assert_eq!(black.scores[1].1, -2);
    }

    #[test]
    fn a_byte_order_mark_before_the_first_line_is_none_of_its_squares() {
        let problems = read(&format!("\u{feff}{SQUARES} X\n")).expect("a position");
        assert_eq!((problems.len(), problems[0].line), (1, 1));
        let within =
            read(&format!("{SQUARES} X\n\u{feff}{SQUARES} X\n")).expect_err("a mark within");
        assert_eq!(within.to_string(), "line 2: 65 squares: expected 64 of X, O and -");
    }

    #[test]
    fn a_line_that_is_none_is_refused_with_what_was_expected() {
        for (text, words) in [
            ("XO X", "line 1: 2 squares: expected 64"),
            (&format!("{} X", SQUARES.replace("OX", "QX")), "'Q' is no square"),
            (&format!("\n{SQUARES}"), "line 2: no side to move: expected X or O"),
            (&format!("{SQUARES} Q"), "'Q' is no side to move"),
            ("garbage", "7 squares: expected 64"),
            (&format!("{} X", "-".repeat(64)), "no disc stands on any square"),
            (&format!("{SQUARES} X; F5"), "'F5' is no score"),
            (&format!("{SQUARES} X; Z9:+1"), "Z9"),
        ] {
            let refused = read(text).expect_err("no position").to_string();
            assert!(refused.contains(words), "{refused}");
        }
    }
}

//! Othello games as NBoard and the old servers write them (GGF): a list of `KEY[value]` between `(;` and
//! `;)`, of which the board `BO` and the moves `B` and `W` count here.
//!
//! A move may carry an evaluation and a time: `B[F5/1.20/3.5]`. What stands before a game, as the number of games
//! that GGS writes does, is passed over; of several games the first is read.

use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game, IllegalMove, Kind, Move, MoveTextError, Record};

use crate::sgf::Header;
use crate::{obf, passes};

/// A text that is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GgfError {
    /// Not of this form.
    #[error("'{0}' is no game: expected (;GM[Othello]...BO[8 ... *]...;)")]
    Form(String),
    /// The board.
    #[error("BO[{0}]: {1}")]
    Board(String, String),
    /// A word that is no move.
    #[error("move {number}: {source}")]
    Text {
        /// From 1.
        number: usize,
        /// Reason.
        source: MoveTextError,
    },
    /// A move against the rules.
    #[error("move {number}: {source}")]
    Illegal {
        /// From 1.
        number: usize,
        /// Reason.
        source: IllegalMove,
    },
}

/// Reads a game. Forced passes may be left out.
///
/// # Errors
/// [`GgfError`] names the part that is wrong.
pub fn read(text: &str) -> Result<Record<Othello>, GgfError> {
    let form = || GgfError::Form(text.chars().take(60).collect());
    let mut record = None;
    let mut number = 0;
    for property in first_game(text).ok_or_else(form)?.split(']').map(str::trim) {
        let Some((key, value)) = property.split_once('[') else {
            if property.is_empty() { continue } else { return Err(form()) }
        };
        match key.trim() {
            "BO" => record = Some(board(value)?),
            side @ ("B" | "W") => {
                number += 1;
                let color = if side == "B" { Color::Black } else { Color::White };
                add(record.as_mut().ok_or_else(form)?, color, value, number)?;
            }
            _ => {}
        }
    }
    record.ok_or_else(form)
}

/// What stands between the brackets of a text's first game.
fn first_game(text: &str) -> Option<&str> {
    let whole = games(text).next()?;
    Some(&whole[OPEN.len()..whole.len() - CLOSE.len()])
}

const OPEN: &str = "(;";
const CLOSE: &str = ";)";

/// The games of a text one after the other, each from its `(;` to its `;)`.
pub fn games(text: &str) -> impl Iterator<Item = &str> {
    let mut left = text;
    std::iter::from_fn(move || {
        let from = &left[left.find(OPEN)?..];
        let mut is_value = false;
        let ends = |&(at, letter): &(usize, char)| {
            is_value = letter == '[' || (is_value && letter != ']');
            !is_value && at >= OPEN.len() && from[at..].starts_with(CLOSE)
        };
        let (end, _) = from.char_indices().find(ends)?;
        let (game, rest) = from.split_at(end + CLOSE.len());
        left = rest;
        Some(game)
    })
}

/// The result of a text's first game in SGF's words, `B+10`, `W+R`, `0`; nothing where it does not say.
pub fn result(text: &str) -> Option<String> {
    let (discs, how) = match property(text, "RE")?.split_once(':') {
        Some((discs, how)) => (discs, how.trim()),
        None => (property(text, "RE")?, ""),
    };
    let discs = discs.trim().parse::<f64>().ok().filter(|discs| discs.is_finite())?;
    let margin = match how.to_ascii_lowercase().as_str() {
        "r" => "R".to_owned(),
        "t" => "T".to_owned(),
        _ => discs.abs().to_string(),
    };
    Some(match discs {
        0.0 => "0".to_owned(),
        discs => format!("{}+{margin}", if discs > 0.0 { 'B' } else { 'W' }),
    })
}

/// The same in this format's words, of SGF's: who resigns or is late loses by all discs.
fn result_of(words: &str) -> Option<String> {
    let words = words.trim();
    if words == "0" || words.eq_ignore_ascii_case("draw") {
        return Some("0.000".to_owned());
    }
    let (side, margin) = words.split_once('+')?;
    let sign = match side {
        "B" | "b" => '+',
        "W" | "w" => '-',
        _ => return None,
    };
    Some(match margin.chars().next() {
        Some('R' | 'r') => format!("{sign}64.000:r"),
        Some('T' | 't') => format!("{sign}64.000:t"),
        _ => format!("{sign}{:.3}", margin.parse::<f64>().ok()?),
    })
}

/// The game as those programs read it; nothing where it is not Othello.
///
/// - `header`: what the record does not know; its comment is not written.
pub fn write<G: Game>(record: &Record<G>, header: &Header) -> Option<String> {
    if G::KIND != Kind::Othello {
        return None;
    }
    let start = record.start();
    let square = |at| match start.stone(Move::point(at)) {
        Some(Color::Black) => '*',
        Some(Color::White) => 'O',
        None => '-',
    };
    let squares: String = (0..start.size().area()).map(square).collect();
    let rows: Vec<&str> = (0..squares.len()).step_by(8).map(|row| &squares[row..row + 8]).collect();
    let side = if start.side_to_move() == Color::Black { '*' } else { 'O' };
    let outcome = record.position().outcome();
    let result = outcome
        .map(|outcome| format!("{:+.3}", outcome.margin.as_points()))
        .or_else(|| header.result.as_deref().and_then(result_of))
        .unwrap_or_else(|| "?".to_owned());
    // Brackets end a value, whatever stands before them.
    let plain = |text: &Option<String>, unsaid: &str| {
        text.as_deref().unwrap_or(unsaid).replace(['[', ']'], " ").replace('\n', " ")
    };
    let (black, white) = (plain(&header.black, "Black"), plain(&header.white, "White"));
    let date = header.date.as_ref().map(|_| format!("DT[{}]", plain(&header.date, "")));
    let date = date.unwrap_or_default();
    let moves = record.plies().iter().map(|&(color, mv)| {
        let side = if color == Color::Black { 'B' } else { 'W' };
        let word = if mv.is_pass() { "PA".to_owned() } else { start.move_text(mv).to_uppercase() };
        format!("{side}[{word}]")
    });
    let moves: String = moves.collect();
    Some(format!(
        "(;GM[Othello]PC[Banyan]{date}PB[{black}]PW[{white}]RE[{result}]TY[8]BO[8 {} {side}]{moves};)\n",
        rows.join(" ")
    ))
}

/// Tells whether a game begins from the usual four discs with Black to move.
pub fn is_from_start(record: &Record<Othello>) -> bool {
    record.start().hash() == Othello::new(&OthelloRules).hash()
}

/// The first value of a property, such as `PB` for Black's name or `RE` for the result.
pub fn property<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    first_game(text)?.split(']').find_map(|it| {
        let (found, value) = it.split_once('[')?;
        (found.trim() == key).then_some(value)
    })
}

/// `8`, 64 squares with spaces anywhere, and the side to move.
fn board(value: &str) -> Result<Record<Othello>, GgfError> {
    let wrong = |reason: String| GgfError::Board(value.to_owned(), reason);
    let plain: String = value.chars().filter(|at| !at.is_whitespace()).collect();
    let squares = plain.strip_prefix('8').unwrap_or(&plain);
    let (squares, side) =
        squares.char_indices().last().map(|(at, side)| (&squares[..at], side)).ok_or_else(
            || wrong("nothing in it: expected a size, 64 squares and a side".to_owned()),
        )?;
    let side = match side {
        '*' | 'X' => Color::Black,
        'O' => Color::White,
        other => return Err(wrong(format!("'{other}' is no side to move: expected * or O"))),
    };
    let stones = obf::stones(squares).map_err(wrong)?;
    Record::set_up(&OthelloRules, &stones, side).map_err(|refused| wrong(refused.to_string()))
}

fn add(
    record: &mut Record<Othello>,
    color: Color,
    value: &str,
    number: usize,
) -> Result<(), GgfError> {
    let mv = parse_move(record, value).map_err(|source| GgfError::Text { number, source })?;
    play(record, Some(color), mv).map_err(|source| GgfError::Illegal { number, source })
}

/// The move of `F5/1.20/3.5`, `PA` or `PASS`.
///
/// # Errors
/// [`MoveTextError`] for anything else.
pub fn parse_move(record: &Record<Othello>, value: &str) -> Result<Move, MoveTextError> {
    let word = value.split('/').next().unwrap_or_default().trim();
    match word.to_ascii_uppercase().as_str() {
        "PA" | "PASS" => Ok(Move::PASS),
        _ => record.position().parse_move(word),
    }
}

/// The move as NBoard reads it.
pub fn move_text(record: &Record<Othello>, mv: Move) -> String {
    if mv.is_pass() { "PA".to_owned() } else { record.position().move_text(mv).to_uppercase() }
}

/// Plays a move, after a forced pass that was left out.
///
/// # Errors
/// [`IllegalMove`]; the record may then have that pass more.
pub fn play(
    record: &mut Record<Othello>,
    color: Option<Color>,
    mv: Move,
) -> Result<(), IllegalMove> {
    if passes::is_forced(record.position()) && !mv.is_pass() {
        record.play(Move::PASS)?;
    }
    record.play_as(color.unwrap_or(record.position().side_to_move()), mv)
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};

    use super::*;

    const START: &str =
        "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";

    fn game(moves: &str) -> String {
        format!("(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TI[15:00]TY[8]BO[{START}]{moves};)")
    }

    #[test]
    fn a_game_is_read_with_its_moves_evaluations_and_all() {
        let record = read(&game("B[F5//0.01]W[D6/1.2]B[c3/-0.5/12]")).expect("a game");
        let moves: Vec<String> =
            record.plies().iter().map(|&(_, mv)| move_text(&record, mv)).collect();
        assert_eq!(moves, ["F5", "D6", "C3"]);
        assert_eq!(record.position().side_to_move(), Color::White);
    }

    #[test]
    fn a_game_is_written_as_it_is_read_with_its_passes_and_other_starts() {
        let board = format!("(;BO[8 *O------{} O]", "-".repeat(56));
        for text in [game("B[F5]W[D6]B[C3]"), format!("{board}W[PA]B[C1];)"), game("")] {
            let record = read(&text).expect("a game");
            let written = write(&record, &Header::default()).expect("othello");
            let again = read(&written).expect("our own");
            assert_eq!(again.plies(), record.plies(), "{written}");
            assert_eq!(again.start().hash(), record.start().hash(), "{written}");
        }
        let over = read(&format!("{board}B[C1];)")).expect("a game");
        let written = write(&over, &Header::default()).expect("othello");
        // All of White's discs are turned: three to none, and the empty squares with them.
        assert_eq!(property(&written, "RE"), Some("+64.000"), "{written}");
        let go = Record::<Go>::new(&GoRules::new(9, 15).expect("rules"));
        assert_eq!(write(&go, &Header::default()), None);
    }

    #[test]
    fn names_date_and_result_are_written_as_they_are_read() {
        let record = read(&game("B[F5]W[D6]")).expect("a game");
        for (read, words, written) in [
            ("-10.000", Some("W+10"), "-10.000"),
            ("+4:r", Some("B+R"), "+64.000:r"),
            ("-2.5:t", Some("W+T"), "-64.000:t"),
            ("+12.000:s", Some("B+12"), "+12.000"),
            ("0", Some("0"), "0.000"),
            ("?", None, "?"),
            ("nan", None, "?"),
        ] {
            let text = game("B[F5]W[D6]").replace("RE[?]", &format!("RE[{read}]"));
            let found = result(&text);
            assert_eq!(found.as_deref(), words, "{read}");
            let [black, white, date] = ["Ann", "B[o]b", "2014"].map(|it| Some(it.to_owned()));
            let header = Header { black, white, date, result: found, comment: None };
            let text = write(&record, &header).expect("othello");
            assert_eq!(property(&text, "RE"), Some(written), "{text}");
            let named = ["PB", "PW", "DT"].map(|key| property(&text, key));
            assert_eq!(named, [Some("Ann"), Some("B o b"), Some("2014")], "{text}");
        }
    }

    #[test]
    fn the_first_game_is_read_as_the_server_writes_them() {
        let (one, other) =
            (game("B[F5]C[ah ;) well]W[D6]"), game("B[C4]").replace("PB[a]", "PX[c]"));
        let text = format!("2 {one}{other}");
        assert_eq!(read(&text).expect("a game").plies().len(), 2);
        assert_eq!(read(&format!("1 {other}\n")).expect("a game").plies().len(), 1);
        assert_eq!((property(&text, "PB"), property(&text, "PX")), (Some("a"), None));
    }

    #[test]
    fn names_and_results_are_found_and_other_starts_are_seen() {
        let text = game("B[F5//0.01]");
        assert_eq!((property(&text, "PW"), property(&text, "RE")), (Some("b"), Some("?")));
        assert_eq!(property(&text, "ZZ"), None);
        assert!(is_from_start(&read(&text).expect("a game")));
        let other = format!("(;BO[8 *O------{} O];)", "-".repeat(56));
        assert!(!is_from_start(&read(&other).expect("a board")));
    }

    #[test]
    fn a_pass_may_be_said_or_left_out() {
        // White cannot turn a1, Black can turn b1.
        let board = format!("(;BO[8 *O------{} O]", "-".repeat(56));
        let [said, left_out] = ["W[PA]B[C1]", "B[C1]"]
            .map(|moves| read(&format!("{board}{moves};)")).expect("a game").plies().to_vec());
        assert_eq!((said.len(), &said), (2, &left_out));
        assert_eq!(said[0], (Color::White, Move::PASS));
    }

    #[test]
    fn what_is_no_game_is_refused_with_the_part_that_is_wrong() {
        for (text, words) in [
            ("nonsense", "'nonsense' is no game"),
            ("(;GM[Othello]B[F5];)", "is no game"),
            ("(;BO[8 ---- *];)", "4 squares: expected 64"),
            (&game("B[F5]W[Z9]"), "move 2: "),
            (&game("B[A1]"), "move 1: illegal move a1"),
            (&game("W[F5]"), "move 1: it is black's turn"),
        ] {
            let refused = read(text).expect_err(text).to_string();
            assert!(refused.contains(words), "{refused}");
        }
    }
}

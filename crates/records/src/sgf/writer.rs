//! From a record, or a game with variations, to text.

use std::fmt::Write as _;

use banyan_games::{Color, Game, Kind, Listed, Move, Outcome, Record, Rules, Size};

use super::game::{TreePly, main_plies};
use super::point;

/// Plies on one line of the file.
const PLIES_A_LINE: usize = 10;

/// Facts that a record does not know about its game. Nothing in it need be given.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// Black's name.
    pub black: Option<String>,
    /// White's name.
    pub white: Option<String>,
    /// The result in the format's words (`W+R`, `B+T`); else the record's outcome, if it has one.
    pub result: Option<String>,
    /// The day, as `YYYY-MM-DD`.
    pub date: Option<String>,
    /// A comment on the whole game.
    pub comment: Option<String>,
}

/// The game as FF\[4\] in UTF-8, readable by [`sgf::read`](crate::sgf::read).
pub fn write_sgf<G: Listed>(record: &Record<G>, header: &Header) -> String {
    let mut text = head(record, header);
    write_plies(&mut text, record);
    text.push_str(")\n");
    text
}

/// A game with its variations, readable by [`sgf::read_tree`](crate::sgf::read_tree).
///
/// - `start`: the game before its first ply.
/// - `plies`: as [`SgfTree::plies`](crate::sgf::SgfTree::plies) has them; of several that follow the same ply
///   the first is the main one.
pub fn write_tree<G: Listed>(start: &Record<G>, plies: &[TreePly], header: &Header) -> String {
    let mut main = start.clone();
    for at in main_plies(plies) {
        if main.play_as(plies[at].color, plies[at].mv).is_err() {
            break;
        }
    }
    let mut text = head(&main, header);
    let mut next = vec![Vec::new(); plies.len() + 1];
    for (at, ply) in plies.iter().enumerate() {
        next[ply.before].push(at + 1);
    }
    let size = start.start().size();
    let mut open = vec![Step::Follow(0)];
    while let Some(step) = open.pop() {
        let ply = match step {
            Step::Close => {
                text.push(')');
                continue;
            }
            Step::Fork(ply) => {
                text.push_str("\n(");
                open.push(Step::Close);
                ply
            }
            Step::Follow(ply) => ply,
        };
        if let Some(TreePly { color, mv, .. }) = ply.checked_sub(1).map(|at| plies[at]) {
            text.push_str(&ply_text::<G>(color, mv, size));
        }
        match next[ply].as_slice() {
            [only] => open.push(Step::Follow(*only)),
            several => open.extend(several.iter().rev().map(|ply| Step::Fork(*ply))),
        }
    }
    text.push_str(")\n");
    text
}

/// A step still to be written of a tree; plies by number, 0 is the start.
enum Step {
    Follow(usize),
    /// One of several that follow the same ply.
    Fork(usize),
    Close,
}

/// All that stands before the first ply.
fn head<G: Listed>(record: &Record<G>, header: &Header) -> String {
    let rules: Rules = record.start().rules().clone().into();
    let mut text = "(;FF[4]CA[UTF-8]AP[Banyan]".to_owned();
    write_rules(&mut text, &rules, record.start().size());
    let result = header
        .result
        .clone()
        .or_else(|| record.position().outcome().map(|outcome| outcome_text(outcome, rules.kind())));
    let named = [
        ("PB", &header.black),
        ("PW", &header.white),
        ("RE", &result),
        ("DT", &header.date),
        ("C", &header.comment),
    ];
    for (name, value) in named {
        if let Some(value) = value {
            write_property(&mut text, name, value);
        }
    }
    write_setup(&mut text, record);
    text
}

fn write_rules(text: &mut String, rules: &Rules, size: Size) {
    write_property(text, "GM", &rules.kind().sgf_number().to_string());
    let sides = if size.width == size.height {
        size.width.to_string()
    } else {
        format!("{}:{}", size.width, size.height)
    };
    // The colon of two numbers is the format's own: it must not be escaped.
    text.push_str("SZ[");
    text.push_str(&sides);
    text.push(']');
    match rules {
        Rules::Go(go) => {
            // Always with a decimal point: a whole number of 100 or more would mean hundredths.
            write_property(text, "KM", &format!("{:.1}", f64::from(go.komi()) / 2.0));
            write_property(text, "RU", "Chinese");
        }
        Rules::Gomoku(gomoku) => write_property(text, "RU", gomoku.variant().name()),
        _ => {}
    }
}

/// A win without points has no margin worth writing.
fn outcome_text(outcome: Outcome, kind: Kind) -> String {
    match (kind, outcome.winner()) {
        (Kind::Go | Kind::Othello, _) | (_, None) => outcome.to_string(),
        (_, Some(Color::Black)) => "B+".to_owned(),
        (_, Some(Color::White)) => "W+".to_owned(),
    }
}

fn write_setup<G: Game>(text: &mut String, record: &Record<G>) {
    let size = record.start().size();
    let stones = |side: Color| record.setup().iter().filter(move |stone| stone.0 == side);
    let handicap = stones(Color::Black).count();
    if G::KIND == Kind::Go && handicap >= 2 && stones(Color::White).next().is_none() {
        write_property(text, "HA", &handicap.to_string());
    }
    for (color, name) in [(Color::Black, "AB"), (Color::White, "AW")] {
        if stones(color).next().is_some() {
            text.push_str(name);
            let points = stones(color).map(|stone| format!("[{}]", move_text::<G>(stone.1, size)));
            text.extend(points);
        }
    }
    let side = record.start().side_to_move();
    if side == Color::White || !record.setup().is_empty() {
        let _ = write!(text, "PL[{}]", letter(side));
    }
}

fn write_plies<G: Game>(text: &mut String, record: &Record<G>) {
    let size = record.start().size();
    for (number, &(color, mv)) in record.plies().iter().enumerate() {
        if number % PLIES_A_LINE == 0 {
            text.push('\n');
        }
        text.push_str(&ply_text::<G>(color, mv, size));
    }
}

/// One ply as a node of the format.
pub fn ply_text<G: Game>(color: Color, mv: Move, size: Size) -> String {
    format!(";{}[{}]", letter(color), move_text::<G>(mv, size))
}

/// For Hex the format takes its people's notation.
fn move_text<G: Game>(mv: Move, size: Size) -> String {
    match G::KIND {
        Kind::Hex => G::NOTATION.format(mv, size),
        _ => point::write(mv, size),
    }
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// A property with one text value; what the format reads as its own is escaped.
fn write_property(text: &mut String, name: &str, value: &str) {
    text.push_str(name);
    text.push('[');
    for c in value.chars() {
        if matches!(c, ']' | '\\' | ':') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push(']');
}

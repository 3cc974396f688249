//! `banyan params`: the numbers of the search as a table, with default, range and meaning.

use std::io::{self, Write};

use banyan_games::Kind;
use banyan_search::Parameters;
use banyan_search::parameters::{Domain, Parameter};
use clap::Args;
use serde::Serialize;

/// Columns of a page where the terminal does not say how many it has.
const COLUMNS: usize = 100;

/// Fewer leave no room for meanings.
const COLUMNS_MIN: usize = 72;

/// Options of `banyan params`.
#[derive(Clone, Debug, Args)]
pub struct ParamsArgs {
    /// The game whose defaults are shown: go, othello, gomoku, connect6 or hex.
    #[arg(long, env = "BANYAN_GAME", default_value_t = Kind::Go)]
    pub game: Kind,
    /// Answer with one JSON list instead of text.
    #[arg(long, env = "BANYAN_JSON")]
    pub json: bool,
}

/// One line of the table for programs.
#[derive(Debug, Serialize)]
struct Line {
    name: &'static str,
    default: f32,
    range: String,
    meaning: &'static str,
}

/// Writes the table.
///
/// # Errors
/// Whatever keeps `out` from being written to.
pub fn run(args: &ParamsArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    if !args.json {
        return Ok(table(args.game, columns(), out)?);
    }
    let lines: Vec<Line> = lines(args.game)
        .map(|(parameter, default)| Line {
            name: parameter.name,
            default,
            range: parameter.domain.to_string(),
            meaning: parameter.meaning,
        })
        .collect();
    writeln!(out, "{}", serde_json::to_string(&lines)?)?;
    Ok(())
}

fn lines(game: Kind) -> impl Iterator<Item = (&'static Parameter, f32)> {
    Parameters::TABLE.iter().zip(Parameters::of(game).values())
}

/// Writes the table for people, with the defaults of a game.
///
/// - `columns`: how wide it may be.
fn table(game: Kind, columns: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "Numbers of the search, with the defaults of {game}: --set NAME=VALUE changes one.\n"
    )?;
    let width = |text: &dyn Fn(&Parameter, f32) -> usize, title: &str| {
        lines(game)
            .map(|(parameter, default)| text(parameter, default))
            .max()
            .unwrap_or(0)
            .max(title.len())
    };
    let names = width(&|parameter, _| parameter.name.len(), "name");
    let defaults = width(&|_, default| default.to_string().len(), "default");
    let ranges = width(&|parameter, _| range(parameter.domain).len(), "range");
    let before = names + defaults + ranges + 6;
    writeln!(out, "{:names$}  {:>defaults$}  {:ranges$}  meaning", "name", "default", "range")?;
    for (parameter, default) in lines(game) {
        let Parameter { name, domain, meaning } = parameter;
        write!(out, "{name:names$}  {default:>defaults$}  {:ranges$}", range(*domain))?;
        for (number, line) in wrapped(meaning, columns.max(before + 30) - before).iter().enumerate()
        {
            let indent = if number == 0 { 2 } else { before };
            writeln!(out, "{:indent$}{line}", "")?;
        }
    }
    Ok(())
}

/// The values of a domain in a few characters.
fn range(domain: Domain) -> String {
    match domain {
        Domain::Switch => "0 or 1".to_owned(),
        Domain::Count { min, max } => format!("{min}..{max}, whole"),
        Domain::Limit { max } => format!("-1..{max}, whole"),
        Domain::Share { min, max } | Domain::Real { min, max } => format!("{min}..{max}"),
    }
}

/// A text in lines of at most `columns` characters, a word that is longer alone in its line.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("one at least");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= columns {
            *line = format!("{line} {word}");
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// The width of the terminal, or what it is said to be.
fn columns() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let seen = || {
        let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
        Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
    };
    said.or_else(seen).unwrap_or(COLUMNS).max(COLUMNS_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(game: Kind, columns: usize) -> String {
        let mut text = Vec::new();
        table(game, columns, &mut text).expect("memory is writable");
        String::from_utf8(text).expect("UTF-8")
    }

    #[test]
    fn every_parameter_stands_there_with_default_range_and_meaning() {
        let (text, names) = (text(Kind::Go, 100), Parameters::TABLE.iter().map(|line| line.name));
        for name in names {
            assert!(
                text.lines().any(|line| line.starts_with(&format!("{name} "))),
                "{name}: {text}"
            );
        }
        let solver = text.lines().find(|line| line.starts_with("solver ")).expect("a line");
        let words: Vec<&str> = solver.split_whitespace().take(6).collect();
        assert_eq!(words, ["solver", "1", "0", "or", "1", "1"], "{solver}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }

    #[test]
    fn defaults_are_those_of_the_game() {
        let of = |game| {
            let text = text(game, 120);
            let line = text.lines().find(|line| line.starts_with("rave_equivalence"));
            line.expect("a line").split_whitespace().nth(1).expect("a default").to_owned()
        };
        let expected = |game| Parameters::of(game).rave_equivalence.to_string();
        for game in Kind::ALL {
            assert_eq!(of(game), expected(game), "{game}");
        }
    }
}

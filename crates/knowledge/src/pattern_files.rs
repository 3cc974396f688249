//! Tables over patterns as files, and as models that travel.
//!
//! A file that travels begins with a line `banyan patterns 1 GAME`; what follows is what `banyan train patterns`
//! writes.

use std::sync::Arc;

use banyan_games::Kind;
use banyan_games::connect6::Connect6;
use banyan_games::gomoku::Gomoku;
use banyan_net::digest::Digesting;

use crate::evaluator::ModelDigest;
use crate::knowledge::Knowledge as _;
use crate::othello::learned;
use crate::patterns::Patterns;

/// First words of a file that travels.
const MAGIC: &str = "banyan patterns 1 ";

/// Characters of the name of a game, at most.
const NAME_MAX: usize = 40;

/// Reasons why bytes are no tables over patterns.
#[derive(Debug, thiserror::Error)]
pub enum PatternsError {
    /// Of another game.
    #[error("there are no tables over patterns of {0}")]
    Game(String),
    /// Malformed; in words.
    #[error("tables over patterns of {0}: {1}")]
    Malformed(Kind, String),
}

/// What a compressed file begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The text of a file that is to hold a model.
///
/// # Errors
/// What the file is instead, in words.
pub fn text(contents: &[u8]) -> Result<&str, &'static str> {
    let instead = match contents.starts_with(&GZIP) {
        true => "compressed by gzip, and no table: expected what gunzip makes of it",
        false => "no text, and so no table: expected a file as `banyan train` writes it",
    };
    str::from_utf8(contents).map_err(|_| instead)
}

/// Tables of a game, as `banyan train patterns` writes them.
///
/// # Errors
/// [`PatternsError`] for a game that has none, and for what is malformed.
pub fn read(game: Kind, contents: &[u8]) -> Result<Patterns, PatternsError> {
    let malformed = |why: String| PatternsError::Malformed(game, why);
    let text_of = || text(contents).map_err(|why| malformed(why.to_owned()));
    Ok(match game {
        Kind::Othello => {
            let tables = learned::read(contents).map_err(|why| malformed(why.to_string()))?;
            Patterns::Othello(Arc::new(tables))
        }
        Kind::Gomoku => {
            let by = Gomoku::evaluation_by(text_of()?);
            Patterns::Gomoku(by.map_err(|why| malformed(why.to_string()))?)
        }
        Kind::Connect6 => {
            let by = Connect6::evaluation_by(text_of()?);
            Patterns::Connect6(by.map_err(|why| malformed(why.to_string()))?)
        }
        Kind::Go | Kind::Hex => return Err(PatternsError::Game(game.to_string())),
    })
}

/// The file in which tables of a game travel.
pub fn file(game: Kind, contents: &[u8]) -> Vec<u8> {
    [format!("{MAGIC}{game}\n").as_bytes(), contents].concat()
}

/// Tells whether bytes begin as such a file does.
pub fn is_file(file: &[u8]) -> bool {
    file.starts_with(MAGIC.as_bytes())
}

/// The identity of a file.
pub fn digest(file: &[u8]) -> ModelDigest {
    let mut digesting = Digesting::default();
    digesting.part(file);
    digesting.end()
}

/// The tables of a file that travelled.
///
/// # Errors
/// [`PatternsError`] for another game, and for what is malformed.
pub fn read_file(file: &[u8]) -> Result<Patterns, PatternsError> {
    let rest = file.get(MAGIC.len()..).unwrap_or_default();
    let end = rest.iter().take(NAME_MAX).position(|&byte| byte == b'\n').unwrap_or(0);
    let name = String::from_utf8_lossy(&rest[..end]).into_owned();
    let game = name.parse().map_err(|_| PatternsError::Game(name.clone()))?;
    read(game, rest.get(end + 1..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: &[u8] = include_bytes!("../../../models/othello.tuples");

    #[test]
    fn a_file_is_read_as_it_was_written_and_others_are_refused_in_words() {
        let whole = file(Kind::Othello, TABLES);
        assert!(is_file(&whole) && !is_file(TABLES));
        assert_eq!(read_file(&whole).expect("tables").game(), Kind::Othello);
        assert_ne!(digest(&whole), digest(&whole[1..]));
        let refused = |file: &[u8]| read_file(file).expect_err("refused").to_string();
        assert!(refused(&whole[..999]).starts_with("tables over patterns of othello: "));
        assert_eq!(refused(&file(Kind::Go, b"")), "there are no tables over patterns of go");
        assert_eq!(
            refused(b"banyan patterns 1 chess\n"),
            "there are no tables over patterns of chess"
        );
        let refused_text = |begins: &[u8]| refused(&file(Kind::Gomoku, begins));
        assert!(refused_text(&[0xff]).contains("no text, and so no table"));
        assert!(refused_text(&[0x1f, 0x8b, 8]).contains("compressed by gzip, and no table"));
        assert!(refused(b"").starts_with("there are no tables over patterns of "));
    }
}

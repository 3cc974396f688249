//! Faults of a file, said with line and column.

use std::fmt;

use banyan_games::{Color, IllegalMove, Kind, RulesError, SetupError};

/// A place in a file, counted in characters from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Place {
    /// The first character of a file.
    pub const START: Place = Place { line: 1, column: 1 };
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Reasons why a file cannot be read as a game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SgfError {
    /// Larger than [`FILE_BYTES_MAX`](super::FILE_BYTES_MAX).
    #[error("the file holds {bytes} bytes, at most {max}")]
    TooLong {
        /// Its size.
        bytes: usize,
        /// The limit.
        max: usize,
    },
    /// A main line longer than [`NODES_MAX`](super::game::NODES_MAX).
    #[error("{at}: more than {max} nodes are no game")]
    TooManyNodes {
        /// The first that is too much.
        at: Place,
        /// The limit.
        max: usize,
    },
    /// No `(;` anywhere: not SGF.
    #[error("no game found: expected '(;' somewhere in the file")]
    NoGame,
    /// A character that the format does not allow here.
    #[error("{at}: expected {expected}, found {found}")]
    Expected {
        /// Its place.
        at: Place,
        /// Text that would do.
        expected: &'static str,
        /// Text that stands there.
        found: String,
    },
    /// A value without its closing bracket.
    #[error(
        "{at}: expected ']' for the value that was opened at {opened}, found the end of the file"
    )]
    UnclosedValue {
        /// The end of the file.
        at: Place,
        /// The value's `[`.
        opened: Place,
    },
    /// A value that its property cannot have.
    #[error("{at}: {property}[{value}]: expected {expected}")]
    Value {
        /// The value's `[`.
        at: Place,
        /// The property, such as `SZ`.
        property: String,
        /// The value, shortened.
        value: String,
        /// Values that would do.
        expected: String,
    },
    /// A game that Banyan does not play.
    #[error("{at}: GM[{number}] is a game that is not known here: say which one with --game")]
    UnknownGame {
        /// Place in the file.
        at: Place,
        /// The number in the file.
        number: u32,
    },
    /// The file holds another game than the one that was asked for.
    #[error("{at}: the file holds a game of {found}, not of {asked}")]
    OtherGame {
        /// Place in the file.
        at: Place,
        /// The file's game.
        found: Kind,
        /// The one wanted.
        asked: Kind,
    },
    /// Rules that cannot be played by.
    #[error("{at}: {source}")]
    Rules {
        /// Their place, or the first node where the file does not say it.
        at: Place,
        /// The fault of the rules.
        source: RulesError,
    },
    /// Stones put on the board in mid-game, which a record of plies cannot hold.
    #[error(
        "{at}: {property} puts or takes stones after ply {plies}: only possible before the first"
    )]
    SetupAfterPlies {
        /// Their place.
        at: Place,
        /// AB, AW or AE.
        property: String,
        /// Plies before it.
        plies: usize,
    },
    /// Stones that cannot stand as asked.
    #[error("{at}: {source}")]
    Setup {
        /// The first such stone of the file.
        at: Place,
        /// The fault.
        source: SetupError,
    },
    /// A move that the rules forbid.
    #[error("{at}: ply {ply} by {color}: {source}")]
    Illegal {
        /// Its place.
        at: Place,
        /// Its number, from 1, as the file counts.
        ply: usize,
        /// Its side.
        color: Color,
        /// Reason.
        source: IllegalMove,
    },
    /// More plies asked for than the main line has.
    #[error("the main line has {found} plies, asked for the position after ply {asked}")]
    TooFewPlies {
        /// Number that it has.
        found: usize,
        /// Number that was wanted.
        asked: usize,
    },
}

/// A text from the file as an error repeats it: at most 24 characters, no control characters.
pub(super) fn shorten(text: &str) -> String {
    text.chars().take(24).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

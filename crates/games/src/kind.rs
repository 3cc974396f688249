//! The kinds of games, their names, and the reasons for which their rules may be refused.
//!
//! The games themselves stand above this file, and their list above them (`registry`).

use std::fmt;
use std::str::FromStr;

/// A kind of game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Go with area scoring.
    Go,
    /// Othello, 8x8.
    Othello,
    /// Gomoku, five in a row.
    Gomoku,
    /// Connect6, six in a row, two stones a turn.
    Connect6,
    /// Hex, a chain from edge to edge.
    Hex,
}

/// Names of a game.
struct Entry {
    title: &'static str,
    name: &'static str,
    side: u8,
    sgf: u32,
}

impl Kind {
    /// Every game, in the order in which help texts list them.
    pub const ALL: [Kind; 5] = [Kind::Go, Kind::Othello, Kind::Gomoku, Kind::Connect6, Kind::Hex];

    const fn entry(self) -> Entry {
        match self {
            Kind::Go => Entry { title: "Go", name: "go", side: 9, sgf: 1 },
            Kind::Othello => Entry { title: "Othello", name: "othello", side: 8, sgf: 2 },
            Kind::Gomoku => Entry { title: "Gomoku", name: "gomoku", side: 15, sgf: 4 },
            Kind::Connect6 => Entry { title: "Connect6", name: "connect6", side: 19, sgf: 511 },
            Kind::Hex => Entry { title: "Hex", name: "hex", side: 11, sgf: 11 },
        }
    }

    /// The name on command lines and on the wire.
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// The name as programs for several games write it.
    pub const fn title(self) -> &'static str {
        self.entry().title
    }

    /// Points a side of the board where nobody asked for another.
    pub const fn side(self) -> u32 {
        self.entry().side as u32
    }

    /// The number in the GM property of a game record.
    ///
    /// Connect6 has none in the format; 511 is what its programs write.
    pub const fn sgf_number(self) -> u32 {
        self.entry().sgf
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Kind, RulesError> {
        let found = Kind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| RulesError::UnknownGame(text.chars().take(20).collect()))
    }
}

/// Rules that cannot be played by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// Not the name of a game.
    #[error("unknown game '{0}': expected one of {names}", names = names())]
    UnknownGame(String),
    /// A board that this game is not played on.
    #[error("{game} is not played on a board of {width}x{height}: expected {expected}")]
    Size {
        /// The game.
        game: Kind,
        /// Asked columns.
        width: u32,
        /// Asked rows.
        height: u32,
        /// Values that would do, in words.
        expected: &'static str,
    },
    /// Not the name of a variant of Gomoku.
    #[error("unknown rules '{0}': expected freestyle, standard or renju")]
    Variant(String),
    /// Komi beyond what the board could ever hold, or not a multiple of a half.
    #[error("komi {0} is out of range: expected a multiple of 0.5 from -1000 to 1000")]
    Komi(String),
}

fn names() -> String {
    Kind::ALL.map(Kind::name).join(", ")
}

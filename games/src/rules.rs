//! The list of games, and the rules of any of them behind one type.
//!
//! A new game adds its line to [`Kind`], [`Rules`] and [`with_game!`](crate::with_game); nothing else
//! in this crate names the games.

use std::fmt;
use std::str::FromStr;

use crate::{connect6, go, gomoku, othello};

/// Which game.
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
}

impl Kind {
    /// Every game, in the order in which help texts list them.
    pub const ALL: [Kind; 4] = [Kind::Go, Kind::Othello, Kind::Gomoku, Kind::Connect6];

    /// The name on command lines and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Go => "go",
            Kind::Othello => "othello",
            Kind::Gomoku => "gomoku",
            Kind::Connect6 => "connect6",
        }
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
        let found = Kind::ALL
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| RulesError::UnknownGame(text.chars().take(20).collect()))
    }
}

/// The rules of any of the games.
#[derive(Clone, Debug, PartialEq)]
pub enum Rules {
    /// Size and komi.
    Go(go::GoRules),
    /// Othello has nothing to choose.
    Othello(othello::OthelloRules),
    /// Size and what counts as five.
    Gomoku(gomoku::GomokuRules),
    /// Size.
    Connect6(connect6::Connect6Rules),
}

impl Rules {
    /// Which game these rules are of.
    pub fn kind(&self) -> Kind {
        match self {
            Rules::Go(_) => Kind::Go,
            Rules::Othello(_) => Kind::Othello,
            Rules::Gomoku(_) => Kind::Gomoku,
            Rules::Connect6(_) => Kind::Connect6,
        }
    }
}

/// Rules that cannot be played by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// Not the name of a game.
    #[error("unknown game '{0}': expected go, othello, gomoku or connect6")]
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
        /// What would do, in words.
        expected: &'static str,
    },
    /// Komi beyond what the board could ever hold, or not a multiple of a half.
    #[error("komi {0} is out of range: expected a multiple of 0.5 from -1000 to 1000")]
    Komi(String),
}

/// Runs `$body` with `$game` standing for the [`Game`](crate::Game) type of these rules and `$rules`
/// for a reference to its own rules: the one place where a value becomes a type.
#[macro_export]
macro_rules! with_game {
    ($any:expr, $game:ident, $rules:ident => $body:expr) => {
        match $any {
            $crate::Rules::Go($rules) => {
                type $game = $crate::go::Go;
                $body
            }
            $crate::Rules::Othello($rules) => {
                type $game = $crate::othello::Othello;
                $body
            }
            $crate::Rules::Gomoku($rules) => {
                type $game = $crate::gomoku::Gomoku;
                $body
            }
            $crate::Rules::Connect6($rules) => {
                type $game = $crate::connect6::Connect6;
                $body
            }
        }
    };
}

//! The list of games, and the rules of any of them behind one type.
//!
//! A new game adds its line to [`Kind`], [`Rules`] and [`with_game!`](crate::with_game), and wherever
//! this file matches on them; nothing else in this crate names the games.

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
        let found = Kind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(text));
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

    /// The same rules on another board.
    ///
    /// # Errors
    /// [`RulesError::Size`] for a board that the game is not played on.
    pub fn with_size(&self, width: u32, height: u32) -> Result<Rules, RulesError> {
        let game = self.kind();
        let wrong = RulesError::Size { game, width, height, expected: "a square board" };
        let square = if width == height { Ok(width) } else { Err(wrong) };
        Ok(match self {
            Rules::Go(rules) => go::GoRules::new(square?, rules.komi())?.into(),
            Rules::Othello(_) => othello::OthelloRules::new(square?)?.into(),
            Rules::Gomoku(rules) => {
                gomoku::GomokuRules::new(width, height, rules.variant())?.into()
            }
            Rules::Connect6(_) => connect6::Connect6Rules::new(square?)?.into(),
        })
    }

    /// The same rules with `komi` points for White; unchanged where the game has no komi.
    ///
    /// # Errors
    /// [`RulesError::Komi`] for what is no multiple of a half or beyond ±1000 points.
    pub fn with_komi(&self, komi: f64) -> Result<Rules, RulesError> {
        let Rules::Go(rules) = self else { return Ok(self.clone()) };
        let komi = go::GoRules::komi_from_points(komi)?;
        Ok(go::GoRules::new(u32::from(rules.size()), komi)?.into())
    }
}

/// Gives each game's rules back from [`Rules`]; rules of another game come back as they were.
macro_rules! rules_of_one_game {
    ($($variant:ident: $rules:ty;)*) => {$(
        impl TryFrom<Rules> for $rules {
            type Error = Rules;

            fn try_from(rules: Rules) -> Result<$rules, Rules> {
                match rules {
                    Rules::$variant(rules) => Ok(rules),
                    other => Err(other),
                }
            }
        }
    )*};
}

rules_of_one_game! {
    Go: go::GoRules;
    Othello: othello::OthelloRules;
    Gomoku: gomoku::GomokuRules;
    Connect6: connect6::Connect6Rules;
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
    /// Not the name of a variant of Gomoku.
    #[error("unknown rules '{0}': expected freestyle, standard or renju")]
    Variant(String),
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

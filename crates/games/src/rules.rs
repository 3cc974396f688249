//! The list of games, and the rules of any of them behind one type.
//!
//! A new game adds its line wherever this file names the others (the compiler leads from [`Kind`] to all
//! of these places); nothing else in this crate names the games.

use std::fmt;
use std::str::FromStr;

use crate::gomoku::Variant;
use crate::{connect6, go, gomoku, hex, othello};

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
    /// Hex, a chain from edge to edge.
    Hex,
}

/// What is said of a game wherever it is named.
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

/// What people choose before the first move; a game looks at what it knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Points for White in half points: Go's.
    pub komi: i16,
    /// What wins, and what is forbidden: Gomoku's.
    pub variant: Variant,
}

impl Terms {
    /// What a game is played by where nobody chose; 7.5 points of komi.
    pub fn of(kind: Kind) -> Terms {
        let side = kind.side();
        Terms { width: side, height: side, komi: 15, variant: Variant::Freestyle }
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
    /// Size.
    Hex(hex::HexRules),
}

impl Rules {
    /// The rules of a game by these terms.
    ///
    /// # Errors
    /// [`RulesError`] for a board that the game is not played on, or a komi out of range.
    pub fn new(game: Kind, terms: Terms) -> Result<Rules, RulesError> {
        let Terms { width, height, komi, variant } = terms;
        let wrong = RulesError::Size { game, width, height, expected: "a square board" };
        let square = if width == height { Ok(width) } else { Err(wrong) };
        Ok(match game {
            Kind::Go => go::GoRules::new(square?, komi)?.into(),
            Kind::Othello => othello::OthelloRules::new(square?)?.into(),
            Kind::Gomoku => gomoku::GomokuRules::new(width, height, variant)?.into(),
            Kind::Connect6 => connect6::Connect6Rules::new(square?)?.into(),
            Kind::Hex => hex::HexRules::new(square?)?.into(),
        })
    }

    /// Which game these rules are of.
    pub fn kind(&self) -> Kind {
        match self {
            Rules::Go(_) => Kind::Go,
            Rules::Othello(_) => Kind::Othello,
            Rules::Gomoku(_) => Kind::Gomoku,
            Rules::Connect6(_) => Kind::Connect6,
            Rules::Hex(_) => Kind::Hex,
        }
    }

    /// The same rules on another board.
    ///
    /// # Errors
    /// [`RulesError::Size`] for a board that the game is not played on.
    pub fn with_size(&self, width: u32, height: u32) -> Result<Rules, RulesError> {
        let mut terms = Terms { width, height, ..Terms::of(self.kind()) };
        match self {
            Rules::Go(rules) => terms.komi = rules.komi(),
            Rules::Gomoku(rules) => terms.variant = rules.variant(),
            _ => {}
        }
        Rules::new(self.kind(), terms)
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
    Hex: hex::HexRules;
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

fn names() -> String {
    Kind::ALL.map(Kind::name).join(", ")
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
            $crate::Rules::Hex($rules) => {
                type $game = $crate::hex::Hex;
                $body
            }
        }
    };
}

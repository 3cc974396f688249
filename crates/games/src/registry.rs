//! The list of games, and the rules of any of them behind one type.
//!
//! A new game adds its line wherever this file names the others (the compiler leads from [`Kind`] to all
//! of these places); nothing else in this crate names the games, and no game knows of this file.

use crate::game::Game;
use crate::gomoku::Variant;
use crate::kind::{Kind, RulesError};
use crate::{connect6, go, gomoku, hex, othello};

/// Choices of people before the first move; a game looks at what it knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Points for White in half points: Go's.
    pub komi: i16,
    /// Gomoku's rule on what wins and what is forbidden.
    pub variant: Variant,
}

impl Terms {
    /// Terms of a game where nobody chose; 7.5 points of komi.
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

    /// Returns the game that these rules are of.
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

/// Each game's rules become [`Rules`], and come back from them; rules of another game come back as they were.
macro_rules! rules_of_one_game {
    ($($variant:ident: $rules:ty;)*) => {$(
        impl From<$rules> for Rules {
            fn from(rules: $rules) -> Rules {
                Rules::$variant(rules)
            }
        }

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

/// A game of the list: one whose rules become [`Rules`] and come back from them.
pub trait Listed: Game<Rules: Into<Rules> + TryFrom<Rules, Error = Rules>> {}

impl<G> Listed for G where G: Game<Rules: Into<Rules> + TryFrom<Rules, Error = Rules>> {}

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

//! Othello on 8x8.

use std::fmt;

use crate::rules::{Rules, RulesError};

/// Othello has nothing to choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OthelloRules;

impl OthelloRules {
    /// The rules, if the board is 8x8.
    ///
    /// # Errors
    /// [`RulesError::Size`] for any other size.
    pub fn new(size: u32) -> Result<OthelloRules, RulesError> {
        let wrong = RulesError::Size {
            game: crate::Kind::Othello,
            width: size,
            height: size,
            expected: "8x8",
        };
        if size == 8 {
            Ok(OthelloRules)
        } else {
            Err(wrong)
        }
    }
}

impl From<OthelloRules> for Rules {
    fn from(rules: OthelloRules) -> Rules {
        Rules::Othello(rules)
    }
}

impl fmt::Display for OthelloRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("othello 8x8")
    }
}

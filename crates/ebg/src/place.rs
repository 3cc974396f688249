//! Places in a text, and what is wrong with the text there.

use std::fmt;
use std::string::FromUtf8Error;
use std::sync::Arc;

use thiserror::Error;

/// A place in a file of clauses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Name of the file, as it was given.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Character within the line, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Line and character within it, from 1, at which bytes are no text in UTF-8 any more.
pub fn end_of_text(wrong: &FromUtf8Error) -> (usize, usize) {
    let good = &wrong.as_bytes()[..wrong.utf8_error().valid_up_to()];
    let good = String::from_utf8_lossy(good);
    let line = 1 + good.matches('\n').count();
    let column = 1 + good.chars().rev().take_while(|&letter| letter != '\n').count();
    (line, column)
}

/// A text that is not what a file of clauses holds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {what}")]
pub struct SyntaxError {
    /// Place where it was noticed.
    pub place: Place,
    /// The fault: what was found and what was expected.
    pub what: String,
}

impl SyntaxError {
    /// Something wrong at a place.
    pub fn new(place: &Place, what: impl Into<String>) -> SyntaxError {
        SyntaxError { place: place.clone(), what: what.into() }
    }
}

//! The secret that coordinator and workers share.

use std::fmt;
use std::path::{Path, PathBuf};

use subtle::ConstantTimeEq as _;

/// Environment variable where a token is looked for when no file is named.
pub const VARIABLE: &str = "BANYAN_TOKEN";

/// Shorter ones can be guessed.
const CHARS_MIN: usize = 16;
/// It travels in a header.
const CHARS_MAX: usize = 1024;

/// A shared secret. Never printed; compared in a time that does not tell how much of it was right.
#[derive(Clone)]
pub struct Token(String);

/// Reasons why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The file cannot be read.
    #[error("cannot read the token file {0}: {1}")]
    File(PathBuf, std::io::Error),
    /// The text there is no token. It is not shown.
    #[error(
        "{place} holds {chars} characters: expected a token of {CHARS_MIN} to {CHARS_MAX} visible \
         ASCII characters, such as `openssl rand -hex 32` prints"
    )]
    Form {
        /// The file or the variable.
        place: String,
        /// Number of characters there.
        chars: usize,
    },
}

impl Token {
    /// The token in `file`, else the one in the environment, else none.
    ///
    /// # Errors
    /// [`TokenError`] for a file that cannot be read and for what is no token.
    pub fn find(file: Option<&Path>) -> Result<Option<Token>, TokenError> {
        if let Some(path) = file {
            let text = std::fs::read_to_string(path)
                .map_err(|error| TokenError::File(path.to_owned(), error))?;
            return Token::parse(&text, &path.display().to_string()).map(Some);
        }
        let text = std::env::var_os(VARIABLE);
        text.map(|text| Token::parse(&text.to_string_lossy(), VARIABLE)).transpose()
    }

    fn parse(text: &str, place: &str) -> Result<Token, TokenError> {
        let text = text.trim();
        let is_visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_visible && (CHARS_MIN..=CHARS_MAX).contains(&text.len()) {
            return Ok(Token(text.to_owned()));
        }
        Err(TokenError::Form { place: place.to_owned(), chars: text.chars().count() })
    }

    /// The value of the header `authorization` that shows it.
    pub fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// Tells whether a header shows this token.
    pub fn is_shown_by(&self, header: &[u8]) -> bool {
        self.header().as_bytes().ct_eq(header).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_shows_the_token_or_not() {
        let token = Token::parse(" 0123456789abcdef\n", "here").expect("long enough");
        assert!(token.is_shown_by(b"Bearer 0123456789abcdef"));
        for wrong in ["", "Bearer ", "Bearer 0123456789abcdeF", "Bearer 0123456789abcdef0"] {
            assert!(!token.is_shown_by(wrong.as_bytes()), "{wrong}");
        }
        assert!(!format!("{token:?}").contains("0123"));
    }

    #[test]
    fn what_is_no_token_is_refused_without_being_shown() {
        for wrong in ["", "hunter2", "hunter2 hunter2 hunter2", "hünter2hünter2hünter2"] {
            let error = Token::parse(wrong, "here").expect_err(wrong).to_string();
            assert!(error.starts_with("here holds") && !error.contains("hunter"), "{error}");
        }
        let file = Path::new("/nonexistent/token");
        let error = Token::find(Some(file)).expect_err("no such file").to_string();
        assert!(error.contains("/nonexistent/token"), "{error}");
    }
}

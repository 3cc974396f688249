//! A command line taken apart into words, without a shell.
//!
//! Engines are started directly, so that the process that is ended is the engine and no shell above
//! it. Who wants a shell writes `sh -c '…'`.

/// Reasons why a command line cannot be taken apart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    /// Nothing to start.
    #[error("the command line is empty")]
    Empty,
    /// A quote without its other half.
    #[error("the quote {0} is not closed")]
    Unclosed(char),
}

/// The words of a command line: `'…'` keeps all as it is, `"…"` and bare text know `\`.
///
/// # Errors
/// [`WordsError`].
pub fn split(line: &str) -> Result<Vec<String>, WordsError> {
    let mut words = Vec::new();
    let mut chars = line.chars().peekable();
    loop {
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        if chars.peek().is_none() {
            return if words.is_empty() { Err(WordsError::Empty) } else { Ok(words) };
        }
        words.push(word(&mut chars)?);
    }
}

fn word(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<String, WordsError> {
    let mut word = String::new();
    let mut quote = None;
    while let Some(c) = chars.next_if(|c| quote.is_some() || !c.is_whitespace()) {
        match c {
            _ if quote == Some(c) => quote = None,
            '\'' | '"' if quote.is_none() => quote = Some(c),
            '\\' if quote != Some('\'') => word.extend(chars.next()),
            _ => word.push(c),
        }
    }
    quote.map_or(Ok(word), |open| Err(WordsError::Unclosed(open)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_work_as_in_a_shell() {
        let words = split(r#" sh  -c 'a "b" \c' "d 'e' \"f" g\ h '' "#).expect("words");
        assert_eq!(words, ["sh", "-c", r#"a "b" \c"#, r#"d 'e' "f"#, "g h", ""]);
    }

    #[test]
    fn what_cannot_be_started_is_refused() {
        assert_eq!(split("  "), Err(WordsError::Empty));
        assert_eq!(split("a 'b"), Err(WordsError::Unclosed('\'')));
    }
}

//! Rust's source as words and signs, without comments, strings and numbers: as much as it takes to see which
//! names a file uses.

/// A piece of source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or a keyword.
    Word(String),
    /// `::`
    Path,
    /// Any other sign; a string, a number or a character is a `'"'`.
    Sign(char),
}

impl Token {
    /// Tells whether it is this word.
    pub(super) fn is(&self, word: &str) -> bool {
        matches!(self, Token::Word(it) if it == word)
    }

    /// The name, if it is one.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// Takes source to pieces. What is no Rust gives some tokens or other, and never a panic.
pub(super) fn tokens(source: &str) -> Vec<Token> {
    let mut left = Reader { text: source };
    let mut tokens = Vec::new();
    while let Some(token) = left.next() {
        tokens.extend(token);
    }
    tokens
}

struct Reader<'a> {
    text: &'a str,
}

impl<'a> Reader<'a> {
    /// The next piece; `Some(None)` for one that says nothing.
    fn next(&mut self) -> Option<Option<Token>> {
        let first = self.text.chars().next()?;
        if self.text.starts_with("//") {
            self.skip_to("\n");
            return Some(None);
        }
        if self.text.starts_with("/*") {
            self.skip_comment();
            return Some(None);
        }
        if let Some(hashes) = self.raw_string() {
            self.skip_to(&format!("\"{}", "#".repeat(hashes)));
            return Some(Some(Token::Sign('"')));
        }
        Some(match first {
            '"' => self.string(),
            '\'' => self.character_or_lifetime(),
            _ if first.is_whitespace() => {
                self.skip(first.len_utf8());
                None
            }
            _ if is_of_word(first) => self.word(),
            ':' if self.text.starts_with("::") => {
                self.skip(2);
                Some(Token::Path)
            }
            sign => {
                self.skip(sign.len_utf8());
                Some(Token::Sign(sign))
            }
        })
    }

    fn skip(&mut self, bytes: usize) {
        self.text = self.text.get(bytes..).unwrap_or("");
    }

    fn skip_to(&mut self, end: &str) {
        let bytes = self.text.find(end).map_or(self.text.len(), |at| at + end.len());
        self.skip(bytes);
    }

    /// Comments of this kind may hold others.
    fn skip_comment(&mut self) {
        let mut depth = 0;
        while !self.text.is_empty() {
            let (change, bytes) = match self.text {
                text if text.starts_with("/*") => (1, 2),
                text if text.starts_with("*/") => (-1, 2),
                text => (0, text.chars().next().map_or(1, char::len_utf8)),
            };
            depth += change;
            self.skip(bytes);
            if depth == 0 {
                return;
            }
        }
    }

    /// Goes behind the opening of a raw string, and gives the number of its hashes.
    fn raw_string(&mut self) -> Option<usize> {
        let text = self.text.strip_prefix('b').unwrap_or(self.text).strip_prefix('r')?;
        let inside = text.trim_start_matches('#');
        let hashes = text.len() - inside.len();
        self.text = inside.strip_prefix('"')?;
        Some(hashes)
    }

    fn string(&mut self) -> Option<Token> {
        self.skip(1);
        let mut is_escaped = false;
        let end = self.text.find(|sign| {
            let is_end = sign == '"' && !is_escaped;
            is_escaped = sign == '\\' && !is_escaped;
            is_end
        });
        self.skip(end.map_or(self.text.len(), |at| at + 1));
        Some(Token::Sign('"'))
    }

    /// `'a'` and `'\n'` are characters, `'a` is none.
    fn character_or_lifetime(&mut self) -> Option<Token> {
        let mut inside = self.text.chars().skip(1);
        let first = inside.next();
        let is_character = first == Some('\\') || inside.next() == Some('\'');
        self.skip(1);
        if is_character {
            let escape = if first == Some('\\') { 2 } else { 0 };
            self.skip(escape);
            self.skip_to("'");
            return Some(Token::Sign('"'));
        }
        self.word();
        None
    }

    fn word(&mut self) -> Option<Token> {
        let text = self.text.strip_prefix("r#").unwrap_or(self.text);
        let end = text.find(|sign| !is_of_word(sign)).unwrap_or(text.len());
        let word = &text[..end];
        self.text = &text[end..];
        let is_number = word.starts_with(|sign: char| sign.is_ascii_digit());
        Some(if is_number { Token::Sign('"') } else { Token::Word(word.to_owned()) })
    }
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> String {
        let text = |token: &Token| match token {
            Token::Word(word) => word.clone(),
            Token::Path => "::".to_owned(),
            Token::Sign(sign) => sign.to_string(),
        };
        tokens(source).iter().map(text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_strings_hide_what_they_say() {
        let source = "a /* b /* c */ d */ e // f\n\"g \\\" h\" r#\"i \" j\"# br\"k\" l::m 0x1f";
        assert_eq!(words(source), "a e \" \" \" l :: m \"");
    }

    #[test]
    fn lifetimes_are_no_characters() {
        assert_eq!(words(r"&'a str, 'b', '\'', '\\', '\u{41}', b'c' r#type"), {
            "& str , \" , \" , \" , \" , b \" type"
        });
    }
}

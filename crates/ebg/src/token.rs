//! A text of clauses as words, each with its place.

use std::iter::Peekable;
use std::str::Chars;
use std::sync::Arc;

use crate::operators::is_symbol;
use crate::place::{Place, SyntaxError};

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    /// A name: `obj1`, `'two words'`, `=<`; a comma, a bar and a semicolon too.
    Name(String),
    /// A variable: `X`, `_`, `_Y`.
    Variable(String),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// `(`, `)`, `[`, `]`.
    Bracket(char),
    /// The full stop that ends a clause.
    Stop,
    /// The end of the text.
    End,
}

impl Word {
    /// The word as a message names it.
    pub fn shown(&self) -> String {
        match self {
            Word::Name(name) | Word::Variable(name) => format!("`{name}`"),
            Word::Integer(number) => format!("`{number}`"),
            Word::Real(number) => format!("`{number}`"),
            Word::Bracket(bracket) => format!("`{bracket}`"),
            Word::Stop => "the full stop".to_owned(),
            Word::End => "the end of the file".to_owned(),
        }
    }
}

/// A word with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// The word.
    pub word: Word,
    /// Place where it begins.
    pub place: Place,
    /// Tells whether it follows the one before it without a gap.
    pub touches: bool,
}

/// The words of a text, the last is [`Word::End`].
///
/// # Errors
/// Where a character, a number, a quote or a comment is not as it should be.
pub fn tokens(file: &str, text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut reader =
        Reader { chars: text.chars().peekable(), file: file.into(), line: 1, column: 1 };
    let mut tokens = Vec::new();
    loop {
        let touches = !reader.skip()?;
        let place = reader.place();
        let word = reader.word(&place)?;
        let is_end = word == Word::End;
        tokens.push(Token { word, place, touches });
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Reader<'t> {
    chars: Peekable<Chars<'t>>,
    file: Arc<str>,
    line: u32,
    column: u32,
}

impl Reader<'_> {
    fn place(&self) -> Place {
        Place { file: Arc::clone(&self.file), line: self.line, column: self.column }
    }

    fn peek(&mut self) -> Option<char> {
        self.chars.peek().copied()
    }

    /// The character after the next one.
    fn second(&self) -> Option<char> {
        self.chars.clone().nth(1)
    }

    fn next(&mut self) -> Option<char> {
        let c = self.chars.next()?;
        (self.line, self.column) =
            if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        Some(c)
    }

    fn take_while(&mut self, mut keeps: impl FnMut(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek().filter(|&c| keeps(c)) {
            taken.push(c);
            self.next();
        }
        taken
    }

    /// Skips white space and comments; tells whether there was any.
    fn skip(&mut self) -> Result<bool, SyntaxError> {
        let mut any = false;
        loop {
            match self.peek() {
                Some(c) if c.is_whitespace() => drop(self.next()),
                Some('%') => drop(self.take_while(|c| c != '\n')),
                Some('/') if self.second() == Some('*') => self.long_comment()?,
                _ => return Ok(any),
            }
            any = true;
        }
    }

    fn long_comment(&mut self) -> Result<(), SyntaxError> {
        let begun = self.place();
        self.next();
        self.next();
        let mut last = ' ';
        while let Some(c) = self.next() {
            if (last, c) == ('*', '/') {
                return Ok(());
            }
            last = c;
        }
        Err(SyntaxError::new(&begun, "the comment that begins here is not ended by `*/`"))
    }

    fn word(&mut self, place: &Place) -> Result<Word, SyntaxError> {
        let Some(c) = self.peek() else { return Ok(Word::End) };
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        match c {
            '(' | ')' | '[' | ']' => {
                self.next();
                Ok(Word::Bracket(c))
            }
            ',' | '|' | ';' | '!' => {
                self.next();
                Ok(Word::Name(c.to_string()))
            }
            '\'' => self.quoted(place),
            _ if c.is_ascii_digit() => self.number(place),
            _ if c == '_' || c.is_uppercase() => Ok(Word::Variable(self.take_while(is_word))),
            _ if c.is_alphabetic() => Ok(Word::Name(self.take_while(is_word))),
            '.' if self.second().is_none_or(|c| c.is_whitespace() || c == '%') => {
                self.next();
                Ok(Word::Stop)
            }
            _ if is_symbol(c) => Ok(Word::Name(self.take_while(is_symbol))),
            _ => Err(SyntaxError::new(place, format!("`{c}` is no character of a clause"))),
        }
    }

    fn quoted(&mut self, place: &Place) -> Result<Word, SyntaxError> {
        self.next();
        let mut name = String::new();
        while let Some(c) = self.next().filter(|&c| c != '\n') {
            match c {
                '\'' if self.peek() == Some('\'') => {
                    self.next();
                    name.push('\'');
                }
                '\'' => return Ok(Word::Name(name)),
                c => name.push(c),
            }
        }
        Err(SyntaxError::new(place, "the quote that begins here is not ended in its line"))
    }

    fn number(&mut self, place: &Place) -> Result<Word, SyntaxError> {
        let mut digits = self.take_while(|c| c.is_ascii_digit());
        let has_fraction =
            self.peek() == Some('.') && self.second().is_some_and(|c| c.is_ascii_digit());
        if has_fraction {
            self.next();
            digits = format!("{digits}.{}", self.take_while(|c| c.is_ascii_digit()));
        }
        let refused = || SyntaxError::new(place, format!("`{digits}` is too large a number"));
        match has_fraction {
            true => digits.parse().map(Word::Real).map_err(|_| refused()),
            false => digits.parse().map(Word::Integer).map_err(|_| refused()),
        }
    }
}

//! Terms as they are read: Prolog's syntax with its operators, each part with its place.

use crate::operators::{ARGUMENT, WIDEST, infix, prefix};
use crate::place::{Place, SyntaxError};
use crate::token::{Token, Word, tokens};

/// A term as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// Place where it begins; a term with an infix operator, at the operator's left side.
    pub place: Place,
    /// The term.
    pub node: Node,
}

/// The kinds of terms.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A variable by its name.
    Variable(String),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// A name with its arguments; without any it is a constant.
    Compound(String, Vec<Read>),
}

/// Terms within each other, and elements of a list or operands in a row, count; beyond, a text is refused.
const NESTED_MAX: usize = 400;

/// All clauses of a text.
///
/// # Errors
/// At the first word that does not belong where it stands.
pub fn read_clauses(file: &str, text: &str) -> Result<Vec<Read>, SyntaxError> {
    let mut parser = Parser { tokens: tokens(file, text)?, at: 0, nested: 0 };
    let mut clauses = Vec::new();
    while parser.peek().word != Word::End {
        let begun = parser.peek().place.clone();
        let term = parser.term(WIDEST)?;
        parser.stop(&begun)?;
        clauses.push(term);
    }
    Ok(clauses)
}

/// One term alone, such as a goal; a full stop at its end may be left out.
///
/// # Errors
/// At the first word that does not belong where it stands.
pub fn read_term(name: &str, text: &str) -> Result<Read, SyntaxError> {
    let mut parser = Parser { tokens: tokens(name, text)?, at: 0, nested: 0 };
    let term = parser.term(WIDEST)?;
    if parser.peek().word == Word::Stop {
        parser.next();
    }
    match parser.peek().word {
        Word::End => Ok(term),
        _ => Err(parser.unexpected("the end of the goal")),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    nested: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at]
    }

    /// The next word; the end of the text is never passed.
    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn unexpected(&self, expected: &str) -> SyntaxError {
        let Token { word, place, .. } = self.peek();
        SyntaxError::new(place, format!("{} where {expected} was expected", word.shown()))
    }

    fn stop(&mut self, begun: &Place) -> Result<(), SyntaxError> {
        match self.peek().word {
            Word::Stop => {
                self.next();
                Ok(())
            }
            Word::End => {
                let Place { line, column, .. } = begun;
                let what = format!(
                    "the file ends within the clause that begins in line {line}, column {column}: \
                     its full stop is missing"
                );
                Err(SyntaxError::new(&self.peek().place, what))
            }
            _ => Err(self.unexpected("an operator or the full stop of the clause")),
        }
    }

    fn bracket(&mut self, bracket: char) -> Result<(), SyntaxError> {
        if self.peek().word == Word::Bracket(bracket) {
            self.next();
            return Ok(());
        }
        Err(self.unexpected(&format!("`{bracket}`")))
    }

    /// A term whose outermost operator binds at least as tightly as `priority`.
    fn term(&mut self, priority: u16) -> Result<Read, SyntaxError> {
        self.nested += 1;
        self.within_limits(self.nested)?;
        let (mut left, mut reached) = self.primary(priority)?;
        let mut operands = 1;
        while let Word::Name(name) = &self.peek().word {
            let Some(it) = infix(name).filter(|it| it.priority <= priority && reached <= it.left)
            else {
                break;
            };
            let name = name.clone();
            operands += 1;
            self.within_limits(operands)?;
            self.next();
            let right = self.term(it.right)?;
            let place = left.place.clone();
            left = Read { place, node: Node::Compound(name, vec![left, right]) };
            reached = it.priority;
        }
        self.nested -= 1;
        Ok(left)
    }

    fn within_limits(&self, count: usize) -> Result<(), SyntaxError> {
        if count <= NESTED_MAX {
            return Ok(());
        }
        let what = format!("more than {NESTED_MAX} terms within each other or in a row");
        Err(SyntaxError::new(&self.peek().place, what))
    }

    /// A term without an infix operator, and the priority of its own operator, 0 if it has none.
    fn primary(&mut self, priority: u16) -> Result<(Read, u16), SyntaxError> {
        let token = self.peek().clone();
        let place = token.place.clone();
        let node = match token.word {
            Word::Variable(name) => Node::Variable(name),
            Word::Integer(number) => Node::Integer(number),
            Word::Real(number) => Node::Real(number),
            Word::Bracket('(') => {
                self.next();
                let inner = self.term(WIDEST)?;
                self.bracket(')')?;
                return Ok((inner, 0));
            }
            Word::Bracket('[') => return Ok((self.list()?, 0)),
            Word::Name(name) => return self.named(name, place, priority),
            Word::Bracket(_) | Word::Stop | Word::End => return Err(self.unexpected("a term")),
        };
        self.next();
        Ok((Read { place, node }, 0))
    }

    fn named(
        &mut self,
        name: String,
        place: Place,
        priority: u16,
    ) -> Result<(Read, u16), SyntaxError> {
        if [",", "|", ";"].contains(&name.as_str()) {
            return Err(self.unexpected("a term"));
        }
        self.next();
        let opens = self.peek().word == Word::Bracket('(');
        if opens && self.peek().touches {
            let arguments = self.arguments()?;
            return Ok((Read { place, node: Node::Compound(name, arguments) }, 0));
        }
        match (prefix(&name), &self.peek().word) {
            (Some(_), Word::Integer(number)) if name == "-" && self.peek().touches => {
                let node = Node::Integer(-number);
                self.next();
                Ok((Read { place, node }, 0))
            }
            (Some(_), Word::Real(number)) if name == "-" && self.peek().touches => {
                let node = Node::Real(-number);
                self.next();
                Ok((Read { place, node }, 0))
            }
            (Some((own, right)), _) if own <= priority && self.begins_term() => {
                let argument = self.term(right)?;
                Ok((Read { place, node: Node::Compound(name, vec![argument]) }, own))
            }
            _ => Ok((Read { place, node: Node::Compound(name, Vec::new()) }, 0)),
        }
    }

    fn begins_term(&self) -> bool {
        match &self.peek().word {
            Word::Name(name) => infix(name).is_none() || prefix(name).is_some(),
            Word::Bracket(bracket) => ['(', '['].contains(bracket),
            word => !matches!(word, Word::Stop | Word::End),
        }
    }

    fn arguments(&mut self) -> Result<Vec<Read>, SyntaxError> {
        self.bracket('(')?;
        let mut arguments = vec![self.term(ARGUMENT)?];
        while self.peek().word == Word::Name(",".to_owned()) {
            self.next();
            arguments.push(self.term(ARGUMENT)?);
        }
        match self.bracket(')') {
            Ok(()) => Ok(arguments),
            Err(_) => Err(self.unexpected("`,` or `)`")),
        }
    }

    /// `[a, b | Rest]`, as the term that Prolog makes of it.
    fn list(&mut self) -> Result<Read, SyntaxError> {
        let place = self.peek().place.clone();
        let empty = || Node::Compound("[]".to_owned(), Vec::new());
        self.bracket('[')?;
        if self.peek().word == Word::Bracket(']') {
            self.next();
            return Ok(Read { place, node: empty() });
        }
        let mut elements = vec![self.term(ARGUMENT)?];
        while self.peek().word == Word::Name(",".to_owned()) {
            self.within_limits(elements.len() + 1)?;
            self.next();
            elements.push(self.term(ARGUMENT)?);
        }
        let mut list = Read { place: place.clone(), node: empty() };
        if self.peek().word == Word::Name("|".to_owned()) {
            self.next();
            list = self.term(ARGUMENT)?;
        }
        self.bracket(']').map_err(|_| self.unexpected("`,`, `|` or `]`"))?;
        Ok(elements.into_iter().rev().fold(list, |rest, first| {
            let place = first.place.clone();
            Read { place, node: Node::Compound("[|]".to_owned(), vec![first, rest]) }
        }))
    }
}

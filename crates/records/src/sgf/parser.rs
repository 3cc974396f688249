//! From text to nodes: those of the main line, or all of the first game.
//!
//! Knows the format's brackets and nothing of its games. The main line is the first variation
//! everywhere, so it ends at the first `)`; whoever asks for it alone does not see what follows.

use std::iter::Peekable;
use std::str::Chars;

use super::error::{Place, SgfError};
use super::game::NODES_MAX;

/// The properties that a reader of moves needs; all others are passed over.
const KEPT: [&str; 15] =
    ["GM", "SZ", "KM", "HA", "RU", "PB", "PW", "RE", "DT", "PL", "AB", "AW", "AE", "B", "W"];

/// One node: its place and the properties that are kept, in the file's order.
#[derive(Debug)]
pub(super) struct Node {
    pub at: Place,
    pub properties: Vec<Property>,
}

/// One property with its values; at least one.
#[derive(Debug)]
pub(super) struct Property {
    /// Capitals only: FF\[3\] and older also wrote `White` for `W`.
    pub name: String,
    pub values: Vec<Value>,
}

/// One value, its escapes undone, and where its bracket opens.
#[derive(Debug)]
pub(super) struct Value {
    pub at: Place,
    pub text: String,
}

/// The nodes of the first game's main line; at least one.
pub(super) fn main_line(text: &str) -> Result<Vec<Node>, SgfError> {
    let mut reader = Reader { chars: text.chars().peekable(), at: Place::START };
    reader.find_game()?;
    let mut nodes = Vec::new();
    loop {
        match reader.peek_visible() {
            Some(';') if nodes.len() >= NODES_MAX => {
                return Err(SgfError::TooManyNodes { at: reader.at, max: NODES_MAX });
            }
            Some(';') => nodes.push(reader.node()?),
            Some('(') => reader.skip(),
            Some(')') => return Ok(nodes),
            _ => return Err(reader.expected("';', '(', ')' or a property")),
        }
    }
}

/// All nodes of the first game, each with the number of the one before it; at least one, which names itself.
/// A node comes after the one before it, and a variation as a whole before the next.
pub(super) fn tree(text: &str) -> Result<Vec<(usize, Node)>, SgfError> {
    let mut reader = Reader { chars: text.chars().peekable(), at: Place::START };
    reader.find_game()?;
    let mut nodes = Vec::new();
    let (mut last, mut forks) = (0, Vec::new());
    loop {
        match reader.peek_visible() {
            Some(';') if nodes.len() >= NODES_MAX => {
                return Err(SgfError::TooManyNodes { at: reader.at, max: NODES_MAX });
            }
            Some(';') => {
                nodes.push((last, reader.node()?));
                last = nodes.len() - 1;
            }
            Some('(') => {
                reader.skip();
                forks.push(last);
            }
            Some(')') => {
                reader.skip();
                match forks.pop() {
                    Some(fork) => last = fork,
                    None => return Ok(nodes),
                }
            }
            _ => return Err(reader.expected("';', '(', ')' or a property")),
        }
    }
}

/// A text that is being read, and the place of the next character.
struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    at: Place,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.chars.next()?;
        let ends_line = c == '\n' || (c == '\r' && self.chars.peek() != Some(&'\n'));
        if ends_line {
            self.at = Place { line: self.at.line.saturating_add(1), column: 1 };
        } else {
            self.at.column = self.at.column.saturating_add(1);
        }
        Some(c)
    }

    fn skip(&mut self) {
        self.next();
    }

    /// The next character that is no space, left in place.
    fn peek_visible(&mut self) -> Option<char> {
        while self.chars.peek().is_some_and(|c| c.is_whitespace() || *c == '\0') {
            self.skip();
        }
        self.chars.peek().copied()
    }

    /// Passes over mail headers and the like, up to the `;` of the first `(;`.
    fn find_game(&mut self) -> Result<(), SgfError> {
        loop {
            match self.next() {
                Some('(') if self.peek_visible() == Some(';') => return Ok(()),
                Some(_) => {}
                None => return Err(SgfError::NoGame),
            }
        }
    }

    fn node(&mut self) -> Result<Node, SgfError> {
        let mut node = Node { at: self.at, properties: Vec::new() };
        self.skip();
        while self.peek_visible().is_some_and(|c| c.is_ascii_alphabetic()) {
            let property = self.property()?;
            if KEPT.contains(&property.name.as_str()) {
                node.properties.push(property);
            }
        }
        Ok(node)
    }

    fn property(&mut self) -> Result<Property, SgfError> {
        let mut name = String::new();
        while let Some(c) = self.chars.next_if(char::is_ascii_alphanumeric) {
            self.at.column = self.at.column.saturating_add(1);
            if !c.is_ascii_lowercase() {
                name.push(c);
            }
        }
        let mut values = Vec::new();
        while self.peek_visible() == Some('[') {
            values.push(self.value()?);
        }
        if values.is_empty() {
            return Err(self.expected("'[' after the name of a property"));
        }
        Ok(Property { name, values })
    }

    fn value(&mut self) -> Result<Value, SgfError> {
        let at = self.at;
        self.skip();
        let mut text = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(Value { at, text }),
                Some('\\') => text.extend(self.escaped()),
                Some(c) => text.push(c),
                None => {
                    return Err(SgfError::UnclosedValue { at: self.at, opened: at });
                }
            }
        }
    }

    /// The character that stands for itself after a backslash; an escaped end of line stands for nothing.
    fn escaped(&mut self) -> Option<char> {
        match self.next()? {
            '\n' => None,
            '\r' => {
                if self.chars.peek() == Some(&'\n') {
                    self.skip();
                }
                None
            }
            c => Some(c),
        }
    }

    fn expected(&mut self, expected: &'static str) -> SgfError {
        let found = match self.chars.peek() {
            Some(c) => format!("'{}'", c.escape_default()),
            None => "the end of the file".to_owned(),
        };
        SgfError::Expected { at: self.at, expected, found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let nodes = main_line(text).expect("a game");
        nodes.into_iter().flat_map(|n| n.properties).map(|p| p.name).collect()
    }

    fn only_value(text: &str) -> String {
        main_line(text).expect("a game")[0].properties[0].values[0].text.clone()
    }

    #[test]
    fn the_main_line_is_the_first_variation_everywhere() {
        let text = "(;GM[1](;B[aa](;W[bb];B[cc])(;W[dd]))(;B[ee];W[ff]))(;B[gg])";
        let nodes = main_line(text).expect("a game");
        let values: Vec<&str> =
            nodes.iter().flat_map(|n| &n.properties).map(|p| p.values[0].text.as_str()).collect();
        assert_eq!(values, ["1", "aa", "bb", "cc"]);
    }

    #[test]
    fn a_tree_has_every_variation_of_the_first_game() {
        let text = "(;GM[1](;B[aa](;W[bb];B[cc])(;W[dd]))(;B[ee];W[ff]))(;B[gg])";
        let nodes = tree(text).expect("a game");
        let told: Vec<(usize, &str)> = nodes
            .iter()
            .map(|(before, node)| (*before, node.properties[0].values[0].text.as_str()))
            .collect();
        let expected = [(0, "1"), (0, "aa"), (1, "bb"), (2, "cc"), (1, "dd"), (0, "ee"), (5, "ff")];
        assert_eq!(told, expected);
        let open = tree("(;GM[1](;B[aa])").expect_err("a bracket is open").to_string();
        assert!(open.contains("line 1, column 16"), "{open}");
        let endless = format!("(;GM[1]{})", "(;B[aa])".repeat(NODES_MAX));
        assert!(matches!(tree(&endless), Err(SgfError::TooManyNodes { .. })));
    }

    #[test]
    fn escapes_are_undone() {
        assert_eq!(only_value(r"(;PB[a\]b\\c\:d])"), r"a]b\c:d");
        assert_eq!(only_value("(;PB[a\\\nb\\\r\nc\\\rd\ne])"), "abcd\ne");
    }

    #[test]
    fn old_long_names_and_unknown_properties_are_read() {
        assert_eq!(
            names("(;GaMe[1]SiZe[19]XYZ[q];Black[aa];White[bb]C[x])"),
            ["GM", "SZ", "B", "W"]
        );
    }

    #[test]
    fn junk_before_the_game_is_passed_over() {
        let mail = "From: someone (me)\n\nHere is a game :-)\n(\n;GM[1];B[aa])";
        assert_eq!(names(mail), ["GM", "B"]);
    }

    #[test]
    fn a_line_that_no_game_could_be_as_long_as_is_refused_before_it_takes_memory() {
        let endless = format!("(;GM[1]{})", ";B[aa];W[bb]".repeat(NODES_MAX));
        let refused = main_line(&endless).expect_err("too long").to_string();
        assert!(refused.ends_with("more than 65536 nodes are no game"), "{refused}");
    }

    #[test]
    fn errors_name_line_and_column() {
        let refused = |text: &str| main_line(text).expect_err("refused").to_string();
        assert_eq!(refused("nothing"), "no game found: expected '(;' somewhere in the file");
        assert_eq!(
            refused("(;GM[1]\n;B[aa"),
            "line 2, column 6: expected ']' for the value that was opened at line 2, column 3, \
             found the end of the file"
        );
        assert_eq!(
            refused("(;GM[1]\r\n;B;W[aa])"),
            "line 2, column 3: expected '[' after the name of a property, found ';'"
        );
        assert_eq!(
            refused("(;GM[1]\r;B[aa]]"),
            "line 2, column 7: expected ';', '(', ')' or a property, found ']'"
        );
        assert_eq!(
            refused("(;GM[1]"),
            "line 1, column 8: expected ';', '(', ')' or a property, found the end of the file"
        );
    }
}

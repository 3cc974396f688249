//! Prolog's operators, as far as clauses here use them.

/// Priorities of an infix operator and of what may stand beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infix {
    /// Looseness of its binding, 1 to 1200; terms of arguments are at most [`ARGUMENT`].
    pub priority: u16,
    /// The highest priority of what stands left of it.
    pub left: u16,
    /// The highest priority of what stands right of it.
    pub right: u16,
}

/// The highest priority of an argument, and of an element of a list.
pub const ARGUMENT: u16 = 999;

/// The highest priority of what stands within parentheses.
pub const WIDEST: u16 = 1200;

/// The operator of this name between two terms.
pub fn infix(name: &str) -> Option<Infix> {
    let (priority, left, right) = match name {
        ":-" => (1200, 1199, 1199),
        ";" => (1100, 1099, 1100),
        "->" => (1050, 1049, 1050),
        "," => (1000, 999, 1000),
        "=" | "\\=" | "==" | "\\==" | "is" | "<" | ">" | "=<" | ">=" | "=:=" | "=\\=" => {
            (700, 699, 699)
        }
        "+" | "-" => (500, 500, 499),
        "*" | "/" | "//" | "mod" | "rem" => (400, 400, 399),
        "**" => (200, 199, 199),
        "^" => (200, 199, 200),
        _ => return None,
    };
    Some(Infix { priority, left, right })
}

/// The priority of an operator of this name before a term, and the highest of what follows.
pub fn prefix(name: &str) -> Option<(u16, u16)> {
    match name {
        ":-" => Some((1200, 1199)),
        "\\+" => Some((900, 900)),
        "-" | "+" => Some((200, 200)),
        _ => None,
    }
}

/// Tells whether an infix operator is written with spaces around it.
pub fn is_spaced(name: &str) -> bool {
    infix(name).is_some_and(|it| it.priority >= 700) || name == "mod" || name == "rem"
}

/// Characters that make up names such as `=<`.
pub fn is_symbol(c: char) -> bool {
    "+-*/\\^<>=~:.?@#&$".contains(c)
}

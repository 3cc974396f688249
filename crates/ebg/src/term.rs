//! Terms and how they are written.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use crate::operators::{ARGUMENT, infix, is_spaced, is_symbol, prefix};

/// A name of a predicate, a function or a constant.
pub type Name = Arc<str>;

/// The number of a variable.
pub type Variable = usize;

/// A term of first-order logic.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A variable.
    Variable(Variable),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// A name with arguments; without any it is a constant.
    Compound(Name, Arc<[Term]>),
}

/// A predicate: its name and how many arguments it has.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Predicate {
    /// Its name.
    pub name: Name,
    /// Arguments, count.
    pub arity: usize,
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", quoted(&self.name), self.arity)
    }
}

/// Terms within terms that are written out, count; deeper ones become dots.
const SHOWN_MAX: usize = 200;

/// Bytes of a term that are written out; what comes after becomes dots.
const LETTERS_MAX: usize = 20_000;

impl Term {
    /// A name with arguments.
    pub fn compound(name: &str, arguments: Vec<Term>) -> Term {
        Term::Compound(name.into(), arguments.into())
    }

    /// The predicate that this term would be a literal of; numbers and variables have none.
    pub fn predicate(&self) -> Option<Predicate> {
        match self {
            Term::Compound(name, arguments) => {
                Some(Predicate { name: Arc::clone(name), arity: arguments.len() })
            }
            _ => None,
        }
    }

    /// Name and arguments; numbers and variables have none.
    pub fn parts(&self) -> Option<(&str, &[Term])> {
        match self {
            Term::Compound(name, arguments) => Some((name, arguments)),
            _ => None,
        }
    }

    /// This term with another in each variable's place.
    pub fn map(&self, of: &mut dyn FnMut(Variable) -> Term) -> Term {
        match self {
            Term::Variable(variable) => of(*variable),
            Term::Compound(name, arguments) if !arguments.is_empty() => {
                let mapped: Vec<Term> = arguments.iter().map(|it| it.map(of)).collect();
                Term::Compound(Arc::clone(name), mapped.into())
            }
            other => other.clone(),
        }
    }

    /// Adds its variables.
    pub fn collect_variables(&self, into: &mut BTreeSet<Variable>) {
        match self {
            Term::Variable(variable) => drop(into.insert(*variable)),
            Term::Compound(_, arguments) => {
                arguments.iter().for_each(|it| it.collect_variables(into));
            }
            _ => {}
        }
    }

    /// Tells whether it holds no variable.
    pub fn is_ground(&self) -> bool {
        let mut variables = BTreeSet::new();
        self.collect_variables(&mut variables);
        variables.is_empty()
    }

    /// The term as text; variables by `name_of`.
    pub fn text(&self, name_of: &dyn Fn(Variable) -> String) -> String {
        let mut text = String::new();
        write_term(&mut text, self, name_of, (ARGUMENT, SHOWN_MAX));
        text
    }
}

/// The name of a variable that has none of its own.
pub fn unnamed(variable: Variable) -> String {
    format!("_{variable}")
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&unnamed))
    }
}

/// Letters of a text in an error.
const TOLD_MAX: usize = 300;

/// The text, or the beginning of a long one, for an error.
pub fn shorten(text: String) -> String {
    match text.char_indices().nth(TOLD_MAX) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// The name, in quotes where it needs them.
pub fn quoted(name: &str) -> String {
    let mut chars = name.chars();
    let starts_small = chars.next().is_some_and(char::is_lowercase);
    let is_word = starts_small && chars.all(|c| c.is_alphanumeric() || c == '_');
    let is_sign = !name.is_empty() && name.chars().all(is_symbol);
    match is_word || is_sign || ["[]", ";", "!", ","].contains(&name) {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', "''")),
    }
}

/// Writes a term whose operator may bind as loosely as the first of `limits`, as many levels deep as the
/// second.
fn write_term(
    text: &mut String,
    term: &Term,
    name_of: &dyn Fn(Variable) -> String,
    limits: (u16, usize),
) {
    let (priority, levels) = limits;
    if levels == 0 || text.len() > LETTERS_MAX {
        if !text.ends_with('…') {
            text.push('…');
        }
        return;
    }
    let inner = |priority| (priority, levels - 1);
    match term {
        Term::Variable(variable) => text.push_str(&name_of(*variable)),
        Term::Integer(number) => write!(text, "{number}").expect("a string grows"),
        Term::Real(number) => write_real(text, *number),
        Term::Compound(name, arguments) => match (&**name, &**arguments) {
            ("[|]", [_, _]) => write_list(text, term, name_of, levels),
            (_, [left, right]) if infix(name).is_some() => {
                let it = infix(name).expect("just seen");
                let opens = it.priority > priority;
                text.push_str(if opens { "(" } else { "" });
                write_term(text, left, name_of, inner(it.left));
                write_infix(text, name);
                let at = text.len();
                write_term(text, right, name_of, inner(it.right));
                part_signs(text, at);
                text.push_str(if opens { ")" } else { "" });
            }
            (_, [argument]) if prefix(name).is_some() => {
                let (own, right) = prefix(name).expect("just seen");
                let opens = own > priority;
                text.push_str(if opens { "(" } else { "" });
                text.push_str(name);
                text.push_str(if own > 200 { " " } else { "" });
                let at = text.len();
                write_term(text, argument, name_of, inner(right));
                part_signs(text, at);
                part_sign_from_operand(text, at);
                text.push_str(if opens { ")" } else { "" });
            }
            (_, []) => text.push_str(&quoted(name)),
            _ => {
                text.push_str(&quoted(name));
                for (index, argument) in arguments.iter().enumerate() {
                    text.push(if index == 0 { '(' } else { ',' });
                    write_term(text, argument, name_of, inner(ARGUMENT));
                }
                text.push(')');
            }
        },
    }
}

fn write_infix(text: &mut String, name: &str) {
    match name {
        "," => text.push_str(", "),
        _ if is_spaced(name) => write!(text, " {name} ").expect("a string grows"),
        _ => text.push_str(name),
    }
}

/// Two signs in a row would be read as one.
fn part_signs(text: &mut String, at: usize) {
    let before = text[..at].chars().next_back();
    let after = text[at..].chars().next();
    if before.is_some_and(is_symbol) && after.is_some_and(is_symbol) {
        text.insert(at, ' ');
    }
}

/// A sign that touches a number or parentheses would take only these: `-2^2` is the square of -2.
fn part_sign_from_operand(text: &mut String, at: usize) {
    let touches = text[..at].ends_with(is_symbol);
    if touches && text[at..].starts_with(|c: char| c.is_ascii_digit() || c == '(') {
        text.insert(at, ' ');
    }
}

/// With a fraction and without an exponent, as numbers are read.
fn write_real(text: &mut String, number: f64) {
    let at = text.len();
    write!(text, "{number}").expect("a string grows");
    if !text[at..].contains('.') {
        text.push_str(".0");
    }
}

fn write_list(text: &mut String, list: &Term, name_of: &dyn Fn(Variable) -> String, levels: usize) {
    let (mut rest, mut shown) = (list, 0);
    loop {
        match rest.parts() {
            Some(("[|]", [first, more])) if shown < SHOWN_MAX => {
                text.push(if shown == 0 { '[' } else { ',' });
                write_term(text, first, name_of, (ARGUMENT, levels - 1));
                (rest, shown) = (more, shown + 1);
            }
            Some(("[]", [])) => break,
            _ => {
                text.push('|');
                write_term(text, rest, name_of, (ARGUMENT, levels.min(2) - 1));
                break;
            }
        }
    }
    text.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::Goal;
    use crate::theory::read_query;

    fn infix_of(name: &str, left: &Term, right: &Term) -> Term {
        Term::compound(name, vec![left.clone(), right.clone()])
    }

    /// The terms with each sign before them, and with each operator beside each of `operands`.
    fn larger(terms: &[Term], operands: &[Term]) -> Vec<Term> {
        let mut larger = Vec::new();
        for term in terms {
            larger.extend(["-", "+", "\\+"].map(|it| Term::compound(it, vec![term.clone()])));
            for (operand, name) in operands
                .iter()
                .flat_map(|it| [",", "=", "-", "*", "mod", "**", "^"].map(|name| (it, name)))
            {
                larger.extend([infix_of(name, term, operand), infix_of(name, operand, term)]);
            }
        }
        larger
    }

    #[test]
    fn every_term_reads_back_as_written() {
        let reals = [0.00001, -1e-300, 2.0, -0.5, 1e21, f64::MAX].map(Term::Real);
        let mut leaves = [0, 2, -2, i64::MAX].map(Term::Integer).to_vec();
        leaves.extend(reals);
        leaves.push(Term::compound("a", Vec::new()));
        let operands = [Term::Integer(2), Term::Integer(-2), Term::compound("a", Vec::new())];
        let two = larger(&leaves, &operands);
        let three = larger(&two, &operands);
        let four = larger(&larger(&larger(&operands[..1], &[]), &operands[..1]), &operands[..1]);
        for term in leaves.into_iter().chain(two).chain(three).chain(four) {
            let goal = Term::compound("holds", vec![term]);
            let query = read_query(&goal.to_string()).unwrap_or_else(|why| panic!("{goal}: {why}"));
            let Goal::Call(read) = &query.goals[0].goal else { panic!("{goal} is no literal") };
            assert_eq!(*read, goal, "{goal}");
        }
    }

    #[test]
    fn numbers_are_written_as_they_are_read_and_signs_keep_to_what_they_stand_before() {
        let two = Term::Integer(2);
        let square = infix_of("^", &two, &two);
        let sum = infix_of("+", &two, &two);
        for (term, expected) in [
            (Term::Real(0.00001), "0.00001"),
            (Term::Real(-1e16), "-10000000000000000.0"),
            (square.clone(), "2^2"),
            (infix_of("^", &Term::Integer(-2), &two), "-2^2"),
            (Term::compound("-", vec![square]), "- 2^2"),
            (Term::compound("-", vec![infix_of("^", &sum, &two)]), "- (2+2)^2"),
            (Term::compound("-", vec![infix_of(",", &two, &two)]), "- (2, 2)"),
        ] {
            assert_eq!(term.to_string(), expected);
        }
    }
}

//! Clauses: a head that holds when its body does.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::place::Place;
use crate::term::{Term, Variable, unnamed};

/// Something to prove, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// Goal to prove.
    pub goal: Goal,
    /// Place where it was written.
    pub place: Place,
}

/// Goals that can be proven.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// A predicate of its arguments.
    Call(Term),
    /// These together cannot be proven: `\+ (a, b)`.
    Not(Vec<Literal>),
    /// However the first are proven, the second can be: `forall((a, b), c)`.
    Every(Vec<Literal>, Vec<Literal>),
    /// One of these: `(a ; b, c)`.
    Either(Vec<Vec<Literal>>),
}

/// A clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Term that it is about.
    pub head: Term,
    /// Literals that have to hold; none for a fact.
    pub body: Vec<Literal>,
    /// Names of its variables, which are numbered from 0.
    pub names: Arc<[String]>,
    /// Place where it was written.
    pub place: Place,
}

impl Literal {
    /// This literal with other terms in its variables' places.
    pub fn map(&self, of: &mut dyn FnMut(Variable) -> Term) -> Literal {
        let goal = match &self.goal {
            Goal::Call(term) => Goal::Call(term.map(of)),
            Goal::Not(body) => Goal::Not(map_all(body, of)),
            Goal::Every(condition, then) => Goal::Every(map_all(condition, of), map_all(then, of)),
            Goal::Either(branches) => {
                Goal::Either(branches.iter().map(|branch| map_all(branch, of)).collect())
            }
        };
        Literal { goal, place: self.place.clone() }
    }

    /// This literal with the numbers of its variables raised.
    pub fn shifted(&self, by: Variable) -> Literal {
        self.map(&mut |variable| Term::Variable(variable + by))
    }

    /// Adds its variables.
    pub fn collect_variables(&self, into: &mut BTreeSet<Variable>) {
        let parts: Vec<&Vec<Literal>> = match &self.goal {
            Goal::Call(term) => return term.collect_variables(into),
            Goal::Not(body) => vec![body],
            Goal::Every(condition, then) => vec![condition, then],
            Goal::Either(branches) => branches.iter().collect(),
        };
        parts.into_iter().flatten().for_each(|literal| literal.collect_variables(into));
    }

    /// The literal as text; variables by `name_of`.
    pub fn text(&self, name_of: &dyn Fn(Variable) -> String) -> String {
        match &self.goal {
            Goal::Call(term) => term.text(name_of),
            Goal::Not(body) => match &body[..] {
                [Literal { goal: Goal::Call(term), .. }] if !is_infix(term) => {
                    format!("\\+ {}", term.text(name_of))
                }
                _ => format!("\\+ ({})", texts(body, name_of)),
            },
            Goal::Every(condition, then) => {
                format!("forall({}, {})", grouped(condition, name_of), grouped(then, name_of))
            }
            Goal::Either(branches) => {
                let branches: Vec<_> = branches.iter().map(|it| texts(it, name_of)).collect();
                format!("({})", branches.join(" ; "))
            }
        }
    }
}

fn is_infix(term: &Term) -> bool {
    term.parts().is_some_and(|(name, arguments)| {
        arguments.len() == 2 && crate::operators::infix(name).is_some()
    })
}

fn grouped(body: &[Literal], name_of: &dyn Fn(Variable) -> String) -> String {
    let text = texts(body, name_of);
    if body.len() == 1 { text } else { format!("({text})") }
}

/// Each of the literals with other terms in its variables' places.
pub fn map_all(body: &[Literal], of: &mut dyn FnMut(Variable) -> Term) -> Vec<Literal> {
    body.iter().map(|literal| literal.map(of)).collect()
}

/// Literals as text, commas between them.
pub fn texts(body: &[Literal], name_of: &dyn Fn(Variable) -> String) -> String {
    let texts: Vec<String> = body.iter().map(|literal| literal.text(name_of)).collect();
    texts.join(", ")
}

/// The variables of literals.
pub fn variables_of(body: &[Literal]) -> BTreeSet<Variable> {
    let mut variables = BTreeSet::new();
    body.iter().for_each(|literal| literal.collect_variables(&mut variables));
    variables
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&unnamed))
    }
}

impl Clause {
    /// The name of one of its variables.
    pub fn name_of(&self, variable: Variable) -> String {
        self.names.get(variable).cloned().unwrap_or_else(|| unnamed(variable))
    }
}

/// Without the full stop.
impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name_of = |variable| self.name_of(variable);
        f.write_str(&self.head.text(&name_of))?;
        if !self.body.is_empty() {
            write!(f, " :- {}", texts(&self.body, &name_of))?;
        }
        Ok(())
    }
}

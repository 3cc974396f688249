//! Turns terms as they were read into clauses and goals.

use crate::clause::{Clause, Goal, Literal};
use crate::place::SyntaxError;
use crate::syntax::{Node, Read};
use crate::term::{Predicate, Term, Variable};

/// Statement that a clause of a file makes.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// A clause of the theory or a fact.
    Clause(Clause),
    /// `operational(name/arity).`: rules may rest on this predicate.
    Operational(Predicate),
}

/// A clause or a declaration.
///
/// # Errors
/// What is neither.
pub fn statement(read: &Read) -> Result<Statement, SyntaxError> {
    if let Node::Compound(name, arguments) = &read.node {
        match (name.as_str(), &arguments[..]) {
            (":-", [head, body]) => return clause(head, Some(body)).map(Statement::Clause),
            (":-", [_]) => {
                let what = "directives are not known here; what rules may rest on is declared by a \
                            clause such as `operational(volume/2).`";
                return Err(SyntaxError::new(&read.place, what));
            }
            ("operational", [declared]) => {
                return declaration(declared).map(Statement::Operational);
            }
            _ => {}
        }
    }
    clause(read, None).map(Statement::Clause)
}

/// Goals joined by commas, as a body without a head.
///
/// # Errors
/// What is no goal.
pub fn goals(read: &Read) -> Result<(Vec<Literal>, Vec<String>), SyntaxError> {
    if matches!(&read.node, Node::Compound(name, _) if name == ":-") {
        let what = "`:-` makes a clause where a goal without a body was expected, such as \
                    `safe_to_stack(obj1,obj2)`";
        return Err(SyntaxError::new(&read.place, what));
    }
    let mut names = Names::default();
    let mut goals = Vec::new();
    names.body(read, &mut goals)?;
    Ok((goals, names.0))
}

fn declaration(declared: &Read) -> Result<Predicate, SyntaxError> {
    let refused = || {
        let what =
            "`operational(…)` takes a predicate with its number of arguments, such as `volume/2`";
        SyntaxError::new(&declared.place, what)
    };
    let Node::Compound(slash, parts) = &declared.node else { return Err(refused()) };
    match (slash.as_str(), &parts[..]) {
        (
            "/",
            [Read { node: Node::Compound(name, none), .. }, Read { node: Node::Integer(n), .. }],
        ) if none.is_empty() && *n >= 0 => {
            Ok(Predicate { name: name.as_str().into(), arity: *n as usize })
        }
        _ => Err(refused()),
    }
}

fn clause(head: &Read, body: Option<&Read>) -> Result<Clause, SyntaxError> {
    let mut names = Names::default();
    let place = head.place.clone();
    let term = names.term(head);
    let predicate = term.predicate().ok_or_else(|| {
        let what = format!("{} cannot be the head of a clause", kind_of(&head.node));
        SyntaxError::new(&place, what)
    })?;
    if is_built_in(&predicate) {
        let what = format!("{predicate} is built in and cannot be defined");
        return Err(SyntaxError::new(&place, what));
    }
    let mut literals = Vec::new();
    if let Some(body) = body {
        names.body(body, &mut literals)?;
    }
    Ok(Clause { head: term, body: literals, names: names.0.into(), place })
}

fn kind_of(node: &Node) -> String {
    match node {
        Node::Variable(name) => format!("the variable {name}"),
        Node::Integer(number) => format!("the number {number}"),
        Node::Real(number) => format!("the number {number}"),
        Node::Compound(name, _) => format!("`{name}`"),
    }
}

/// Predicates that need no clause.
pub fn is_built_in(predicate: &Predicate) -> bool {
    let name = &*predicate.name;
    match predicate.arity {
        0 => ["true", "fail", "false", "!", "[]"].contains(&name),
        1 => ["\\+", "not", "operational", ":-"].contains(&name),
        2 => name == "forall" || crate::operators::infix(name).is_some_and(|it| it.priority >= 700),
        _ => false,
    }
}

/// The variables of a clause in the order in which they were met.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn variable(&mut self, name: &str) -> Variable {
        let known = self.0.iter().position(|known| known == name);
        // Each `_` is a variable of its own.
        if let Some(number) = known.filter(|_| name != "_") {
            return number;
        }
        self.0.push(name.to_owned());
        self.0.len() - 1
    }

    fn term(&mut self, read: &Read) -> Term {
        match &read.node {
            Node::Variable(name) => Term::Variable(self.variable(name)),
            Node::Integer(number) => Term::Integer(*number),
            Node::Real(number) => Term::Real(*number),
            Node::Compound(name, arguments) => {
                let arguments = arguments.iter().map(|it| self.term(it)).collect();
                Term::compound(name, arguments)
            }
        }
    }

    fn body(&mut self, read: &Read, into: &mut Vec<Literal>) -> Result<(), SyntaxError> {
        let place = read.place.clone();
        let refused = |what: String| Err(SyntaxError::new(&read.place, what));
        let Node::Compound(name, arguments) = &read.node else {
            return refused(format!("{} cannot be proven", kind_of(&read.node)));
        };
        let goal = match (name.as_str(), &arguments[..]) {
            (",", [first, second]) => {
                self.body(first, into)?;
                return self.body(second, into);
            }
            (";", [first, _]) if matches!(&first.node, Node::Compound(it, _) if it == "->") => {
                return refused("`->` is not known here: write two clauses".to_owned());
            }
            (";", [first, second]) => {
                let mut branches = vec![self.inner(first)?];
                match self.inner(second)?.as_slice() {
                    [Literal { goal: Goal::Either(more), .. }] => branches.extend(more.clone()),
                    branch => branches.push(branch.to_vec()),
                }
                Goal::Either(branches)
            }
            ("->" | ":-", [_, _]) => {
                return refused(format!("`{name}` is not known here: write two clauses"));
            }
            ("!", []) => {
                let what = "the cut is not known here: what a clause says may not depend on the order \
                            of clauses";
                return refused(what.to_owned());
            }
            ("\\+" | "not", [inner]) => Goal::Not(self.inner(inner)?),
            ("forall", [condition, then]) => Goal::Every(self.inner(condition)?, self.inner(then)?),
            _ => Goal::Call(self.term(read)),
        };
        into.push(Literal { goal, place });
        Ok(())
    }

    fn inner(&mut self, read: &Read) -> Result<Vec<Literal>, SyntaxError> {
        let mut literals = Vec::new();
        self.body(read, &mut literals)?;
        Ok(literals)
    }
}

//! Domain theories: clauses, the facts of examples, and what rules may rest on.

use std::collections::{BTreeSet, HashMap};

use crate::clause::{Clause, Goal, Literal};
use crate::lower::{Statement, goals, is_built_in, statement};
use crate::place::SyntaxError;
use crate::syntax::{read_clauses, read_term};
use crate::term::Predicate;

/// The number of a clause in its theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClauseId(usize);

/// Clauses with what is known of examples.
#[derive(Clone, Debug, Default)]
pub struct Theory {
    clauses: Vec<Clause>,
    /// Clauses from this on are facts of examples.
    facts_from: usize,
    by_predicate: HashMap<Predicate, Vec<ClauseId>>,
    /// Predicates that were declared.
    declared: BTreeSet<Predicate>,
    /// Predicates of which examples hold facts.
    of_facts: BTreeSet<Predicate>,
}

/// A goal with the names of its variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Literals to prove, all of them.
    pub goals: Vec<Literal>,
    /// Names of the variables, which are numbered from 0.
    pub names: Vec<String>,
}

impl Theory {
    /// A theory from the texts of its clauses and of the facts of examples, each with the file's name for
    /// messages.
    ///
    /// # Errors
    /// Where a text is not made of clauses.
    pub fn read(theory: (&str, &str), facts: (&str, &str)) -> Result<Theory, SyntaxError> {
        let mut read = Theory::default();
        read.add(theory)?;
        read.facts_from = read.clauses.len();
        read.add(facts)?;
        let facts = read.clauses[read.facts_from..].iter().filter(|clause| clause.body.is_empty());
        read.of_facts = facts.filter_map(|fact| fact.head.predicate()).collect();
        Ok(read)
    }

    fn add(&mut self, (file, text): (&str, &str)) -> Result<(), SyntaxError> {
        for read in read_clauses(file, text)? {
            match statement(&read)? {
                Statement::Operational(predicate) => drop(self.declared.insert(predicate)),
                Statement::Clause(clause) => self.push(clause),
            }
        }
        Ok(())
    }

    fn push(&mut self, clause: Clause) {
        let predicate = clause.head.predicate().expect("heads are checked when they are read");
        self.by_predicate.entry(predicate).or_default().push(ClauseId(self.clauses.len()));
        self.clauses.push(clause);
    }

    /// A clause by its number.
    pub fn clause(&self, id: ClauseId) -> &Clause {
        &self.clauses[id.0]
    }

    /// Clauses and facts of a predicate, in the order in which they were read.
    pub fn clauses_of(&self, predicate: &Predicate) -> &[ClauseId] {
        self.by_predicate.get(predicate).map_or(&[], Vec::as_slice)
    }

    /// Tells whether it is a fact of an example rather than a part of the theory.
    pub fn is_fact(&self, id: ClauseId) -> bool {
        id.0 >= self.facts_from && self.clauses[id.0].body.is_empty()
    }

    /// Tells whether rules may rest on this predicate: it was declared; where nothing was, examples hold
    /// facts of it and the theory has no clause for it.
    pub fn is_operational(&self, predicate: &Predicate) -> bool {
        if !self.declared.is_empty() {
            return self.declared.contains(predicate);
        }
        let by_theory = self.clauses_of(predicate).iter().any(|id| id.0 < self.facts_from);
        self.of_facts.contains(predicate) && !by_theory
    }

    /// Tells whether anything says what this predicate is.
    pub fn is_known(&self, predicate: &Predicate) -> bool {
        is_built_in(predicate)
            || self.by_predicate.contains_key(predicate)
            || self.declared.contains(predicate)
    }

    /// A known predicate whose name looks like this one's, for messages.
    pub fn similar_to(&self, predicate: &Predicate) -> Option<&Predicate> {
        let known = self.by_predicate.keys().chain(&self.declared);
        let distance = |it: &&Predicate| {
            edits(&it.name, &predicate.name) * 2 + usize::from(it.arity != predicate.arity)
        };
        let nearest = known.min_by_key(|it| (distance(it), (*it).clone()))?;
        (distance(&nearest) <= 4).then_some(nearest)
    }

    /// Literals of clauses whose predicate nothing says anything of.
    pub fn unknown(&self) -> Vec<&Literal> {
        let mut unknown = Vec::new();
        for clause in &self.clauses {
            clause.body.iter().for_each(|literal| self.collect_unknown(literal, &mut unknown));
        }
        unknown
    }

    fn collect_unknown<'t>(&'t self, literal: &'t Literal, into: &mut Vec<&'t Literal>) {
        let parts: Vec<&Vec<Literal>> = match &literal.goal {
            Goal::Call(term) => {
                if term.predicate().is_some_and(|it| !self.is_known(&it)) {
                    into.push(literal);
                }
                return;
            }
            Goal::Not(body) => vec![body],
            Goal::Every(condition, then) => vec![condition, then],
            Goal::Either(branches) => branches.iter().collect(),
        };
        parts.into_iter().flatten().for_each(|literal| self.collect_unknown(literal, into));
    }
}

/// A goal as it is typed, with or without a full stop.
///
/// # Errors
/// Where the text is no goal.
pub fn read_query(text: &str) -> Result<Query, SyntaxError> {
    let (goals, names) = goals(&read_term("goal", text)?)?;
    Ok(Query { goals, names })
}

/// The goals of a file, one a clause.
///
/// # Errors
/// Where a clause is no goal.
pub fn read_queries(file: &str, text: &str) -> Result<Vec<Query>, SyntaxError> {
    let queries = read_clauses(file, text)?.into_iter().map(|read| {
        let (goals, names) = goals(&read)?;
        Ok(Query { goals, names })
    });
    queries.collect()
}

/// Characters to put in, take out or change to make one word the other.
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, a) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (at, b) in other.iter().enumerate() {
            let changed = diagonal + usize::from(a != *b);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(diagonal + 1).min(row[at] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::edits;

    #[test]
    fn words_are_compared_by_their_edits() {
        assert_eq!(edits("weight", "wieght"), 2);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("same", "same"), 0);
    }
}

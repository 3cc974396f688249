//! Names of variables: those of the theory's clauses, as far as they reach.

use std::collections::BTreeMap;

use crate::bindings::Bindings;
use crate::clause::Clause;
use crate::term::{Term, Variable};

/// Names that the theory gives to variables.
#[derive(Clone, Debug, Default)]
pub struct Names(BTreeMap<Variable, String>);

impl Names {
    /// Notes the names of a clause whose variables are numbered from `first` on. The first clause that has a
    /// name for a variable gives it that.
    pub fn note(&mut self, clause: &Clause, first: Variable, bindings: &Bindings) {
        let named = clause.names.iter().enumerate().filter(|(_, it)| !it.starts_with('_'));
        for (number, name) in named {
            if let Term::Variable(variable) = bindings.walk(&Term::Variable(first + number)) {
                self.0.entry(variable).or_insert_with(|| name.clone());
            }
        }
    }

    /// Gives one variable the name of another.
    pub fn copy(&mut self, from: Variable, to: Variable) {
        if let Some(name) = self.0.get(&from).cloned() {
            self.0.insert(to, name);
        }
    }

    /// A name for a variable that none of `taken` is.
    pub fn unused(&self, variable: Variable, taken: &[String]) -> String {
        let wanted = self.0.get(&variable);
        let first: Vec<String> = match wanted {
            Some(name) => vec![name.clone()],
            None => ('A'..='Z').map(String::from).collect(),
        };
        let stem = wanted.map_or("V", String::as_str);
        let mut names = first.into_iter().chain((2..).map(|number| format!("{stem}{number}")));
        names.find(|name| !taken.contains(name)).expect("numbers do not end")
    }
}

//! Names of variables: those of the theory's clauses, as far as they reach.

use std::collections::{BTreeMap, BTreeSet};

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
}

/// Names given so far, each once.
#[derive(Debug, Default)]
pub struct Given {
    taken: BTreeSet<String>,
    /// The number after a name's stem that is to be tried next: all before it are taken.
    numbers: BTreeMap<String, usize>,
}

impl Given {
    /// A name for a variable that was not given before: the theory's, as far as it is free.
    pub fn unused(&mut self, variable: Variable, names: &Names) -> String {
        let wanted = names.0.get(&variable);
        let mut first: Box<dyn Iterator<Item = String>> = match wanted {
            Some(name) => Box::new(std::iter::once(name.clone())),
            None => Box::new(('A'..='Z').map(String::from)),
        };
        let free = first.find(|name| !self.taken.contains(name));
        let name = free.unwrap_or_else(|| self.numbered(wanted.map_or("V", String::as_str)));
        self.taken.insert(name.clone());
        name
    }

    fn numbered(&mut self, stem: &str) -> String {
        let number = self.numbers.entry(stem.to_owned()).or_insert(2);
        loop {
            let name = format!("{stem}{number}");
            *number += 1;
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_was_given_gets_the_next_number_that_is_free() {
        let wanted = ["X", "X2", "X", "X2", "X"].map(str::to_owned);
        let names = Names(wanted.into_iter().enumerate().collect());
        let mut given = Given::default();
        let mut name = |variable| given.unused(variable, &names);
        assert_eq!([0, 1, 2, 3, 4].map(&mut name), ["X", "X2", "X3", "X22", "X4"]);
        let unnamed: Vec<String> = (5..33).map(name).collect();
        assert_eq!((&*unnamed[0], &*unnamed[22], &*unnamed[23]), ("A", "W", "Y"));
        assert_eq!(unnamed[24..], ["Z", "V2", "V3", "V4"]);
    }
}

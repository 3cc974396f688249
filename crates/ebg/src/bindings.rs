//! Values of variables, with a way back; unification.

use std::cell::Cell;

use crate::term::{Term, Variable};

/// The values of variables.
#[derive(Clone, Debug)]
pub struct Bindings {
    values: Vec<Option<Term>>,
    /// Variables in the order in which they got a value.
    trail: Vec<Variable>,
    /// Parts of terms that were compared, computed or written so far, count: few bindings may stand for a term that
    /// is larger than any memory.
    compared: Cell<u64>,
    compared_max: u64,
    is_cut: Cell<bool>,
}

/// Terms within each other that are followed, count.
pub const LEVELS_MAX: usize = 2000;

/// Parts of a term that are written down with their values, count.
pub const PARTS_MAX: usize = 20_000;

/// The same once no more may be compared, count: what an error tells.
const PARTS_TOLD: usize = 500;

/// A state to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    values: usize,
    trail: usize,
}

impl Bindings {
    /// No values, and so many parts of terms that may be compared, computed or written.
    pub fn within(compared_max: u64) -> Bindings {
        let (values, trail) = (Vec::new(), Vec::new());
        let (compared, is_cut) = (Cell::default(), Cell::default());
        Bindings { values, trail, compared, compared_max, is_cut }
    }

    /// Tells whether more parts of terms would have had to be compared than may be: terms are not found to be
    /// alike any more.
    pub fn is_exhausted(&self) -> bool {
        self.compared.get() > self.compared_max
    }

    /// Tells whether a term was too large for [`Bindings::resolve`] to give it whole.
    pub fn is_cut(&self) -> bool {
        self.is_cut.get()
    }

    /// Counts a part of a term that is compared, computed or written; says no where there were too many.
    pub fn may_compare(&self) -> bool {
        self.compared.set(self.compared.get() + 1);
        !self.is_exhausted()
    }

    /// Makes so many new variables; returns the number of the first.
    pub fn fresh(&mut self, count: usize) -> Variable {
        let first = self.values.len();
        self.values.resize(first + count, None);
        first
    }

    /// The state now.
    pub fn mark(&self) -> Mark {
        Mark { values: self.values.len(), trail: self.trail.len() }
    }

    /// Forgets all variables and values since `mark`.
    pub fn undo(&mut self, mark: Mark) {
        for variable in self.trail.drain(mark.trail..) {
            self.values[variable] = None;
        }
        self.values.truncate(mark.values);
    }

    /// The term's value as far as its outermost name.
    pub fn walk(&self, term: &Term) -> Term {
        let mut term = term;
        while let Term::Variable(variable) = term {
            match self.values.get(*variable) {
                Some(Some(value)) => term = value,
                _ => break,
            }
        }
        term.clone()
    }

    /// The term with the values of all its variables; what is nested more than [`LEVELS_MAX`] deep, and what
    /// comes after [`PARTS_MAX`] parts, becomes the constant `…`.
    pub fn resolve(&self, term: &Term) -> Term {
        let mut parts = if self.is_exhausted() { PARTS_TOLD } else { PARTS_MAX };
        self.resolve_within(term, LEVELS_MAX, &mut parts)
    }

    fn resolve_within(&self, term: &Term, levels: usize, parts: &mut usize) -> Term {
        *parts = parts.saturating_sub(1);
        self.may_compare();
        match self.walk(term) {
            Term::Compound(_, arguments)
                if (levels == 0 || *parts == 0) && !arguments.is_empty() =>
            {
                self.is_cut.set(true);
                Term::compound("…", Vec::new())
            }
            Term::Compound(name, arguments) if !arguments.is_empty() => {
                let inner = |it: &Term| self.resolve_within(it, levels - 1, parts);
                Term::Compound(name, arguments.iter().map(inner).collect())
            }
            other => other,
        }
    }

    /// Tells whether two terms are the same as they stand, without giving a variable a value.
    pub fn is_same(&self, one: &Term, other: &Term) -> bool {
        let mut open = vec![(one.clone(), other.clone())];
        while let Some((one, other)) = open.pop() {
            if !self.may_compare() {
                return false;
            }
            match (self.walk(&one), self.walk(&other)) {
                (Term::Compound(a, left), Term::Compound(b, right)) => {
                    if a != b || left.len() != right.len() {
                        return false;
                    }
                    open.extend(left.iter().cloned().zip(right.iter().cloned()));
                }
                (one, other) => {
                    if one != other {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Gives variables the most general values that make the two terms one; says no where there are none,
    /// and then some variables may have values nonetheless: take them back with [`Bindings::undo`].
    ///
    /// A variable is never given a term that holds it. Where more would have to be compared than may be, the
    /// answer is no as well: see [`Bindings::is_exhausted`].
    pub fn unify(&mut self, one: &Term, other: &Term) -> bool {
        let mut open = vec![(one.clone(), other.clone())];
        while let Some((one, other)) = open.pop() {
            if !self.may_compare() {
                return false;
            }
            match (self.walk(&one), self.walk(&other)) {
                (Term::Variable(one), Term::Variable(other)) if one == other => {}
                // The younger one gets the value, so that names that came first stay.
                (Term::Variable(one), Term::Variable(other)) => {
                    self.bind(one.max(other), Term::Variable(one.min(other)));
                }
                (Term::Variable(variable), term) | (term, Term::Variable(variable)) => {
                    if self.occurs(variable, &term) {
                        return false;
                    }
                    self.bind(variable, term);
                }
                (Term::Compound(a, left), Term::Compound(b, right)) => {
                    if a != b || left.len() != right.len() {
                        return false;
                    }
                    open.extend(left.iter().cloned().zip(right.iter().cloned()).rev());
                }
                (one, other) => {
                    if one != other {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn bind(&mut self, variable: Variable, value: Term) {
        self.values[variable] = Some(value);
        self.trail.push(variable);
    }

    fn occurs(&self, variable: Variable, term: &Term) -> bool {
        let mut open = vec![term.clone()];
        while let Some(term) = open.pop() {
            if !self.may_compare() {
                return true;
            }
            match self.walk(&term) {
                Term::Variable(other) if other == variable => return true,
                Term::Compound(_, arguments) => open.extend(arguments.iter().cloned()),
                _ => {}
            }
        }
        false
    }
}

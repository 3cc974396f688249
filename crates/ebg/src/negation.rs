//! Negations in terms of what rules may rest on: clauses are put in the place of what they define.
//!
//! `\+ fragile(Y)` with `fragile(Y) :- material(Y, glass).` is `\+ material(Y, glass)`; a predicate of two
//! clauses gives two negations, both of which must hold. This does not depend on an example.

use crate::bindings::Bindings;
use crate::built_in;
use crate::clause::{Clause, Goal, Literal};
use crate::explain_error::ExplainError;
use crate::lower::is_built_in;
use crate::names::Names;
use crate::place::Place;
use crate::term::Term;
use crate::theory::Theory;

/// Clauses put into each other's place, count; beyond, a predicate calls itself.
const UNFOLDED_MAX: usize = 30;

/// Negations that one may become, count.
const WAYS_MAX: usize = 1000;

/// Clauses put in the place of what they define for one negation and all within it, count.
const CLAUSES_MAX: usize = 10_000;

/// Puts clauses in the place of what they define within negations.
pub struct Unfolding<'a> {
    /// The theory.
    pub theory: &'a Theory,
    /// Values of variables; new ones get some.
    pub bindings: &'a mut Bindings,
    /// Names of variables; new ones get some.
    pub names: &'a mut Names,
}

/// Literals left to look at, and the count of clauses that these stand in.
type Open = (Vec<Literal>, usize);

impl Unfolding<'_> {
    /// All ways to meet these literals together; none of them may be met for the negation to hold.
    ///
    /// # Errors
    /// [`ExplainError`] where they rest on something that is not operational, or on a predicate that calls
    /// itself.
    pub fn ways(&mut self, body: &[Literal]) -> Result<Vec<Vec<Literal>>, ExplainError> {
        self.ways_within(body, 0, &mut 0)
    }

    /// As [`Unfolding::ways`], in a negation within others.
    ///
    /// - `depth`: clauses that the negation stands in.
    /// - `clauses`: clauses put in so far, in all of them together.
    fn ways_within(
        &mut self,
        body: &[Literal],
        depth: usize,
        clauses: &mut usize,
    ) -> Result<Vec<Vec<Literal>>, ExplainError> {
        let mut ways = Vec::new();
        let mut open: Vec<(Vec<Literal>, Open)> = vec![(Vec::new(), (body.to_vec(), depth))];
        while let Some((mut done, (mut left, depth))) = open.pop() {
            if left.is_empty() {
                ways.push(done);
                continue;
            }
            let first = left.remove(0);
            let too_large = || ExplainError::NegationTooLarge {
                place: first.place.clone(),
                literal: first.to_string(),
            };
            let made = ways.len() + open.len();
            match &first.goal {
                Goal::Call(term) => match self.clauses_for(term, &first.place)? {
                    Some(bodies) => {
                        *clauses += bodies.len();
                        let is_too_many = made + bodies.len() > WAYS_MAX || *clauses > CLAUSES_MAX;
                        if is_too_many || depth > UNFOLDED_MAX {
                            return Err(too_large());
                        }
                        for body in bodies.into_iter().rev() {
                            open.push((done.clone(), ([body, left.clone()].concat(), depth + 1)));
                        }
                    }
                    None => match self.certainty(term) {
                        Some(true) => open.push((done, (left, depth))),
                        Some(false) => {}
                        None => {
                            done.push(first);
                            open.push((done, (left, depth)));
                        }
                    },
                },
                Goal::Either(branches) if made + branches.len() > WAYS_MAX => {
                    return Err(too_large());
                }
                Goal::Either(branches) => {
                    for branch in branches.iter().rev() {
                        open.push((done.clone(), ([branch.clone(), left.clone()].concat(), depth)));
                    }
                }
                Goal::Not(inner) => {
                    let inner = self.ways_within(inner, depth + 1, clauses)?;
                    // What cannot be met at all needs no negation; what is met without more, cannot be negated.
                    if inner.iter().all(|way| !way.is_empty()) {
                        let place = &first.place;
                        done.extend(inner.into_iter().map(|way| not(way, place)));
                        open.push((done, (left, depth)));
                    }
                }
                Goal::Every(condition, then) => {
                    let mut inner = condition.clone();
                    inner.push(not(then.clone(), &first.place));
                    left.insert(0, not(inner, &first.place));
                    open.push((done, (left, depth)));
                }
            }
        }
        Ok(ways)
    }

    /// For a literal that the theory defines, the bodies of its clauses.
    fn clauses_for(
        &mut self,
        term: &Term,
        place: &Place,
    ) -> Result<Option<Vec<Vec<Literal>>>, ExplainError> {
        let Some(predicate) = term.predicate() else { return Ok(None) };
        if is_built_in(&predicate) || self.theory.is_operational(&predicate) {
            return Ok(None);
        }
        let mut bodies = Vec::new();
        for &id in self.theory.clauses_of(&predicate) {
            if self.theory.is_fact(id) {
                let place = place.clone();
                return Err(ExplainError::NotOperational { place, predicate });
            }
            bodies.extend(self.instance(self.theory.clause(id), term));
        }
        Ok(Some(bodies))
    }

    /// The body of a clause for this literal, with what its head demands of the literal's arguments before
    /// it; nothing where the head can never be the literal.
    fn instance(&mut self, clause: &Clause, term: &Term) -> Option<Vec<Literal>> {
        let first = self.bindings.fresh(clause.names.len());
        let head = clause.head.map(&mut |it| Term::Variable(it + first));
        let mark = self.bindings.mark();
        let can_match = self.bindings.unify(&head, term);
        self.bindings.undo(mark);
        if !can_match {
            return None;
        }
        let mut body = Vec::new();
        let (_, places) = head.parts()?;
        let (_, arguments) = term.parts()?;
        for (place, argument) in places.iter().zip(arguments) {
            match self.bindings.walk(place) {
                // A variable of the clause that was met for the first time.
                Term::Variable(it) if it >= first && self.bindings.unify(place, argument) => {}
                // The rule's variables keep their freedom: that they must be this is a condition.
                _ => body.push(call(
                    Term::compound("=", vec![argument.clone(), place.clone()]),
                    &clause.place,
                )),
            }
        }
        self.names.note(clause, first, self.bindings);
        body.extend(clause.body.iter().map(|literal| literal.shifted(first)));
        Some(body)
    }

    /// Tells whether a literal holds whatever the values of variables; nothing where that depends on them.
    fn certainty(&mut self, term: &Term) -> Option<bool> {
        let predicate = term.predicate()?;
        let resolved = self.bindings.resolve(term);
        if !is_built_in(&predicate) || !resolved.is_ground() {
            return None;
        }
        built_in::prove(self.bindings, &resolved)?.ok()
    }
}

/// A literal of a predicate.
pub fn call(term: Term, place: &Place) -> Literal {
    Literal { goal: Goal::Call(term), place: place.clone() }
}

/// The negation of literals together.
pub fn not(body: Vec<Literal>, place: &Place) -> Literal {
    Literal { goal: Goal::Not(body), place: place.clone() }
}

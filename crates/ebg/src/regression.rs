//! From a proof to a rule: the weakest conditions under which the same proof goes through.
//!
//! The goal, with a variable for each of its arguments, is regressed through the clauses of the proof: each
//! takes the place of the literal that it proved, and binds variables only where its head demands it. What is
//! operational stays as it stands. AND nodes contribute each reply, and that there is no other.
//!
//! # Source
//! S6; Mitchell, Machine Learning (1997), tables 11.2 and 11.3; Kedar-Cabelli and McCarty 1987 for the
//! proof's general twin; Schrödl 1995 for negation.

use std::collections::{BTreeMap, BTreeSet};

use crate::bindings::Bindings;
use crate::built_in;
use crate::clause::{Clause, Goal, Literal, map_all, variables_of};
use crate::explain_error::ExplainError;
use crate::limits::{Limits, ProofError};
use crate::names::{Given, Names};
use crate::negation::{Unfolding, call, not};
use crate::place::Place;
use crate::proof::{Proof, Reply, Step};
use crate::resolution::Prover;
use crate::term::{Predicate, Term, Variable, shorten};
use crate::theory::{ClauseId, Query, Theory};

/// A rule with the proof that it was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The rule: sufficient conditions of its head.
    pub rule: Clause,
    /// The proof of the example.
    pub proof: Proof,
}

/// Proves the goal and makes a rule of the first proof that rests on operational predicates alone; nothing
/// where there is no proof.
///
/// # Errors
/// [`ExplainError`].
pub fn explain(
    theory: &Theory,
    query: &Query,
    limits: Limits,
) -> Result<Option<Explanation>, ExplainError> {
    let (predicate, place) = target(theory, query)?;
    let mut prover = Prover::new(theory, query, limits);
    let mut refused = None;
    while let Some(mut proofs) = prover.next_proof()? {
        let proof = proofs.pop().expect("one for each goal");
        match Regression::new(theory, limits).rule(&predicate, &place, &proof) {
            Ok(rule) => return Ok(Some(Explanation { rule, proof })),
            Err(why @ ExplainError::Proof(_)) => return Err(why),
            Err(why) => drop(refused.get_or_insert(why)),
        }
    }
    refused.map_or(Ok(None), Err)
}

/// The predicate that is to be explained.
fn target(theory: &Theory, query: &Query) -> Result<(Predicate, Place), ExplainError> {
    let text = crate::clause::texts(&query.goals, &|it| query.names[it].clone());
    let refused = |why: &str| ExplainError::Goal { goal: text.clone(), why: why.to_owned() };
    let [Literal { goal: Goal::Call(term), place }] = &query.goals[..] else {
        return Err(refused("it has to be one literal, such as `safe_to_stack(obj1,obj2)`"));
    };
    let predicate = term.predicate().ok_or_else(|| refused("it is no predicate"))?;
    if theory.is_operational(&predicate) {
        return Err(refused(&format!("{predicate} is operational, there is nothing to explain")));
    }
    if crate::lower::is_built_in(&predicate) {
        return Err(refused(&format!("{predicate} is built in")));
    }
    Ok((predicate, place.clone()))
}

struct Regression<'t> {
    theory: &'t Theory,
    limits: Limits,
    bindings: Bindings,
    /// Names that the theory gives to variables.
    names: Names,
    /// The conditions so far, in the order of the proof.
    kept: Vec<Literal>,
}

impl<'t> Regression<'t> {
    fn new(theory: &'t Theory, limits: Limits) -> Regression<'t> {
        let bindings = Bindings::within(limits.compared_max());
        Regression { theory, limits, bindings, names: Names::default(), kept: Vec::new() }
    }

    fn rule(
        mut self,
        predicate: &Predicate,
        place: &Place,
        proof: &Proof,
    ) -> Result<Clause, ExplainError> {
        let first = self.bindings.fresh(predicate.arity);
        let arguments = (first..first + predicate.arity).map(Term::Variable).collect();
        let head = Term::compound(&predicate.name, arguments);
        let goal = call(head.clone(), place);
        self.literal(&goal, proof, &BTreeSet::new())?;
        self.simplify();
        let head = self.bindings.resolve(&head);
        // What was too large to be compared may have been alike after all.
        if self.bindings.is_exhausted() {
            let (place, literal) = (place.clone(), shorten(proof.goal.clone()));
            let compared = self.limits.compared_max();
            return Err(ProofError::Size { place, literal, compared }.into());
        }
        if self.bindings.is_cut() {
            let (place, predicate) = (place.clone(), predicate.clone());
            return Err(ExplainError::RuleTooLarge { place, predicate });
        }
        Ok(self.written(&head, place))
    }

    /// Regresses literals through their proofs; `outside` are variables that others use too.
    fn body(
        &mut self,
        body: &[Literal],
        proofs: &[Proof],
        outside: &BTreeSet<Variable>,
    ) -> Result<(), ExplainError> {
        for (at, (literal, proof)) in body.iter().zip(proofs).enumerate() {
            let mut others = outside.clone();
            others.extend(variables_of(&body[..at]));
            others.extend(variables_of(&body[at + 1..]));
            self.literal(literal, proof, &others)?;
        }
        Ok(())
    }

    fn literal(
        &mut self,
        literal: &Literal,
        proof: &Proof,
        others: &BTreeSet<Variable>,
    ) -> Result<(), ExplainError> {
        match (&literal.goal, &proof.step) {
            (Goal::Call(term), Step::Clause(id, body)) => {
                let predicate = term.predicate().expect("it was proven");
                if self.theory.is_operational(&predicate) {
                    self.kept.push(literal.clone());
                    return Ok(());
                }
                self.clause(term, (*id, body), predicate)
            }
            (Goal::Call(term), _) => {
                self.built_in(term, literal);
                Ok(())
            }
            (Goal::Either(branches), Step::Branch(branch, proofs)) => {
                self.body(&branches[*branch], proofs, others)
            }
            (Goal::Not(body), _) => self.negation(body, &literal.place),
            (Goal::Every(condition, then), Step::Every(replies)) => {
                self.every((condition, then), replies, (others, &literal.place))
            }
            (goal, step) => unreachable!("{goal:?} was proven by {step:?}"),
        }
    }

    /// Puts a clause's body in the place of the literal that it proved.
    fn clause(
        &mut self,
        term: &Term,
        (id, proofs): (ClauseId, &[Proof]),
        predicate: Predicate,
    ) -> Result<(), ExplainError> {
        let clause = self.theory.clause(id);
        if self.theory.is_fact(id) {
            let place = clause.place.clone();
            return Err(ExplainError::NotOperational { place, predicate });
        }
        let first = self.bindings.fresh(clause.names.len());
        let head = clause.head.map(&mut |it| Term::Variable(it + first));
        let matched = self.bindings.unify(&head, term);
        let is_given_up = self.bindings.is_exhausted();
        assert!(matched || is_given_up, "{} proved an instance of {term}", clause.place);
        self.names.note(clause, first, &self.bindings);
        let body: Vec<Literal> = clause.body.iter().map(|it| it.shifted(first)).collect();
        let mut outside = BTreeSet::new();
        head.collect_variables(&mut outside);
        self.body(&body, proofs, &outside)
    }

    fn built_in(&mut self, term: &Term, literal: &Literal) {
        match term.parts() {
            Some(("=", [one, other])) => {
                let alike = self.bindings.unify(one, other);
                let is_given_up = self.bindings.is_exhausted();
                assert!(alike || is_given_up, "{term} was proven for an instance");
            }
            _ => self.kept.push(literal.clone()),
        }
    }

    fn negation(&mut self, body: &[Literal], place: &Place) -> Result<(), ExplainError> {
        let (theory, bindings, names) = (self.theory, &mut self.bindings, &mut self.names);
        let ways = Unfolding { theory, bindings, names }.ways(body)?;
        self.kept.extend(ways.into_iter().map(|way| not(way, place)));
        Ok(())
    }

    /// Each reply with what follows then, and that there is no other reply.
    fn every(
        &mut self,
        (condition, then): (&[Literal], &[Literal]),
        replies: &[Reply],
        (others, place): (&BTreeSet<Variable>, &Place),
    ) -> Result<(), ExplainError> {
        let is_own = |it: &Variable| !others.contains(it);
        let of_condition: Vec<Variable> =
            variables_of(condition).into_iter().filter(is_own).collect();
        let mut own = variables_of(then);
        own.retain(is_own);
        own.extend(&of_condition);
        let tuple = |of: &dyn Fn(Variable) -> Term| match &of_condition[..] {
            [one] => of(*one),
            more => Term::compound("reply", more.iter().map(|&it| of(it)).collect()),
        };
        let mut tuples = Vec::new();
        for reply in replies {
            let fresh = self.renamed(&own);
            let of = |it: Variable| Term::Variable(fresh.get(&it).copied().unwrap_or(it));
            let condition = map_all(condition, &mut { of });
            let then = map_all(then, &mut { of });
            let mut outside = others.clone();
            outside.extend(variables_of(&then));
            self.body(&condition, &reply.condition, &outside)?;
            outside = others.clone();
            outside.extend(variables_of(&condition));
            self.body(&then, &reply.then, &outside)?;
            tuples.push(tuple(&of));
        }
        if replies.is_empty() || !of_condition.is_empty() {
            let mut other_reply = condition.to_vec();
            let this = tuple(&Term::Variable);
            let differs = |that| call(Term::compound("\\=", vec![this.clone(), that]), place);
            other_reply.extend(tuples.into_iter().map(differs));
            self.negation(&other_reply, place)?;
        }
        Ok(())
    }

    /// A new variable for each of these, under the same name.
    fn renamed(&mut self, variables: &BTreeSet<Variable>) -> BTreeMap<Variable, Variable> {
        let mut fresh = BTreeMap::new();
        for &variable in variables {
            let new = self.bindings.fresh(1);
            self.names.copy(variable, new);
            fresh.insert(variable, new);
        }
        fresh
    }

    /// Takes out what holds whatever the values of variables, and what is said twice.
    fn simplify(&mut self) {
        let mut seen: Vec<Literal> = Vec::new();
        for literal in std::mem::take(&mut self.kept) {
            let resolved = literal.map(&mut |it| self.bindings.resolve(&Term::Variable(it)));
            let is_certain = match &resolved.goal {
                Goal::Call(term) => self.is_certain(term),
                _ => false,
            };
            if !is_certain {
                seen.push(resolved);
            }
        }
        for literal in seen {
            let resolved = literal.map(&mut |it| self.bindings.resolve(&Term::Variable(it)));
            if !self.kept.iter().any(|kept| kept.goal == resolved.goal) {
                self.kept.push(resolved);
            }
        }
    }

    fn is_certain(&mut self, term: &Term) -> bool {
        match term.parts() {
            Some(("true", [])) => true,
            Some(("is", [_, right])) if right.is_ground() => {
                matches!(built_in::prove(&mut self.bindings, term), Some(Ok(true)))
            }
            // Two that can never be one.
            Some(("\\=", [_, _])) => {
                matches!(built_in::prove(&mut self.bindings, term), Some(Ok(true)))
            }
            _ if term.is_ground() => {
                matches!(built_in::prove(&mut self.bindings, term), Some(Ok(true)))
            }
            _ => false,
        }
    }

    /// The rule of this head, with variables numbered from 0 in the order in which they are met.
    fn written(mut self, head: &Term, place: &Place) -> Clause {
        let mut numbers: BTreeMap<Variable, Variable> = BTreeMap::new();
        let mut names: Vec<String> = Vec::new();
        let known = std::mem::take(&mut self.names);
        let mut given = Given::default();
        let mut number = |it: Variable| {
            let number = *numbers.entry(it).or_insert_with(|| {
                names.push(given.unused(it, &known));
                names.len() - 1
            });
            Term::Variable(number)
        };
        let head = head.map(&mut number);
        let body = map_all(&self.kept, &mut number);
        Clause { head, body, names: names.into(), place: place.clone() }
    }
}

//! SLD resolution: the first clause first, depth first, with a way back; finds one proof after the other.
//!
//! Negation is by failure, and `forall` by proofs for all ways of meeting its condition: both are AND nodes
//! with a child for each way, so that a theory can say "whatever the opponent replies".

use std::rc::Rc;

use crate::bindings::{Bindings, Mark};
use crate::built_in;
use crate::clause::{Goal, Literal};
use crate::limits::{Limits, NESTED_MAX, ProofError};
use crate::proof::{End, Proof, Refutation, Reply, Step};
use crate::term::{Term, Variable, shorten, unnamed};
use crate::theory::{ClauseId, Query, Theory};

/// Levels of a negation whose failing ways are told, count.
const EXPLAINED_MAX: usize = 20;

/// Looks for proofs of one query.
pub struct Prover<'t> {
    search: Search<'t>,
    goals: Vec<Literal>,
    run: Run,
}

impl<'t> Prover<'t> {
    /// A search for proofs of `query`.
    pub fn new(theory: &'t Theory, query: &Query, limits: Limits) -> Prover<'t> {
        let mut bindings = Bindings::within(limits.compared_max());
        bindings.fresh(query.names.len());
        let names = query.names.clone();
        let search = Search { theory, limits, bindings, names, steps: 0, nested: 0, cut_off: None };
        Prover { search, goals: query.goals.clone(), run: Run::new(&query.goals, 0) }
    }

    /// The next proof: one tree for each goal of the query.
    ///
    /// # Errors
    /// [`ProofError`] where the search ends without an answer.
    pub fn next_proof(&mut self) -> Result<Option<Vec<Proof>>, ProofError> {
        let found = self.search.next(&mut self.run)?;
        let proofs = found.then(|| self.search.proofs(&self.run));
        // What was too large to be compared may have been alike after all, and what was too large to be written
        // is missing.
        if let Some(first) = self.goals.first().filter(|_| self.search.bindings.is_exhausted()) {
            return Err(self.search.too_large(first));
        }
        if proofs.is_some() {
            return Ok(proofs);
        }
        // A branch that was cut off might have held a proof.
        self.search.cut_off.take().map_or(Ok(None), Err)
    }

    /// The query's variables with the values of the proof found last, those that have some.
    pub fn values(&self) -> Vec<(String, String)> {
        let search = &self.search;
        let values = search
            .names
            .iter()
            .enumerate()
            .map(|(variable, name)| (name.clone(), search.text(&Term::Variable(variable))));
        values.filter(|(name, value)| name != value && !name.starts_with('_')).collect()
    }
}

/// Literals left to prove, the first one first.
type Agenda = Option<Rc<Item>>;

struct Item {
    literal: Literal,
    /// Clauses that it stands within.
    depth: usize,
    /// The node of the proof that it belongs to.
    parent: Option<usize>,
    next: Agenda,
}

impl Drop for Item {
    /// One after the other: agendas may be longer than a stack is deep.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(item) = next {
            next = Rc::try_unwrap(item).ok().and_then(|mut item| item.next.take());
        }
    }
}

/// A literal that can be proven in another way.
struct Choice {
    item: Rc<Item>,
    /// Number of the next clause or branch to try.
    next: usize,
    mark: Mark,
    nodes: usize,
}

/// A node of a proof in the making.
struct Node {
    parent: Option<usize>,
    literal: Literal,
    made: Made,
}

#[derive(Clone)]
enum Made {
    Clause(ClauseId),
    BuiltIn,
    Branch(usize),
    Refuted(Vec<Refutation>),
    Every(Vec<Reply>),
}

/// One search for proofs of a list of goals.
struct Run {
    agenda: Agenda,
    choices: Vec<Choice>,
    nodes: Vec<Node>,
    has_begun: bool,
}

impl Run {
    fn new(goals: &[Literal], depth: usize) -> Run {
        let agenda = prepend(goals, (depth, None), None);
        Run { agenda, choices: Vec::new(), nodes: Vec::new(), has_begun: false }
    }

    fn node(&mut self, item: &Item, made: Made) -> usize {
        self.nodes.push(Node { parent: item.parent, literal: item.literal.clone(), made });
        self.nodes.len() - 1
    }
}

fn prepend(goals: &[Literal], (depth, parent): (usize, Option<usize>), rest: Agenda) -> Agenda {
    goals.iter().rev().fold(rest, |next, literal| {
        Some(Rc::new(Item { literal: literal.clone(), depth, parent, next }))
    })
}

struct Search<'t> {
    theory: &'t Theory,
    limits: Limits,
    bindings: Bindings,
    /// Names of the query's variables, which come first.
    names: Vec<String>,
    steps: u64,
    /// Negations that the search is within.
    nested: usize,
    /// The first branch that was cut off.
    cut_off: Option<ProofError>,
}

impl Search<'_> {
    fn text(&self, term: &Term) -> String {
        self.bindings.resolve(term).text(&|it| self.name_of(it))
    }

    fn name_of(&self, variable: Variable) -> String {
        self.names.get(variable).cloned().unwrap_or_else(|| unnamed(variable))
    }

    /// The literal for an error: its beginning, where it is long.
    fn told(&self, literal: &Literal) -> String {
        shorten(self.literal_text(literal))
    }

    fn too_large(&self, literal: &Literal) -> ProofError {
        let (place, literal) = (literal.place.clone(), self.told(literal));
        ProofError::Size { place, literal, compared: self.limits.compared_max() }
    }

    fn literal_text(&self, literal: &Literal) -> String {
        let resolved = literal.map(&mut |it| self.bindings.resolve(&Term::Variable(it)));
        resolved.text(&|it| self.name_of(it))
    }

    /// Goes on to the next proof; afterwards variables have its values.
    fn next(&mut self, run: &mut Run) -> Result<bool, ProofError> {
        if run.has_begun && !self.back(run)? {
            return Ok(false);
        }
        run.has_begun = true;
        while let Some(item) = run.agenda.take() {
            if !self.take_up(run, &item)? && !self.back(run)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes back to the last literal that can be proven in another way.
    fn back(&mut self, run: &mut Run) -> Result<bool, ProofError> {
        while let Some(choice) = run.choices.pop() {
            self.bindings.undo(choice.mark);
            run.nodes.truncate(choice.nodes);
            if self.resolve(run, &choice.item, choice.next)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Proves a literal as far as its first way goes.
    fn take_up(&mut self, run: &mut Run, item: &Rc<Item>) -> Result<bool, ProofError> {
        if !self.may_go_on(item)? {
            return Ok(false);
        }
        let depth = item.depth;
        let made = match &item.literal.goal {
            Goal::Call(term) => match built_in::prove(&mut self.bindings, term) {
                None => return self.resolve(run, item, 0),
                Some(Ok(true)) => Some(Made::BuiltIn),
                Some(Ok(false)) => None,
                Some(Err(_)) if self.bindings.is_exhausted() => {
                    return Err(self.too_large(&item.literal));
                }
                Some(Err(why)) => {
                    let (place, literal) = (item.literal.place.clone(), shorten(self.text(term)));
                    return Err(ProofError::Arithmetic { place, literal, why });
                }
            },
            Goal::Either(_) => return self.resolve(run, item, 0),
            Goal::Not(body) => self.nested(item, |it| it.refute(body, depth))?.map(Made::Refuted),
            Goal::Every(condition, then) => {
                self.nested(item, |it| it.replies(condition, then, depth))?.map(Made::Every)
            }
        };
        let Some(made) = made else { return Ok(false) };
        run.node(item, made);
        run.agenda = item.next.clone();
        Ok(true)
    }

    /// Counts a step; says no where the depth is used up.
    fn may_go_on(&mut self, item: &Item) -> Result<bool, ProofError> {
        self.steps += 1;
        let Limits { depth, steps } = self.limits;
        let place = item.literal.place.clone();
        if self.steps > steps {
            let literal = self.told(&item.literal);
            return Err(ProofError::Steps { place, literal, steps });
        }
        if self.bindings.is_exhausted() {
            return Err(self.too_large(&item.literal));
        }
        if item.depth <= depth {
            return Ok(true);
        }
        let literal = || self.told(&item.literal);
        let error = ProofError::Depth { place, literal: literal(), depth };
        // Within a negation, what was not found would count as refuted.
        if self.nested > 0 {
            return Err(error);
        }
        self.cut_off.get_or_insert(error);
        Ok(false)
    }

    /// Tries clauses or branches of a literal from one of them on.
    fn resolve(&mut self, run: &mut Run, item: &Rc<Item>, from: usize) -> Result<bool, ProofError> {
        let term = match &item.literal.goal {
            Goal::Either(branches) => return Ok(self.branch(run, item, (branches, from))),
            Goal::Call(term) => self.bindings.walk(term),
            Goal::Not(_) | Goal::Every(..) => return Ok(false),
        };
        let clauses = self.clauses(item, &term)?;
        for (at, &id) in clauses.iter().enumerate().skip(from) {
            let mark = self.bindings.mark();
            let clause = self.theory.clause(id);
            if !may_match(&self.bindings, &term, &clause.head) {
                continue;
            }
            let first = self.bindings.fresh(clause.names.len());
            let head = clause.head.map(&mut |it| Term::Variable(it + first));
            if !self.bindings.unify(&head, &term) {
                if self.bindings.is_exhausted() {
                    return Err(self.too_large(&item.literal));
                }
                self.bindings.undo(mark);
                continue;
            }
            if at + 1 < clauses.len() {
                let (item, nodes) = (Rc::clone(item), run.nodes.len());
                run.choices.push(Choice { item, next: at + 1, mark, nodes });
            }
            let node = run.node(item, Made::Clause(id));
            let body: Vec<Literal> = clause.body.iter().map(|it| it.shifted(first)).collect();
            run.agenda = prepend(&body, (item.depth + 1, Some(node)), item.next.clone());
            return Ok(true);
        }
        Ok(false)
    }

    fn branch(
        &mut self,
        run: &mut Run,
        item: &Rc<Item>,
        (branches, from): (&[Vec<Literal>], usize),
    ) -> bool {
        let Some(branch) = branches.get(from) else { return false };
        let (mark, nodes) = (self.bindings.mark(), run.nodes.len());
        run.choices.push(Choice { item: Rc::clone(item), next: from + 1, mark, nodes });
        let node = run.node(item, Made::Branch(from));
        run.agenda = prepend(branch, (item.depth, Some(node)), item.next.clone());
        true
    }

    fn clauses(&self, item: &Item, term: &Term) -> Result<Vec<ClauseId>, ProofError> {
        let place = item.literal.place.clone();
        let Some(predicate) = term.predicate() else {
            return Err(ProofError::NoPredicate { place, what: shorten(self.text(term)) });
        };
        if !self.theory.is_known(&predicate) {
            let similar = self.theory.similar_to(&predicate);
            let hint = similar.map_or_else(String::new, |it| format!("; there is {it}"));
            return Err(ProofError::Unknown { place, predicate, hint });
        }
        Ok(self.theory.clauses_of(&predicate).to_vec())
    }

    /// Does something one negation deeper; what it bound is forgotten.
    fn nested<T>(
        &mut self,
        item: &Item,
        mut does: impl FnMut(&mut Self) -> Result<T, ProofError>,
    ) -> Result<T, ProofError> {
        if self.nested == NESTED_MAX {
            return Err(ProofError::Nested { place: item.literal.place.clone() });
        }
        let mark = self.bindings.mark();
        self.nested += 1;
        let found = does(self);
        self.nested -= 1;
        self.bindings.undo(mark);
        found
    }

    /// All ways to prove the goals together, each with why it fails; nothing if one does not.
    fn refute(
        &mut self,
        goals: &[Literal],
        depth: usize,
    ) -> Result<Option<Vec<Refutation>>, ProofError> {
        let Some((first, rest)) = goals.split_first() else { return Ok(None) };
        if self.nested > EXPLAINED_MAX {
            return self.refute_in_short(goals, depth);
        }
        let item = Item { literal: first.clone(), depth, parent: None, next: None };
        if let Some((term, clauses)) = self.defined(&item)? {
            return self.refute_by_clauses(&item, (&term, &clauses), rest);
        }
        let mut run = Run::new(std::slice::from_ref(first), depth);
        let mut ways = Vec::new();
        while self.next(&mut run)? {
            let what = self.literal_text(first);
            match self.nested(&item, |it| it.refute(rest, depth))? {
                Some(failed) => ways.push(Refutation { what, end: End::Holds(failed) }),
                None => return Ok(None),
            }
        }
        if ways.is_empty() {
            ways.push(Refutation { what: self.literal_text(first), end: End::Fails });
        }
        Ok(Some(ways))
    }

    /// As [`Search::refute`], without saying what each way fails at.
    fn refute_in_short(
        &mut self,
        goals: &[Literal],
        depth: usize,
    ) -> Result<Option<Vec<Refutation>>, ProofError> {
        let what: Vec<String> = goals.iter().map(|it| self.literal_text(it)).collect();
        let fails = !self.next(&mut Run::new(goals, depth))?;
        Ok(fails.then(|| vec![Refutation { what: what.join(", "), end: End::Fails }]))
    }

    /// The clauses of a literal that is defined by the theory, not by facts.
    fn defined(&mut self, item: &Item) -> Result<Option<(Term, Vec<ClauseId>)>, ProofError> {
        let Goal::Call(term) = &item.literal.goal else { return Ok(None) };
        let term = self.bindings.walk(term);
        if term.predicate().is_some_and(|it| crate::lower::is_built_in(&it)) {
            return Ok(None);
        }
        let clauses = self.clauses(item, &term)?;
        let has_bodies = clauses.iter().any(|&id| !self.theory.clause(id).body.is_empty());
        let is_operational = term.predicate().is_some_and(|it| self.theory.is_operational(&it));
        Ok((has_bodies && !is_operational).then_some((term, clauses)))
    }

    fn refute_by_clauses(
        &mut self,
        item: &Item,
        (term, clauses): (&Term, &[ClauseId]),
        rest: &[Literal],
    ) -> Result<Option<Vec<Refutation>>, ProofError> {
        self.may_go_on(item)?;
        let mut ways = Vec::new();
        for &id in clauses {
            let clause = self.theory.clause(id);
            let failed = self.nested(item, |it| {
                let first = it.bindings.fresh(clause.names.len());
                let head = clause.head.map(&mut |it| Term::Variable(it + first));
                if !it.bindings.unify(&head, term) {
                    if it.bindings.is_exhausted() {
                        return Err(it.too_large(&item.literal));
                    }
                    return Ok(Some(None));
                }
                let what = it.text(term);
                let mut goals: Vec<Literal> =
                    clause.body.iter().map(|literal| literal.shifted(first)).collect();
                goals.extend(rest.iter().cloned());
                let failed = it.refute(&goals, item.depth + 1)?;
                Ok(failed.map(|failed| Some(Refutation { what, end: End::By(id, failed) })))
            })?;
            match failed {
                Some(way) => ways.extend(way),
                None => return Ok(None),
            }
        }
        if ways.is_empty() {
            ways.push(Refutation { what: self.text(term), end: End::Fails });
        }
        Ok(Some(ways))
    }

    /// For each way of meeting the condition a proof of what has to follow; nothing if one has none.
    fn replies(
        &mut self,
        condition: &[Literal],
        then: &[Literal],
        depth: usize,
    ) -> Result<Option<Vec<Reply>>, ProofError> {
        let mut run = Run::new(condition, depth);
        let mut replies = Vec::new();
        while self.next(&mut run)? {
            let condition = self.proofs(&run);
            let mark = self.bindings.mark();
            let mut inner = Run::new(then, depth);
            if !self.next(&mut inner)? {
                return Ok(None);
            }
            replies.push(Reply { condition, then: self.proofs(&inner) });
            self.bindings.undo(mark);
        }
        Ok(Some(replies))
    }

    /// The proof that was found last; nothing where it is too large to be written.
    fn proofs(&self, run: &Run) -> Vec<Proof> {
        let mut children: Vec<Vec<Proof>> = run.nodes.iter().map(|_| Vec::new()).collect();
        let mut roots = Vec::new();
        for (at, node) in run.nodes.iter().enumerate().rev() {
            if self.bindings.is_exhausted() {
                return Vec::new();
            }
            let mut body = std::mem::take(&mut children[at]);
            body.reverse();
            let step = match node.made.clone() {
                Made::Clause(id) => Step::Clause(id, body),
                Made::BuiltIn => Step::BuiltIn,
                Made::Branch(branch) => Step::Branch(branch, body),
                Made::Refuted(ways) => Step::Refuted(ways),
                Made::Every(replies) => Step::Every(replies),
            };
            let proof = Proof { goal: self.literal_text(&node.literal), step };
            node.parent.map_or(&mut roots, |parent| &mut children[parent]).push(proof);
        }
        roots.reverse();
        roots
    }
}

/// Says no where a clause's head cannot be the term: a cheap look before variables are made.
fn may_match(bindings: &Bindings, term: &Term, head: &Term) -> bool {
    let (Some((_, arguments)), Some((_, places))) = (term.parts(), head.parts()) else {
        return false;
    };
    arguments.iter().zip(places).all(|(argument, place)| match (bindings.walk(argument), place) {
        (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
        (Term::Compound(a, left), Term::Compound(b, right)) => a == *b && left.len() == right.len(),
        (one, other) => one == *other,
    })
}

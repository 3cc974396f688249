//! Sequential covering: a rule for each example that none so far covers.
//!
//! # Source
//! S6; Mitchell, Machine Learning (1997), table 11.2.

use crate::clause::{Clause, Goal, Literal};
use crate::explain_error::ExplainError;
use crate::limits::{Limits, ProofError};
use crate::negation::call;
use crate::proof::Proof;
use crate::regression::explain;
use crate::resolution::Prover;
use crate::term::{Term, Variable};
use crate::theory::{Query, Theory};

/// Result of learning from a set of examples.
#[derive(Clone, Debug, Default)]
pub struct Learned {
    /// The rules in the order in which they were learned.
    pub rules: Vec<LearnedRule>,
    /// Examples that the theory cannot prove.
    pub unexplained: Vec<usize>,
}

/// A rule with the examples that it covers.
#[derive(Clone, Debug)]
pub struct LearnedRule {
    /// The rule.
    pub rule: Clause,
    /// The proof that it was made of.
    pub proof: Proof,
    /// Number of the example that it was learned from.
    pub from: usize,
    /// Numbers of the examples that it covers and no rule before it does.
    pub covers: Vec<usize>,
}

/// Learns rules until each of the examples that can be proven is covered.
///
/// # Errors
/// [`ExplainError`] of the first example that cannot be told by rules.
pub fn learn(
    theory: &Theory,
    positives: &[Query],
    limits: Limits,
) -> Result<Learned, ExplainError> {
    let mut learned = Learned::default();
    for (at, example) in positives.iter().enumerate() {
        if let Some(rule) = covering(theory, &learned.rules, example, limits)? {
            learned.rules[rule].covers.push(at);
            continue;
        }
        match explain(theory, example, limits)? {
            Some(explanation) => learned.rules.push(LearnedRule {
                rule: explanation.rule,
                proof: explanation.proof,
                from: at,
                covers: vec![at],
            }),
            None => learned.unexplained.push(at),
        }
    }
    Ok(learned)
}

/// The number of the first rule that covers an example.
fn covering(
    theory: &Theory,
    rules: &[LearnedRule],
    example: &Query,
    limits: Limits,
) -> Result<Option<usize>, ProofError> {
    for (at, learned) in rules.iter().enumerate() {
        if covers(theory, &learned.rule, example, limits)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Tells whether a rule's conditions hold of an example.
///
/// # Errors
/// [`ProofError`] where the conditions cannot be decided.
pub fn covers(
    theory: &Theory,
    rule: &Clause,
    example: &Query,
    limits: Limits,
) -> Result<bool, ProofError> {
    let [Literal { goal: Goal::Call(goal), place }] = &example.goals[..] else { return Ok(false) };
    let first: Variable = example.names.len();
    let head = rule.head.map(&mut |it| Term::Variable(it + first));
    let mut goals = vec![call(Term::compound("=", vec![goal.clone(), head]), place)];
    goals.extend(rule.body.iter().map(|literal| literal.shifted(first)));
    let names = example.names.iter().chain(rule.names.iter()).cloned().collect();
    let proof = Prover::new(theory, &Query { goals, names }, limits).next_proof()?;
    Ok(proof.is_some())
}

//! Reasons why a proof does not become a rule.

use thiserror::Error;

use crate::bindings::{LEVELS_MAX, PARTS_MAX};
use crate::limits::ProofError;
use crate::place::Place;
use crate::term::Predicate;

/// Reasons why a proof does not become a rule.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ExplainError {
    /// The search for a proof ended without an answer.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The goal is not one literal of the theory.
    #[error("`{goal}` cannot be explained: {why}")]
    Goal {
        /// The goal.
        goal: String,
        /// The reason.
        why: String,
    },
    /// A proof rests on facts of a predicate that was not declared.
    #[error(
        "{place}: the proof rests on facts of {predicate}, which is not declared operational: declare \
         `operational({predicate}).`, or write a clause of the theory for it"
    )]
    NotOperational {
        /// The fact's place, or that of the literal which needs it.
        place: Place,
        /// Its predicate.
        predicate: Predicate,
    },
    /// The rule would hold a term that is not written whole any more.
    #[error(
        "{place}: a rule for {predicate} would hold a term of more than {PARTS_MAX} parts, or one of more \
         than {LEVELS_MAX} terms within each other"
    )]
    RuleTooLarge {
        /// The goal's place.
        place: Place,
        /// Its predicate.
        predicate: Predicate,
    },
    /// Within a negation a predicate calls itself, or has too many ways.
    #[error(
        "{place}: the negation of `{literal}` has too many ways to be written as conditions: declare \
         its predicate operational"
    )]
    NegationTooLarge {
        /// The literal's place.
        place: Place,
        /// The literal within the negation.
        literal: String,
    },
}

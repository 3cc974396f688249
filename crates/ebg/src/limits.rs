//! Limits of the search for a proof, and reasons why it ends without an answer.

use thiserror::Error;

use crate::place::Place;
use crate::term::Predicate;

/// Limits of the search for a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Clauses within each other, count.
    pub depth: usize,
    /// Literals taken up, count.
    pub steps: u64,
}

impl Limits {
    /// Parts of terms that may be compared, computed or written, count.
    pub fn compared_max(&self) -> u64 {
        self.steps.saturating_mul(COMPARED_PER_STEP)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 1000, steps: 1_000_000 }
    }
}

/// Parts of terms that may be compared, computed or written for each step that may be made, count.
pub const COMPARED_PER_STEP: u64 = 100;

/// Negations and conditions of `forall` within each other, count.
pub const NESTED_MAX: usize = 100;

/// Reasons why there is neither a proof nor a no.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ProofError {
    /// A predicate that nothing says anything of.
    #[error(
        "{place}: unknown predicate {predicate}: no clause, no fact and no declaration names it{hint}"
    )]
    Unknown {
        /// Place where it is used.
        place: Place,
        /// The predicate.
        predicate: Predicate,
        /// A known one that looks like it, as the end of a sentence.
        hint: String,
    },
    /// Something that is no predicate stands where one is to be proven.
    #[error("{place}: `{what}` cannot be proven: a name with its arguments was expected")]
    NoPredicate {
        /// Its place.
        place: Place,
        /// Text that stands there.
        what: String,
    },
    /// Arithmetic on what has no value.
    #[error("{place}: `{literal}`: {why}")]
    Arithmetic {
        /// Its place.
        place: Place,
        /// The literal.
        literal: String,
        /// The reason.
        why: String,
    },
    /// No proof within the depth.
    #[error(
        "{place}: no proof within a depth of {depth} clauses, where the search stood at `{literal}`: \
         the theory calls itself without end, or needs a greater --depth"
    )]
    Depth {
        /// The literal's place.
        place: Place,
        /// The literal at which it was cut off first.
        literal: String,
        /// The limit.
        depth: usize,
    },
    /// No proof within the steps.
    #[error(
        "{place}: no proof within {steps} steps, where the search stood at `{literal}`: the theory \
         calls itself without end, or needs more --steps"
    )]
    Steps {
        /// The literal's place.
        place: Place,
        /// The last literal.
        literal: String,
        /// The limit.
        steps: u64,
    },
    /// Terms that grow without end.
    #[error(
        "{place}: the terms of `{literal}` grew until {compared} parts of them had been compared, \
         {COMPARED_PER_STEP} a step: the theory calls itself without end, or needs more --steps"
    )]
    Size {
        /// The literal's place.
        place: Place,
        /// The literal.
        literal: String,
        /// The limit.
        compared: u64,
    },
    /// Negations within negations.
    #[error(
        "{place}: more than {NESTED_MAX} negations within each other: the theory calls itself without end"
    )]
    Nested {
        /// The innermost one's place.
        place: Place,
    },
}

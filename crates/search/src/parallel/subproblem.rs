//! A subproblem, and the bound that answers it.

use std::fmt;

use banyan_games::Move;

use crate::bounds::Bounds;

/// A leaf of a [`ParallelAlphaBeta`], for as long as that lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leaf(pub(super) usize);

/// The question what a leaf is worth to its side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subproblem {
    /// Names the leaf in the answer.
    pub leaf: Leaf,
    /// The plies from the root to it.
    pub path: Vec<Move>,
    /// Bounds: what matters is a value within, or on which side of them it is.
    pub bounds: Bounds,
    /// So many plies less deep than others is deep enough.
    pub less: u32,
}

/// A search's finding about a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is worth so much, which is within the bounds.
    Exact(i32),
    /// It is worth so much or more.
    AtLeast(i32),
    /// It is worth so much or less.
    AtMost(i32),
    /// It gave up.
    Unknown,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Exact(value) => write!(f, "exactly {value}"),
            Bound::AtLeast(value) => write!(f, "at least {value}"),
            Bound::AtMost(value) => write!(f, "at most {value}"),
            Bound::Unknown => f.write_str("nothing known"),
        }
    }
}

/// The question to the root.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asking {
    /// Tells whether it is worth at least so much, and whether yes is expected.
    AtLeast(i32, bool),
    /// Its worth.
    Value,
}

/// The question to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub bounds: Bounds,
    /// Tells whether null bounds is expected to be too low.
    pub expects_yes: bool,
    /// A guess at the node's worth to its side to move.
    pub guess: i32,
}

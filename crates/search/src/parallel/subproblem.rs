//! What is asked of a position, and what is answered.

use banyan_games::Move;

use crate::bounds::Bounds;

/// A leaf of a [`ParallelAlphaBeta`], for as long as that lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leaf(pub(super) usize);

/// What is a leaf worth to its side to move?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subproblem {
    /// Names the leaf in the answer.
    pub leaf: Leaf,
    /// The plies from the root to it.
    pub path: Vec<Move>,
    /// What matters of it: a value within, or on which side of it.
    pub bounds: Bounds,
    /// So many plies less deep than others is deep enough.
    pub less: u32,
}

/// What a search says of a position, for its side to move.
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

/// What is asked of the root.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asking {
    /// Whether it is worth at least so much, and whether yes is expected.
    AtLeast(i32, bool),
    /// What it is worth.
    Value,
}

/// What is asked of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub bounds: Bounds,
    /// Whether null bounds is expected to be too low.
    pub expects_yes: bool,
    /// What the node may be worth to its side to move.
    pub guess: i32,
}

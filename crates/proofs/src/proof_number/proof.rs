//! A proof as it is handed out: one move that works for who wins, every reply of who loses.

use banyan_games::Move;

use super::and_or::Verdict;

/// A verdict with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// Tells whether the goal can be forced.
    pub verdict: Verdict,
    /// Its proof.
    pub tree: ProofTree,
    /// Positions looked into to find it, count.
    pub nodes: u64,
}

/// Continuations of a position, for the side that wins from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofTree {
    /// One move where the winner is to move; all of the other's where he is. None where the verdict is plain, is known
    /// by a rule, or a repetition decides.
    pub moves: Vec<(Move, ProofTree)>,
}

impl ProofTree {
    /// Positions in it, count.
    pub fn len(&self) -> usize {
        1 + self.moves.iter().map(|(_, below)| below.len()).sum::<usize>()
    }

    /// Tells whether the verdict was plain at once.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
}

//! Problems as a proof-number search needs them.

use banyan_games::Move;

/// A position of a fight with one goal.
pub trait AndOr: Clone {
    /// How hard it is to refute several moves.
    const REPLIES: Replies = Replies::Sum;

    /// Tells whether the prover reaches its goal, once that is plain.
    fn verdict(&self) -> Option<Verdict>;

    /// Returns the player to move.
    fn to_move(&self) -> Player;

    /// Appends the moves worth trying; at least one unless there is a verdict.
    fn moves(&self, moves: &mut Vec<Move>);

    /// Plays a move that [`AndOr::moves`] gave.
    fn play(&mut self, mv: Move);

    /// A hash of all that decides how it goes on.
    fn hash(&self) -> u64;

    /// The verdict on a position that stood before on the same line.
    fn repetition(&self) -> Verdict;

    /// The verdict where something learned knows it.
    fn known(&self) -> Option<Verdict> {
        None
    }

    /// Takes note of a position that was solved after `work` positions.
    fn solved(&self, verdict: Verdict, work: u32) {
        let _ = (verdict, work);
    }

    /// Estimates the proof and disproof numbers of a position that was not looked into yet.
    fn estimate(&self) -> Estimate {
        Estimate { proof: 1, disproof: 1 }
    }
}

/// Difficulty of refuting all moves of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replies {
    /// That of all together: each is a problem of its own.
    Sum,
    /// That of the hardest, and one for each other: most lead to the same positions, by other ways.
    Hardest,
}

/// A player: the one that wants the goal, or the one that does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Wants it.
    Prover,
    /// Does not.
    Refuter,
}

/// Tells whether the goal can be forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can, against every reply.
    Proven,
    /// It cannot.
    Refuted,
}

/// Proof and disproof numbers before the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The proof number, above 0.
    pub proof: u32,
    /// The disproof number, above 0.
    pub disproof: u32,
}

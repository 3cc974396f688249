//! Spread of a clock over the moves of a game.

use super::{Allotment, Clock, GameLength};

/// Ways to spend a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// More where more is undecided, less where nothing can change.
    #[default]
    Adaptive,
    /// The same for each move that may still have to be played.
    Even,
}

impl Sharing {
    /// The time for the next ply.
    ///
    /// - `plies`: both sides' plies so far.
    pub fn allot(self, clock: &Clock, length: GameLength, plies: usize) -> Allotment {
        match self {
            Sharing::Adaptive => clock.allot(length, plies),
            Sharing::Even => {
                let budget = clock.budget(length, plies);
                Allotment { usual: budget, most: budget, saves: false }
            }
        }
    }
}

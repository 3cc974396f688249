//! The interface of a shared search to the search below its top.

use banyan_games::{Game, Move};

/// The search below the top.
pub trait Below<G: Game> {
    /// Values are at least so far apart.
    const UNIT: i32;
    /// No value is beyond this, either way.
    const MAX: i32;

    /// The worth of a finished game for the side to move; nothing while it goes on.
    fn finished(&self, position: &G) -> Option<i32>;

    /// Appends the moves, the most promising first. There is one at least while the game goes on.
    fn ranked(&mut self, position: &G, moves: &mut Vec<Move>);

    /// Tells whether a position so many plies from the root is given away as it is.
    fn is_small(&self, position: &G, plies: usize) -> bool;

    /// By how many plies less deep the move at this place of the order is asked about first, in a position
    /// so many plies from the root.
    fn late(&self, place: usize, plies: usize) -> u32 {
        let _ = (place, plies);
        0
    }
}

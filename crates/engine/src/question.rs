//! Questions about a position, and the one that waits for the answer.

use std::time::Duration;

use banyan_games::{Color, Move, Record};
use banyan_search::Searchable;

use crate::report::Report;

/// Between two reports of progress.
pub const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Between two questions to whoever watches.
pub const WATCH_INTERVAL: Duration = Duration::from_millis(10);

/// Limits of time, playouts and depth for one move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// At most so long.
    pub time: Option<Duration>,
    /// At most so many playouts.
    pub playouts: Option<u64>,
    /// A classical search goes at most so deep: plies, or branches of the budget; above 0. The tree knows no depth.
    pub depth: Option<u32>,
}

/// A question about the game's position.
#[derive(Clone, Debug)]
pub struct Question {
    /// The side to move.
    pub side: Color,
    /// Limits of the search.
    pub limits: Limits,
    /// The moves allowed at the root; empty for all candidates.
    pub allowed: Vec<Move>,
    /// Candidates of which the line is wanted, not only of the best; count.
    pub lines: usize,
    /// Time between two reports.
    pub interval: Duration,
    /// Nobody plays what is answered: all candidates are wanted, and the tree has them.
    pub is_analysis: bool,
    /// Time that is not used is there for later moves: an only move takes little of it.
    pub saves_time: bool,
}

impl Question {
    /// Asks for the move to play.
    pub fn new(side: Color, limits: Limits) -> Question {
        Question {
            side,
            limits,
            allowed: Vec::new(),
            lines: 0,
            interval: PROGRESS_INTERVAL,
            is_analysis: false,
            saves_time: false,
        }
    }
}

/// An observer of a search: sees how it stands, and may end it before its limits do.
pub trait Watch {
    /// A report, as often as the question said.
    fn see(&mut self, report: &Report);

    /// Tells whether what was seen last is enough to play by: the search ends, and what belongs to the choice of a
    /// move goes on.
    fn has_enough(&self) -> bool {
        false
    }

    /// Tells whether all should end now; asked every [`WATCH_INTERVAL`].
    fn wants_stop(&mut self) -> bool;
}

/// Looks on at a session's game: sees its positions, and what is thought of them.
pub trait Onlooker<G: Searchable>: Send {
    /// The game as it stands, and how its search does; no report where nothing is searched.
    fn look(&mut self, record: &Record<G>, report: Option<&Report>);
}

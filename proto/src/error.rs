//! Faults of what arrives.

use banyan_games::RulesError;
use banyan_jobs::ParametersError;
use banyan_jobs::limits::LimitError;

/// A fault of a message.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WireError {
    /// A part that must be there is not.
    #[error("the message has no {0}")]
    Missing(&'static str),
    /// A number or a list outside its limits, or a list that does not fit the others.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// A number of the search.
    #[error(transparent)]
    Parameters(#[from] ParametersError),
    /// A value that means nothing.
    #[error("{found} is no {what}")]
    Unknown {
        /// The quantity.
        what: &'static str,
        /// The number found.
        found: i64,
    },
    /// A share outside its range, or no number.
    #[error("{found} is no {what}: expected 0 to 1")]
    Share {
        /// The quantity.
        what: &'static str,
        /// The number found.
        found: f64,
    },
    /// A game of self-play that is no JSON of one.
    #[error("a game of self-play cannot be read: {0}")]
    Game(String),
    /// Bounds with nothing between them.
    #[error("bounds from {alpha} to {beta}: expected the second to be greater")]
    EmptyBounds {
        /// Too low.
        alpha: i32,
        /// Too high.
        beta: i32,
    },
    /// A board that is not played on.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

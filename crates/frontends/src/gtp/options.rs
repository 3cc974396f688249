//! Options of a conversation, beyond the session's own configuration.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use banyan_engine::Limits;
use banyan_search::time::Sharing;

use crate::opening::Rule;

/// Options beyond the session's own configuration.
#[derive(Clone, Debug)]
pub struct Options {
    /// Set when the process is asked to end: the answer being written is then the last.
    pub stopping: Arc<AtomicBool>,
    /// Resign below this value, 0 for never. Nothing: below [`banyan_engine::decide::RESIGN_BELOW`] in games
    /// of territory, never in others.
    pub resign: Option<f64>,
    /// Limits that were typed. With a clock running these still bound a search; a
    /// default time does not.
    pub explicit: Limits,
    /// Way in which a clock is spent.
    pub sharing: Sharing,
    /// Tells whether the opponent's time is used.
    pub ponder: Ponder,
    /// So many of the opponent's replies are searched on it.
    pub ponder_top: NonZeroU32,
    /// By which komi handicap games are searched.
    pub dynamic_komi: DynamicKomi,
    /// Say what was thought about each move in JSON on standard error, instead of a line of the log.
    pub json: bool,
    /// Rule by which games of Gomoku are opened; others have none.
    pub opening: Rule,
}

/// By which komi a handicap game is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DynamicKomi {
    /// Seven points for each handicap stone beyond the first, fewer with each ply.
    Linear,
    /// The game's own.
    #[default]
    None,
}

/// When the opponent's time is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ponder {
    /// Never.
    Never,
    /// In games on a clock.
    OnClock,
    /// In all games.
    Always,
}

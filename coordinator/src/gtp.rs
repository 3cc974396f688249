//! The Go Text Protocol, version 2: one game of any kind, spoken on two streams.
//!
//! Words in, words out: what a command means to the game is in `engine` and the files of commands,
//! how a move is chosen in [`crate::decide`], how long it may take in [`banyan_search::time`].
//! Reading and thinking are separate threads, so that a line that comes while a move is searched is
//! neither lost nor in the way.
//!
//! Reading order: `input` (bytes to lines), `reply` (answers to bytes), `args` (a line's words),
//! `engine` (what is remembered between commands), `commands` (the table), then the commands by
//! subject: `setup`, `moves` with `thought` (what is logged of one), `opening` (swaps), `analysis`,
//! `clocks`, `scoring`, `files`, `gogui`.
//!
//! # Source
//! Farnebäck, *Specification of the Go Text Protocol, version 2, draft 2*; kgsGtp's and GoGui's
//! commands from their documentation.

mod input;

mod reply;

mod args;

mod engine;

mod commands;

mod setup;

mod moves;

mod opening;

mod thought;

mod analysis;

mod clocks;

mod scoring;

mod files;

mod gogui;

#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use banyan_games::Game;
use banyan_search::time::{Allotment, Clock};
use clap::ValueEnum;
use crossbeam_channel::{Receiver, TryRecvError};

use crate::cli::GtpArgs;
use crate::opening::Rule;
use crate::session::{Limits, Session};
use engine::Engine;
use input::Line;
use reply::Feed;

/// What was asked for beyond the session's own configuration.
#[derive(Clone, Debug)]
pub struct Options {
    /// Set when the process is asked to end: the answer being written is then the last.
    pub stopping: Arc<AtomicBool>,
    /// Resign below this value, 0 for never. Nothing: below [`crate::decide::RESIGN_BELOW`] in games
    /// of territory, never in others.
    pub resign: Option<f64>,
    /// What was asked for in so many words. With a clock running these still bound a search; a
    /// default time does not.
    pub explicit: Limits,
    /// How a clock is spent.
    pub sharing: Sharing,
    /// Whether the opponent's time is used.
    pub ponder: Ponder,
    /// So many of the opponent's replies are searched on it.
    pub ponder_top: NonZeroU32,
    /// By which komi handicap games are searched.
    pub dynamic_komi: DynamicKomi,
    /// Say what was thought about each move in JSON on standard error, instead of a line of the log.
    pub json: bool,
    /// How games of Gomoku are opened; others have no such rule.
    pub opening: Rule,
}

impl From<&GtpArgs> for Options {
    fn from(args: &GtpArgs) -> Options {
        Options {
            stopping: Arc::default(),
            resign: args.resign,
            explicit: Limits { time: args.engine.time, playouts: args.engine.playouts },
            sharing: args.clock,
            ponder: match (args.engine.ponder, args.engine.no_ponder) {
                (true, _) => Ponder::Always,
                (false, true) => Ponder::Never,
                (false, false) => Ponder::OnClock,
            },
            ponder_top: args.engine.ponder_top,
            dynamic_komi: args.dynamic_komi,
            json: args.json,
            opening: args.opening,
        }
    }
}

/// By which komi a handicap game is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DynamicKomi {
    /// Seven points for each handicap stone beyond the first, fewer with each ply.
    Linear,
    /// The game's own.
    #[default]
    None,
}

/// How a clock is spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
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
    /// - `game`: points of the board, and both sides' plies so far.
    pub fn allot(self, clock: &Clock, (area, plies): (usize, usize)) -> Allotment {
        match self {
            Sharing::Adaptive => clock.allot(area, plies),
            Sharing::Even => {
                let budget = clock.budget(area, plies);
                Allotment { usual: budget, most: budget, saves: false }
            }
        }
    }
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

/// Answers commands until `quit` or the end of the input.
///
/// Nothing but answers is written, each flushed. The input is read on a thread of its own, which
/// may outlive the call while it waits for a line that nobody wants any more.
///
/// # Errors
/// What writing says, or the operating system when it has no thread to give.
pub fn run<G: Game>(
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
    session: Session<G>,
    options: Options,
) -> io::Result<()> {
    let (lines, calls) = input::read(input)?;
    let mut engine = Engine::new(session, options, calls);
    while let Some(line) = next(&lines, &mut engine) {
        let mut feed = Feed::new(&mut output, line.id.as_deref());
        let answer = engine.answer(&line, &mut feed);
        feed.end(&answer)?;
        if engine.has_quit() || engine.is_stopping() {
            break;
        }
    }
    Ok(())
}

/// The next line. While it is waited for the opponent may be thinking, and so may we.
fn next<G: Game>(lines: &Receiver<Line>, engine: &mut Engine<G>) -> Option<Line> {
    match lines.try_recv() {
        Ok(line) => Some(line),
        Err(TryRecvError::Disconnected) => None,
        Err(TryRecvError::Empty) => {
            engine.ponder();
            let line = lines.recv().ok();
            engine.session.end_pondering();
            line
        }
    }
}

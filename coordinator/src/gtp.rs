//! The Go Text Protocol, version 2: one game of any kind, spoken on two streams.
//!
//! Words in, words out: what a command means to the game is in `engine` and the files of commands,
//! how a move is chosen in [`crate::decide`], how long it may take in [`banyan_search::time`].
//! Reading and thinking are separate threads, so that a line that comes while a move is searched is
//! neither lost nor in the way.
//!
//! Reading order: `input` (bytes to lines), `reply` (answers to bytes), `args` (a line's words),
//! `engine` (what is remembered between commands), `commands` (the table), then the commands by
//! subject: `setup`, `moves`, `clocks`, `scoring`, `files`.
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

mod clocks;

mod scoring;

mod files;

#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use banyan_games::Game;

use crate::session::{Limits, Session};
use engine::Engine;

/// What was asked for beyond the session's own configuration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Set when the process is asked to end: the answer being written is then the last.
    pub stopping: Arc<AtomicBool>,
    /// Resign below this value, 0 for never. Nothing: below [`crate::decide::RESIGN_BELOW`] in games
    /// of territory, never in others.
    pub resign: Option<f64>,
    /// What was asked for in so many words. With a clock running these still bound a search; a
    /// default time does not.
    pub explicit: Limits,
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
    let stopping = options.stopping.clone();
    let mut engine = Engine::new(session, options, calls);
    for line in lines {
        let answer = engine.answer(&line);
        reply::write(&mut output, line.id.as_deref(), &answer)?;
        if engine.has_quit() || stopping.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(())
}

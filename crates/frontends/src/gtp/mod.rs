//! The Go Text Protocol, version 2: one game of any kind, spoken on two streams.
//!
//! Words in, words out: what a command means to the game is in `engine` and the files of commands,
//! how a move is chosen in [`banyan_engine::decide`], how long it may take in [`banyan_search::time`].
//! Reading and thinking are separate threads, so that a line that comes while a move is searched is
//! neither lost nor in the way.
//!
//! Reading order: `options` (what was asked for), `input` (bytes to lines), `reply` (answers to
//! bytes), `args` (a line's words), `clocks` and `engine` (what is remembered between commands), then
//! the commands by subject: `setup`, `moves` with `thinking` (how one is chosen) and `thought` (what
//! is logged of it), `opening` (swaps), `analysis`, `timing`, `scoring`, `files`, `gogui`; at the top
//! `commands` (the table).
//!
//! # Source
//! Farnebäck, *Specification of the Go Text Protocol, version 2, draft 2*; kgsGtp's and GoGui's
//! commands from their documentation.

mod options;

mod input;

mod reply;

mod args;

mod clocks;

mod engine;

mod setup;

mod thought;

mod thinking;

mod moves;

mod opening;

mod analysis;

mod timing;

mod scoring;

mod files;

mod gogui;

mod commands;

use std::io::{self, BufRead, Write};

use banyan_engine::{Playable, Session};
use crossbeam_channel::{Receiver, TryRecvError};

use engine::Engine;
use input::Line;
use reply::Feed;

pub use options::{DynamicKomi, Options, Ponder};

/// Answers commands until `quit` or the end of the input.
///
/// Nothing but answers is written, each flushed. The input is read on a thread of its own, which
/// may outlive the call while it waits for a line that nobody wants any more.
///
/// # Errors
/// What writing says, or the operating system when it has no thread to give.
pub fn run<G: Playable>(
    input: impl BufRead + Send + 'static,
    mut output: impl Write,
    session: Session<G>,
    options: Options,
) -> io::Result<()> {
    let (lines, calls) = input::read(input)?;
    let mut engine = Engine::new(session, options, calls);
    while let Some(line) = next(&lines, &mut engine) {
        let mut feed = Feed::new(&mut output, line.id.as_deref());
        let answer = commands::answer(&mut engine, &line, &mut feed);
        feed.end(&answer)?;
        engine.session.show();
        if engine.has_quit() || engine.is_stopping() {
            break;
        }
    }
    Ok(())
}

/// The next line. While it is waited for the opponent may be thinking, and so may we.
fn next<G: Playable>(lines: &Receiver<Line>, engine: &mut Engine<G>) -> Option<Line> {
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

//! Games whose searches are compiled in this crate.
//!
//! Generic code is compiled where it is used, for each game again. Sessions are used by front ends, by the
//! coordinator and by its pages, and what they call is large; so they call it by functions that are not generic.

use std::num::NonZeroU32;
use std::time::Duration;

use banyan_games::Record;
use banyan_games::connect6::Connect6;
use banyan_games::go::Go;
use banyan_games::gomoku::Gomoku;
use banyan_games::hex::Hex;
use banyan_games::othello::Othello;
use banyan_search::Searchable;

use crate::checkpoint::{Checkpoint, CheckpointError, Wish};
use crate::engines::{Engines, PonderThread, Task, TaskOutcome};
use crate::report::Report;
use crate::request::Request;
use crate::search_thread::Searcher;
use crate::settings::Settings;

/// A game whose searches are compiled in this crate.
pub trait Playable: Searchable {
    /// One search, in the calling thread; reports come by the request's channel.
    fn search(searcher: &mut Searcher<Self>, request: Request<Self>);

    /// Solves what can be solved, looks for threats, and searches by the classical engine if there is one.
    ///
    /// - `watch` sees a report as often as the task says, and says whether it is enough to play by.
    fn answer(
        engines: &mut Engines,
        task: &Task<'_, Self>,
        watch: &mut dyn FnMut(&Report) -> bool,
    ) -> TaskOutcome;

    /// Puts the first of the tree's moves after which the other side does not win by threats at their head.
    ///
    /// - `time`: of all looks for such wins, at most.
    fn choose_safely(
        engines: &Engines,
        task: &Task<'_, Self>,
        time: Duration,
        report: &mut Report,
        watch: &mut dyn FnMut(&Report) -> bool,
    );

    /// Begins to search the likely replies at the end of a record whose game goes on, for at most `time_max`.
    /// Nothing where the engine is not a classical one, or the machine has no thread to give.
    ///
    /// - `top`: at most so many replies.
    fn ponder(
        engines: &mut Engines,
        record: &Record<Self>,
        top: NonZeroU32,
        time_max: Duration,
    ) -> Option<PonderThread>;

    /// Makes sure that a file for the search of `record` and `settings` can be written, and reads it where there
    /// is one.
    ///
    /// # Errors
    /// [`CheckpointError`] names the file, what was found and what was expected.
    fn open_checkpoint(
        wish: &Wish,
        record: &Record<Self>,
        settings: &Settings,
    ) -> Result<Checkpoint, CheckpointError>;
}

macro_rules! compiled_here {
    ($($game:ty),*) => {$(
        impl Playable for $game {
            fn search(searcher: &mut Searcher<Self>, request: Request<Self>) {
                searcher.search(request);
            }

            fn answer(
                engines: &mut Engines,
                task: &Task<'_, Self>,
                watch: &mut dyn FnMut(&Report) -> bool,
            ) -> TaskOutcome {
                engines.answer(task, watch)
            }

            fn choose_safely(
                engines: &Engines,
                task: &Task<'_, Self>,
                time: Duration,
                report: &mut Report,
                watch: &mut dyn FnMut(&Report) -> bool,
            ) {
                engines.choose_safely(task, time, report, watch);
            }

            fn ponder(
                engines: &mut Engines,
                record: &Record<Self>,
                top: NonZeroU32,
                time_max: Duration,
            ) -> Option<PonderThread> {
                engines.ponder(record, top, time_max)
            }

            fn open_checkpoint(
                wish: &Wish,
                record: &Record<Self>,
                settings: &Settings,
            ) -> Result<Checkpoint, CheckpointError> {
                Checkpoint::open(wish, record, settings)
            }
        }
    )*};
}

compiled_here!(Connect6, Go, Gomoku, Hex, Othello);

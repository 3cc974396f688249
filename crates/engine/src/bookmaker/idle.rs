//! A book that grows while nobody plays: the source's background computation.
//!
//! # Source
//! S3, S10.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use banyan_book::{Book, Paths, grow};
use banyan_games::{Listed, Rules, with_game};
use banyan_jobs::Lender;

use super::judge::{Ends, Means, SessionJudge};
use crate::playable::Playable;
use crate::question::Limits;

/// Nobody has searched for so long: nobody plays.
const QUIET: Duration = Duration::from_secs(2);

/// Between two looks at whether somebody plays.
const PATIENCE: Duration = Duration::from_millis(250);

/// A book that is to be kept growing.
#[derive(Clone, Debug)]
pub struct Keeping {
    /// The book; it must be there.
    pub file: PathBuf,
    /// The rules in it.
    pub rules: Rules,
    /// Valuation of its positions.
    pub means: Means,
    /// So many at once.
    pub leaves: usize,
    /// Choice of what is looked into next.
    pub paths: Paths,
}

/// A thread that keeps a book. It ends when this is dropped.
#[derive(Debug)]
pub struct Keeper {
    is_ending: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Opens the book and starts the thread.
    ///
    /// - `is_played`: tells whether anything is searched that is not a book's.
    ///
    /// # Errors
    /// What keeps the book from being written, or the system from giving a thread.
    pub fn start(
        keeping: Keeping,
        lender: Arc<dyn Lender>,
        is_played: impl Fn() -> bool + Send + Sync + 'static,
    ) -> anyhow::Result<Keeper> {
        let is_ending = Arc::<AtomicBool>::default();
        let ending = is_ending.clone();
        let is_busy = {
            let is_ending = is_ending.clone();
            move || is_ending.load(Ordering::Relaxed) || is_played()
        };
        let rules = keeping.rules.clone();
        let thread = with_game!(&rules, G, rules => {
            let book = Book::<G>::open(&keeping.file, rules)?;
            std::thread::Builder::new().name("book".to_owned()).spawn(move || {
                if let Err(why) = keep(book, &keeping, &lender, (&ending, Arc::new(is_busy))) {
                    tracing::error!("{why:#}: the book grows no more");
                }
            })?
        });
        Ok(Keeper { is_ending, thread: Some(thread) })
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.is_ending.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn keep<G: Playable + Listed>(
    mut book: Book<G>,
    keeping: &Keeping,
    lender: &Arc<dyn Lender>,
    (is_ending, is_busy): (&AtomicBool, Arc<dyn Fn() -> bool + Send + Sync>),
) -> anyhow::Result<()> {
    let ends = Ends { stop: Arc::default(), deadline: None, is_needed_elsewhere: is_busy.clone() };
    let rules = book.rules().clone();
    let mut judges =
        SessionJudge::several(keeping.leaves, &rules, lender, (&keeping.means, &ends))?;
    let file = keeping.file.display();
    tracing::info!("{file}: {} positions; it grows while nobody plays", book.nodes().len());
    let means = keeping.means.in_words(keeping.paths.plies_max);
    book.thinks_by(means, time_alone(keeping.means.limits))?;
    let mut last_played: Option<Instant> = None;
    while !is_ending.load(Ordering::Relaxed) {
        if is_busy() {
            last_played = Some(Instant::now());
        }
        if last_played.is_some_and(|last| last.elapsed() < QUIET) {
            std::thread::sleep(PATIENCE);
            continue;
        }
        ends.stop.store(false, Ordering::Relaxed);
        let grown = grow(&mut book, &mut judges, &keeping.paths, &ends.stop, &mut |_| true)?;
        tracing::info!("{file}: {grown} positions looked into, {} in all", book.nodes().len());
        if !ends.stop.load(Ordering::Relaxed) {
            tracing::info!("{file}: nothing is left to look into");
            return Ok(());
        }
        last_played = Some(Instant::now());
    }
    Ok(())
}

/// Time to think about a position where nobody said otherwise.
pub const LEAF_TIME: Duration = Duration::from_secs(1);

/// Limits of a position's valuation where nobody said otherwise.
pub fn leaf_limits(asked: Limits) -> Limits {
    let is_bounded = asked.time.or(asked.playouts.map(|_| Duration::MAX)).is_some();
    let time = asked.time.or((!is_bounded && asked.depth.is_none()).then_some(LEAF_TIME));
    Limits { time, ..asked }
}

/// The time that is thought about a position, where nothing else bounds it.
pub fn time_alone(limits: Limits) -> Option<Duration> {
    limits.time.filter(|_| limits.playouts.is_none() && limits.depth.is_none())
}

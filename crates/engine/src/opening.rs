//! The opening book of a session: asked before any search for a move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use banyan_book::{BookMove, Reader, Variety};
use banyan_games::Record;
use banyan_search::{Candidate, Proof, Searchable};

use crate::report::{Ended, Explanation, Module, Report};

/// A book, and how its moves are chosen. Copies share the book.
#[derive(Clone, Debug)]
pub struct Opening {
    book: Arc<Reader>,
    variety: Variety,
    /// Set once the book cannot be read: that is said once.
    is_broken: Arc<AtomicBool>,
    /// Moves that were asked for, by all copies: each game of a process draws other lots.
    draws: Arc<AtomicU64>,
}

impl Opening {
    /// An opening by a book.
    pub fn new(book: Reader, variety: Variety) -> Opening {
        Opening { book: Arc::new(book), variety, is_broken: Arc::default(), draws: Arc::default() }
    }

    /// The book.
    pub fn book(&self) -> &Arc<Reader> {
        &self.book
    }

    /// The book's decision as a report, its move first and the others after it; nothing where it does not decide.
    ///
    /// - `time`: what a search in place of the book would take at most, where that is known.
    pub fn report<G: Searchable>(
        &self,
        record: &Record<G>,
        time: Option<Duration>,
    ) -> Option<Report> {
        if self.is_broken.load(Ordering::Relaxed) {
            return None;
        }
        let asked = Instant::now();
        let variety = self.variety.nth(self.draws.fetch_add(1, Ordering::Relaxed));
        let (chosen, page) = match self.book.choose(record, &variety, time) {
            Ok(found) => found?,
            Err(why) => {
                self.is_broken.store(true, Ordering::Relaxed);
                tracing::warn!("{why}: going on without it");
                return None;
            }
        };
        let others = page.moves.iter().filter(|it| it.mv != chosen.mv);
        let candidates: Vec<Candidate> =
            std::iter::once(&chosen).chain(others).map(candidate).collect();
        Some(Report {
            pv: vec![chosen.mv],
            visits: page.node.visits,
            candidates,
            elapsed: asked.elapsed(),
            explanation: Explanation { module: Module::Book, ..Explanation::default() },
            ended: Some(Ended::default()),
            ..Report::default()
        })
    }
}

fn candidate(known: &BookMove) -> Candidate {
    let BookMove { mv, value, visits, games, .. } = *known;
    Candidate { mv, visits: visits + games, value, prior: 0.0, proof: Proof::Open }
}

//! One search that a searcher is asked for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use banyan_games::{Color, Move, Record};
use banyan_jobs::Claim;
use banyan_search::Searchable;

use crate::checkpoint::Checkpoint;
use crate::report::Reports;
use crate::search::Plan;
use crate::tuning::Tuning;

/// One search that is asked for.
pub struct Request<G: Searchable> {
    /// The game so far; the search starts at its end.
    pub record: Record<G>,
    /// The side to move there.
    pub side: Color,
    /// Settings of the tree; a kept tree of others is not gone on with.
    pub tuning: Tuning,
    /// Plan of the search.
    pub plan: Plan,
    /// Its claim on the cluster, beside other sessions.
    pub claim: Claim,
    /// Stop then.
    pub deadline: Option<Instant>,
    /// The moves allowed at the root; empty for all candidates.
    pub allowed: Vec<Move>,
    /// Tells whether the tree is hashed at the end, which takes a walk over all of it.
    pub digest: bool,
    /// Candidates whose line each report holds, count.
    pub lines: usize,
    /// Between two reports of progress.
    pub interval: Duration,
    /// Stop soon after this is set, by whoever asked.
    pub stop: Arc<AtomicBool>,
    /// File that keeps the search, and what it goes on from.
    pub checkpoint: Option<Checkpoint>,
    /// Receiver of the reports.
    pub reports: Box<dyn Reports>,
}

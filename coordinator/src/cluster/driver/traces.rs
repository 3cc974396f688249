//! Spans of what the cluster does: one for each search, and in it one for each lease.
//!
//! They are made for whoever listens to [`TRACES`] at level `TRACE`, as the exporter of OpenTelemetry does
//! (`banyan_worker::traces`); with nobody there an event costs a look at a flag.

use std::collections::HashMap;
use std::time::Instant;

use banyan_jobs::{
    Batch, BatchId, Claim, FromWorker, Job, Lent, Root, SessionId, Settlement, ToWorker, WorkerId,
};
use banyan_scheduler::{Action, Event};
use banyan_worker::traces::TRACES;
use tracing::{Level, Span, enabled, field::Empty, trace_span};

/// Leases that get a span, a second, evenly over it; those beyond are counted. An exporter's queue holds two
/// thousand spans.
const SPANS_PER_SECOND: f64 = 500.0;

/// So many leases at once get one after a while without.
const SPANS_AT_ONCE_MAX: f64 = 100.0;

/// The spans that are open.
#[derive(Debug, Default)]
pub(super) struct Traces {
    searches: HashMap<SessionId, Search>,
    budget: Budget,
}

/// A search that is traced.
#[derive(Debug)]
struct Search {
    span: Span,
    leases: HashMap<(WorkerId, BatchId), Span>,
    /// Leases that got no span.
    untraced: u64,
}

/// Spans that may be made at once, and since when that has been so.
#[derive(Debug)]
struct Budget {
    spans: f64,
    counted: Instant,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { spans: SPANS_AT_ONCE_MAX, counted: Instant::now() }
    }
}

impl Budget {
    /// Tells whether one more may be made, and counts it if so.
    fn spend(&mut self) -> bool {
        let now = Instant::now();
        let earned = now.duration_since(self.counted).as_secs_f64() * SPANS_PER_SECOND;
        *self = Budget { spans: (self.spans + earned).min(SPANS_AT_ONCE_MAX), counted: now };
        let has_one = self.spans >= 1.0;
        if has_one {
            self.spans -= 1.0;
        }
        has_one
    }
}

impl Search {
    fn end(&mut self, worker: WorkerId, batch: BatchId, end: &str) {
        if let Some(lease) = self.leases.remove(&(worker, batch)) {
            lease.record("end", end);
        }
    }

    fn end_all_of(&mut self, worker: WorkerId, end: &str) {
        let leases = self.leases.extract_if(|&(lent_to, _), _| lent_to == worker);
        for (_, lease) in leases {
            lease.record("end", end);
        }
    }
}

impl Traces {
    /// Notes what happens to the scheduler.
    pub(super) fn happens(&mut self, event: &Event) {
        if let Event::Opened(root, claim) = event {
            self.open(root, claim);
        }
        if self.searches.is_empty() {
            return;
        }
        match event {
            &Event::Left(worker) => self.lose(worker),
            Event::Said(worker, FromWorker::Tallies(tallies)) => {
                tallies.iter().for_each(|tally| self.end(*worker, tally.batch, "answered"));
            }
            Event::Said(worker, FromWorker::Failed(batch, _)) => {
                self.end(*worker, *batch, "failed");
            }
            _ => {}
        }
    }

    /// Notes what the scheduler wants done; `name` is that of a worker.
    pub(super) fn follows(&mut self, action: &Action, name: impl Fn(WorkerId) -> String) {
        if self.searches.is_empty() {
            return;
        }
        match action {
            Action::Send(worker, ToWorker::Lend(leases)) => self.lend(*worker, leases, name),
            Action::Send(worker, ToWorker::Drop(batches)) => {
                batches.iter().for_each(|&batch| self.end(*worker, batch, "dead"));
            }
            &Action::Dismiss(worker, _) => self.lose(worker),
            Action::Settled(session, settlement) => self.settle(*session, settlement),
            _ => {}
        }
    }

    fn open(&mut self, root: &Root, claim: &Claim) {
        let session = root.id.session;
        // What it had before is dead, and nobody says what became of it.
        drop(self.take(session));
        if !enabled!(target: TRACES, Level::TRACE) {
            return;
        }
        let span = trace_span!(
            target: TRACES,
            parent: None,
            "search",
            session = session.0,
            epoch = root.id.epoch.0,
            game = %root.rules.kind(),
            plies = root.plies.len(),
            purpose = claim.purpose.word(),
            playouts = Empty,
            leases = Empty,
            leases_lost = Empty,
            leases_untraced = Empty,
            batches_merged = Empty,
            batches_abandoned = Empty,
        );
        self.searches.insert(session, Search { span, leases: HashMap::new(), untraced: 0 });
    }

    fn lend(&mut self, worker: WorkerId, leases: &[Lent], name: impl Fn(WorkerId) -> String) {
        for Lent { batch, attempt } in leases {
            let Some(search) = self.searches.get_mut(&batch.id.session()) else { continue };
            if !self.budget.spend() {
                search.untraced += 1;
                continue;
            }
            let span = trace_span!(
                target: TRACES,
                parent: &search.span,
                "lease",
                worker = name(worker),
                batch = batch.id.number(),
                job = job(batch),
                cost = batch.job.cost(),
                attempt = attempt.0,
                end = Empty,
            );
            search.leases.insert((worker, batch.id), span);
        }
    }

    fn end(&mut self, worker: WorkerId, batch: BatchId, end: &str) {
        if let Some(search) = self.searches.get_mut(&batch.session()) {
            search.end(worker, batch, end);
        }
    }

    fn lose(&mut self, worker: WorkerId) {
        self.searches.values_mut().for_each(|search| search.end_all_of(worker, "lost"));
    }

    /// Takes a search that is over out; its leases are dead.
    fn take(&mut self, session: SessionId) -> Option<Search> {
        let mut search = self.searches.remove(&session)?;
        for (_, lease) in search.leases.drain() {
            lease.record("end", "dead");
        }
        Some(search)
    }

    fn settle(&mut self, session: SessionId, settlement: &Settlement) {
        let Some(search) = self.take(session) else { return };
        let totals = settlement.totals;
        search.span.record("playouts", totals.playouts);
        search.span.record("leases", totals.sent);
        search.span.record("leases_lost", totals.lost);
        search.span.record("leases_untraced", search.untraced);
        search.span.record("batches_merged", totals.merged);
        search.span.record("batches_abandoned", totals.abandoned);
    }
}

/// Names what a batch asks for, in a word.
fn job(batch: &Batch) -> &'static str {
    match batch.job {
        Job::LeafParallel(_) => "leaf-parallel",
        Job::Subtree(_) => "subtree",
        Job::Solve(_) => "solve",
        Job::Evaluate(_) => "evaluate",
        Job::Play(_) => "play",
        Job::Try(_) => "try",
        Job::Practise(_) => "practise",
        Job::Label(_) => "label",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_leases_gets_few_spans_and_more_when_time_has_passed() {
        let mut budget = Budget::default();
        let spent = |budget: &mut Budget| (0..10_000).filter(|_| budget.spend()).count();
        assert!((100..1000).contains(&spent(&mut budget)));
        budget.counted -= std::time::Duration::from_millis(100);
        assert!((50..1000).contains(&spent(&mut budget)));
    }
}

//! The workers' ends of their links: messages sent, workers shown out, threads of this process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use banyan_jobs::{ToWorker, WorkerId};
use banyan_scheduler::{Dismissal, Event, Origin};
use banyan_worker::{FlushAfter, Sink, Worker};
use tokio::sync::mpsc;

use super::Driver;

/// A search that no worker plays for gets a thread of this process after so long.
const STARVED_MAX: Duration = Duration::from_secs(1);

/// For the farewells to reach the sockets.
const FAREWELL_WRITES: Duration = Duration::from_millis(20);

/// Where messages for a worker go.
pub(super) enum Outbound {
    Local(Worker),
    Remote(mpsc::Sender<ToWorker>),
}

impl Driver {
    pub(super) fn send(&mut self, worker: WorkerId, message: ToWorker) -> Vec<Event> {
        match self.workers.get_mut(&worker) {
            Some(Outbound::Local(local)) => {
                let answers = local.handle(message);
                answers.into_iter().map(|answer| Event::Said(worker, answer)).collect()
            }
            // A worker that does not read its messages will be silent soon; dropping one is safe,
            // since its leases run out.
            Some(Outbound::Remote(outbound)) => match outbound.try_send(message) {
                Ok(()) => Vec::new(),
                Err(_) => vec![Event::Left(worker)],
            },
            None => Vec::new(),
        }
    }

    pub(super) fn dismiss(&mut self, worker: WorkerId, why: Dismissal) {
        let name = self.link.name_of(worker);
        let reason = match why {
            Dismissal::Silent => {
                tracing::warn!(name, "worker lost: nothing heard of it");
                None
            }
            Dismissal::Misbehaved(why) => {
                tracing::error!(name, "worker put out: {why}");
                Some(why)
            }
            Dismissal::Lied(why) => {
                tracing::error!(
                    name,
                    "worker put out, and not let in again: its tallies are wrong: {why}"
                );
                self.link.view.quarantine(worker, &why);
                Some(format!("its tallies are wrong: {why}"))
            }
        };
        self.link.view.departed(worker);
        let outbound = self.workers.remove(&worker);
        if let (Some(Outbound::Remote(outbound)), Some(reason)) = (outbound, reason) {
            let _ = outbound.try_send(ToWorker::Refused(reason));
        }
    }

    /// Whether a worker's word may be wrong: all but those of this process.
    pub(super) fn is_doubted(&self, worker: WorkerId) -> bool {
        !matches!(self.workers.get(&worker), Some(Outbound::Local(_)))
    }

    /// A connection ended.
    pub(super) fn depart(&mut self, worker: WorkerId) {
        if self.workers.remove(&worker).is_some() {
            tracing::info!(name = self.link.name_of(worker), "worker left");
            self.link.view.publish(&self.scheduler);
            self.link.view.departed(worker);
        }
    }

    pub(in crate::cluster) fn start_local(&mut self, threads: u32) -> std::io::Result<()> {
        let id = self.link.next_worker();
        let link = self.link.clone();
        let sink: Sink = Arc::new(move |message| link.said(id, message));
        let worker = Worker::start(threads, FlushAfter::LOCAL, sink)?;
        let worker = worker.with_evaluators(self.evaluators.clone());
        self.workers.insert(id, Outbound::Local(worker));
        let profile = banyan_worker::profile("local", threads);
        self.happen(Event::Joined(id, profile, Origin::Local));
        Ok(())
    }

    /// A search must end even when every worker is gone: this process then plays out itself.
    pub(super) fn feed_the_starved(&mut self) {
        if !self.scheduler.is_starved() {
            self.starved_since = None;
            return;
        }
        let since = *self.starved_since.get_or_insert_with(Instant::now);
        if since.elapsed() < STARVED_MAX {
            return;
        }
        tracing::warn!("no worker is there: one thread of this process plays out from now on");
        if let Err(error) = self.start_local(1) {
            tracing::error!("no worker is there, and no thread to be had: {error}");
        }
    }

    pub(super) async fn farewell(&mut self) {
        for outbound in self.workers.values() {
            if let Outbound::Remote(outbound) = outbound {
                let _ = outbound.try_send(ToWorker::Farewell);
            }
        }
        self.workers.clear();
        // The streams are tasks of this thread: let them write before the runtime ends.
        tokio::time::sleep(FAREWELL_WRITES).await;
    }
}

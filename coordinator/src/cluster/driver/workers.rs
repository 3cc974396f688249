//! The workers' ends of their links: messages sent, workers shown out, threads of this process.

use std::time::{Duration, Instant};

use banyan_jobs::{ModelDigest, ModelPart, Offer, Profile, ToWorker, WorkerId, limits};
use banyan_knowledge::evaluator::KATAGO;
use banyan_scheduler::{Dismissal, Event, Origin};
use banyan_web::snapshot::BANNED;
use banyan_worker::{Worker, Workforce as _};
use bytes::Bytes;
use tokio::sync::mpsc;

use super::Driver;

/// A search that no worker plays for gets a thread of this process after so long.
const STARVED_MAX: Duration = Duration::from_secs(1);

/// A search that no KataGo answers gets a stand-in after so long, which goes when one does.
const UNJUDGED_MAX: Duration = Duration::from_millis(200);

/// For the farewells to reach the sockets.
const FAREWELL_WRITES: Duration = Duration::from_millis(20);

/// Destination of messages for a worker.
pub(super) enum Outbound {
    Local(Box<Worker>),
    Remote(mpsc::Sender<ToWorker>),
}

impl Outbound {
    /// Ends it, with a reason for people where there is one.
    fn part(self, reason: Option<String>) {
        match (self, reason) {
            (Outbound::Remote(outbound), Some(reason)) => {
                let _ = outbound.try_send(ToWorker::Refused(reason));
            }
            (Outbound::Remote(_), None) => {}
            // Its threads finish the batch they are in, which may take long: the cluster does not wait for them.
            (Outbound::Local(local), _) => {
                let ending = std::thread::Builder::new().name("ending".to_owned());
                if let Err(error) = ending.spawn(move || drop(local)) {
                    tracing::warn!("threads of this process are waited for: {error}");
                }
            }
        }
    }
}

impl Driver {
    pub(super) fn send(&mut self, worker: WorkerId, message: ToWorker) -> Vec<Event> {
        match self.workers.get_mut(&worker) {
            Some(Outbound::Local(local)) => {
                let answers = local.handle(message);
                answers.into_iter().map(|answer| Event::Said(worker, answer)).collect()
            }
            // A worker that does not read its messages is let go; its leases are lent again.
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
        self.judge.put_out(worker);
        if let Some(outbound) = self.workers.remove(&worker) {
            outbound.part(reason);
        }
    }

    /// Puts a worker out that the operator will not have, as if it had lied, but for what it has counted.
    pub(super) fn ban(&mut self, worker: WorkerId) {
        let Some(outbound) = self.workers.remove(&worker) else { return };
        tracing::warn!(name = self.link.name_of(worker), "worker put out: {BANNED}");
        self.link.view.quarantine(worker, BANNED);
        self.link.view.departed(worker);
        outbound.part(Some(BANNED.to_owned()));
        self.happen(Event::Left(worker));
    }

    /// Sends the part of a model that a worker asked for: as much as one message holds. Of one that is not
    /// here, or from beyond its end, an empty one.
    pub(super) fn give_model(
        &mut self,
        worker: WorkerId,
        digest: ModelDigest,
        offset: u64,
    ) -> Vec<Event> {
        if !self.workers.contains_key(&worker) {
            return Vec::new();
        }
        let file = self.models.get(&digest).cloned().unwrap_or_default();
        let total = file.len() as u64;
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(file.len());
        let to = file.len().min(from.saturating_add(limits::MODEL_PART_BYTES_MAX));
        // A view of the file: however many wait to be sent, nothing is copied before.
        let bytes = Bytes::from_owner(file).slice(from..to);
        let part = ModelPart { digest, offset, total, bytes };
        self.send(worker, ToWorker::Part(part))
    }

    /// Tells whether a worker's word may be wrong: all but those of this process.
    pub(super) fn is_doubted(&self, worker: WorkerId) -> bool {
        !matches!(self.workers.get(&worker), Some(Outbound::Local(_)))
    }

    /// A connection ended.
    pub(super) fn depart(&mut self, worker: WorkerId) {
        if let Some(outbound) = self.workers.remove(&worker) {
            outbound.part(None);
            tracing::info!(name = self.link.name_of(worker), "worker left");
            self.link.view.publish(&self.scheduler);
            self.link.view.departed(worker);
        }
    }

    pub(in crate::cluster) fn start_local(&mut self, threads: u32) -> std::io::Result<()> {
        let evaluators = Offer::all(&self.evaluators);
        let profile = Profile { evaluators, ..banyan_worker::own_profile("local", threads) };
        self.join_locally(profile, self.evaluators.clone(), Origin::Local)?;
        Ok(())
    }

    /// A search must end even when every worker is gone: this process then plays out itself.
    pub(super) fn feed_the_starved(&mut self) {
        let is_unjudged = self.scheduler.wants_judge(KATAGO, self.started.elapsed());
        if !is_unjudged && !self.scheduler.is_starved(self.started.elapsed()) {
            self.starved_since = None;
            return;
        }
        let since = *self.starved_since.get_or_insert_with(Instant::now);
        let patience = match is_unjudged {
            true if self.is_judge_down() => Duration::ZERO,
            true => UNJUDGED_MAX,
            false => STARVED_MAX,
        };
        if since.elapsed() < patience {
            return;
        }
        self.starved_since = None;
        if is_unjudged {
            // One that is at it for long is no reason for another.
            if self.stand_in.is_none_or(|it| !self.workers.contains_key(&it)) {
                self.stand_in();
            }
            return;
        }
        tracing::warn!("no worker can go on: one thread of this process works from now on");
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
        // Else its member's threads would be waited for.
        self.judge.stop();
        self.workers.clear();
        // The streams are tasks of this thread: let them write before the runtime ends.
        tokio::time::sleep(FAREWELL_WRITES).await;
    }
}

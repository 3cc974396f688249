//! Messages from a coordinator, and what each means to a worker, whatever carries it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use banyan_jobs::{
    Evaluators, FromWorker, Lent, Offer, Prepared, Root, RootError, RootId, ToWorker, limits,
};

use crate::models::Models;
use crate::pool::{FlushAfter, Pool, Queued, Sink};
use crate::workforce::Workforce;

/// A pool and the roots it plays from. Owned by one link, which feeds it messages in order.
pub struct Worker {
    pool: Pool,
    roots: BTreeMap<RootId, Held>,
    /// Models that roots may name.
    models: Models,
}

/// The outcome of a root.
enum Held {
    /// Batches can be run from it.
    Ready {
        prepared: Prepared,
        /// Shared with the queued batches of this root; set when they are dead.
        dead: Arc<AtomicBool>,
    },
    /// It is no position, or names models that are not here: its batches are answered with this.
    Refused(RootError),
}

impl Held {
    fn forget(&self) {
        if let Held::Ready { dead, .. } = self {
            dead.store(true, Ordering::Relaxed);
        }
    }
}

impl Worker {
    /// Starts a worker that answers into `sink`.
    ///
    /// # Errors
    /// Whatever the operating system says when it has no thread to give.
    pub fn start(threads: u32, flush_after: FlushAfter, sink: Sink) -> std::io::Result<Worker> {
        let pool = Pool::start(threads, flush_after, sink)?;
        Ok(Worker { pool, roots: BTreeMap::new(), models: Models::default() })
    }

    /// The same worker, whose roots may name these evaluators.
    pub fn with_evaluators(self, evaluators: Evaluators) -> Worker {
        Worker { models: Models::beginning_with(evaluators), ..self }
    }

    /// The same worker, whose roots may name these models and those that it comes to.
    pub fn with_models(self, models: Models) -> Worker {
        Worker { models, ..self }
    }
}

impl Workforce for Worker {
    fn offers(&self) -> Vec<Offer> {
        self.models.offers()
    }

    fn handle(&mut self, message: ToWorker) -> Vec<FromWorker> {
        // A large model may have been read since the last one: pings come all the time.
        let mut said = self.models.settle();
        match message {
            ToWorker::Lend(lent) => said.extend(lent.into_iter().filter_map(|l| self.take(l))),
            ToWorker::Ping(nonce) => {
                said.push(FromWorker::Pong { nonce, usage: self.pool.usage() });
            }
            ToWorker::Need(model) => said.extend(self.models.need(model)),
            ToWorker::Part(part) => said.extend(self.models.take(part)),
            ToWorker::Root(root) => self.prepare(&root),
            ToWorker::Forget(root) => self.forget(root),
            ToWorker::Drop(batches) => self.pool.drop_batches(&batches),
            ToWorker::Welcome | ToWorker::Refused(_) | ToWorker::Released | ToWorker::Farewell => {}
        }
        said
    }

    fn held(&self) -> usize {
        self.pool.held()
    }

    fn forget_all(&mut self) {
        self.roots.values().for_each(Held::forget);
        self.roots.clear();
        self.pool.forget_dropped();
        self.models.forget();
    }

    fn threads(&self) -> u32 {
        self.pool.threads()
    }
}

impl Worker {
    fn prepare(&mut self, root: &Root) {
        root.growing.evaluator.into_iter().for_each(|model| self.models.is_of_use(model));
        let held = match Prepared::with(root, self.models.evaluators()) {
            Ok(prepared) => {
                // Told again, it is the same root still: what is queued dies with it.
                let dead = match self.roots.get(&root.id) {
                    Some(Held::Ready { dead, .. }) => dead.clone(),
                    _ => Arc::new(AtomicBool::new(false)),
                };
                Held::Ready { prepared, dead }
            }
            // Its batches will be answered as failed, one by one, which the coordinator counts.
            Err(refused) => {
                tracing::warn!("the coordinator sent a root that cannot be played from: {refused}");
                Held::Refused(refused)
            }
        };
        self.roots.insert(root.id, held);
        if self.roots.len() > limits::ROOTS_HELD_MAX {
            self.roots.pop_first().into_iter().for_each(|(_, oldest)| oldest.forget());
        }
    }

    /// Queues a batch; answers at once for one whose root is not here.
    fn take(&self, Lent { batch, attempt: _ }: Lent) -> Option<FromWorker> {
        let reason = match self.roots.get(&batch.root) {
            Some(Held::Ready { prepared, dead }) => {
                self.pool.push(Queued { prepared: prepared.clone(), batch, dead: dead.clone() });
                return None;
            }
            Some(Held::Refused(why)) => why.to_string(),
            None => format!("root {} is not known here", batch.root),
        };
        Some(FromWorker::Failed(batch.id, reason))
    }

    fn forget(&mut self, root: RootId) {
        let first = RootId { session: root.session, epoch: Default::default() };
        let dead: Vec<RootId> = self.roots.range(first..=root).map(|(&id, _)| id).collect();
        for id in dead {
            if let Some(held) = self.roots.remove(&id) {
                held.forget();
            }
        }
    }
}

//! Playing batches again elsewhere, to find workers that err or lie.
//!
//! A batch is a pure function of its contents, so two tallies of it must be equal, or nearly so where floating
//! point judged (`likeness`). Some batches stay here after their first tally, are lent once more to another
//! worker, and compared. Who is right is never voted on: where two differ, or nobody else is there to ask, the
//! coordinator plays the batch itself (`referee`); what it cannot play it says (`trust`).
//!
//! A tally of a worker on probation (`standing`) is *held*: it counts once its audit has come through.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use banyan_games::rng::mix;
use banyan_jobs::{Attempt, Batch, BatchId, Job, Lent, Tally, WorkerId, limits};

use super::can::Can;
use super::likeness::Likeness;

/// An audit that nobody took for so long is for the coordinator itself.
const PATIENCE: Duration = Duration::from_millis(250);

/// Choice of the batches that are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Auditing {
    /// One in so many; 0 for none.
    pub every: u32,
    /// Nobody can tell beforehand which: a secret of this process.
    pub salt: u64,
    /// Tallies of a new worker that must come through before it is trusted, unless none are compared.
    pub probation: u32,
}

/// Doubt about a tally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It is merged, and that is that.
    None,
    /// It is merged, and compared with another worker's.
    Audit,
    /// It is compared, and merged when that has come through.
    Hold,
}

impl Auditing {
    /// Tells whether a tally of `batch` is compared, of a worker that has passed its probation.
    pub(super) fn doubt(self, batch: BatchId) -> Doubt {
        let every = u64::from(self.every);
        let drawn = every > 0 && mix(self.salt ^ batch.0).is_multiple_of(every);
        if drawn { Doubt::Audit } else { Doubt::None }
    }

    /// A number that nobody can tell beforehand.
    pub(super) fn draw(self, batch: BatchId) -> u64 {
        mix(mix(self.salt) ^ batch.0)
    }
}

/// Batches of one session that are being compared.
#[derive(Debug, Default)]
pub(super) struct Audits {
    open: BTreeMap<BatchId, Audit>,
    /// Those that nobody plays just now.
    waiting: VecDeque<BatchId>,
}

#[derive(Debug)]
struct Audit {
    batch: Arc<Batch>,
    first: (WorkerId, Tally),
    lent_to: Vec<WorkerId>,
    since: Duration,
    likeness: Likeness,
    /// The first tally counts only once this has come through.
    is_held: bool,
}

/// Result of comparing a second tally.
#[derive(Debug, PartialEq)]
pub(super) enum Comparison {
    /// Both say the same; where the first was held it is here.
    Confirmed(Option<(WorkerId, Tally)>),
    /// One of them is wrong.
    Differs(Dispute),
}

/// A batch that the coordinator has to play itself, and what was answered to it.
#[derive(Debug, PartialEq)]
pub(super) struct Dispute {
    pub(super) batch: Arc<Batch>,
    /// The first that came goes before.
    pub(super) answers: Vec<(WorkerId, Tally)>,
    /// Likeness of right answers.
    pub(super) likeness: Likeness,
    /// The first counts only once it is found to be right.
    pub(super) is_held: bool,
}

impl Audits {
    /// Begins to compare a first tally. `lent_to` are all who were lent the batch so far.
    pub(super) fn begin(
        &mut self,
        now: Duration,
        (batch, lent_to): (Arc<Batch>, Vec<WorkerId>),
        first: (WorkerId, Tally),
        likeness: Likeness,
    ) {
        if self.open.len() < limits::AUDITS_OPEN_MAX {
            let is_held = false;
            self.open_audit(Audit { batch, first, lent_to, since: now, likeness, is_held });
        }
    }

    /// The same for a first tally that does not count before; there are few of them for each worker.
    pub(super) fn hold(
        &mut self,
        now: Duration,
        (batch, lent_to): (Arc<Batch>, Vec<WorkerId>),
        first: (WorkerId, Tally),
    ) {
        let likeness = Likeness::Exact;
        self.open_audit(Audit { batch, first, lent_to, since: now, likeness, is_held: true });
    }

    fn open_audit(&mut self, audit: Audit) {
        self.waiting.push_back(audit.batch.id);
        self.open.insert(audit.batch.id, audit);
    }

    /// Finds the worker whose tally of a batch is held, if one is.
    pub(super) fn holder(&self, id: BatchId) -> Option<WorkerId> {
        self.open.get(&id).filter(|audit| audit.is_held).map(|audit| audit.first.0)
    }

    /// Lists the worker of each tally that is held.
    pub(super) fn holders(&self) -> impl Iterator<Item = WorkerId> {
        self.open.values().filter(|audit| audit.is_held).map(|audit| audit.first.0)
    }

    /// Tells whether one waits for somebody to play it.
    pub(super) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The next batch for `worker` to play again, if there is one that it can do and was never lent.
    pub(super) fn lend(&mut self, worker: WorkerId, can: Can) -> Option<Lent> {
        let is_new = |id: &BatchId| {
            let audit = self.open.get(id);
            audit.is_some_and(|it| !it.lent_to.contains(&worker) && can.does(&it.batch.job))
        };
        let place = self.waiting.iter().position(is_new)?;
        let audit = self.open.get_mut(&self.waiting.remove(place)?)?;
        audit.lent_to.push(worker);
        let attempt = Attempt(audit.lent_to.len() as u32);
        Some(Lent { batch: audit.batch.clone(), attempt })
    }

    /// A lease ended without a tally: somebody else is asked.
    pub(super) fn lease_ended(&mut self, id: BatchId) {
        if self.open.contains_key(&id) && !self.waiting.contains(&id) {
            self.waiting.push_back(id);
        }
    }

    /// Compares a tally with the first; nothing when there is no such audit, or `worker` was never
    /// lent the batch, or is the one that is audited.
    pub(super) fn answer(&mut self, worker: WorkerId, tally: &Tally) -> Option<Comparison> {
        let audit = self.open.get(&tally.batch)?;
        if audit.first.0 == worker || !audit.lent_to.contains(&worker) {
            return None;
        }
        let Audit { batch, first, likeness, is_held, .. } = self.close(tally.batch)?;
        if likeness.agree(&first.1, tally) {
            return Some(Comparison::Confirmed(is_held.then_some(first)));
        }
        let answers = vec![first, (worker, tally.clone())];
        Some(Comparison::Differs(Dispute { batch, answers, likeness, is_held }))
    }

    /// The audit that has waited longest, if that was too long. Those of judgements in floating point end there:
    /// the coordinator has none to hold against them.
    pub(super) fn take_overdue(&mut self, now: Duration) -> Option<Dispute> {
        let late = |audit: &Audit| now.saturating_sub(audit.since) > PATIENCE;
        while let Some(dispute) = self.take_waiting(late) {
            if dispute.likeness == Likeness::Exact {
                return Some(dispute);
            }
        }
        None
    }

    /// A held tally that waits for an auditor, of a job of which `is_wanted` says so.
    pub(super) fn take_held(&mut self, is_wanted: impl Fn(&Job) -> bool) -> Option<Dispute> {
        self.take_waiting(|audit| audit.is_held && is_wanted(&audit.batch.job))
    }

    fn take_waiting(&mut self, is_wanted: impl Fn(&Audit) -> bool) -> Option<Dispute> {
        let is_one = |id: &BatchId| self.open.get(id).is_some_and(&is_wanted);
        let id = self.waiting.iter().copied().find(is_one)?;
        let Audit { batch, first, likeness, is_held, .. } = self.close(id)?;
        Some(Dispute { batch, answers: vec![first], likeness, is_held })
    }

    /// Drops the audits of a worker whose tallies count no more; returns the batches of those that were
    /// held.
    pub(super) fn forget_worker(&mut self, worker: WorkerId) -> Vec<BatchId> {
        self.forget(|audit| audit.first.0 == worker)
    }

    /// Drops what is held of a worker that is gone, and returns the batches.
    pub(super) fn forget_held(&mut self, worker: WorkerId) -> Vec<BatchId> {
        self.forget(|audit| audit.is_held && audit.first.0 == worker)
    }

    fn forget(&mut self, is_one: impl Fn(&Audit) -> bool) -> Vec<BatchId> {
        let gone = self.open.extract_if(.., |_, audit| is_one(audit));
        let held = gone.filter(|(_, audit)| audit.is_held).map(|(id, _)| id).collect();
        self.waiting.retain(|id| self.open.contains_key(id));
        held
    }

    /// Ends the comparison of a batch that nobody needs any more, and returns whose tally was held.
    pub(super) fn drop_batch(&mut self, id: BatchId) -> Option<WorkerId> {
        let holder = self.holder(id)?;
        self.close(id);
        Some(holder)
    }

    fn close(&mut self, id: BatchId) -> Option<Audit> {
        self.waiting.retain(|&waiting| waiting != id);
        self.open.remove(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_batch_in_so_many_is_drawn() {
        let auditing = Auditing { every: 200, salt: 3, probation: 4 };
        let drawn = |auditing: Auditing| -> Vec<u64> {
            (0..100_000).filter(|&id| auditing.doubt(BatchId(id)) == Doubt::Audit).collect()
        };
        let audits = drawn(auditing).len();
        assert!((400..600).contains(&audits), "{audits}");
        let other = Auditing { salt: 4, ..auditing };
        assert_ne!(drawn(auditing), drawn(other), "nobody can tell which without the salt");
        assert_eq!(drawn(Auditing::default()), [] as [u64; 0]);
    }
}

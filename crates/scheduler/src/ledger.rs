//! The books of one session: which batches wait, which are out, and what became of each.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use banyan_jobs::{
    Attempt, Batch, BatchId, Board, Job, Lent, Proof, Root, Settlement, Tally, Totals, WorkerId,
    fit, is_exact, limits,
};

use super::audit::{Audits, Comparison, Dispute, Doubt};
use super::can::{Can, queue};
use super::likeness::Likeness;

/// Leases a batch may have at the same time: the first and two hedges.
const LEASES_AT_ONCE_MAX: u32 = 3;

/// Verdict on a tally: what to do with it.
#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    /// The first for its batch: merge it.
    First(Arc<Batch>),
    /// The first for its batch: merge it at once, since no other is equal to it.
    Vague,
    /// The first for its batch, which counts once another's is like it.
    Held,
    /// It confirms another's, which was held and counts now.
    Confirms(WorkerId, Tally),
    /// Another came before, or the batch is dead.
    Late,
    /// Another came before and differs: the coordinator has to play the batch itself.
    Disputed(Dispute),
    /// It cannot be what was asked for; the text says why.
    Misfit(String),
}

/// Work that a worker can be lent in a message.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// About so many playouts.
    pub playouts: u32,
    /// So many batches at most.
    pub batches: usize,
    /// The worker's word tells who else is honest.
    pub audits: bool,
}

/// Batches of one search, from their making to their tally.
#[derive(Debug)]
pub struct Ledger {
    /// Board that a tally's lists must fit.
    board: Board,
    /// Open batches and gaps, by number; the first has number `base`.
    entries: VecDeque<Option<Entry>>,
    base: u64,
    /// Numbers of batches to lend, in order; those lent again come first. First those that are played out or
    /// solved, then those that are judged.
    waiting: [VecDeque<BatchId>; 2],
    /// Two judgements of one batch may differ.
    is_approximate: bool,
    batch_playouts: u32,
    /// Playouts of batches without a tally, and how many of them wait to be lent.
    open_playouts: u64,
    waiting_playouts: u64,
    /// The most that were open since somebody asked.
    peak_playouts: u64,
    audits: Audits,
    totals: Totals,
    /// Playouts merged, by worker.
    played: Vec<(WorkerId, u64)>,
}

#[derive(Debug)]
struct Entry {
    batch: Arc<Batch>,
    /// The first worker it was lent to; nearly always the only one.
    first: Option<WorkerId>,
    /// Those it was lent to since.
    again: Vec<WorkerId>,
    /// Leases that have not ended.
    live: u32,
    waiting: bool,
    /// A tally of it is held.
    held: bool,
}

impl Entry {
    fn new(batch: Arc<Batch>) -> Entry {
        Entry { batch, first: None, again: Vec::new(), live: 0, waiting: true, held: false }
    }

    /// Returns the number of the lease, the first being 1.
    fn lend_to(&mut self, worker: WorkerId) -> Attempt {
        self.waiting = false;
        self.live += 1;
        match self.first {
            None => self.first = Some(worker),
            Some(_) => self.again.push(worker),
        }
        Attempt(1 + self.again.len() as u32)
    }

    fn lent_to(&self) -> Vec<WorkerId> {
        self.first.iter().chain(&self.again).copied().collect()
    }

    fn was_lent_to(&self, worker: WorkerId) -> bool {
        self.first == Some(worker) || self.again.contains(&worker)
    }
}

impl Ledger {
    /// Empty books for a root.
    pub fn new(root: &Root) -> Ledger {
        let board = Board::of(&root.rules);
        Ledger {
            board,
            entries: VecDeque::new(),
            base: 0,
            waiting: Default::default(),
            is_approximate: root.growing.evaluator.is_some_and(|it| !is_exact(it)),
            batch_playouts: 1,
            open_playouts: 0,
            waiting_playouts: 0,
            peak_playouts: 0,
            audits: Audits::default(),
            totals: Totals::default(),
            played: Vec::new(),
        }
    }

    /// Tells whether a batch waits to be lent for the first time, or because its lease was lost.
    pub fn has_waiting(&self) -> bool {
        self.waiting.iter().any(|waiting| !waiting.is_empty())
    }

    /// Tells whether anything waits to be lent, audits with it.
    pub fn has_work(&self) -> bool {
        self.has_waiting() || self.audits.has_waiting()
    }

    /// Playouts of the batches submitted last.
    pub fn batch_playouts(&self) -> u32 {
        self.batch_playouts
    }

    /// Playouts without a tally, lent or waiting to be.
    pub fn open_playouts(&self) -> u64 {
        self.open_playouts
    }

    /// Playouts that are lent and have no tally yet; those of late batches that wait to be lent once
    /// more are not counted.
    pub fn lent_playouts(&self) -> u64 {
        self.open_playouts - self.waiting_playouts
    }

    /// The most playouts without a tally, lent or not, since this was last asked.
    pub(super) fn take_peak(&mut self) -> u64 {
        std::mem::replace(&mut self.peak_playouts, self.open_playouts)
    }

    /// Batches without a tally.
    pub fn open(&self) -> usize {
        self.entries.iter().flatten().count()
    }

    /// Tells what became of the batches so far.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Takes new batches in. Their numbers go on from the last submitted.
    pub fn submit(&mut self, batches: Vec<Batch>) {
        let largest = batches.iter().map(|batch| batch.job.cost()).max();
        self.batch_playouts = largest.unwrap_or(self.batch_playouts);
        for batch in batches {
            if self.entries.is_empty() {
                self.base = batch.id.number();
            }
            debug_assert_eq!(batch.id.number(), self.base + self.entries.len() as u64);
            self.waiting[queue(&batch.job)].push_back(batch.id);
            self.waiting_playouts += u64::from(batch.job.cost());
            self.open_playouts += u64::from(batch.job.cost());
            let batch = Arc::new(batch);
            self.entries.push_back(Some(Entry::new(batch)));
        }
        self.peak_playouts = self.peak_playouts.max(self.open_playouts);
    }

    /// Lends waiting batches to a worker that can do them, as many as it has `room` for, none of which it
    /// `holds` already.
    pub(super) fn lend(
        &mut self,
        worker: WorkerId,
        (Room { playouts, batches, audits }, can): (Room, Can),
        holds: impl Fn(BatchId) -> bool,
    ) -> Vec<Lent> {
        let mut lent = Vec::new();
        let mut passed_over = Vec::new();
        let mut room = playouts;
        let batches = batches.min(limits::BATCHES_PER_MESSAGE_MAX);
        if let Some(audit) = audits.then(|| self.audits.lend(worker, can)).flatten() {
            room = room.saturating_sub(audit.batch.job.cost());
            self.totals.sent += 1;
            self.totals.lent_to_audit += 1;
            // Where a held tally comes to nothing, this one is the first.
            if let Some(entry) = self.entry(audit.batch.id) {
                entry.lend_to(worker);
            }
            lent.push(audit);
        }
        while room > 0 && lent.len() < batches {
            let Some(id) = self.next_for(can) else { break };
            if holds(id) {
                passed_over.push(id);
                continue;
            }
            let Some(entry) = self.entry(id) else { continue };
            let attempt = entry.lend_to(worker);
            let batch = entry.batch.clone();
            self.waiting_playouts -= u64::from(batch.job.cost());
            room = room.saturating_sub(batch.job.cost());
            self.totals.sent += 1;
            self.totals.lent_again += u64::from(attempt.0 > 1);
            lent.push(Lent { batch, attempt });
        }
        for id in passed_over.into_iter().rev() {
            let Some(at) = self.entry(id).map(|entry| queue(&entry.batch.job)) else { continue };
            self.waiting[at].push_front(id);
        }
        lent
    }

    /// The next batch that a worker can do: who can do both is lent judgements first, for which others may be
    /// of no use.
    fn next_for(&mut self, can: Can) -> Option<BatchId> {
        let [play, judge] = &mut self.waiting;
        let judged = if can.judge { judge.pop_front() } else { None };
        judged.or_else(|| if can.play { play.pop_front() } else { None })
    }

    /// A lease ended without a tally: the batch waits again unless somebody else has it.
    pub fn lease_lost(&mut self, id: BatchId) {
        self.totals.lost += 1;
        self.lend_again(id);
        self.audits.lease_ended(id);
    }

    /// A lease ended with an answer, whatever that is worth.
    pub fn lease_answered(&mut self) {
        self.totals.answered += 1;
    }

    fn lend_again(&mut self, id: BatchId) {
        let Some(entry) = self.entry(id) else { return };
        entry.live = entry.live.saturating_sub(1);
        if entry.live == 0 && !entry.held {
            self.wait_again(id, VecDeque::push_front);
        }
    }

    /// Makes an open batch wait to be lent again, unless it does.
    fn wait_again(&mut self, id: BatchId, push: fn(&mut VecDeque<BatchId>, BatchId)) {
        let Some(entry) = self.entry(id).filter(|entry| !entry.waiting) else { return };
        entry.waiting = true;
        let (at, playouts) = (queue(&entry.batch.job), u64::from(entry.batch.job.cost()));
        self.waiting_playouts += playouts;
        push(&mut self.waiting[at], id);
    }

    /// Tells whether audits wait for somebody.
    pub(super) fn has_audits(&self) -> bool {
        self.audits.has_waiting()
    }

    /// Finds the worker whose tally of a batch is held.
    pub(super) fn holder(&self, id: BatchId) -> Option<WorkerId> {
        self.audits.holder(id)
    }

    /// Lists the worker of each tally that is held.
    pub(super) fn holders(&self) -> Vec<WorkerId> {
        self.audits.holders().collect()
    }

    /// Drops what is held of a worker that is gone: its batches are lent again.
    pub(super) fn forget_held(&mut self, worker: WorkerId) {
        for batch in self.audits.forget_held(worker) {
            self.hold_no_more(batch);
        }
    }

    /// A tally that was held counts for nothing.
    fn hold_no_more(&mut self, id: BatchId) {
        let Some(entry) = self.entry(id) else { return };
        entry.held = false;
        if entry.live == 0 {
            self.wait_again(id, VecDeque::push_front);
        }
    }

    /// Notes what this process found of a tally that was held: it counts now, or its batch is lent again.
    pub(super) fn settle_held(
        &mut self,
        (worker, tally): &(WorkerId, Tally),
        is_right: bool,
    ) -> Option<Tally> {
        if !is_right {
            self.hold_no_more(tally.batch);
            return None;
        }
        self.close(tally.batch)?;
        self.count(*worker, tally.answer.work());
        Some(tally.clone())
    }

    /// Closes a batch without a tally; returns whether it was open.
    pub(super) fn drop_batch(&mut self, id: BatchId) -> bool {
        self.audits.drop_batch(id);
        let dropped = self.close(id).is_some();
        self.totals.abandoned += u64::from(dropped);
        dropped
    }

    /// So many leases ended because nobody needs their batches any more.
    pub(super) fn leases_died(&mut self, count: u64) {
        self.totals.dead += count;
    }

    /// Makes a batch that is out wait for one more lease.
    pub fn hedge(&mut self, id: BatchId) {
        let Some(entry) = self.entry(id) else { return };
        if !entry.held && entry.live < LEASES_AT_ONCE_MAX {
            self.wait_again(id, VecDeque::push_back);
        }
    }

    /// Judges a tally, and closes its batch when it is the first and counts. One that is doubted is kept
    /// and compared with another worker's.
    pub(super) fn judge(
        &mut self,
        now: Duration,
        worker: WorkerId,
        tally: &Tally,
        doubt: Doubt,
    ) -> Verdict {
        let (board, is_approximate) = (self.board, self.is_approximate);
        let is_trusted = doubt != Doubt::Hold;
        let Some(entry) = self.entry(tally.batch) else {
            return self.judge_late(worker, tally, is_trusted);
        };
        if entry.held {
            entry.live = entry.live.saturating_sub(1);
            return self.judge_late(worker, tally, is_trusted);
        }
        if !entry.was_lent_to(worker) {
            return Verdict::Misfit(format!("batch {} was never lent to it", tally.batch));
        }
        if let Err(misfit) = fit::check(&entry.batch, &tally.answer, board) {
            self.lend_again(tally.batch);
            return Verdict::Misfit(format!("its tally of batch {} {misfit}", tally.batch));
        }
        let is_vague = is_approximate && entry.batch.job.is_judged();
        let first = (worker, tally.clone());
        if !is_trusted && !is_vague {
            entry.live = entry.live.saturating_sub(1);
            entry.held = true;
            let asked = (entry.batch.clone(), entry.lent_to());
            self.stop_waiting(tally.batch);
            self.audits.hold(now, asked, first);
            return Verdict::Held;
        }
        let Some(entry) = self.close(tally.batch) else { return Verdict::Late };
        let batch = entry.batch.clone();
        if doubt != Doubt::None || proves_near_the_root(&batch, tally) {
            let lent_to = entry.lent_to();
            let likeness = if is_vague { Likeness::Near } else { Likeness::Exact };
            self.audits.begin(now, (entry.batch, lent_to), first, likeness);
        }
        self.count(worker, tally.answer.work());
        if is_vague { Verdict::Vague } else { Verdict::First(batch) }
    }

    /// A batch that has a tally is lent to nobody else, but to compare.
    fn stop_waiting(&mut self, id: BatchId) {
        let Some(entry) = self.entry(id).filter(|entry| entry.waiting) else { return };
        entry.waiting = false;
        let (at, playouts) = (queue(&entry.batch.job), u64::from(entry.batch.job.cost()));
        self.waiting_playouts -= playouts;
        self.waiting[at].retain(|&waiting| waiting != id);
    }

    /// Takes an open batch off the books.
    fn close(&mut self, id: BatchId) -> Option<Entry> {
        let slot = id.number().checked_sub(self.base)?;
        let entry = self.entries.get_mut(slot as usize)?.take()?;
        let playouts = u64::from(entry.batch.job.cost());
        self.open_playouts -= playouts;
        if entry.waiting {
            self.waiting_playouts -= playouts;
            self.waiting[queue(&entry.batch.job)].retain(|&waiting| waiting != id);
        }
        while let Some(None) = self.entries.front() {
            self.entries.pop_front();
            self.base += 1;
        }
        Some(entry)
    }

    /// A tally of a batch that has one, or that is dead.
    fn judge_late(&mut self, worker: WorkerId, tally: &Tally, is_trusted: bool) -> Verdict {
        let compared = is_trusted.then(|| self.audits.answer(worker, tally)).flatten();
        let Some(comparison) = compared else {
            self.totals.dropped += 1;
            return Verdict::Late;
        };
        self.totals.audited += 1;
        match comparison {
            Comparison::Confirmed(None) => Verdict::Late,
            Comparison::Confirmed(Some(held)) => match self.settle_held(&held, true) {
                Some(tally) => Verdict::Confirms(held.0, tally),
                None => Verdict::Late,
            },
            Comparison::Differs(dispute) => {
                self.totals.disputed += 1;
                Verdict::Disputed(dispute)
            }
        }
    }

    /// A held tally that this process has to look at itself, of a job of which `is_wanted` says so.
    pub(super) fn take_held(&mut self, is_wanted: impl Fn(&Job) -> bool) -> Option<Dispute> {
        self.audits.take_held(is_wanted)
    }

    /// Adds what this process found of a tally that no other was held against.
    pub(super) fn note_audit(&mut self, found: Totals) {
        self.totals += found;
    }

    /// A batch whose audit nobody else could take for too long.
    pub(super) fn take_overdue_audit(&mut self, now: Duration) -> Option<Dispute> {
        self.audits.take_overdue(now)
    }

    /// Drops the audits of a worker that was found to have lied: no further proof is needed.
    pub(super) fn forget_audits_of(&mut self, worker: WorkerId) {
        for batch in self.audits.forget_worker(worker) {
            self.hold_no_more(batch);
        }
    }

    /// Closes the books, with the number of leases that were open until now.
    pub fn settle(self, dead: u64) -> Settlement {
        let mut totals = self.totals;
        totals.dead += dead;
        totals.abandoned += self.open() as u64;
        Settlement { totals, played: self.played }
    }

    fn count(&mut self, worker: WorkerId, playouts: u32) {
        self.totals.merged += 1;
        self.totals.playouts += u64::from(playouts);
        match self.played.iter_mut().find(|(id, _)| *id == worker) {
            Some((_, sum)) => *sum += u64::from(playouts),
            None => self.played.push((worker, u64::from(playouts))),
        }
    }

    fn entry(&mut self, id: BatchId) -> Option<&mut Entry> {
        let slot = id.number().checked_sub(self.base)?;
        self.entries.get_mut(slot as usize)?.as_mut()
    }
}

/// Tells whether a tally says how the game ends a ply or two below the root: what decides most is always
/// compared.
fn proves_near_the_root(batch: &Batch, tally: &Tally) -> bool {
    let Some(subtree) = tally.answer.subtree().filter(|_| batch.path.len() <= 2) else {
        return false;
    };
    let children = subtree.groups.first().map_or(0, |group| usize::from(group.children));
    subtree.proofs.iter().take(children).any(|&proof| proof != Proof::Open)
}

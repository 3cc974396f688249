//! Consequences where tallies differ, and what this process looks at itself: it plays the batch, and who was wrong is
//! out.

use std::time::Duration;

use banyan_jobs::{BatchId, SessionId, Tally, Totals, WorkerId, tolerance};

use super::audit::Dispute;
use super::can::Can;
use super::likeness::Likeness;
use super::origin::Origin;
use super::standing::Sample;
use super::{Action, Dismissal, Scheduler};

/// Last words of workers that left, kept to be looked at; the oldest go first.
const LEFT_MAX: usize = 64;

/// Liars that searches to come are told of, whose trees may hold what they said; the oldest go first.
const LIARS_MAX: usize = 64;

impl Scheduler {
    /// Has this process play a batch whose tallies differ, or that nobody else was there to play.
    pub(super) fn ask_referee(&mut self, dispute: Dispute) {
        let Some(session) = self.sessions.get_mut(&dispute.batch.id.session()) else {
            if let Some((first, _)) = dispute.answers.first().filter(|_| dispute.is_held) {
                self.forget_held(vec![*first]);
            }
            return;
        };
        match self.referee.ask(dispute) {
            Ok(batch) => self.actions.push(Action::Referee(session.root.clone(), batch)),
            // Nobody knows who is right: what was held counts for nothing, and another asks again.
            Err(Dispute { answers, is_held: true, .. }) => {
                if let Some(first) = answers.first() {
                    session.ledger.settle_held(first, false);
                    self.roster.change(first.0, |member| member.standing.drops_one());
                }
            }
            Err(dispute) => self.referee.wait(session.root.clone(), dispute),
        }
    }

    /// Looks at what is held where nobody else can, and at what nobody disputes as far as there is time.
    pub(super) fn look_at_some(&mut self, now: Duration) {
        while let Some((root, batch)) = self.referee.ask_waiting() {
            self.actions.push(Action::Referee(root, batch));
        }
        if self.auditing.every == 0 {
            return;
        }
        while self.referee.has_room()
            && let Some(dispute) = self.next_held()
        {
            self.ask_referee(dispute);
        }
        if self.referee.has_time(now)
            && let Some(dispute) = self.next_undisputed(now)
        {
            self.ask_referee(dispute);
        }
    }

    /// A held tally of a job that nobody does whose word could be taken.
    fn next_held(&mut self) -> Option<Dispute> {
        let roster = &self.roster;
        self.sessions.values_mut().filter(|session| session.ledger.has_audits()).find_map(
            |session| {
                let auditors = roster.iter().filter(|(_, it)| it.standing.audits());
                let can: Vec<Can> = auditors.map(|(_, it)| session.can(it)).collect();
                session.ledger.take_held(|job| !can.iter().any(|can| can.does(job)))
            },
        )
    }

    fn next_undisputed(&mut self, now: Duration) -> Option<Dispute> {
        let overdue = self.sessions.values_mut().find_map(|it| it.ledger.take_overdue_audit(now));
        overdue.or_else(|| self.next_sample())
    }

    /// Something that a worker said which nobody has looked at: first of those that left, then of the one
    /// that has said most since.
    fn next_sample(&mut self) -> Option<Dispute> {
        while let Some((worker, sample)) = self.left.pop_front() {
            if let Some(dispute) = self.dispute_of(worker, sample) {
                return Some(dispute);
            }
        }
        let members = self.roster.iter().filter(|(_, it)| it.standing.unseen() > 0);
        let (worker, _) = members.max_by_key(|(_, member)| member.standing.unseen())?;
        let sample = self.roster.change(worker, |member| member.standing.draw()).flatten()?;
        self.dispute_of(worker, sample)
    }

    /// Nothing where the search is over.
    fn dispute_of(&mut self, worker: WorkerId, sample: Sample) -> Option<Dispute> {
        let Sample { batch, tally } = sample;
        let session = self.sessions.get_mut(&batch.id.session())?;
        if session.root.id != batch.root {
            return None;
        }
        let likeness = Likeness::Exact;
        Some(Dispute { batch, answers: vec![(worker, tally)], likeness, is_held: false })
    }

    /// Keeps a sample of who leaves: it must be no use to lie and be gone.
    pub(super) fn keep_last_word(&mut self, worker: WorkerId, sample: Option<Sample>) {
        if let Some(sample) = sample {
            self.left.push_back((worker, sample));
            self.left.drain(..self.left.len().saturating_sub(LEFT_MAX));
        }
    }

    /// Puts out whoever answered otherwise than this process did.
    pub(super) fn decide(&mut self, ours: &Tally, took: Duration) {
        let Some(dispute) = self.referee.decide(ours, took) else { return };
        if let Some(first) = dispute.answers.first().filter(|_| dispute.is_held) {
            self.settle_held(first, first.1 == *ours);
        }
        let wrong = dispute.wrong(ours);
        // Where two answers differed that was noted when the second came.
        if dispute.answers.len() == 1 {
            let disputed = u64::from(!wrong.is_empty());
            self.note_audit(dispute.batch.id.session(), disputed);
        }
        for (worker, why) in wrong {
            self.quarantine(worker, why);
        }
    }

    /// Counts a batch as compared, with what came of it: counted before, it would be equal until it is not.
    fn note_audit(&mut self, session: SessionId, disputed: u64) {
        let found = Totals { audited: 1, disputed, ..Totals::default() };
        match self.sessions.get_mut(&session) {
            Some(session) => session.ledger.note_audit(found),
            // Its search may have ended while this process looked at it.
            None => self.past += found,
        }
    }

    /// This process cannot play a batch, such as one by an evaluator that it has not: nothing is found.
    pub(super) fn cannot_decide(&mut self, batch: BatchId) {
        let Some(dispute) = self.referee.drop_dispute(batch) else { return };
        if let Some(first) = dispute.answers.first().filter(|_| dispute.is_held) {
            self.settle_held(first, true);
        }
    }

    fn settle_held(&mut self, first: &(WorkerId, Tally), is_right: bool) {
        let session = self.sessions.get_mut(&first.1.batch.session());
        match session.and_then(|session| session.ledger.settle_held(first, is_right)) {
            Some(tally) => self.confirm(first.0, tally),
            // Its search may have ended while this process looked at it.
            None => self.forget_held(vec![first.0]),
        }
    }

    /// The worker is put out, also if it has left, and its tallies are taken back out where they are
    /// still known.
    fn quarantine(&mut self, worker: WorkerId, why: String) {
        self.dismiss(worker, Dismissal::Lied(why));
        self.left.retain(|&(left, _)| left != worker);
        for (&id, session) in &mut self.sessions {
            session.ledger.forget_audits_of(worker);
            self.actions.push(Action::TakeBack(id, worker));
        }
        self.liars.push_back(worker);
        self.liars.drain(..self.liars.len().saturating_sub(LIARS_MAX));
    }

    /// Two tallies of a batch do not say the same. Whether one is wrong this process finds by playing the batch;
    /// of judgements in floating point it has none of its own but those of its KataGo, if that is one of the two.
    pub(super) fn decide_between(&mut self, dispute: Dispute) {
        match (dispute.likeness, &dispute.answers[..]) {
            (Likeness::Near, [one, other]) => self.hear_discord([one, other]),
            _ => self.ask_referee(dispute),
        }
    }

    /// Takes the word of this process's own judge against another's; where neither is its own, it says that they
    /// differ.
    fn hear_discord(&mut self, answers: [&(WorkerId, Tally); 2]) {
        let [one, other] = answers.map(|(worker, _)| *worker);
        let [first, second] = answers.map(|(_, tally)| &tally.answer);
        let how = tolerance::difference(first, second).unwrap_or_default();
        let is_own = |id| self.roster.iter().any(|(it, m)| it == id && m.origin() == Origin::Local);
        match (is_own(one), is_own(other)) {
            (true, false) => self.part_with_judge(other, &how),
            (false, true) => self.part_with_judge(one, &how),
            _ => self.actions.push(Action::Discord([one, other], how)),
        }
    }

    /// The worker is put out for its judgements, which are taken back out where they are still known. It may
    /// have another network and mean no harm, so it may come again.
    fn part_with_judge(&mut self, worker: WorkerId, how: &str) {
        let why = format!(
            "it judges a position otherwise than KataGo here ({how}): expected the same network"
        );
        self.dismiss(worker, Dismissal::Misbehaved(why));
        let sessions = self.sessions.keys();
        self.actions.extend(sessions.map(|&session| Action::TakeBack(session, worker)));
    }

    /// A search that begins may go on with a tree that holds what a liar said.
    pub(super) fn tell_of_liars(&mut self, session: SessionId) {
        let liars = self.liars.iter().map(|&worker| Action::TakeBack(session, worker));
        self.actions.extend(liars);
    }

    /// The held tallies of a session that ends are those workers' no more.
    pub(super) fn forget_held(&mut self, holders: Vec<WorkerId>) {
        for worker in holders {
            self.roster.change(worker, |member| member.standing.drops_one());
        }
    }
}

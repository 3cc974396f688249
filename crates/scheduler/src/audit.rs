//! Playing batches again elsewhere, to find workers that err or lie.
//!
//! A batch is a pure function of its contents, so two tallies of it must be equal. Some batches stay
//! here after their first tally, are lent once more to another worker, and compared. Who is right is
//! never voted on: where two differ, or nobody else is there to ask, the coordinator plays the batch
//! itself.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use banyan_games::rng::mix;
use banyan_jobs::{Answer, Attempt, Batch, BatchId, Lent, Tally, WorkerId, limits};

use super::ledger::Can;

/// Tallies of a new worker that are all compared: who always lies, or has another build, is found
/// before it has done much.
const PROBATION_TALLIES: u64 = 4;

/// An audit that nobody took for so long is for the coordinator itself.
const PATIENCE: Duration = Duration::from_millis(250);

/// Which batches are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Auditing {
    /// One in so many; 0 for none.
    pub every: u32,
    /// Nobody can tell beforehand which: a secret of this process.
    pub salt: u64,
}

/// Whether a tally is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It is merged, and that is that.
    None,
    /// It is merged, and compared with another worker's.
    Audit,
}

impl Auditing {
    /// Whether a worker's tally of `batch` is compared, after so many `earlier` ones of it.
    pub(super) fn doubt(self, batch: BatchId, earlier: u64) -> Doubt {
        let every = u64::from(self.every);
        let drawn = every > 0 && mix(self.salt ^ batch.0).is_multiple_of(every);
        if drawn || (every > 0 && earlier < PROBATION_TALLIES) { Doubt::Audit } else { Doubt::None }
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
}

/// What a second tally showed.
#[derive(Debug, PartialEq)]
pub(super) enum Comparison {
    /// Both are equal.
    Confirmed,
    /// One of them is wrong.
    Differs(Question),
}

/// A batch that the coordinator has to play itself, and what was answered to it.
#[derive(Debug, PartialEq)]
pub(super) struct Question {
    pub(super) batch: Arc<Batch>,
    pub(super) answers: Vec<(WorkerId, Tally)>,
}

impl Audits {
    /// Begins to compare a first tally. `lent_to` are all who were lent the batch so far.
    pub(super) fn begin(
        &mut self,
        now: Duration,
        (batch, lent_to): (Arc<Batch>, Vec<WorkerId>),
        first: (WorkerId, Tally),
    ) {
        if self.open.len() < limits::AUDITS_OPEN_MAX {
            self.waiting.push_back(batch.id);
            self.open.insert(batch.id, Audit { batch, first, lent_to, since: now });
        }
    }

    /// Whether one waits for somebody to play it.
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
        let Audit { batch, first, .. } = self.close(tally.batch)?;
        if first.1 == *tally {
            return Some(Comparison::Confirmed);
        }
        let answers = vec![first, (worker, tally.clone())];
        Some(Comparison::Differs(Question { batch, answers }))
    }

    /// The audit that has waited longest, if that was too long.
    pub(super) fn take_overdue(&mut self, now: Duration) -> Option<Question> {
        let late = |id: &BatchId| {
            self.open.get(id).is_some_and(|audit| now.saturating_sub(audit.since) > PATIENCE)
        };
        let id = self.waiting.iter().copied().find(late)?;
        let Audit { batch, first, .. } = self.close(id)?;
        Some(Question { batch, answers: vec![first] })
    }

    /// Drops the audits of a worker whose tallies count no more.
    pub(super) fn forget_worker(&mut self, worker: WorkerId) {
        self.open.retain(|_, audit| audit.first.0 != worker);
        self.waiting.retain(|id| self.open.contains_key(id));
    }

    fn close(&mut self, id: BatchId) -> Option<Audit> {
        self.waiting.retain(|&waiting| waiting != id);
        self.open.remove(&id)
    }
}

/// Questions that the coordinator is playing, and what follows from its own tally.
#[derive(Debug, Default)]
pub(super) struct Referee {
    questions: BTreeMap<BatchId, Question>,
    /// When it last began one that nobody disputed.
    last: Option<Duration>,
}

/// Between two undisputed batches that the coordinator plays: they are its own processor's time.
const UNDISPUTED_INTERVAL: Duration = Duration::from_secs(1);

impl Referee {
    /// Notes a question, unless there are too many; returns whether it was.
    pub(super) fn ask(&mut self, question: Question) -> Option<Arc<Batch>> {
        if self.questions.len() >= limits::QUESTIONS_OPEN_MAX {
            return None;
        }
        let batch = question.batch.clone();
        self.questions.insert(batch.id, question);
        Some(batch)
    }

    /// Whether it may begin a batch that nobody disputes.
    pub(super) fn has_time(&mut self, now: Duration) -> bool {
        let rested = |last| now.saturating_sub(last) >= UNDISPUTED_INTERVAL;
        self.questions.is_empty() && self.last.is_none_or(rested)
    }

    pub(super) fn begins(&mut self, now: Duration) {
        self.last = Some(now);
    }

    /// Who answered otherwise than the coordinator counts, and how.
    pub(super) fn decide(&mut self, ours: &Tally) -> Vec<(WorkerId, String)> {
        let Some(question) = self.questions.remove(&ours.batch) else { return Vec::new() };
        let wrong = question.answers.into_iter().filter(|(_, tally)| tally != ours);
        wrong.map(|(worker, tally)| (worker, difference(&tally, ours))).collect()
    }
}

/// How two tallies of one batch differ, for people.
fn difference<'a>(theirs: &'a Tally, ours: &'a Tally) -> String {
    let results = |tally: &Tally| tally.answer.counts().map(|counts| (counts.wins, counts.draws));
    let (batch, playouts) = (ours.batch, ours.answer.playouts());
    if let (Some((wins, draws)), Some((our_wins, our_draws))) = (results(theirs), results(ours))
        && (wins, draws) != (our_wins, our_draws)
    {
        return format!(
            "of {playouts} playouts of batch {batch} it counted {wins} wins and {draws} draws for \
             Black, there are {our_wins} and {our_draws}"
        );
    }
    let (theirs, ours) = (&theirs.answer, &ours.answer);
    let amaf = |answer: &'a Answer| answer.counts().and_then(|counts| counts.amaf.as_ref());
    let owners = |answer: &'a Answer| answer.counts().and_then(|counts| counts.ownership.as_ref());
    let part = match () {
        () if amaf(theirs) != amaf(ours) => "AMAF counts",
        () if owners(theirs) != owners(ours) => "owners",
        () if theirs.subtree() != ours.subtree() => "subtree",
        () if theirs.solved() != ours.solved() => "answer to the question",
        () => "margins or plies",
    };
    format!("its {part} of batch {batch} are not what its {playouts} playouts give")
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Counts;

    fn tally(wins: u32) -> Tally {
        let counts = Counts { wins, losses: 10 - wins, ..Counts::default() };
        Tally { batch: BatchId(7), answer: Answer::Counts(counts) }
    }

    #[test]
    fn one_batch_in_so_many_is_drawn_and_all_of_a_new_workers_first_ones() {
        let auditing = Auditing { every: 200, salt: 3 };
        let audits = |earlier| {
            (0..100_000).filter(|&id| auditing.doubt(BatchId(id), earlier) == Doubt::Audit).count()
        };
        assert!((400..600).contains(&audits(100)), "{}", audits(100));
        assert_eq!(audits(0), 100_000);
        let other = Auditing { salt: 4, ..auditing };
        let drawn = |auditing: Auditing| {
            (0..10_000).filter(|&id| auditing.doubt(BatchId(id), 9) == Doubt::Audit).collect()
        };
        let (one, two): (Vec<u64>, Vec<u64>) = (drawn(auditing), drawn(other));
        assert_ne!(one, two, "nobody can tell which without the salt");
        assert_eq!(Auditing::default().doubt(BatchId(0), 0), Doubt::None);
    }

    #[test]
    fn whoever_differs_from_the_coordinators_own_tally_is_named_with_both_counts() {
        let mut referee = Referee::default();
        let batch = Arc::new(crate::tests::batch(7));
        let id = batch.id;
        let [honest, lie] = [4, 10].map(|wins| Tally { batch: id, ..tally(wins) });
        let answers = vec![(WorkerId(1), honest.clone()), (WorkerId(2), lie)];
        assert!(referee.ask(Question { batch, answers }).is_some());
        let wrong = referee.decide(&honest);
        let why = "it counted 10 wins and 0 draws for Black, there are 4 and 0";
        assert!(matches!(&wrong[..], [(WorkerId(2), text)] if text.ends_with(why)), "{wrong:?}");
        assert_eq!(referee.decide(&honest), [], "a question is decided once");
    }
}

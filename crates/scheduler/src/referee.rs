//! Batches that the coordinator plays itself: its own word decides.
//!
//! Disputes are played at once. So is what is held, where nobody is there whose word could be taken; one
//! of them waits for the next new worker, and no search without it. All else is played in its spare time:
//! audits that nobody took, the last word of who leaves, and samples of what everybody said, those that
//! others agreed with among them, so that it is no use to lie together.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use banyan_jobs::{Answer, Batch, BatchId, Root, Tally, WorkerId, limits};

use super::audit::Dispute;

/// The coordinator plays out one part in so many of its time to look at what nobody disputes.
const SPARE_SHARE: u32 = 100;

/// It saves up no more than so much.
const SPARE_MAX: Duration = Duration::from_millis(200);

/// Disputes that wait for their turn; the oldest go first where there are more.
const WAITING_MAX: usize = 64;

/// Disputes that the coordinator is playing, and the time that it has for them.
#[derive(Debug)]
pub(super) struct Referee {
    disputes: BTreeMap<BatchId, Dispute>,
    /// Each with the root that its batch starts from: the search may have gone on meanwhile.
    waiting: VecDeque<(Arc<Root>, Dispute)>,
    /// Time that was saved up, less what was spent, microseconds.
    spare_us: i64,
    /// When that was last reckoned.
    at: Duration,
}

impl Default for Referee {
    fn default() -> Referee {
        let (disputes, waiting) = Default::default();
        Referee { disputes, waiting, spare_us: us(SPARE_MAX), at: Duration::ZERO }
    }
}

fn us(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

impl Referee {
    /// Notes a dispute, unless there are too many; gives its batch if it was.
    pub(super) fn ask(&mut self, dispute: Dispute) -> Result<Arc<Batch>, Dispute> {
        if !self.has_room() {
            return Err(dispute);
        }
        let batch = dispute.batch.clone();
        self.disputes.insert(batch.id, dispute);
        Ok(batch)
    }

    /// Keeps a dispute until there is room for it.
    pub(super) fn wait(&mut self, root: Arc<Root>, dispute: Dispute) {
        self.waiting.push_back((root, dispute));
        self.waiting.drain(..self.waiting.len().saturating_sub(WAITING_MAX));
    }

    /// Notes the dispute that has waited longest, where there is room for it now; gives its root and its batch.
    pub(super) fn ask_waiting(&mut self) -> Option<(Arc<Root>, Arc<Batch>)> {
        if !self.has_room() {
            return None;
        }
        let (root, dispute) = self.waiting.pop_front()?;
        Some((root, self.ask(dispute).ok()?))
    }

    /// Tells whether it may be asked one more.
    pub(super) fn has_room(&self) -> bool {
        self.disputes.len() < limits::QUESTIONS_OPEN_MAX
    }

    /// Tells whether it may begin a batch that nobody disputes.
    pub(super) fn has_time(&mut self, now: Duration) -> bool {
        let saved = us(now.saturating_sub(self.at)) / i64::from(SPARE_SHARE);
        // Not before it comes to something, or nothing would ever be saved.
        if saved > 0 {
            self.spare_us = (self.spare_us + saved).min(us(SPARE_MAX));
            self.at = now;
        }
        self.disputes.is_empty() && self.spare_us > 0
    }

    /// The dispute that this process cannot play.
    pub(super) fn drop_dispute(&mut self, batch: BatchId) -> Option<Dispute> {
        self.disputes.remove(&batch)
    }

    /// The dispute that this process has played, in so much time.
    pub(super) fn decide(&mut self, ours: &Tally, took: Duration) -> Option<Dispute> {
        self.spare_us = self.spare_us.saturating_sub(us(took));
        self.disputes.remove(&ours.batch)
    }
}

impl Dispute {
    /// Finds who answered otherwise than the coordinator counts, and how.
    pub(super) fn wrong(&self, ours: &Tally) -> Vec<(WorkerId, String)> {
        let wrong = self.answers.iter().filter(|(_, tally)| tally != ours);
        wrong.map(|(worker, tally)| (*worker, difference(tally, ours))).collect()
    }
}

/// Describes how two tallies of one batch differ, for people.
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
    if let (Some(theirs), Some(ours)) = (theirs.solved(), ours.solved()) {
        let (theirs, ours) = (theirs.bound, ours.bound);
        return format!("it answered batch {batch} by {theirs}, the answer is {ours}");
    }
    if theirs.counts().is_none() && ours.counts().is_none() {
        let what = match ours {
            Answer::Played(_) | Answer::Practised(_) => "games",
            Answer::Tried(_) => "trial",
            Answer::Labelled(_) => "values of positions",
            _ => "judgement",
        };
        return format!("its {what} of batch {batch} are not what others find");
    }
    let amaf = |answer: &'a Answer| answer.counts().and_then(|counts| counts.amaf.as_ref());
    let owners = |answer: &'a Answer| answer.counts().and_then(|counts| counts.ownership.as_ref());
    let part = match () {
        () if amaf(theirs) != amaf(ours) => "AMAF counts",
        () if owners(theirs) != owners(ours) => "owners",
        () if theirs.subtree() != ours.subtree() => "subtree",
        () => "margins or plies",
    };
    format!("its {part} of batch {batch} are not what its {playouts} playouts give")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likeness::Likeness;
    use banyan_games::Counts;
    use banyan_jobs::{Bound, Solved};

    fn dispute(answers: Vec<(WorkerId, Tally)>) -> Dispute {
        let likeness = Likeness::Exact;
        Dispute { batch: Arc::new(crate::tests::batch(7)), answers, likeness, is_held: false }
    }

    fn tally(wins: u32) -> Tally {
        let counts = Counts { wins, losses: 10 - wins, ..Counts::default() };
        Tally { batch: crate::tests::batch(7).id, answer: Answer::Counts(counts) }
    }

    #[test]
    fn whoever_differs_from_the_coordinators_own_tally_is_named_with_both_counts() {
        let mut referee = Referee::default();
        let [honest, lie] = [4, 10].map(tally);
        let asked = dispute(vec![(WorkerId(1), honest.clone()), (WorkerId(2), lie)]);
        assert!(referee.ask(asked).is_ok());
        let wrong = referee.decide(&honest, Duration::ZERO).expect("asked").wrong(&honest);
        let why = "it counted 10 wins and 0 draws for Black, there are 4 and 0";
        assert!(matches!(&wrong[..], [(WorkerId(2), text)] if text.ends_with(why)), "{wrong:?}");
        assert_eq!(referee.decide(&honest, Duration::ZERO), None, "a dispute is decided once");
    }

    #[test]
    fn a_wrong_bound_is_told_with_the_right_one() {
        let solved = |bound| {
            let answer = Answer::Solved(Solved { bound, nodes: 9 });
            Tally { answer, ..tally(0) }
        };
        let [lie, ours] = [Bound::AtMost(-3), Bound::AtLeast(4)].map(solved);
        let wrong = dispute(vec![(WorkerId(2), lie)]).wrong(&ours);
        let text = &wrong[0].1;
        assert!(text.contains("at most -3") && text.contains("at least 4"), "{text}");
        assert!(!text.contains("playouts"), "{text}");
    }

    #[test]
    fn what_nobody_disputes_takes_a_hundredth_of_the_time() {
        let mut referee = Referee::default();
        let (mut now, mut spent) = (Duration::ZERO, Duration::ZERO);
        let took = Duration::from_millis(30);
        while now < Duration::from_secs(100) {
            now += Duration::from_micros(50);
            if referee.has_time(now) {
                let _ = referee.ask(dispute(Vec::new()));
                assert!(!referee.has_time(now), "one at a time");
                referee.decide(&tally(0), took);
                spent += took;
            }
        }
        let share = spent.as_secs_f64() / now.as_secs_f64();
        assert!((0.009..0.0125).contains(&share), "{share}");
    }
}

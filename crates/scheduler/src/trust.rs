//! What follows when tallies of one batch differ: the coordinator plays it, and who was wrong is out.

use std::time::Duration;

use banyan_jobs::{Tally, WorkerId};

use super::audit::Question;
use super::{Action, Dismissal, Scheduler};

impl Scheduler {
    /// Has this process play a batch whose tallies differ, or that nobody else was there to play.
    pub(super) fn ask_referee(&mut self, question: Question) {
        let session = question.batch.id.session();
        let Some(session) = self.sessions.get(&session) else { return };
        if let Some(batch) = self.referee.ask(question) {
            self.actions.push(Action::Referee(session.root.clone(), batch));
        }
    }

    /// One at a time and not often: a lone worker's audits are the coordinator's own work.
    pub(super) fn referee_overdue_audits(&mut self, now: Duration) {
        if !self.referee.has_time(now) {
            return;
        }
        let mut sessions = self.sessions.values_mut();
        let Some(question) = sessions.find_map(|it| it.ledger.take_overdue_audit(now)) else {
            return;
        };
        self.referee.begins(now);
        self.ask_referee(question);
    }

    /// Puts out whoever answered otherwise than this process did.
    pub(super) fn decide(&mut self, ours: &Tally) {
        for (worker, why) in self.referee.decide(ours) {
            self.quarantine(worker, why);
        }
    }

    /// The worker is put out, also if it has left, and its tallies are taken back out where they are
    /// still known.
    fn quarantine(&mut self, worker: WorkerId, why: String) {
        self.dismiss(worker, Dismissal::Lied(why));
        for (&id, session) in &mut self.sessions {
            session.ledger.forget_audits_of(worker);
            self.actions.push(Action::TakeBack(id, worker));
        }
    }
}

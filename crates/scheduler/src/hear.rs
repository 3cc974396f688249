//! Messages of a worker: its tallies are judged, and its word is noted.

use std::time::Duration;

use banyan_jobs::{BatchId, FromWorker, Tally, ToWorker, WorkerId};

use super::ledger::Verdict;
use super::{Action, Dismissal, Member, Scheduler};

impl Scheduler {
    pub(super) fn hear(&mut self, now: Duration, worker: WorkerId, message: FromWorker) {
        if self.roster.change(worker, |member| member.heard(now)).is_none() {
            return;
        }
        match message {
            FromWorker::Tallies(tallies) => self.take(now, worker, tallies),
            FromWorker::Pong { nonce, usage } => {
                self.roster.change(worker, |member| member.pong(now, nonce, usage));
            }
            FromWorker::Draining => {
                self.roster.change(worker, Member::drain);
                self.actions.push(Action::Send(worker, ToWorker::Released));
                self.tell_windows();
            }
            FromWorker::Failed(batch, reason) => self.fail(now, worker, batch, &reason),
            FromWorker::Offers(offers) => {
                self.roster.change(worker, |member| member.offers(offers));
                self.tell_windows();
            }
            FromWorker::Threads(threads) => {
                self.roster.change(worker, |member| member.has_threads(threads));
                self.tell_windows();
            }
            // What models are made of is not known here.
            FromWorker::Want(..) => {
                self.roster.change(worker, |member| member.fetches(now));
            }
            FromWorker::Unfit(digest, _) => {
                self.roster.change(worker, |member| member.refuses(digest));
            }
            FromWorker::Hello(_) => {
                let why = "a second hello on one connection".to_owned();
                self.dismiss(worker, Dismissal::Misbehaved(why));
            }
        }
    }

    /// Judges each tally and delivers the first of each batch; a worker that lies is put out, and what
    /// follows its lie in the message counts no more.
    fn take(&mut self, now: Duration, worker: WorkerId, mut tallies: Vec<Tally>) {
        let sessions = &mut self.sessions;
        let (mut lie, mut questions, mut confirmed) = (None, Vec::new(), Vec::new());
        self.roster.change(worker, |member| {
            tallies.retain(|tally| {
                if lie.is_some() {
                    return false;
                }
                let was_lent = member.returned(now, tally.batch);
                let Some(session) = sessions.get_mut(&tally.batch.session()) else { return false };
                if was_lent {
                    session.ledger.lease_answered();
                }
                let doubt = member.standing.doubt(tally.batch);
                match session.ledger.judge(now, worker, tally, doubt) {
                    Verdict::First(batch) => {
                        member.merged(&tally.answer);
                        member.standing.see(&batch, tally);
                        return true;
                    }
                    Verdict::Vague => {
                        member.merged(&tally.answer);
                        // Nobody can look at these. Who plays out as well is known by that.
                        if member.profile().games.is_empty() {
                            member.standing.passes_one();
                        }
                        return true;
                    }
                    Verdict::Held => member.standing.holds_one(),
                    Verdict::Confirms(other, held) => confirmed.push((other, held)),
                    Verdict::Late => {}
                    Verdict::Disputed(question) => questions.push(question),
                    Verdict::Misfit(why) => lie = Some(why),
                }
                false
            });
        });
        if let Some(why) = lie {
            self.dismiss(worker, Dismissal::Misbehaved(why));
        }
        self.deliver(worker, tallies);
        confirmed.into_iter().for_each(|(other, held)| self.confirm(other, held));
        questions.into_iter().for_each(|question| self.decide_between(question));
    }

    /// A tally that was held has come through.
    pub(super) fn confirm(&mut self, worker: WorkerId, tally: Tally) {
        self.roster.change(worker, |member| {
            member.merged(&tally.answer);
            member.standing.confirms_one();
        });
        self.deliver(worker, vec![tally]);
    }

    /// Hands tallies to the sessions they belong to; nearly always it is one.
    fn deliver(&mut self, worker: WorkerId, mut tallies: Vec<Tally>) {
        while let Some(session) = tallies.first().map(|tally| tally.batch.session()) {
            let others = tallies.extract_if(.., |tally| tally.batch.session() != session).collect();
            let own = std::mem::replace(&mut tallies, others);
            self.actions.push(Action::Deliver(session, worker, own));
        }
    }

    fn fail(&mut self, now: Duration, worker: WorkerId, batch: BatchId, reason: &str) {
        // A batch of a root that died meanwhile may well fail; one of a living root must not.
        let returned = self.roster.change(worker, |member| member.returned(now, batch));
        if returned == Some(true) {
            self.give_back(batch);
            let why = format!("it could not run batch {batch}: {reason}");
            self.dismiss(worker, Dismissal::Misbehaved(why));
        }
    }
}

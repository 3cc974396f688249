//! The scheduler: lends batches to workers by their capacity and takes tallies back, each once.
//!
//! A pure state machine: time is an argument, there is no socket and no randomness, so that thousands
//! of simulated clusters run in a test and replay from a seed. The coordinator drives it.
//!
//! Reading order: `event` for what goes in and comes out, here for what happens on each event, `hear`
//! for what workers say, `lend` for who is lent what, `sharing` for how sessions share the cluster,
//! `roster` for who is there, `origin` for whose word is taken, `member` for one worker, `capacity` for
//! how much it is lent at once, `ledger` for the batches of one session, `audit` for those that are played
//! again elsewhere, `likeness` for when two tallies say the same, `standing` for whose word is taken, `referee`
//! for what the coordinator plays itself, `trust` for what follows when tallies differ.

mod event;

mod hear;

mod lend;

mod sharing;

mod audit;

mod likeness;

mod standing;

mod referee;

mod origin;

mod capacity;

mod can;

mod ledger;

mod member;

mod roster;

mod trust;

#[cfg(test)]
mod tests;

#[cfg(test)]
mod tests_trust;

#[cfg(test)]
mod tests_judges;

#[cfg(test)]
mod tests_sharing;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use banyan_games::Kind;
use banyan_jobs::{
    Batch, BatchId, ModelDigest, Profile, Root, RootId, SessionId, ToWorker, WorkerId, is_exact,
    limits,
};
pub use banyan_jobs::{Claim, ClusterCapacity, Purpose, Settlement, Totals};

pub use audit::Auditing;
pub use event::{Action, Dismissal, Event};
pub use ledger::Ledger;
pub use member::{Member, RoundTrip};
pub use origin::Origin;
use referee::Referee;
use roster::Roster;
pub use standing::PROBATION;
use standing::Sample;

/// Roster, windows and leases. See the module.
#[derive(Debug, Default)]
pub struct Scheduler {
    roster: Roster,
    sessions: BTreeMap<SessionId, Session>,
    /// The turn of whoever was lent to last, of each purpose.
    turns: BTreeMap<Purpose, u64>,
    /// The worker that alone is lent anything.
    only: Option<WorkerId>,
    auditing: Auditing,
    referee: Referee,
    /// Something that each of those said who left since, to be looked at.
    left: VecDeque<(WorkerId, Sample)>,
    /// Workers whose tallies were wrong, the latest last.
    liars: VecDeque<WorkerId>,
    /// Totals of all searches that are over.
    past: Totals,
    actions: Vec<Action>,
    last_nonce: u64,
}

/// One session's search.
#[derive(Debug)]
struct Session {
    root: Arc<Root>,
    kind: Kind,
    /// The session has playouts made.
    plays: bool,
    /// Evaluator of its positions.
    evaluator: Option<ModelDigest>,
    claim: Claim,
    ledger: Ledger,
    /// The part of the cluster that it is seen to use, with room to grow.
    need: f64,
    /// Its part of the cluster, 0 to 1.
    part: f64,
    /// Playouts that may be lent at once.
    quota: u32,
    /// Its place in the order of lending: playouts that it was lent, over its weight.
    turn: u64,
    /// Capacity that its search was last told.
    told: ClusterCapacity,
}

impl Session {
    fn new(root: Arc<Root>, claim: Claim) -> Session {
        Session {
            kind: root.rules.kind(),
            plays: root.growing.parameters.lambda < 1.0,
            evaluator: root.growing.evaluator,
            ledger: Ledger::new(&root),
            root,
            claim,
            need: f64::INFINITY,
            part: 0.0,
            quota: 0,
            turn: 0,
            told: ClusterCapacity::default(),
        }
    }
}

impl Scheduler {
    /// A scheduler without workers that compares tallies like this.
    pub fn new(auditing: Auditing) -> Scheduler {
        Scheduler { auditing, ..Scheduler::default() }
    }

    /// Takes one event at `now` (since any fixed moment, never going back) and says what to do.
    pub fn handle(&mut self, now: Duration, event: Event) -> Vec<Action> {
        match event {
            Event::Joined(worker, profile, origin) => self.join(now, worker, profile, origin),
            Event::Left(worker) => self.part(worker),
            Event::Said(worker, message) => self.hear(now, worker, message),
            Event::Opened(root, claim) => self.open(root, claim),
            Event::Submitted(session, batches) => self.submit(session, batches),
            Event::Dropped(session, batches) => self.drop_batches(session, &batches),
            Event::Closed(session) => self.close(session),
            Event::Restrict(only) => self.restrict(only),
            Event::Refereed(tally, took) => self.decide(&tally, took),
            Event::CannotReferee(batch) => self.cannot_decide(batch),
            Event::Stalled(gap) => self.roster.change_all(|_, member| member.shift(gap)),
            Event::Tick => self.tick(now),
        }
        self.look_at_some(now);
        self.lend(now);
        std::mem::take(&mut self.actions)
    }

    /// Tells whether a session is open that no worker plays for, or judges for where nothing is played out; nor will
    /// soon, once the model is there that it fetches.
    pub fn is_starved(&self, now: Duration) -> bool {
        let served = |session: &Session| {
            self.roster.iter().any(|(_, member)| session.is_served_by(member, now))
        };
        !self.sessions.values().all(served)
    }

    /// Tells whether a session waits for a judgement by this evaluator, and nobody is there to judge, or none who
    /// answers any more.
    pub fn wants_judge(&self, evaluator: ModelDigest, now: Duration) -> bool {
        self.sessions.values().any(|session| {
            session.evaluator == Some(evaluator)
                && !session.plays
                && !self.roster.iter().any(|(_, it)| it.answers(session.kind, evaluator, now))
        })
    }

    /// Tells whether somebody else than this worker judges a game's positions by an evaluator, and answers.
    pub fn has_judge_but(
        &self,
        worker: WorkerId,
        (kind, evaluator): (Kind, ModelDigest),
        now: Duration,
    ) -> bool {
        let mut others = self.roster.iter().filter(|&(id, _)| id != worker);
        others.any(|(_, member)| member.answers(kind, evaluator, now))
    }

    /// The workers, in the order in which they came.
    pub fn members(&self) -> impl Iterator<Item = (WorkerId, &Member)> {
        self.roster.iter()
    }

    /// Tells what became of all batches so far, those of searches under way with them.
    pub fn totals(&self) -> Totals {
        let mut totals = self.past;
        self.sessions.values().for_each(|session| totals += session.ledger.totals());
        totals
    }

    /// Searches under way: what is searched, what they claim, their part of the cluster and their books.
    pub fn searches(&self) -> impl Iterator<Item = (&Arc<Root>, Claim, f64, &Ledger)> {
        self.sessions.values().map(|it| (&it.root, it.claim, it.part, &it.ledger))
    }

    /// The books of an open session.
    pub fn ledger(&self, session: SessionId) -> Option<&Ledger> {
        self.sessions.get(&session).map(|session| &session.ledger)
    }

    fn join(&mut self, now: Duration, worker: WorkerId, profile: Profile, origin: Origin) {
        self.roster.insert(worker, Member::new(now, profile, origin, self.auditing));
        self.roster.change(worker, |member| member.bar(self.only.is_some()));
        self.tell_needs();
        self.tell_windows();
    }

    /// The worker is gone: what it held is lent again, at once.
    fn part(&mut self, worker: WorkerId) {
        let Some(mut member) = self.roster.remove(worker) else { return };
        for batch in member.held_batches() {
            self.give_back(batch);
        }
        self.sessions.values_mut().for_each(|session| session.ledger.forget_held(worker));
        let sample = member.standing.draw();
        self.keep_last_word(worker, sample);
        self.tell_windows();
    }

    fn give_back(&mut self, batch: BatchId) {
        if let Some(session) = self.sessions.get_mut(&batch.session()) {
            session.ledger.lease_lost(batch);
        }
    }

    fn dismiss(&mut self, worker: WorkerId, why: Dismissal) {
        self.actions.push(Action::Dismiss(worker, why));
        self.part(worker);
    }

    fn open(&mut self, root: Arc<Root>, claim: Claim) {
        self.settle(root.id.session);
        let id = root.id.session;
        self.sessions.insert(id, Session::new(root, claim));
        self.tell_needs();
        self.tell_of_liars(id);
        self.tell_windows();
    }

    /// Tells workers that play a game which models judge its positions here, each once, where they have them
    /// not. What is approximate does not travel.
    fn tell_needs(&mut self) {
        let needs = self.sessions.values().filter_map(|it| Some((it.kind, it.evaluator?)));
        let needs: Vec<_> = needs.filter(|&(_, evaluator)| is_exact(evaluator)).collect();
        let actions = &mut self.actions;
        self.roster.change_all(|worker, member| {
            for &(kind, evaluator) in &needs {
                if member.should_be_told(kind, evaluator) {
                    actions.push(Action::Send(worker, ToWorker::Need(evaluator)));
                }
            }
        });
    }

    fn submit(&mut self, session: SessionId, batches: Vec<Batch>) {
        if let Some(session) = self.sessions.get_mut(&session) {
            session.ledger.submit(batches);
        }
    }

    /// Nobody is asked for these batches any more, and who has them is told.
    fn drop_batches(&mut self, session: SessionId, batches: &[BatchId]) {
        let Some(session) = self.sessions.get_mut(&session) else { return };
        let holders = batches.iter().filter_map(|&batch| session.ledger.holder(batch)).collect();
        let actions = &mut self.actions;
        let dropped: Vec<BatchId> =
            batches.iter().copied().filter(|&batch| session.ledger.drop_batch(batch)).collect();
        self.roster.change_all(|worker, member| {
            let held: Vec<BatchId> =
                dropped.iter().copied().filter(|&batch| member.write_off(batch)).collect();
            session.ledger.leases_died(held.len() as u64);
            let messages = held.chunks(limits::BATCHES_PER_MESSAGE_MAX);
            actions
                .extend(messages.map(|held| Action::Send(worker, ToWorker::Drop(held.to_vec()))));
        });
        self.forget_held(holders);
    }

    fn close(&mut self, id: SessionId) {
        if let Some(settlement) = self.settle(id) {
            self.actions.push(Action::Settled(id, settlement));
            self.tell_windows();
        }
    }

    /// Takes a session off the books.
    fn settle(&mut self, id: SessionId) -> Option<Settlement> {
        let session = self.sessions.remove(&id)?;
        let dead = self.forget_members_leases(session.root.id);
        self.forget_held(session.ledger.holders());
        let settlement = session.ledger.settle(dead);
        self.past += settlement.totals;
        Some(settlement)
    }

    /// Returns how many there were.
    fn forget_members_leases(&mut self, root: RootId) -> u64 {
        let (actions, mut dead) = (&mut self.actions, 0);
        self.roster.change_all(|worker, member| {
            dead += member.forget_leases(root.session);
            if member.forget_root(root) {
                actions.push(Action::Send(worker, ToWorker::Forget(root)));
            }
        });
        dead
    }

    /// Bars all workers but `only`, where it names one; what they hold they finish.
    fn restrict(&mut self, only: Option<WorkerId>) {
        self.only = only;
        self.roster.change_all(|id, member| member.bar(only.is_some_and(|only| only != id)));
        self.tell_windows();
    }

    fn tick(&mut self, now: Duration) {
        let silent: Vec<WorkerId> =
            self.members().filter(|(_, member)| member.is_silent(now)).map(|(id, _)| id).collect();
        for worker in silent {
            self.dismiss(worker, Dismissal::Silent);
        }
        let (actions, last_nonce) = (&mut self.actions, &mut self.last_nonce);
        self.roster.change_all(|worker, member| {
            if let Some(nonce) = member.ping_due(now, last_nonce) {
                actions.push(Action::Send(worker, ToWorker::Ping(nonce)));
            }
        });
        self.end_overdue_leases(now);
        self.hedge(now);
        self.see_needs();
        self.tell_windows();
    }
}

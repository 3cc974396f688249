//! Who does what: lends batches to workers by their capacity and takes tallies back, each once.
//!
//! A pure state machine: time is an argument, there is no socket and no randomness, so that thousands
//! of simulated clusters run in a test and replay from a seed. [`crate::cluster`] drives it.
//!
//! Reading order: here for what happens on each event, `roster` for who is there, `member` for one
//! worker, `capacity` for how much it is lent at once, `ledger` for the batches of one session with its
//! `totals`, `fit` for which tally can be theirs, `audit` for those that are played again elsewhere,
//! `trust` for what follows when tallies differ.

mod audit;

mod capacity;

mod totals;

mod ledger;

mod fit;

mod member;

mod roster;

mod trust;

#[cfg(test)]
mod tests;

#[cfg(test)]
mod tests_trust;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use arrayvec::ArrayVec;
use banyan_games::Kind;
use banyan_jobs::{
    Batch, BatchId, FromWorker, Lent, Profile, Root, RootId, SessionId, Tally, ToWorker, WorkerId,
};

pub use audit::Auditing;
use audit::Referee;
pub use capacity::Slack;
pub use ledger::Ledger;
use ledger::Verdict;
pub use member::{Member, RoundTrip};
use roster::Roster;
pub use totals::{Settlement, Totals};

/// What can happen to the scheduler.
#[derive(Clone, Debug)]
pub enum Event {
    /// A worker said hello and was welcomed.
    Joined(WorkerId, Profile, Slack),
    /// A worker's connection is gone.
    Left(WorkerId),
    /// A worker sent something.
    Said(WorkerId, FromWorker),
    /// A session has a new root; all it had before is dead.
    Opened(Arc<Root>),
    /// A session's grower made batches.
    Submitted(SessionId, Vec<Batch>),
    /// A session's search is over.
    Closed(SessionId),
    /// Lend to this worker alone from now on, or to all again.
    Restrict(Option<WorkerId>),
    /// This process played a batch that it was asked for by [`Action::Referee`].
    Refereed(Tally),
    /// This process was stopped for so long, and nobody else was.
    Stalled(Duration),
    /// Time passed. Expected every 10 to 50 ms.
    Tick,
}

/// What the scheduler wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Send a message to a worker.
    Send(WorkerId, ToWorker),
    /// Close a worker's connection.
    Dismiss(WorkerId, Dismissal),
    /// Give tallies of a worker to a session's grower.
    Deliver(SessionId, WorkerId, Vec<Tally>),
    /// Tell a session's grower that a worker's tallies were lies.
    TakeBack(SessionId, WorkerId),
    /// Play a batch in this process, whose word counts; [`Event::Refereed`] follows.
    Referee(Arc<Root>, Arc<Batch>),
    /// What the cluster can do for a session has changed.
    Room(SessionId, Room),
    /// A session is closed, and this is what became of its batches.
    Settled(SessionId, Settlement),
}

/// What the cluster can do for a session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Room {
    /// Playouts that it can hold.
    pub window: u32,
    /// Playouts per second that it is seen to do; 0 until measured.
    pub rate: f64,
    /// Threads that play out.
    pub threads: u32,
    /// Processor time of a playout, of the thriftiest worker; nothing until measured.
    pub playout_cost: Option<Duration>,
}

impl Room {
    /// Whether a grower that was told this would do the same by `other`.
    fn is_like(&self, other: &Room) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() <= NEWS_MIN * a;
        let cost = |room: &Room| room.playout_cost.map_or(0.0, |cost| cost.as_secs_f64());
        self.threads == other.threads
            && near(f64::from(self.window), f64::from(other.window))
            && near(self.rate, other.rate)
            && near(cost(self), cost(other))
    }
}

/// What differs by less than this share from what was last told is no news.
const NEWS_MIN: f64 = 0.05;

/// Why a worker is sent away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dismissal {
    /// Nothing was heard of it for too long; it may come back.
    Silent,
    /// It did what no honest worker of this build does; the text is for people.
    Misbehaved(String),
    /// Its tallies are not what their batches give, as the coordinator found by playing one itself. It
    /// is not let in again.
    Lied(String),
}

/// Roster, windows and leases. See the module.
#[derive(Debug, Default)]
pub struct Scheduler {
    roster: Roster,
    sessions: BTreeMap<SessionId, Session>,
    /// The worker that alone is lent anything.
    only: Option<WorkerId>,
    auditing: Auditing,
    referee: Referee,
    /// Of all searches that are over.
    past: Totals,
    actions: Vec<Action>,
    last_nonce: u64,
}

/// One session's search.
#[derive(Debug)]
struct Session {
    root: Arc<Root>,
    kind: Kind,
    ledger: Ledger,
    /// What its grower was last told.
    told: Room,
}

impl Scheduler {
    /// A scheduler without workers that compares tallies like this.
    pub fn new(auditing: Auditing) -> Scheduler {
        Scheduler { auditing, ..Scheduler::default() }
    }

    /// Takes one event at `now` (since any fixed moment, never going back) and says what to do.
    pub fn handle(&mut self, now: Duration, event: Event) -> Vec<Action> {
        match event {
            Event::Joined(worker, profile, slack) => self.join(now, worker, profile, slack),
            Event::Left(worker) => self.part(worker),
            Event::Said(worker, message) => self.hear(now, worker, message),
            Event::Opened(root) => self.open(root),
            Event::Submitted(session, batches) => self.submit(session, batches),
            Event::Closed(session) => self.close(session),
            Event::Restrict(only) => self.restrict(only),
            Event::Refereed(tally) => self.decide(&tally),
            Event::Stalled(gap) => self.roster.change_all(|_, member| member.shift(gap)),
            Event::Tick => self.tick(now),
        }
        self.lend(now);
        std::mem::take(&mut self.actions)
    }

    /// Whether a session is open that no worker plays for.
    pub fn is_starved(&self) -> bool {
        let played = |kind| self.roster.iter().any(|(_, member)| member.knows(kind));
        self.sessions.values().any(|session| !played(session.kind))
    }

    /// The workers, in the order in which they came.
    pub fn members(&self) -> impl Iterator<Item = (WorkerId, &Member)> {
        self.roster.iter()
    }

    /// What became of all batches so far, those of searches under way with them.
    pub fn totals(&self) -> Totals {
        let mut totals = self.past;
        self.sessions.values().for_each(|session| totals += session.ledger.totals());
        totals
    }

    /// Searches under way.
    pub fn searches(&self) -> usize {
        self.sessions.len()
    }

    /// The books of an open session.
    pub fn ledger(&self, session: SessionId) -> Option<&Ledger> {
        self.sessions.get(&session).map(|session| &session.ledger)
    }

    fn join(&mut self, now: Duration, worker: WorkerId, profile: Profile, slack: Slack) {
        self.roster.insert(worker, Member::new(now, profile, slack));
        self.roster.change(worker, |member| member.bar(self.only.is_some()));
        self.tell_windows();
    }

    /// The worker is gone: what it held is lent again, at once.
    fn part(&mut self, worker: WorkerId) {
        let Some(member) = self.roster.remove(worker) else { return };
        for batch in member.held_batches() {
            self.give_back(batch);
        }
        self.tell_windows();
    }

    fn give_back(&mut self, batch: BatchId) {
        if let Some(session) = self.sessions.get_mut(&batch.session()) {
            session.ledger.lease_lost(batch);
        }
    }

    fn hear(&mut self, now: Duration, worker: WorkerId, message: FromWorker) {
        if self.roster.change(worker, |member| member.heard(now)).is_none() {
            return;
        }
        match message {
            FromWorker::Tallies(tallies) => self.take(now, worker, tallies),
            FromWorker::Pong { nonce, cpu } => {
                self.roster.change(worker, |member| member.pong(now, nonce, cpu));
            }
            FromWorker::Draining => {
                self.roster.change(worker, Member::drain);
                self.actions.push(Action::Send(worker, ToWorker::Released));
                self.tell_windows();
            }
            FromWorker::Failed(batch, reason) => self.fail(now, worker, batch, &reason),
            FromWorker::Hello(_) => {
                let why = "a second hello on one connection".to_owned();
                self.dismiss(worker, Dismissal::Misbehaved(why));
            }
        }
    }

    /// Judges each tally and delivers the first of each batch; a worker that lies is put out, and what
    /// follows its lie in the message counts no more.
    fn take(&mut self, now: Duration, worker: WorkerId, mut tallies: Vec<Tally>) {
        let (sessions, auditing) = (&mut self.sessions, self.auditing);
        let (mut lie, mut questions) = (None, Vec::new());
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
                let doubt = member.doubt(tally.batch, auditing);
                match session.ledger.judge(now, worker, tally, doubt) {
                    Verdict::First => {
                        member.merged(tally.cost());
                        return true;
                    }
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
        questions.into_iter().for_each(|question| self.ask_referee(question));
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

    fn dismiss(&mut self, worker: WorkerId, why: Dismissal) {
        self.actions.push(Action::Dismiss(worker, why));
        self.part(worker);
    }

    fn open(&mut self, root: Arc<Root>) {
        let id = root.id;
        self.forget_older(id);
        let kind = root.rules.kind();
        let ledger = Ledger::new(&root);
        self.sessions.insert(id.session, Session { root, kind, ledger, told: Room::default() });
        self.tell_windows();
    }

    fn submit(&mut self, session: SessionId, batches: Vec<Batch>) {
        if let Some(session) = self.sessions.get_mut(&session) {
            session.ledger.submit(batches);
        }
    }

    fn close(&mut self, id: SessionId) {
        let Some(session) = self.sessions.remove(&id) else { return };
        let dead = self.forget_members_leases(session.root.id);
        let settlement = session.ledger.settle(dead);
        self.past += settlement.totals;
        self.actions.push(Action::Settled(id, settlement));
        self.tell_windows();
    }

    fn forget_older(&mut self, root: RootId) {
        if let Some(session) = self.sessions.remove(&root.session) {
            let dead = self.forget_members_leases(session.root.id);
            self.past += session.ledger.settle(dead).totals;
        }
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

    /// What others hold they finish.
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
        self.referee_overdue_audits(now);
        self.tell_windows();
    }

    fn end_overdue_leases(&mut self, now: Duration) {
        let mut overdue = Vec::new();
        self.roster.change_all(|_, member| overdue.extend(member.take_overdue(now)));
        for batch in overdue {
            self.give_back(batch);
        }
    }

    /// Lends stragglers' oldest batches once more when there is nothing else to do.
    fn hedge(&mut self, now: Duration) {
        let idle = self.roster.iter().any(|(_, member)| member.is_idle());
        if !idle || self.sessions.values().any(|session| session.ledger.has_waiting()) {
            return;
        }
        let stragglers = self.roster.iter().flat_map(|(_, member)| member.straggling(now));
        for batch in stragglers.collect::<Vec<_>>() {
            if let Some(session) = self.sessions.get_mut(&batch.session()) {
                session.ledger.hedge(batch);
            }
        }
    }

    /// Hands waiting batches to the workers with most room, a message at a time.
    fn lend(&mut self, now: Duration) {
        for session in self.sessions.values_mut() {
            let mut refused = None;
            while session.ledger.has_work() {
                let Some(next) = self.roster.roomiest(refused) else { break };
                let lend = |member: &mut Member| session.lend(now, next.1, member);
                let messages = self.roster.change(next.1, lend).unwrap_or_default();
                // A worker may hold all that waits already; then the next one is asked.
                refused = messages.is_empty().then_some(next);
                self.actions.extend(messages.into_iter().map(|m| Action::Send(next.1, m)));
            }
        }
    }

    /// Tells each session's grower what the cluster can do for it.
    fn tell_windows(&mut self) {
        let open = self.sessions.len().max(1) as u32;
        for (&id, session) in &mut self.sessions {
            let batch = session.ledger.batch_playouts();
            let mut room = Room::default();
            for (_, member) in self.roster.iter().filter(|(_, m)| m.plays(session.kind)) {
                room.window = room.window.saturating_add(member.window(batch));
                room.rate += member.rate();
                room.threads += member.profile().threads;
                let costs = [room.playout_cost, member.playout_cost()];
                room.playout_cost = costs.into_iter().flatten().min();
            }
            room.window /= open;
            room.rate /= f64::from(open);
            if !session.told.is_like(&room) {
                session.told = room;
                self.actions.push(Action::Room(id, room));
            }
        }
    }
}

impl Session {
    /// A message of waiting batches to a worker, after the root where it does not know that yet; empty
    /// when there is nothing that it can take.
    fn lend(
        &mut self,
        now: Duration,
        worker: WorkerId,
        member: &mut Member,
    ) -> ArrayVec<ToWorker, 2> {
        let mut messages = ArrayVec::new();
        if !member.plays(self.kind) {
            return messages;
        }
        let playouts = member.message_playouts(self.ledger.batch_playouts());
        let lent: Vec<Lent> = self.ledger.lend(worker, playouts, |batch| member.holds(batch));
        if lent.is_empty() {
            return messages;
        }
        if member.learn_root(self.root.id) {
            messages.push(ToWorker::Root(self.root.clone()));
        }
        for lent in &lent {
            member.lent(now, &lent.batch);
        }
        messages.push(ToWorker::Lend(lent));
        messages
    }
}

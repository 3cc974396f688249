//! Who does what: lends batches to workers by their capacity and takes tallies back, each once.
//!
//! A pure state machine: time is an argument, there is no socket and no randomness, so that thousands
//! of simulated clusters run in a test and replay from a seed. [`crate::cluster`] drives it.
//!
//! Reading order: here for what happens on each event, `member` for one worker, `capacity` for how
//! much it is lent at once, `ledger` for the batches of one session.

mod capacity;

mod ledger;

mod member;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use banyan_games::Kind;
use banyan_jobs::{
    Batch, BatchId, FromWorker, Lent, Profile, Root, RootId, SessionId, Tally, ToWorker, WorkerId,
};

pub use capacity::Slack;
pub use ledger::{Ledger, Totals, Verdict};
pub use member::Member;

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
    /// Give tallies to a session's grower.
    Deliver(SessionId, Vec<Tally>),
    /// What the cluster can do for a session has changed.
    Room(SessionId, Room),
    /// A session is closed, and this is what became of its batches.
    Settled(SessionId, Totals),
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
        self.window == other.window
            && self.threads == other.threads
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
}

/// Roster, windows and leases. See the module.
#[derive(Debug, Default)]
pub struct Scheduler {
    members: BTreeMap<WorkerId, Member>,
    sessions: BTreeMap<SessionId, Session>,
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
    /// Takes one event at `now` (since any fixed moment, never going back) and says what to do.
    pub fn handle(&mut self, now: Duration, event: Event) -> Vec<Action> {
        match event {
            Event::Joined(worker, profile, slack) => self.join(now, worker, profile, slack),
            Event::Left(worker) => self.part(worker),
            Event::Said(worker, message) => self.hear(now, worker, message),
            Event::Opened(root) => self.open(root),
            Event::Submitted(session, batches) => self.submit(session, batches),
            Event::Closed(session) => self.close(session),
            Event::Stalled(gap) => self.members.values_mut().for_each(|m| m.shift(gap)),
            Event::Tick => self.tick(now),
        }
        self.lend(now);
        std::mem::take(&mut self.actions)
    }

    /// Whether a session is open that no worker plays for.
    pub fn is_starved(&self) -> bool {
        let played = |kind| self.members.values().any(|member| member.plays(kind));
        self.sessions.values().any(|session| !played(session.kind))
    }

    /// The workers, in the order in which they came.
    pub fn members(&self) -> impl Iterator<Item = (WorkerId, &Member)> {
        self.members.iter().map(|(&id, member)| (id, member))
    }

    /// The books of an open session.
    pub fn ledger(&self, session: SessionId) -> Option<&Ledger> {
        self.sessions.get(&session).map(|session| &session.ledger)
    }

    fn join(&mut self, now: Duration, worker: WorkerId, profile: Profile, slack: Slack) {
        self.members.insert(worker, Member::new(now, profile, slack));
        self.tell_windows();
    }

    /// The worker is gone: what it held is lent again, at once.
    fn part(&mut self, worker: WorkerId) {
        let Some(member) = self.members.remove(&worker) else { return };
        for batch in member.held_batches() {
            self.give_back(batch);
        }
        self.tell_windows();
    }

    fn give_back(&mut self, batch: BatchId) {
        if let Some(session) = self.sessions.get_mut(&batch.session()) {
            session.ledger.lease_ended(batch);
        }
    }

    fn hear(&mut self, now: Duration, worker: WorkerId, message: FromWorker) {
        let Some(member) = self.members.get_mut(&worker) else { return };
        member.heard(now);
        match message {
            FromWorker::Tallies(tallies) => self.take(now, worker, tallies),
            FromWorker::Pong { nonce, cpu } => member.pong(now, nonce, cpu),
            FromWorker::Draining => {
                member.drain();
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

    fn take(&mut self, now: Duration, worker: WorkerId, tallies: Vec<Tally>) {
        let mut delivered: BTreeMap<SessionId, Vec<Tally>> = BTreeMap::new();
        for tally in tallies {
            let Some(member) = self.members.get_mut(&worker) else { return };
            member.returned(now, tally.batch);
            let Some(session) = self.sessions.get_mut(&tally.batch.session()) else { continue };
            match session.ledger.judge(worker, &tally) {
                Verdict::First => {
                    member.merged(tally.counts.playouts());
                    delivered.entry(tally.batch.session()).or_default().push(tally);
                }
                Verdict::Late => {}
                Verdict::Misfit(why) => self.dismiss(worker, Dismissal::Misbehaved(why)),
            }
        }
        let deliver = |(session, tallies)| Action::Deliver(session, tallies);
        self.actions.extend(delivered.into_iter().map(deliver));
    }

    fn fail(&mut self, now: Duration, worker: WorkerId, batch: BatchId, reason: &str) {
        let Some(member) = self.members.get_mut(&worker) else { return };
        // A batch of a root that died meanwhile may well fail; one of a living root must not.
        let lent = member.returned(now, batch);
        self.give_back(batch);
        if lent {
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
        self.forget_members_leases(session.root.id);
        let totals = session.ledger.settle();
        self.actions.push(Action::Settled(id, totals));
        self.tell_windows();
    }

    fn forget_older(&mut self, root: RootId) {
        if let Some(session) = self.sessions.remove(&root.session) {
            self.forget_members_leases(session.root.id);
        }
    }

    fn forget_members_leases(&mut self, root: RootId) {
        for (&worker, member) in &mut self.members {
            if member.forget(root) {
                self.actions.push(Action::Send(worker, ToWorker::Forget(root)));
            }
        }
    }

    fn tick(&mut self, now: Duration) {
        let silent: Vec<WorkerId> =
            self.members().filter(|(_, member)| member.is_silent(now)).map(|(id, _)| id).collect();
        for worker in silent {
            self.dismiss(worker, Dismissal::Silent);
        }
        for (&worker, member) in &mut self.members {
            if let Some(nonce) = member.ping_due(now, &mut self.last_nonce) {
                self.actions.push(Action::Send(worker, ToWorker::Ping(nonce)));
            }
        }
        self.end_overdue_leases(now);
        self.hedge(now);
        self.tell_windows();
    }

    fn end_overdue_leases(&mut self, now: Duration) {
        let overdue = self.members.values_mut().flat_map(|member| member.take_overdue(now));
        for batch in overdue.collect::<Vec<_>>() {
            self.give_back(batch);
        }
    }

    /// Lends stragglers' oldest batches once more when there is nothing else to do.
    fn hedge(&mut self, now: Duration) {
        let idle = self.members.values().any(|member| member.is_idle());
        if !idle || self.sessions.values().any(|session| session.ledger.has_waiting()) {
            return;
        }
        let stragglers = self.members.values().flat_map(|member| member.straggling(now));
        for batch in stragglers.collect::<Vec<_>>() {
            if let Some(session) = self.sessions.get_mut(&batch.session()) {
                session.ledger.hedge(batch);
            }
        }
    }

    /// Hands waiting batches to the workers with most room, a message at a time.
    fn lend(&mut self, now: Duration) {
        let sessions: Vec<SessionId> = self.sessions.keys().copied().collect();
        for session in sessions {
            // A worker may hold all that waits already; then the next one is asked.
            while self.roomiest(session).into_iter().any(|w| self.lend_one_message(now, session, w))
            {
            }
        }
    }

    /// The workers with room worth a message, the one whose window is emptiest first.
    fn roomiest(&self, session: SessionId) -> Vec<WorkerId> {
        let waiting = self.sessions.get(&session).filter(|session| session.ledger.has_waiting());
        let Some(session) = waiting else { return Vec::new() };
        let batch = session.ledger.batch_playouts();
        let able = self.members().filter(|(_, m)| m.plays(session.kind) && m.has_room(batch));
        let mut by_fill: Vec<(f64, WorkerId)> = able.map(|(id, m)| (m.fill(batch), id)).collect();
        by_fill.sort_by(|a, b| a.0.total_cmp(&b.0));
        by_fill.into_iter().map(|(_, id)| id).collect()
    }

    fn lend_one_message(&mut self, now: Duration, session: SessionId, worker: WorkerId) -> bool {
        let Some(session) = self.sessions.get_mut(&session) else { return false };
        let Some(member) = self.members.get_mut(&worker) else { return false };
        let playouts = member.message_playouts(session.ledger.batch_playouts());
        let lent: Vec<Lent> = session.ledger.lend(worker, playouts, |batch| member.holds(batch));
        if lent.is_empty() {
            return false;
        }
        if member.learn_root(session.root.id) {
            self.actions.push(Action::Send(worker, ToWorker::Root(session.root.clone())));
        }
        for lent in &lent {
            member.lent(now, &lent.batch);
        }
        self.actions.push(Action::Send(worker, ToWorker::Lend(lent)));
        true
    }

    /// Tells each session's grower what the cluster can do for it.
    fn tell_windows(&mut self) {
        let open = self.sessions.len().max(1) as u32;
        for (&id, session) in &mut self.sessions {
            let batch = session.ledger.batch_playouts();
            let mut room = Room::default();
            for member in self.members.values().filter(|m| m.plays(session.kind)) {
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

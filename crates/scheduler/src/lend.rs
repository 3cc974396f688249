//! Lending: windows told to searches, waiting batches handed out, late ones lent again.

use std::time::Duration;

use arrayvec::ArrayVec;
use banyan_jobs::{Lent, SessionId, ToWorker, WorkerId};

use super::can::Can;
use super::roster::Roster;
use super::sharing::{self, Demand, NEED_PER_USE};
use super::{Action, ClusterCapacity, Member, Purpose, Scheduler, Session};

/// Batches that sessions which share the workers may have waiting, on average.
const WAITING_BATCHES: u32 = 2;

/// Share by which something must differ from what was last told, to be news.
const NEWS_MIN: f64 = 0.05;

impl Scheduler {
    /// Lends a session's late batches once more when it has nothing else to lend and somebody who
    /// plays nothing of it.
    pub(super) fn hedge(&mut self, now: Duration) {
        for (&id, session) in &mut self.sessions {
            let is_idle = |member: &Member| session.can(member).any() && !member.plays_for(id);
            if session.ledger.has_waiting() || !self.roster.iter().any(|(_, it)| is_idle(it)) {
                continue;
            }
            for (_, member) in self.roster.iter() {
                let late = member.straggling(now).filter(|batch| batch.session() == id);
                late.for_each(|batch| session.ledger.hedge(batch));
            }
        }
    }

    pub(super) fn end_overdue_leases(&mut self, now: Duration) {
        let mut overdue = Vec::new();
        self.roster.change_all(|_, member| overdue.extend(member.take_overdue(now)));
        for batch in overdue {
            self.give_back(batch);
        }
    }

    /// Hands waiting batches out, a message at a time: those of sessions that think first, and of these
    /// whose turn it is.
    pub(super) fn lend(&mut self, now: Duration) {
        let mut stuck = Vec::new();
        while let Some(id) = self.next_in_turn(&stuck) {
            if !self.lend_for(now, id) {
                stuck.push(id);
            }
        }
    }

    /// The session that is lent to next, of those that are not `stuck`.
    ///
    /// # Source
    /// Start-time fair queueing (Goyal, Vin & Cheng 1996), but that a session which has nothing waiting,
    /// because its search thread has no core for a moment, saves up the turns of one window.
    fn next_in_turn(&self, stuck: &[SessionId]) -> Option<SessionId> {
        let may = |id: &SessionId, session: &Session| session.may_lend() && !stuck.contains(id);
        let waiting = self.sessions.iter().filter(|(id, session)| may(id, session));
        let place =
            |(_, session): &(&SessionId, &Session)| (session.claim.purpose, self.turn_of(session));
        waiting.min_by_key(place).map(|(&id, _)| id)
    }

    fn turn_of(&self, session: &Session) -> u64 {
        let last = self.turns.get(&session.claim.purpose).copied().unwrap_or_default();
        let saved = sharing::turns(session.claim, session.told.window);
        session.turn.max(last.saturating_sub(saved))
    }

    /// Lends a message of one session's batches to the worker with most room that can take any;
    /// returns whether there was one.
    fn lend_for(&mut self, now: Duration, id: SessionId) -> bool {
        let turn = self.sessions.get(&id).map_or(0, |session| self.turn_of(session));
        let Some(session) = self.sessions.get_mut(&id) else { return false };
        let mut asked = None;
        // A worker may hold all that waits already, or not know the game; then the next one is asked.
        while let Some(next) = self.roster.roomiest(asked) {
            let (_, worker) = next;
            let lend = |member: &mut Member| session.lend(now, worker, member);
            let (messages, playouts) = self.roster.change(worker, lend).unwrap_or_default();
            if playouts > 0 {
                let last = self.turns.entry(session.claim.purpose).or_default();
                *last = turn.max(*last);
                session.turn = turn + sharing::turns(session.claim, playouts);
                self.actions.extend(messages.into_iter().map(|m| Action::Send(worker, m)));
                return true;
            }
            asked = Some(next);
        }
        false
    }

    /// Notes how much of the cluster each session has used since the last tick.
    pub(super) fn see_needs(&mut self) {
        for session in self.sessions.values_mut() {
            let members = self.roster.iter().map(|(_, member)| (member, session.can(member)));
            let members = members.filter(|(_, can)| can.any());
            let window =
                members.map(|(member, can)| f64::from(member.window(session.batch_playouts(can))));
            let window: f64 = window.sum();
            let used = session.ledger.take_peak() as f64;
            session.need = NEED_PER_USE * used / window.max(1.0);
        }
    }

    /// Tells each session's search what the cluster can do for it.
    pub(super) fn tell_windows(&mut self) {
        let demand = |session: &Session| Demand { claim: session.claim, need: session.need };
        let parts = sharing::parts(&self.sessions.values().map(demand).collect::<Vec<_>>());
        let is_alone = self.sessions.len() == 1;
        let thinks = |session: &&Session| session.claim.purpose == Purpose::Thinking;
        let thinkers = self.sessions.values().filter(thinks).count();
        for ((&id, session), part) in self.sessions.iter_mut().zip(parts) {
            session.part = part;
            let whole = whole(&self.roster, session);
            let capacity = if is_alone { whole } else { part_of(whole, (part, thinkers), session) };
            session.quota = match session.claim.purpose {
                Purpose::Pondering | Purpose::Idle if !is_alone => capacity.window,
                _ => u32::MAX,
            };
            if !is_like(&session.told, &capacity) {
                session.told = capacity;
                self.actions.push(Action::Capacity(id, capacity));
            }
        }
    }
}

/// Sums up what the cluster could do for a session that was alone.
fn whole(roster: &Roster, session: &Session) -> ClusterCapacity {
    let mut capacity = ClusterCapacity::default();
    // Batches that are worked at side by side.
    let mut lanes = 0;
    for (_, member) in roster.iter() {
        let can = session.can(member);
        if can.judge {
            capacity.judges += member.profile().threads;
        }
        // Who judges beside playouts adds nothing to them.
        if !can.any() || (session.plays && !can.play) {
            continue;
        }
        let batch = session.batch_playouts(can);
        capacity.window = capacity.window.saturating_add(member.window(batch));
        capacity.rate += member.rate();
        capacity.threads += member.profile().threads;
        lanes += if member.profile().spreads { 1 } else { member.profile().threads };
        let costs = [capacity.playout_cost, member.playout_cost()];
        capacity.playout_cost = costs.into_iter().flatten().min();
    }
    capacity.threads_a_batch = capacity.threads.checked_div(lanes).unwrap_or_default();
    capacity
}

/// So much of what the cluster can do, 0 to 1, for a session that shares it with others, of which so many
/// think. Of those each has something waiting beyond its part, so that it is there when its turn comes:
/// by its part too, so that they share as they should where windows are all that limits them.
fn part_of(
    capacity: ClusterCapacity,
    (part, thinkers): (f64, usize),
    session: &Session,
) -> ClusterCapacity {
    let ClusterCapacity { window, rate, threads, threads_a_batch, judges, playout_cost } = capacity;
    let batch = f64::from(session.ledger.batch_playouts());
    let waiting = match session.claim.purpose {
        Purpose::Thinking => {
            (f64::from(WAITING_BATCHES) * thinkers as f64 * batch * part).max(batch)
        }
        Purpose::Pondering | Purpose::Idle => 0.0,
    };
    ClusterCapacity {
        window: (f64::from(window) * part + waiting) as u32,
        rate: rate * part,
        threads: (f64::from(threads) * part).ceil() as u32,
        threads_a_batch,
        judges: (f64::from(judges) * part).ceil() as u32,
        playout_cost,
    }
}

/// Tells whether a search that was told the one would do the same by the other.
fn is_like(told: &ClusterCapacity, capacity: &ClusterCapacity) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= NEWS_MIN * a;
    let cost =
        |capacity: &ClusterCapacity| capacity.playout_cost.map_or(0.0, |cost| cost.as_secs_f64());
    let counts = |it: &ClusterCapacity| (it.threads, it.threads_a_batch, it.judges);
    counts(told) == counts(capacity)
        && near(f64::from(told.window), f64::from(capacity.window))
        && near(told.rate, capacity.rate)
        && near(cost(told), cost(capacity))
}

impl Session {
    /// Tells what a worker may be lent of it now.
    pub(super) fn can(&self, member: &Member) -> Can {
        if self.claim.is_lent_on && member.profile().spreads {
            return Can::default();
        }
        let judges = |evaluator| member.judges(self.kind, evaluator);
        Can {
            play: self.plays && member.plays(self.kind),
            judge: self.evaluator.is_some_and(judges),
        }
    }

    /// Tells whether a worker could go on with it alone, or fetches what it wants for that.
    pub(super) fn is_served_by(&self, member: &Member, now: Duration) -> bool {
        match (self.plays, self.evaluator) {
            (false, Some(evaluator)) => {
                member.can_judge(self.kind, evaluator)
                    || member.is_fetching(self.kind, evaluator, now)
            }
            _ => member.knows(self.kind),
        }
    }

    /// Playouts of the batches that a worker is lent, a judgement counting as one.
    fn batch_playouts(&self, can: Can) -> u32 {
        if can.play || !self.plays { self.ledger.batch_playouts() } else { 1 }
    }

    /// Tells whether something waits, and it has not its whole part already.
    fn may_lend(&self) -> bool {
        self.ledger.has_work() && self.ledger.lent_playouts() < u64::from(self.quota)
    }

    /// A message of waiting batches to a worker, after the root where it does not know that yet, and
    /// the playouts in it; none when there is nothing that it can take.
    fn lend(
        &mut self,
        now: Duration,
        worker: WorkerId,
        member: &mut Member,
    ) -> (ArrayVec<ToWorker, 2>, u32) {
        let mut messages = ArrayVec::new();
        let can = self.can(member);
        if !can.any() {
            return (messages, 0);
        }
        let free = u64::from(self.quota).saturating_sub(self.ledger.lent_playouts());
        let free = u32::try_from(free).unwrap_or(u32::MAX).max(1);
        let room = member.message_room(self.batch_playouts(can), free);
        let holds = |batch| member.holds(batch);
        let lent: Vec<Lent> = self.ledger.lend(worker, (room, can), holds);
        if lent.is_empty() {
            return (messages, 0);
        }
        if member.learn_root(self.root.id) {
            messages.push(ToWorker::Root(self.root.clone()));
        }
        for lent in &lent {
            member.lent(now, &lent.batch);
        }
        let playouts = lent.iter().map(|lent| lent.batch.job.cost()).sum();
        messages.push(ToWorker::Lend(lent));
        (messages, playouts)
    }
}

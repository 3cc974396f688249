//! Who is lent what: windows told to growers, waiting batches handed out, late ones lent again.

use std::time::Duration;

use arrayvec::ArrayVec;
use banyan_jobs::{Lent, ToWorker, WorkerId};

use super::{Action, Member, Room, Scheduler, Session};

impl Scheduler {
    /// Lends stragglers' oldest batches once more when there is nothing else to do.
    pub(super) fn hedge(&mut self, now: Duration) {
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

    pub(super) fn end_overdue_leases(&mut self, now: Duration) {
        let mut overdue = Vec::new();
        self.roster.change_all(|_, member| overdue.extend(member.take_overdue(now)));
        for batch in overdue {
            self.give_back(batch);
        }
    }

    /// Hands waiting batches to the workers with most room, a message at a time.
    pub(super) fn lend(&mut self, now: Duration) {
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
    pub(super) fn tell_windows(&mut self) {
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

//! The coordinator of the simulated cluster: does what the scheduler says, dies and comes back, and is
//! held to its promises at the end.

use std::time::Duration;

use banyan_jobs::{Batch, Prepared, Root, SessionId, WorkerId};
use banyan_knowledge::Digest;
use banyan_scheduler::{Action, Dismissal, Event, Scheduler};

use super::host::{Deceit, Honesty, Host};
use super::network::Parcel;
use super::player::Player;
use super::{History, World, auditing};

/// A playout of the coordinator's own.
const REFEREE_PACE: Duration = Duration::from_micros(100);

/// Longest time until a machine that dials again does so.
const BACK_MS_MAX: u32 = 3_000;

impl<'a> World<'a> {
    pub(super) fn happen(&mut self, event: Event) {
        for action in self.scheduler.handle(self.now, event) {
            if self.scenario.is_traced {
                self.trace = banyan_games::rng::mix(self.trace ^ fold(&action));
            }
            self.act(action);
        }
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Send(worker, message) => self.send_down(worker, message),
            Action::Dismiss(worker, why) => self.dismiss(worker, &why),
            Action::Deliver(session, worker, tallies) => {
                self.player(session).take(worker, tallies);
            }
            Action::TakeBack(session, worker) => self.player(session).take_back(worker),
            Action::Referee(root, batch) => self.referee(&root, &batch),
            Action::Discord(workers, how) => unreachable!("{workers:?} judge: {how}"),
            Action::Capacity(session, capacity) => self.player(session).note(capacity),
            Action::Settled(session, settlement) => {
                self.player(session).settlement = Some(settlement);
            }
        }
    }

    fn player(&mut self, session: SessionId) -> &mut Player<'a> {
        &mut self.players[session.0 as usize]
    }

    fn referee(&mut self, root: &Root, batch: &Batch) {
        let prepared = Prepared::new(root).expect("our own root");
        let tally = prepared.run(batch).expect("our own batch");
        let took = REFEREE_PACE * batch.job.cost();
        self.network.send(self.now + took, Parcel::Refereed(tally, took));
    }

    /// The coordinator closed a connection: the machine notices and dials again, unless it is known to
    /// lie. Only liars may be treated as such.
    fn dismiss(&mut self, worker: WorkerId, why: &Dismissal) {
        let seed = self.scenario.seed;
        assert!(!matches!(why, Dismissal::Misbehaved(_)), "seed {seed}: {worker} put out: {why:?}");
        // A connection that broke before the lie was found belongs to nobody any more.
        let Some(index) = self.hosts.iter().position(|host| host.is(worker)) else { return };
        self.hosts[index].lose_connection();
        if matches!(why, Dismissal::Lied(_)) {
            let was = self.hosts[index].honesty();
            assert_eq!(was, Honesty::Liar, "seed {seed}: honest {worker} put out: {why:?}");
            self.found += 1;
            if self.scenario.deceit == Deceit::HitAndRun {
                // Nobody knows it under its next name.
                return self.dial_again(index);
            }
            self.hosts[index].found_out();
            self.replace_the_found();
            return;
        }
        self.dial_again(index);
    }

    /// Brings somebody else where only liars were there.
    fn replace_the_found(&mut self) {
        if self.hosts.iter().any(|host| host.honesty() != Honesty::Found) {
            return;
        }
        let index = self.hosts.len();
        self.hosts.push(Host::new(index, Honesty::Honest, &mut self.rng));
        self.dial_again(index);
    }

    fn dial_again(&mut self, index: usize) {
        let back = self.now + Duration::from_millis(u64::from(self.rng.below(BACK_MS_MAX)));
        self.network.send(back, Parcel::Rejoin(index));
    }

    /// The coordinator dies, and a new one goes on with the trees.
    pub(super) fn restart(&mut self) {
        self.network.lose_all();
        for index in 0..self.hosts.len() {
            if self.hosts[index].is_connected() {
                self.hosts[index].lose_connection();
                self.dial_again(index);
            }
        }
        self.scheduler = Scheduler::new(auditing(self.scenario));
        for index in 0..self.players.len() {
            if self.players[index].end.is_none() {
                self.players[index].restart();
                let opened = self.players[index].opened();
                self.happen(opened);
            }
        }
    }

    /// Closes the sessions whose search is over.
    pub(super) fn close_the_finished(&mut self) {
        for index in 0..self.players.len() {
            let player = &self.players[index];
            if player.end.is_some() || !player.is_finished() {
                continue;
            }
            let (session, seed) = (player.session, self.scenario.seed);
            let open = self.scheduler.ledger(session).map_or(0, |ledger| ledger.open());
            assert_eq!(open, 0, "seed {seed}: batches are forgotten in the books");
            self.happen(Event::Closed(session));
            let standing = self.players.iter().map(Player::visits).collect();
            self.players[index].finish(self.now, standing, &self.liars);
        }
    }

    pub(super) fn history(self) -> History {
        let ends = self.players.into_iter().map(|player| player.end.expect("all are over"));
        History {
            ends: ends.collect(),
            lasted: self.now,
            fired: self.fired,
            found: self.found,
            trace: self.trace,
        }
    }
}

/// A number for an action, by its text: the trace only has to tell two histories apart.
fn fold(action: &Action) -> u64 {
    Digest::EMPTY.and(format!("{action:?}").as_bytes()).0
}

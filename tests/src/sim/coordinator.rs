//! The coordinator of the simulated cluster: does what the scheduler says, dies and comes back, and is
//! held to its promises at the end.

use std::sync::Arc;
use std::time::Duration;

use banyan::growth::Growth;
use banyan::scheduler::{Action, Dismissal, Event, Scheduler};
use banyan::sizing::Pace;
use banyan_games::Game;
use banyan_games::gomoku::Gomoku;
use banyan_jobs::{Batch, Prepared, Proof, Root, SessionId, Tally, WorkerId};

use super::host::{Honesty, Host};
use super::network::Parcel;
use super::{AUDITING, History, SESSION, World, plan, root, rules};

/// Who dials again does so within this.
const BACK_MS_MAX: u32 = 3_000;

impl World<'_> {
    pub(super) fn happen(&mut self, event: Event) {
        for action in self.scheduler.handle(self.now, event) {
            self.trace = banyan_games::rng::mix(self.trace ^ fold(&action));
            self.act(action);
        }
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Send(worker, message) => self.send_down(worker, message),
            Action::Dismiss(worker, why) => self.dismiss(worker, &why),
            Action::Deliver(session, worker, tallies) => self.deliver(session, worker, tallies),
            Action::TakeBack(_, worker) => {
                self.growth.take_back(worker);
                self.delivered.remove(&worker);
            }
            Action::Referee(root, batch) => self.referee(&root, &batch),
            Action::Room(_, room) => {
                self.room = room;
                self.growth.set_pace(Pace::from(room));
            }
            Action::Settled(_, settlement) => self.settlement = Some(settlement),
        }
    }

    fn deliver(&mut self, session: SessionId, worker: WorkerId, tallies: Vec<Tally>) {
        let seed = self.scenario.seed;
        assert_eq!(session, SESSION);
        for tally in tallies {
            assert!(self.batches.insert(tally.batch), "seed {seed}: delivered twice");
            let sums = self.delivered.entry(worker).or_default();
            sums.0 += u64::from(tally.counts.playouts());
            sums.1 += u64::from(2 * tally.counts.losses + tally.counts.draws);
            assert!(self.growth.take(Some(worker), tally), "seed {seed}: unknown");
        }
    }

    fn referee(&mut self, root: &Root, batch: &Batch) {
        let prepared = Prepared::new(root).expect("our own root");
        let tally = prepared.run(batch).expect("our own batch");
        self.network.send(self.now + Duration::from_millis(5), Parcel::Refereed(tally));
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
            self.hosts[index].found_out();
            self.found += 1;
            self.replace_the_found();
            return;
        }
        self.dial_again(index);
    }

    /// Where only liars were there, somebody else comes.
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

    /// The coordinator dies, and a new one goes on with the tree.
    pub(super) fn restart(&mut self) {
        self.network.lose_all();
        for index in 0..self.hosts.len() {
            if self.hosts[index].is_connected() {
                self.hosts[index].lose_connection();
                self.dial_again(index);
            }
        }
        self.scheduler = Scheduler::new(AUDITING);
        self.batches.clear();
        self.delivered.clear();
        self.room = Default::default();
        self.epoch += 1;
        let id = root(self.epoch).id;
        let left = |visits| self.scenario.playouts.saturating_sub(visits);
        let empty = self.empty_growth();
        let (tree, sums) = std::mem::replace(&mut self.growth, empty).end();
        self.taken_back += sums.taken_back;
        let visits = tree.visits(tree.root());
        self.began = (visits, half_wins(&tree));
        self.counted = 0;
        let plan = plan(self.scenario, left(visits));
        self.growth = Growth::new(tree, id, Gomoku::new(&rules()), plan, 0);
        self.happen(Event::Opened(Arc::new(root(self.epoch))));
    }

    /// Ends the search and asserts what every search promises.
    pub(super) fn finish(mut self) -> History {
        let seed = self.scenario.seed;
        let open = self.scheduler.ledger(SESSION).map_or(0, |ledger| ledger.open());
        assert_eq!(open, 0, "seed {seed}: batches are forgotten in the books");
        self.happen(Event::Closed(SESSION));
        let batches = self.growth.next_number();
        let empty = self.empty_growth();
        let (tree, sums) = std::mem::replace(&mut self.growth, empty).end();
        assert_eq!(tree.unobserved_total(), 0, "seed {seed}: a virtual loss stayed");
        let visits = tree.visits(tree.root());
        assert_eq!(self.began.0 + sums.playouts, visits, "seed {seed}");
        let (playouts, won) =
            self.delivered.values().fold(self.began, |sum, it| (sum.0 + it.0, sum.1 + it.1));
        assert_eq!(playouts + self.counted, visits, "seed {seed}: what was taken back is gone");
        let open = tree.proof(tree.root()) == Proof::Open;
        if self.counted == 0 && open {
            assert_eq!(won, half_wins(&tree), "seed {seed}: no lie that was taken back is left");
        }
        let settlement = self.settlement.take().expect("a closed session is settled");
        let totals = settlement.totals;
        assert_eq!(totals.merged, batches, "seed {seed}: every batch is merged exactly once");
        let leases = totals.answered + totals.lost + totals.dead;
        assert_eq!(totals.sent, leases, "seed {seed}: every lease has one end: {totals:?}");
        History {
            digest: tree.digest(),
            visits,
            batches,
            settlement,
            lasted: self.now,
            fired: self.fired,
            found: self.found,
            taken_back: self.taken_back + sums.taken_back,
            trace: self.trace,
        }
    }

    fn empty_growth(&self) -> Growth<Gomoku> {
        let (id, position) = (root(self.epoch).id, Gomoku::new(&rules()));
        Growth::new(super::seedling(), id, position, plan(self.scenario, 1), 0)
    }
}

/// White's, who moved into the root.
fn half_wins(tree: &banyan_search::Tree) -> u64 {
    (tree.value(tree.root()) * 2.0 * tree.visits(tree.root()) as f64).round() as u64
}

/// A number for an action, by its text: the trace only has to tell two histories apart.
fn fold(action: &Action) -> u64 {
    let text = format!("{action:?}");
    text.bytes()
        .fold(text.len() as u64, |hash, byte| hash.wrapping_mul(0x0100_0000_01B3) ^ u64::from(byte))
}

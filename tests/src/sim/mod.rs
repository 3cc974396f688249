//! A cluster on a virtual clock: the real scheduler, growth and playouts; only time, threads and the
//! network are made up. One seed is one history, always the same.
//!
//! Reading order: `faults` (what goes wrong and how often), `network` (messages under way), `host` (a
//! worker machine), `coordinator` (what the scheduler wants done, and the end), and here the world that
//! turns them.

mod coordinator;

pub mod faults;

mod host;

mod network;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use banyan::growth::{Growth, Plan, Step};
use banyan::scheduler::{Auditing, Event, Room, Scheduler, Settlement, Slack};
use banyan::sizing::{Sizing, Wish};
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Game, Kind, Policy, Record, Rng};
use banyan_jobs::{BatchId, Epoch, FromWorker, Growing, Root, RootId, SessionId, Tally, WorkerId};
use banyan_search::{Parameters, Tree};

pub use faults::{Fault, Faults, Fired};
use host::{Honesty, Host};
use network::{Network, Parcel};

/// A search that is not over after so long is stuck.
const TIME_MAX: Duration = Duration::from_secs(600);
const TICK: Duration = Duration::from_millis(20);
const SESSION: SessionId = SessionId(0);
/// In a small history one batch in two hundred would be none.
const AUDITING: Auditing = Auditing { every: 10, salt: 5 };
/// Of so many machines one is a liar, where there are liars.
const LIAR_EVERY: usize = 4;

/// One simulated search.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Seed of the history: speeds, delays, faults.
    pub seed: u64,
    /// Machines.
    pub hosts: usize,
    /// Playouts of the search.
    pub playouts: u64,
    /// Merge in the order of making, with a fixed window.
    pub in_order: bool,
    /// Flat batches, grown ones, or either.
    pub wish: Wish,
    /// Playouts of a batch, where they are fixed.
    pub batch: Option<u32>,
    /// What goes wrong.
    pub faults: Faults,
}

/// What a simulated search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Hash of the tree.
    pub digest: u64,
    /// Playouts through the root.
    pub visits: u64,
    /// Batches made.
    pub batches: u64,
    /// The scheduler's books.
    pub settlement: Settlement,
    /// Virtual time it took.
    pub lasted: Duration,
    /// Faults that happened.
    pub fired: Fired,
    /// Workers that were found to lie.
    pub found: u32,
    /// Playouts that were counted and taken back out.
    pub taken_back: u64,
    /// A hash over every action of the scheduler, in order.
    pub trace: u64,
}

/// Runs a scenario to its end.
///
/// # Panics
/// Panics when an invariant breaks; the message holds the seed.
pub fn run(scenario: &Scenario) -> History {
    let mut world = World::new(scenario);
    world.open();
    while !world.growth.is_finished() {
        assert!(world.now < TIME_MAX, "seed {}: stuck: {}", scenario.seed, world.standing());
        world.grow();
        world.turn();
    }
    world.finish()
}

struct World<'a> {
    scenario: &'a Scenario,
    now: Duration,
    next_tick: Duration,
    scheduler: Scheduler,
    growth: Growth<Gomoku>,
    network: Network,
    hosts: Vec<Host>,
    rng: Rng,
    fired: Fired,
    room: Room,
    /// Playouts and twice the wins plus the draws of White, who moved into the root, by worker.
    delivered: BTreeMap<WorkerId, (u64, u64)>,
    /// Batches whose tally was delivered, by the scheduler that lives.
    batches: BTreeSet<BatchId>,
    /// Visits and White's half wins of the tree that this coordinator began with.
    began: (u64, u64),
    /// Games that ended during a descent.
    counted: u64,
    epoch: u32,
    found: u32,
    taken_back: u64,
    settlement: Option<Settlement>,
    next_worker: u64,
    trace: u64,
}

impl<'a> World<'a> {
    fn new(scenario: &'a Scenario) -> World<'a> {
        let mut rng = Rng::from_seed(scenario.seed);
        let honesty = |index: usize| {
            let lies = scenario.faults.lie > 0 && index % LIAR_EVERY == 1;
            if lies { Honesty::Liar } else { Honesty::Honest }
        };
        let hosts =
            (0..scenario.hosts).map(|index| Host::new(index, honesty(index), &mut rng)).collect();
        let plan = plan(scenario, scenario.playouts);
        World {
            scenario,
            now: Duration::ZERO,
            next_tick: Duration::ZERO,
            scheduler: Scheduler::new(AUDITING),
            growth: Growth::new(seedling(), root(1).id, Gomoku::new(&rules()), plan, 0),
            network: Network::default(),
            hosts,
            rng,
            fired: Fired::default(),
            room: Room::default(),
            delivered: BTreeMap::new(),
            batches: BTreeSet::new(),
            began: (0, 0),
            counted: 0,
            epoch: 1,
            found: 0,
            taken_back: 0,
            settlement: None,
            next_worker: 0,
            trace: 0,
        }
    }

    /// How things stand, for a failure's message.
    fn standing(&self) -> String {
        let ledger = self.scheduler.ledger(SESSION).map(|ledger| {
            format!(
                "{} open, waiting {}, {:?}",
                ledger.open(),
                ledger.has_waiting(),
                ledger.totals()
            )
        });
        let workers: Vec<String> = self
            .scheduler
            .members()
            .map(|(id, m)| format!("{id}: {} in flight, {:.0}/s", m.in_flight(), m.rate()))
            .collect();
        let (in_flight, window) = (self.growth.in_flight(), self.room.window);
        format!("{in_flight} in flight of {window}; {ledger:?}; {workers:?}")
    }

    fn open(&mut self) {
        self.happen(Event::Opened(Arc::new(root(self.epoch))));
        for host in 0..self.hosts.len() {
            self.join(host);
        }
    }

    /// The grower's loop: fill the window; in order, merge one tally at a time.
    fn grow(&mut self) {
        loop {
            let batches = self.fill();
            if !batches.is_empty() {
                self.happen(Event::Submitted(SESSION, batches));
            }
            if !self.growth.merge_next() {
                return;
            }
        }
    }

    fn fill(&mut self) -> Vec<banyan_jobs::Batch> {
        let mut batches = Vec::new();
        while self.growth.has_room(self.room.window) {
            match self.growth.step() {
                Step::Batch(batch) => batches.push(batch),
                Step::Counted => self.counted += 1,
                Step::Complete => break,
            }
        }
        batches
    }

    /// Moves to the next thing that happens, and lets it happen.
    fn turn(&mut self) {
        let arrival = self.network.next_at().unwrap_or(TIME_MAX);
        if arrival < self.next_tick {
            self.now = arrival;
            if let Some(parcel) = self.network.take() {
                self.arrive(parcel);
            }
            return;
        }
        self.now = self.next_tick;
        self.next_tick += TICK;
        self.break_something();
        self.happen(Event::Tick);
    }

    fn arrive(&mut self, parcel: Parcel) {
        match parcel {
            Parcel::Up(worker, message) => self.happen(Event::Said(worker, message)),
            Parcel::Broken(worker) => self.happen(Event::Left(worker)),
            Parcel::Stall(gap) => self.happen(Event::Stalled(gap)),
            Parcel::Down(worker, message) => self.host_hears(worker, message),
            Parcel::Work(host) => self.host_works(host),
            Parcel::Rejoin(host) => {
                self.fired.note(Fault::Rejoin);
                self.join(host);
            }
            Parcel::Refereed(tally) => self.happen(Event::Refereed(tally)),
        }
    }

    fn host_hears(&mut self, worker: WorkerId, message: banyan_jobs::ToWorker) {
        let found = self.hosts.iter().position(|host| host.is(worker));
        let Some(index) = found else { return };
        if let Some(thaw) = self.hosts[index].frozen_until(self.now) {
            // The socket holds what a frozen process does not read.
            self.network.send(thaw, Parcel::Down(worker, message));
            return;
        }
        let answer = self.hosts[index].hear(message);
        if let Some(answer) = answer {
            self.send_up(worker, answer);
        }
        self.schedule_work(index);
    }

    fn schedule_work(&mut self, index: usize) {
        if let Some(at) = self.hosts[index].next_done(self.now) {
            self.network.send(at, Parcel::Work(index));
        }
    }

    fn host_works(&mut self, index: usize) {
        if let Some(thaw) = self.hosts[index].frozen_until(self.now) {
            self.network.send(thaw, Parcel::Work(index));
            return;
        }
        if let Some((worker, tally)) = self.hosts[index].work() {
            let tally = self.perhaps_a_lie(index, tally);
            self.send_up(worker, FromWorker::Tallies(vec![tally]));
        }
        self.schedule_work(index);
    }

    fn perhaps_a_lie(&mut self, index: usize, tally: Tally) -> Tally {
        let is_liar = self.hosts[index].honesty() == Honesty::Liar;
        if is_liar && self.chance(self.scenario.faults.lie, Fault::Lie) {
            return host::lie(tally, &mut self.rng);
        }
        tally
    }

    fn join(&mut self, index: usize) {
        if self.hosts[index].honesty() == Honesty::Found {
            return;
        }
        let worker = WorkerId(self.next_worker);
        self.next_worker += 1;
        let profile = self.hosts[index].connect(worker);
        self.happen(Event::Joined(worker, profile, Slack::REMOTE));
    }
}

fn rules() -> GomokuRules {
    GomokuRules::new(7, 7, Default::default()).expect("a size of Gomoku")
}

fn root(epoch: u32) -> Root {
    let record = Record::<Gomoku>::new(&rules());
    let id = RootId { session: SESSION, epoch: Epoch(epoch) };
    Root::of(&record, Color::Black, id, Growing::of(Kind::Gomoku))
}

fn plan(scenario: &Scenario, playouts: u64) -> Plan {
    Plan {
        policy: Policy::Uniform,
        seed: 7,
        playouts_max: Some(playouts),
        sizing: Sizing { wish: scenario.wish, playouts: scenario.batch },
        window: scenario.in_order.then_some(96),
        in_order: scenario.in_order,
        ownership_every: 0,
    }
}

/// A tree of the root and its children.
fn seedling() -> Tree {
    let mut moves = Vec::new();
    Gomoku::new(&rules()).candidates(&mut moves);
    let parameters = Parameters { grown_share: 0.05, ..Parameters::of(Kind::Gomoku) };
    let mut tree = Tree::new(parameters, 7, 1 << 20, Color::White);
    tree.allow_at_root(Color::Black, &moves);
    tree
}

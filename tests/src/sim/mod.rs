//! A cluster on a virtual clock: the real scheduler, growth and playouts; only time, threads and the
//! network are made up. One seed is one history, always the same.
//!
//! Reading order: `faults` (what goes wrong and how often), `network` (messages under way), `host` (a
//! worker machine), and here the world that turns them.

pub mod faults;

mod host;

mod network;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use banyan::growth::{Growth, Plan, Step};
use banyan::scheduler::{Action, Dismissal, Event, Room, Scheduler, Slack, Totals};
use banyan::sizing::{Pace, Sizing, Wish};
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Game, Kind, Policy, Record, Rng};
use banyan_jobs::{BatchId, Epoch, Growing, Root, RootId, SessionId, WorkerId};
use banyan_search::{Parameters, Tree};

pub use faults::{Fault, Faults, Fired};
use host::Host;
use network::{Network, Parcel};

/// A search that is not over after so long is stuck.
const TIME_MAX: Duration = Duration::from_secs(600);
const TICK: Duration = Duration::from_millis(20);
const SESSION: SessionId = SessionId(0);

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
    pub totals: Totals,
    /// Virtual time it took.
    pub lasted: Duration,
    /// Faults that happened.
    pub fired: Fired,
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
    delivered: BTreeMap<BatchId, u32>,
    totals: Option<Totals>,
    next_worker: u64,
    trace: u64,
}

impl<'a> World<'a> {
    fn new(scenario: &'a Scenario) -> World<'a> {
        let mut rng = Rng::from_seed(scenario.seed);
        let hosts = (0..scenario.hosts).map(|index| Host::new(index, &mut rng)).collect();
        World {
            scenario,
            now: Duration::ZERO,
            next_tick: Duration::ZERO,
            scheduler: Scheduler::default(),
            growth: growth(scenario),
            network: Network::default(),
            hosts,
            rng,
            fired: Fired::default(),
            room: Room::default(),
            delivered: BTreeMap::new(),
            totals: None,
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
        self.happen(Event::Opened(Arc::new(root())));
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
                Step::Counted => {}
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
            Parcel::Rejoin(host) => self.join(host),
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
        let done = self.hosts[index].work();
        if let Some((worker, message)) = done {
            self.send_up(worker, message);
        }
        self.schedule_work(index);
    }

    fn join(&mut self, index: usize) {
        let worker = WorkerId(self.next_worker);
        self.next_worker += 1;
        let profile = self.hosts[index].connect(worker);
        self.happen(Event::Joined(worker, profile, Slack::REMOTE));
    }

    fn happen(&mut self, event: Event) {
        for action in self.scheduler.handle(self.now, event) {
            self.trace = banyan_games::rng::mix(self.trace ^ fold(&action));
            self.act(action);
        }
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Send(worker, message) => self.send_down(worker, message),
            Action::Dismiss(worker, why) => {
                let honest = !matches!(why, Dismissal::Misbehaved(_));
                assert!(honest, "seed {}: {worker} put out: {why:?}", self.scenario.seed);
                self.disconnect(worker);
            }
            Action::Deliver(session, tallies) => {
                assert_eq!(session, SESSION);
                for tally in tallies {
                    let times = self.delivered.entry(tally.batch).or_default();
                    *times += 1;
                    assert_eq!(*times, 1, "seed {}: delivered twice", self.scenario.seed);
                    assert!(self.growth.take(tally), "seed {}: unknown", self.scenario.seed);
                }
            }
            Action::Room(_, room) => {
                self.room = room;
                self.growth.set_pace(Pace::from(room));
            }
            Action::Settled(_, totals) => self.totals = Some(totals),
        }
    }

    /// The coordinator closed a connection: the machine notices and dials again.
    fn disconnect(&mut self, worker: WorkerId) {
        if let Some(index) = self.hosts.iter().position(|host| host.is(worker)) {
            self.hosts[index].lose_connection();
            let back = self.now + Duration::from_millis(u64::from(self.rng.below(3_000)));
            self.network.send(back, Parcel::Rejoin(index));
        }
    }

    fn finish(mut self) -> History {
        let seed = self.scenario.seed;
        let open = self.scheduler.ledger(SESSION).map_or(0, |ledger| ledger.open());
        assert_eq!(open, 0, "seed {seed}: batches are forgotten in the books");
        self.happen(Event::Closed(SESSION));
        let batches = self.growth.next_number();
        let (tree, sums) = self.growth.end();
        assert_eq!(tree.unobserved_total(), 0, "seed {seed}: a virtual loss stayed");
        assert_eq!(sums.playouts, tree.visits(tree.root()), "seed {seed}");
        let totals = self.totals.expect("a closed session is settled");
        assert_eq!(totals.merged, batches, "seed {seed}: every batch is merged exactly once");
        History {
            digest: tree.digest(),
            visits: sums.playouts,
            batches,
            totals,
            lasted: self.now,
            fired: self.fired,
            trace: self.trace,
        }
    }
}

fn rules() -> GomokuRules {
    GomokuRules::new(7, 7, Default::default()).expect("a size of Gomoku")
}

fn root() -> Root {
    let record = Record::<Gomoku>::new(&rules());
    Root::of(
        &record,
        Color::Black,
        RootId { session: SESSION, epoch: Epoch(1) },
        Growing::of(Kind::Gomoku),
    )
}

fn growth(scenario: &Scenario) -> Growth<Gomoku> {
    let plan = Plan {
        policy: Policy::Uniform,
        seed: 7,
        playouts_max: Some(scenario.playouts),
        sizing: Sizing { wish: scenario.wish, playouts: scenario.batch, grown_share: 0.05 },
        window: scenario.in_order.then_some(96),
        in_order: scenario.in_order,
        ownership_every: 0,
    };
    let position = Gomoku::new(&rules());
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    let mut tree = Tree::new(Parameters::of(Kind::Gomoku), 7, 1 << 20, Color::White);
    tree.allow_at_root(Color::Black, &moves);
    Growth::new(tree, root().id, position, plan, 0)
}

/// A number for an action, by its text: the trace only has to tell two histories apart.
fn fold(action: &Action) -> u64 {
    let text = format!("{action:?}");
    text.bytes()
        .fold(text.len() as u64, |hash, byte| hash.wrapping_mul(0x0100_0000_01B3) ^ u64::from(byte))
}

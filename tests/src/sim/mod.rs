//! A cluster on a virtual clock: the real scheduler, search and playouts; only time, threads and the
//! network are made up. One seed is one history, always the same.
//!
//! Reading order: `faults` (what goes wrong and how often), `network` (messages under way), `host` (a
//! worker machine), `player` (a session and its search), `coordinator` (what the scheduler wants done,
//! and the end), and here the world that turns them.

mod coordinator;

pub mod faults;

mod host;

mod network;

mod player;

use std::collections::BTreeSet;
use std::time::Duration;

use banyan_engine::search::Plan;
use banyan_engine::sizing::{Sizing, Wish};
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Game, Kind, Record, Rng};
use banyan_jobs::{Epoch, FromWorker, Growing, Root, RootId, SessionId, Tally, WorkerId};
use banyan_knowledge::Policy;
use banyan_scheduler::{Auditing, Claim, Event, Origin, PROBATION, Scheduler};
use banyan_search::{Parameters, Tree, Valuing};

pub use faults::{Fault, Faults, Fired};
pub use host::Deceit;
use host::{Honesty, Host};
use network::{Network, Parcel};
pub use player::End;
use player::Player;

/// A search that is not over after so long is stuck.
const TIME_MAX: Duration = Duration::from_secs(3_600);
const TICK: Duration = Duration::from_millis(20);
/// In a small history one batch in two hundred would be none.
const AUDITING: Auditing = Auditing { every: 10, salt: 5, probation: PROBATION };
/// One of so many machines is a liar, where there are liars.
const LIAR_EVERY: usize = 4;

/// One simulated history.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Seed of the history: speeds, delays, faults.
    pub seed: u64,
    /// Machines.
    pub hosts: usize,
    /// The sessions that share them.
    pub claims: Vec<Claim>,
    /// Playouts of each session's search.
    pub playouts: u64,
    /// Merge in the order of making, with a fixed window.
    pub in_order: bool,
    /// Leaf-parallel batches, subtree batches, or either.
    pub wish: Wish,
    /// Playouts of a batch, where they are fixed.
    pub batch: Option<u32>,
    /// Playouts that may be in flight at most; of those that merge in order, always. Nothing for as many
    /// as suit their number.
    pub window: Option<u32>,
    /// The time for which a search thread that has looked gets no core to look again.
    pub pause: Duration,
    /// Faults.
    pub faults: Faults,
    /// Behaviour of liars, where there are some.
    pub deceit: Deceit,
    /// Tallies of a new worker that must come through before it is trusted.
    pub probation: u32,
    /// Every action of the scheduler is noted in the trace: that takes as long as all else.
    pub is_traced: bool,
}

/// The outcome of a simulated history.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Each session's end.
    pub ends: Vec<End>,
    /// Virtual time it took.
    pub lasted: Duration,
    /// Faults that happened.
    pub fired: Fired,
    /// Workers that were found to lie.
    pub found: u32,
    /// A hash over every action of the scheduler, in order, where they are traced; else 0.
    pub trace: u64,
}

/// Runs a scenario to its end.
///
/// # Panics
/// Panics when an invariant breaks; the message holds the seed.
pub fn run(scenario: &Scenario) -> History {
    let mut world = World::new(scenario);
    world.open();
    while world.players.iter().any(|player| player.end.is_none()) {
        assert!(world.now < TIME_MAX, "seed {}: stuck: {}", scenario.seed, world.standing());
        (0..world.players.len()).for_each(|player| world.grow(player));
        world.close_the_finished();
        world.turn();
    }
    world.history()
}

struct World<'a> {
    scenario: &'a Scenario,
    now: Duration,
    next_tick: Duration,
    scheduler: Scheduler,
    players: Vec<Player<'a>>,
    network: Network,
    hosts: Vec<Host>,
    rng: Rng,
    fired: Fired,
    found: u32,
    /// Connections of machines that lie.
    liars: BTreeSet<WorkerId>,
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
        let player = |(session, &claim)| Player::new(scenario, SessionId(session), claim);
        World {
            scenario,
            now: Duration::ZERO,
            next_tick: Duration::ZERO,
            scheduler: Scheduler::new(auditing(scenario)),
            liars: BTreeSet::new(),
            players: (0..).zip(&scenario.claims).map(player).collect(),
            network: Network::default(),
            hosts,
            rng,
            fired: Fired::default(),
            found: 0,
            next_worker: 0,
            trace: 0,
        }
    }

    /// Says how things stand, for a failure's message.
    fn standing(&self) -> String {
        let searches = self.players.iter().map(|player| {
            let books = self.scheduler.ledger(player.session);
            let books = books.map(|it| (it.open(), it.has_waiting(), it.totals()));
            format!("{}; open, waiting, totals: {books:?}", player.standing())
        });
        let workers = self
            .scheduler
            .members()
            .map(|(id, m)| format!("{id}: {} in flight, {:.0}/s", m.in_flight(), m.rate()));
        format!("{:?}; {:?}", searches.collect::<Vec<_>>(), workers.collect::<Vec<_>>())
    }

    fn open(&mut self) {
        for index in 0..self.players.len() {
            let opened = self.players[index].opened();
            self.happen(opened);
        }
        for host in 0..self.hosts.len() {
            self.join(host);
        }
    }

    /// The loop of a search thread: fill the window; in order, merge one tally at a time.
    fn grow(&mut self, index: usize) {
        if !self.players[index].wakes(self.now, self.scenario.pause) {
            return;
        }
        while self.players[index].end.is_none() {
            let batches = self.players[index].fill();
            if !batches.is_empty() {
                self.happen(Event::Submitted(self.players[index].session, batches));
            }
            if !self.players[index].merge_next() {
                return;
            }
        }
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
            Parcel::Refereed(tally, took) => self.happen(Event::Refereed(tally, took)),
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
            self.perhaps_leave(index, worker);
        }
        self.schedule_work(index);
    }

    /// Lets a liar that runs leave with its last lie, and come back soon under another name.
    fn perhaps_leave(&mut self, index: usize, worker: WorkerId) {
        let after = self.scenario.deceit.leaves_after();
        let is_liar = self.hosts[index].honesty() == Honesty::Liar;
        if is_liar && after.is_some_and(|after| self.hosts[index].sent() >= after) {
            self.hosts[index].lose_connection();
            let (gone, back) = (Duration::from_millis(2), Duration::from_millis(50));
            self.network.send(self.now + gone, Parcel::Broken(worker));
            self.network.send(self.now + back, Parcel::Rejoin(index));
        }
    }

    fn perhaps_a_lie(&mut self, index: usize, tally: Tally) -> Tally {
        let is_liar = self.hosts[index].honesty() == Honesty::Liar;
        let deceit = self.scenario.deceit;
        if is_liar
            && deceit.lies_at(self.hosts[index].sent(), &mut self.rng)
            && self.chance(self.scenario.faults.lie, Fault::Lie)
        {
            return deceit.lie(tally, &mut self.rng);
        }
        tally
    }

    fn join(&mut self, index: usize) {
        if self.hosts[index].honesty() == Honesty::Found {
            return;
        }
        let worker = WorkerId(self.next_worker);
        self.next_worker += 1;
        if self.hosts[index].honesty() == Honesty::Liar {
            self.liars.insert(worker);
        }
        let profile = self.hosts[index].connect(worker);
        self.happen(Event::Joined(worker, profile, Origin::Remote));
    }
}

fn auditing(scenario: &Scenario) -> Auditing {
    Auditing { probation: scenario.probation, ..AUDITING }
}

fn rules() -> GomokuRules {
    GomokuRules::new(7, 7, Default::default()).expect("a size of Gomoku")
}

fn root(session: SessionId, epoch: u32) -> Root {
    let record = Record::<Gomoku>::new(&rules());
    let id = RootId { session, epoch: Epoch(epoch) };
    Root::of(&record, Color::Black, id, Growing::of(Kind::Gomoku))
}

fn plan(scenario: &Scenario, playouts: u64) -> Plan {
    Plan {
        seed: 7,
        playouts_max: Some(playouts),
        sizing: Sizing { wish: scenario.wish, playouts: scenario.batch },
        window: scenario.window,
        in_order: scenario.in_order,
        ..Plan::of(Policy::Uniform)
    }
}

/// A tree of the root and its children.
fn seedling() -> Tree {
    let mut moves = Vec::new();
    Gomoku::new(&rules()).candidates(&mut moves);
    let parameters = Parameters {
        subtree_share: 0.05,
        ..Parameters::with_leaves(Kind::Gomoku, Valuing::Playout)
    };
    let mut tree = Tree::new(parameters, 7, 1 << 20, Color::White);
    tree.allow_at_root(Color::Black, &moves);
    tree
}

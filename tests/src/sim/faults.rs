//! Faults of a simulated cluster, and how often.

use std::time::Duration;

use banyan_jobs::{FromWorker, ToWorker, WorkerId};

use super::World;
use super::network::Parcel;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A message does not arrive.
    Loss,
    /// A message arrives twice.
    Duplicate,
    /// A message arrives late, and after those sent later.
    Delay,
    /// A machine dies with all it holds, and comes back some time later.
    Crash,
    /// A process stops and goes on some time later, its connection open.
    Freeze,
    /// The coordinator itself is stopped for a while.
    Stall,
    /// Nothing passes between the coordinator and some machines for a while; connections stay open.
    Partition,
    /// The coordinator dies and comes back with the tree of its checkpoint; every connection breaks.
    Restart,
    /// A worker answers with a tally that its batch does not give.
    Lie,
    /// A machine that was gone is there again.
    Rejoin,
}

/// Chances, in parts per thousand: per message for the first three, per machine and tick for crash and
/// freeze, per tick for stall, partition and restart, per tally of a liar for lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Chance of [`Fault::Loss`].
    pub loss: u32,
    /// Chance of [`Fault::Duplicate`].
    pub duplicate: u32,
    /// Chance of [`Fault::Delay`].
    pub delay: u32,
    /// Chance of [`Fault::Crash`].
    pub crash: u32,
    /// Chance of [`Fault::Freeze`].
    pub freeze: u32,
    /// Chance of [`Fault::Stall`].
    pub stall: u32,
    /// Chance of [`Fault::Partition`].
    pub partition: u32,
    /// Chance of [`Fault::Restart`].
    pub restart: u32,
    /// Chance of [`Fault::Lie`]; every fourth machine is a liar where this is above 0.
    pub lie: u32,
}

impl Faults {
    /// Everything that honest machines suffer, now and then; the coordinator lives.
    pub const HONEST: Faults = Faults {
        loss: 20,
        duplicate: 20,
        delay: 30,
        crash: 4,
        freeze: 4,
        stall: 2,
        partition: 4,
        restart: 0,
        lie: 0,
    };
    /// Those, and liars, and coordinators that die.
    pub const ALL: Faults = Faults { restart: 2, lie: 500, ..Faults::HONEST };
}

/// Number of times that each fault happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fired(pub std::collections::BTreeMap<Fault, u32>);

impl Fired {
    pub(super) fn note(&mut self, fault: Fault) {
        *self.0.entry(fault).or_default() += 1;
    }

    /// Adds another history's faults.
    pub fn add(&mut self, other: &Fired) {
        for (&fault, &times) in &other.0 {
            *self.0.entry(fault).or_default() += times;
        }
    }
}

impl World<'_> {
    pub(super) fn chance(&mut self, per_thousand: u32, fault: Fault) -> bool {
        let happens = self.rng.below(1_000) < per_thousand;
        if happens {
            self.fired.note(fault);
        }
        happens
    }

    fn some_time(&mut self, ms_max: u32) -> Duration {
        Duration::from_micros(u64::from(self.rng.below(ms_max * 1_000)))
    }

    pub(super) fn send_down(&mut self, worker: WorkerId, message: ToWorker) {
        // A stream that loses its greeting or a root is a broken stream; crashes play that.
        let vital = matches!(message, ToWorker::Root(_) | ToWorker::Welcome);
        let doubled = !vital && self.chance(self.scenario.faults.duplicate, Fault::Duplicate);
        if doubled {
            self.send_once(Parcel::Down(worker, message.clone()), vital);
        }
        self.send_once(Parcel::Down(worker, message), vital);
    }

    pub(super) fn send_up(&mut self, worker: WorkerId, message: FromWorker) {
        if self.chance(self.scenario.faults.duplicate, Fault::Duplicate) {
            self.send_once(Parcel::Up(worker, message.clone()), false);
        }
        self.send_once(Parcel::Up(worker, message), false);
    }

    fn send_once(&mut self, parcel: Parcel, vital: bool) {
        let faults = self.scenario.faults;
        if !vital && self.chance(faults.loss, Fault::Loss) {
            return;
        }
        let late = !vital && self.chance(faults.delay, Fault::Delay);
        let delay = if late { self.some_time(500) } else { Duration::from_millis(1) };
        let cut = self.cut_until(&parcel);
        self.network.send((self.now + delay).max(cut), parcel);
    }

    /// When what is sent now can pass.
    fn cut_until(&self, parcel: &Parcel) -> Duration {
        let (Parcel::Up(worker, _) | Parcel::Down(worker, _)) = parcel else {
            return Duration::ZERO;
        };
        let host = self.hosts.iter().find(|host| host.is(*worker));
        host.map_or(Duration::ZERO, |host| host.cut_until())
    }

    /// Once a tick: crashes, freezes, stalls.
    pub(super) fn break_something(&mut self) {
        for index in 0..self.hosts.len() {
            if self.chance(self.scenario.faults.crash, Fault::Crash) {
                self.crash(index);
            }
            if self.chance(self.scenario.faults.freeze, Fault::Freeze) {
                let thaw = self.now + self.some_time(6_000);
                self.hosts[index].freeze(thaw);
            }
        }
        if self.chance(self.scenario.faults.stall, Fault::Stall) {
            self.stall();
        }
        if self.chance(self.scenario.faults.partition, Fault::Partition) {
            self.cut_off_some();
        }
        if self.chance(self.scenario.faults.restart, Fault::Restart) {
            self.restart();
        }
    }

    /// Half of the machines cannot be reached for a while.
    fn cut_off_some(&mut self) {
        let until = self.now + self.some_time(4_000);
        for index in 0..self.hosts.len() {
            if self.rng.below(2) == 0 {
                self.hosts[index].cut_off(until);
            }
        }
    }

    /// The machine is gone. Sometimes its connection breaks at once, sometimes nobody hears of it.
    fn crash(&mut self, index: usize) {
        let Some(worker) = self.hosts[index].crash() else { return };
        if self.rng.below(2) == 0 {
            let noticed = self.now + self.some_time(50);
            self.network.send(noticed, Parcel::Broken(worker));
        }
        let back = self.now + self.some_time(5_000);
        self.network.send(back, Parcel::Rejoin(index));
    }

    /// The coordinator stops: nothing reaches it for a while, and then everything does.
    fn stall(&mut self) {
        let gap = Duration::from_secs(1) + self.some_time(20_000);
        self.network.hold_back(self.now + gap);
        self.next_tick = self.now + gap;
        self.network.send(self.now + gap, Parcel::Stall(gap));
    }
}

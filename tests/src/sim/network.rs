//! Messages under way, by the time at which they arrive.

use std::collections::BTreeMap;
use std::time::Duration;

use banyan_jobs::{FromWorker, Tally, ToWorker, WorkerId};

/// Something that will happen.
#[derive(Clone, Debug)]
pub(super) enum Parcel {
    /// A message reaches the coordinator.
    Up(WorkerId, FromWorker),
    /// A message reaches a worker.
    Down(WorkerId, ToWorker),
    /// The coordinator notices that a connection is gone.
    Broken(WorkerId),
    /// The coordinator notices that it was stopped.
    Stall(Duration),
    /// A machine finishes a batch.
    Work(usize),
    /// A machine dials again.
    Rejoin(usize),
    /// The coordinator has played a batch itself, in so much time.
    Refereed(Tally, Duration),
}

impl Parcel {
    fn is_for_coordinator(&self) -> bool {
        !matches!(self, Parcel::Down(..) | Parcel::Work(_) | Parcel::Stall(_))
    }
}

/// A queue by time; those of the same moment in the order of sending.
#[derive(Debug, Default)]
pub(super) struct Network {
    under_way: BTreeMap<(Duration, u64), Parcel>,
    sent: u64,
}

impl Network {
    pub(super) fn send(&mut self, at: Duration, parcel: Parcel) {
        self.sent += 1;
        self.under_way.insert((at, self.sent), parcel);
    }

    pub(super) fn next_at(&self) -> Option<Duration> {
        self.under_way.keys().next().map(|&(at, _)| at)
    }

    pub(super) fn take(&mut self) -> Option<Parcel> {
        self.under_way.pop_first().map(|(_, parcel)| parcel)
    }

    /// Every message on a connection is lost, since all connections broke.
    pub(super) fn lose_all(&mut self) {
        let of_connection = |parcel: &Parcel| {
            matches!(parcel, Parcel::Up(..) | Parcel::Down(..) | Parcel::Broken(_))
        };
        self.under_way.retain(|_, parcel| !of_connection(parcel));
    }

    /// Holds back what would reach the coordinator before `until`: it arrives then, in the same order.
    pub(super) fn hold_back(&mut self, until: Duration) {
        let later = self.under_way.split_off(&(until, 0));
        let early = std::mem::replace(&mut self.under_way, later);
        for ((at, number), parcel) in early {
            // Just after the stall itself is noticed.
            let held = if parcel.is_for_coordinator() { until + at / 1_000_000 } else { at };
            self.under_way.insert((held.max(at), number), parcel);
        }
    }
}

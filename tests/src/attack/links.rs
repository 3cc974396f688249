//! Links that are bad: a worker behind a relay that delays, throttles, stalls, swallows or cuts off.

use std::time::Duration;

use banyan_lab::processes::Process;
use tokio::net::TcpListener;

use super::ground::{books_are_even, of_batches, search, seconds};
use super::{Attack, Seen};
use crate::relay::{self, Fault};

/// The search lasts so long, and may be late by so much.
const SECONDS: u32 = 3;
const LATE_MAX: f64 = 1.0;

const EXPECTED: &str = "the search ends in time with a move, and every lease has one end";

pub(super) const DELAYS: Attack = Attack {
    name: "delays",
    what: "the link of one of two workers delays everything by 80 ms",
    expected: EXPECTED,
    is_short: false,
    act: || behind(Fault::Delays(Duration::from_millis(80))),
};

pub(super) const THROTTLES: Attack = Attack {
    name: "throttles",
    what: "the link of one of two workers lets 20 kB a second through",
    expected: EXPECTED,
    is_short: false,
    act: || behind(Fault::Throttles(20_000)),
};

pub(super) const STALLS: Attack = Attack {
    name: "stalls",
    what: "the link of one of two workers stands still for a second and a half",
    expected: EXPECTED,
    is_short: false,
    act: || behind(Fault::Stalls(100_000, Duration::from_millis(1_500))),
};

pub(super) const BLACK_HOLES: Attack = Attack {
    name: "black-holes",
    what: "the link of one of two workers swallows everything after 100 kB, and stays open",
    expected: EXPECTED,
    is_short: true,
    act: || behind(Fault::BlackHoles(100_000)),
};

pub(super) const RESETS: Attack = Attack {
    name: "resets",
    what: "the link of one of two workers is cut off with a reset every 100 kB",
    expected: EXPECTED,
    is_short: false,
    act: || behind(Fault::Resets(100_000)),
};

fn behind(fault: Fault) -> Seen {
    let (coordinator, address) = search(SECONDS, "--threads 0 --min-workers 2");
    let near = Process::worker(&address, "near");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a free port");
    let relayed = listener.local_addr().expect("it is bound").to_string();
    runtime.spawn(relay::run(listener, address, fault));
    let far = Process::worker(&relayed, "far");
    let answer = coordinator.json();
    drop((near, far));
    runtime.shutdown_background();
    let seconds = seconds(&answer);
    let [merged, again] = ["merged", "lent_again"].map(|key| of_batches(&answer, key));
    let is_timely = seconds < f64::from(SECONDS) + LATE_MAX;
    let held = is_timely && books_are_even(&answer) && merged > 0 && answer["best"].is_string();
    Seen::new(
        held,
        format!("{seconds:.2} s of {SECONDS}, {merged} batches merged, {again} lent again"),
    )
}

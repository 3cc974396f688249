//! Attacks on a running cluster, with real processes, and whether they get through.
//!
//! `cargo xtask attack` runs them and prints the table of docs/trust.md; `tests/all/attack.rs` runs the
//! short ones. They touch nothing but loopback and what they start themselves, and each ends by itself.
//!
//! Reading order: here the table, then `ground` (the clusters that are attacked), and what is done to
//! them: `lies`, `doors`, `links`, `faults`, `files`.

mod ground;

mod lies;

mod doors;

mod links;

mod faults;

mod files;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

static PATIENCE: AtomicU32 = AtomicU32::new(1);

/// Allows workers so many times as long to get in: for programs that are not optimised, beside other work.
pub fn be_patient(times: u32) {
    PATIENCE.store(times, Ordering::Relaxed);
}

/// How many times as long as promised a worker may take to get in.
fn patience() -> u32 {
    PATIENCE.load(Ordering::Relaxed)
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Attack {
    /// Its name on the command line.
    pub name: &'static str,
    /// The attacker, and what it does.
    pub what: &'static str,
    /// Result that should come of it.
    pub expected: &'static str,
    /// It is over soon enough for every run of the tests.
    pub is_short: bool,
    act: fn() -> Seen,
}

/// Result of an attack.
#[derive(Clone, Debug)]
pub struct Seen {
    /// In words and figures.
    pub text: String,
    /// The result is the one that should come of it; nothing where it cannot be tried on this machine.
    pub held: Option<bool>,
}

impl Seen {
    fn new(held: bool, text: String) -> Seen {
        Seen { text, held: Some(held) }
    }

    fn skipped(why: &str) -> Seen {
        Seen { text: format!("skipped: {why}"), held: None }
    }
}

/// An attack that was carried out.
#[derive(Debug)]
pub struct Row {
    /// The attack.
    pub attack: Attack,
    /// Its result.
    pub seen: Seen,
    /// Time that it took.
    pub took: Duration,
}

/// All of them.
pub const ATTACKS: &[Attack] = &[
    lies::FALSE_PROOF,
    lies::COLLUDING,
    lies::HIT_AND_RUN,
    lies::LONE_LIAR,
    lies::RARE_LIE,
    lies::WILD_COUNTS,
    doors::STRANGERS,
    doors::STRANGERS_TLS,
    doors::STRANGERS_V6,
    doors::TEN_THOUSAND,
    doors::METRICS_FLOOD,
    doors::LOG_FLOOD,
    doors::IDLE_FRONT_ENDS,
    doors::OPEN_METRICS,
    doors::GARBAGE,
    links::DELAYS,
    links::THROTTLES,
    links::STALLS,
    links::BLACK_HOLES,
    links::RESETS,
    faults::FROZEN_WORKER,
    faults::KILLED_WORKER,
    faults::NOBODY_THERE,
    faults::LATE_JOIN,
    faults::KILLED_COORDINATOR,
    faults::FEW_PLAYOUTS,
    faults::ANALYSIS,
    files::FALSE_CHECKPOINTS,
    files::READ_ONLY,
    files::FULL_DISK,
];

impl Attack {
    /// Carries it out.
    pub fn run(self) -> Row {
        let began = Instant::now();
        let seen = catch_unwind(AssertUnwindSafe(self.act)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("it failed");
            Seen::new(false, text.lines().next().unwrap_or_default().to_owned())
        });
        Row { attack: self, seen, took: began.elapsed() }
    }
}

impl Row {
    /// Tells whether the attack got through.
    pub fn is_through(&self) -> bool {
        self.seen.held == Some(false)
    }
}

/// A row of a table in Markdown.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { attack, seen, took } = self;
        let verdict = match seen.held {
            Some(true) => "held",
            Some(false) => "**got through**",
            None => "not tried",
        };
        let Attack { name, what, expected, .. } = attack;
        let seconds = took.as_secs_f64();
        write!(f, "| `{name}`: {what} | {expected} | {} | {verdict}, {seconds:.1} s |", seen.text)
    }
}

//! A worker: takes batches, plays them out on its threads, answers with tallies.
//!
//! The binary dials a coordinator; the coordinator embeds the same worker for its local threads. What
//! is lent and when is not decided here.
//!
//! Reading order: `pool` (the threads), `models` (those that it comes to), `workforce` (what a link asks
//! of it), `worker` (what each message means), `token` and `tls` (who
//! trusts whom), `dial` (the way to the coordinator), `link` (the connection, kept for as long as the
//! process lives), `katago` (KataGo beside the threads), `log`, `traces` (what OpenTelemetry gets), `typed`
//! (values of options), `cli`.

pub mod pool;

pub mod models;

pub mod workforce;

pub mod worker;

pub mod token;

pub mod tls;

pub mod dial;

pub mod link;

pub mod katago;

pub mod log;

pub mod traces;

pub mod typed;

pub mod cli;

pub use pool::{FlushAfter, Sink};
pub use token::Token;
pub use worker::Worker;
pub use workforce::Workforce;

use banyan_jobs::Profile;
use banyan_jobs::profile::{PROTOCOL_VERSION, own_games, supported_games};

/// The version of the program, for messages to people.
pub const BUILD: &str = env!("CARGO_PKG_VERSION");

/// The description of itself by a worker of this build, to another process.
pub fn profile(name: &str, threads: u32) -> Profile {
    Profile { games: supported_games(), ..own_profile(name, threads) }
}

/// The description of itself by a worker of the process that lends to it.
pub fn own_profile(name: &str, threads: u32) -> Profile {
    Profile {
        name: name.chars().take(banyan_jobs::limits::NAME_CHARS_MAX).collect(),
        threads,
        build: BUILD.to_owned(),
        protocol: PROTOCOL_VERSION,
        games: own_games(),
        evaluators: Vec::new(),
        spreads: false,
    }
}

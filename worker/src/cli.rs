//! What is typed to start a worker.

use std::num::NonZeroU32;

use clap::Parser;

/// Plays out what a Banyan coordinator lends.
///
/// Dials the coordinator, and dials again for as long as it lives. On SIGTERM or Ctrl-C it finishes
/// what it holds and leaves; a second signal ends it at once.
#[derive(Clone, Debug, Parser)]
#[command(name = "banyan-worker", version)]
pub struct Cli {
    /// The coordinator to work for.
    #[arg(long, env = "BANYAN_JOIN", value_name = "HOST:PORT")]
    pub join: String,

    /// Threads that play out [default: all cores].
    #[arg(long, env = "BANYAN_THREADS", value_name = "N")]
    pub threads: Option<NonZeroU32>,

    /// Name in the coordinator's tables [default: the host's name].
    #[arg(long, env = "BANYAN_NAME", value_name = "NAME")]
    pub name: Option<String>,
}

impl Cli {
    /// Threads to start: what was asked, or one for each core.
    pub fn threads(&self) -> u32 {
        let cores = || std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        self.threads.map_or_else(cores, NonZeroU32::get)
    }

    /// The name to go by: what was asked, or the host's.
    pub fn name(&self) -> String {
        let host = || rustix::system::uname().nodename().to_string_lossy().into_owned();
        self.name.clone().unwrap_or_else(host)
    }
}

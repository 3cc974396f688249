//! The command line of a worker.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use banyan_jobs::limits;
use banyan_katago::{BATCH_MAX, CommandLine};
use clap::Parser;

use crate::dial::Address;
use crate::log::LogArgs;
use crate::models;
use crate::tls::TlsFiles;
use crate::token::Token;
use crate::typed::duration;

/// Plays out what a Banyan coordinator lends.
///
/// Dials the coordinator, and dials again for as long as it lives. On SIGTERM or Ctrl-C it finishes
/// what it holds and leaves; a second signal ends it at once.
#[derive(Clone, Debug, Parser)]
#[command(name = "banyan-worker", version)]
pub struct Cli {
    /// The coordinator to work for.
    #[arg(long, env = "BANYAN_JOIN", value_name = "HOST:PORT")]
    #[arg(required_unless_present = "write_katago_config")]
    pub join: Option<String>,

    /// Threads that play out; 0 beside --katago for none [default: all cores].
    #[arg(long, env = "BANYAN_THREADS", value_name = "N")]
    pub threads: Option<u32>,

    /// Drain after about this time, as on SIGTERM, so that whoever limits it need not end it: 55m. Workers
    /// that begin together leave one after the other, in the last tenth of it.
    #[arg(long, env = "BANYAN_LIFETIME", value_name = "TIME", value_parser = duration)]
    pub lifetime: Option<Duration>,

    /// The folder for networks that come from coordinators [default: banyan/models where caches are].
    #[arg(long, env = "BANYAN_MODEL_CACHE", value_name = "DIR")]
    pub model_cache: Option<PathBuf>,

    /// Judge positions of Go by KataGo as well: the command that starts its analysis process, in quotes, as
    /// "katago analysis -config analysis.cfg -model model.bin.gz".
    #[arg(long, env = "BANYAN_KATAGO", value_name = "COMMAND")]
    pub katago: Option<CommandLine>,

    /// Write the file that --katago's command is given as its configuration, and end.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["join", "katago"])]
    pub write_katago_config: Option<PathBuf>,

    /// Positions that KataGo is to judge at once, in that file: about the number of cores, or what an
    /// accelerator takes in one go.
    #[arg(long, value_name = "N", default_value = "32", requires = "write_katago_config")]
    #[arg(conflicts_with = "join", value_parser = batch)]
    pub katago_batch: NonZeroU32,

    /// Points on a side of the largest board that KataGo is to judge, 2 to 19, in that file: a smaller
    /// largest board is judged faster.
    #[arg(long, value_name = "N", default_value = "19", requires = "write_katago_config")]
    #[arg(conflicts_with = "join", value_parser = clap::value_parser!(u8).range(2..=19))]
    pub katago_side: u8,

    /// Write over a file that is there.
    #[arg(long, requires = "write_katago_config", conflicts_with = "join")]
    pub force: bool,

    /// Name in the coordinator's tables [default: the host's name].
    #[arg(long, env = "BANYAN_NAME", value_name = "NAME")]
    pub name: Option<String>,

    /// A file with the secret that the coordinator shares with its workers; without it the variable
    /// BANYAN_TOKEN is looked at.
    #[arg(long, env = "BANYAN_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// Speak TLS with a coordinator whose certificate was signed by this one (PEM).
    #[arg(long, env = "BANYAN_TLS_CA", value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,

    /// This worker's own certificate (PEM), for a coordinator that asks for one.
    #[arg(long, env = "BANYAN_TLS_CERT", value_name = "FILE", requires_all = ["tls_ca", "tls_key"])]
    pub tls_cert: Option<PathBuf>,

    /// The key of that certificate (PEM).
    #[arg(long, env = "BANYAN_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,

    /// The name in the coordinator's certificate [default: the host of --join].
    #[arg(long, env = "BANYAN_TLS_NAME", value_name = "NAME", requires = "tls_ca")]
    pub tls_name: Option<String>,

    /// Logs.
    #[command(flatten)]
    pub log: LogArgs,
}

/// Positions that KataGo takes at once.
fn batch(text: &str) -> Result<NonZeroU32, String> {
    let count = text.parse().ok().filter(|count| (1..=BATCH_MAX).contains(count));
    count.and_then(NonZeroU32::new).ok_or_else(|| format!("expected 1 to {BATCH_MAX} positions"))
}

impl Cli {
    /// Threads to start: what was asked, or one for each core.
    ///
    /// # Errors
    /// None at all, where nothing else works either; more than a coordinator takes.
    pub fn threads(&self) -> anyhow::Result<u32> {
        let cores = || std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        let threads = self.threads.unwrap_or_else(cores);
        anyhow::ensure!(
            threads > 0 || self.katago.is_some(),
            "--threads 0: expected 1 or more, or --katago beside it"
        );
        anyhow::ensure!(
            threads <= limits::THREADS_MAX,
            "{threads} threads are too many: at most {}",
            limits::THREADS_MAX
        );
        Ok(threads)
    }

    /// Returns the time to stay: what was asked, or up to a tenth less.
    ///
    /// - `chance`: 0 to 1, from worker to worker another.
    pub fn stay(&self, chance: f64) -> Option<Duration> {
        self.lifetime.map(|lifetime| lifetime.mul_f64(1.0 - 0.1 * chance))
    }

    /// Returns the folder for networks that come from coordinators.
    pub fn model_cache(&self) -> Option<PathBuf> {
        self.model_cache.clone().or_else(models::default_folder)
    }

    /// The name to go by: what was asked, or the host's.
    pub fn name(&self) -> String {
        let host = || rustix::system::uname().nodename().to_string_lossy().into_owned();
        self.name.clone().unwrap_or_else(host)
    }

    /// Returns the address to dial, with token and certificates.
    ///
    /// # Errors
    /// What is no address or no token, and files that cannot be read.
    pub fn address(&self) -> anyhow::Result<Address> {
        let identity = self.tls_cert.clone().zip(self.tls_key.clone());
        let server_name = self.tls_name.clone();
        let tls = self.tls_ca.clone();
        let tls = tls.map(|authority| TlsFiles { authority, identity, server_name });
        let join = self.join.as_deref().unwrap_or_default();
        Ok(Address::new(join, Token::find(self.token_file.as_deref())?, tls)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_threads_are_started_as_a_coordinator_takes() {
        let threads = |typed: &str| {
            let typed = ["banyan-worker", "--join", "a:1", "--threads", typed];
            Cli::parse_from(typed).threads().map_err(|why| why.to_string())
        };
        assert_eq!(threads("4096"), Ok(4096));
        for typed in ["4097", "4000000000"] {
            let words = format!("{typed} threads are too many: at most 4096");
            assert_eq!(threads(typed), Err(words));
        }
    }
}

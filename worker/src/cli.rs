//! The command line of a worker.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Parser;

use crate::dial::Address;
use crate::log::LogArgs;
use crate::tls::TlsFiles;
use crate::token::Token;

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

    /// Where to dial, and with which token and certificates.
    ///
    /// # Errors
    /// What is no address or no token, and files that cannot be read.
    pub fn address(&self) -> anyhow::Result<Address> {
        let identity = self.tls_cert.clone().zip(self.tls_key.clone());
        let server_name = self.tls_name.clone();
        let tls = self.tls_ca.clone();
        let tls = tls.map(|authority| TlsFiles { authority, identity, server_name });
        Ok(Address::new(&self.join, Token::find(self.token_file.as_deref())?, tls)?)
    }
}

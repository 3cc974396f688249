//! Options of whoever runs a cluster, and of whoever attaches to one.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use banyan_jobs::limits;
use banyan_worker::typed::{duration, listening};
use bytesize::ByteSize;
use clap::Args;

use super::bytes;

/// The usual port of a coordinator.
pub const PORT: u16 = banyan_worker::dial::PORT;

/// The usual port of its pages.
const HTTP_PORT: u16 = 8080;

/// The usual port of its metrics.
const METRICS_PORT: u16 = 9337;

/// Threads of this process, and who may join it.
#[derive(Clone, Debug, Args)]
pub struct ClusterArgs {
    /// Threads of this process that play out, judge, and search by alpha-beta; 0 for none [default: all cores].
    #[arg(long, env = "BANYAN_THREADS", value_name = "N", help_heading = "Cluster")]
    pub threads: Option<u32>,
    /// Accept workers here, such as 0.0.0.0:7337. A port alone is one of this machine alone, and a name
    /// or address alone has port 7337.
    #[arg(long, env = "BANYAN_LISTEN", value_name = "ADDR:PORT", help_heading = "Cluster")]
    #[arg(value_parser = listening(PORT))]
    pub listen: Option<SocketAddr>,
    /// A file with the secret that workers and front ends must show; without it the variable
    /// BANYAN_TOKEN is looked at. Send it over TLS alone where others can read the wire.
    #[arg(long, env = "BANYAN_TOKEN_FILE", value_name = "FILE")]
    #[arg(help_heading = "Cluster")]
    pub token_file: Option<PathBuf>,
    /// Speak TLS with this certificate (PEM); `banyan certs` makes one.
    #[arg(long, env = "BANYAN_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    #[arg(help_heading = "Cluster")]
    pub tls_cert: Option<PathBuf>,
    /// The key of that certificate (PEM).
    #[arg(long, env = "BANYAN_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    #[arg(help_heading = "Cluster")]
    pub tls_key: Option<PathBuf>,
    /// Let in only workers and front ends whose certificate was signed by this one (PEM).
    #[arg(long, env = "BANYAN_TLS_CLIENT_CA", value_name = "FILE", requires = "tls_cert")]
    #[arg(help_heading = "Cluster")]
    pub tls_client_ca: Option<PathBuf>,
    /// Serve metrics for Prometheus here, at /metrics, such as 127.0.0.1:9337. On an address that other
    /// machines reach scrapers must show the token of --token-file.
    #[arg(long, env = "BANYAN_METRICS", value_name = "ADDR:PORT", help_heading = "Cluster")]
    #[arg(value_parser = listening(METRICS_PORT))]
    pub metrics: Option<SocketAddr>,
    /// Serve pages for browsers here, such as 127.0.0.1:8080: the board, what is thought, the cluster. On an
    /// address that other machines reach browsers must show the token of --token-file, or a certificate of
    /// --tls-client-ca.
    #[arg(long, env = "BANYAN_HTTP", value_name = "ADDR:PORT", help_heading = "Cluster")]
    #[arg(value_parser = listening(HTTP_PORT))]
    pub http: Option<SocketAddr>,
    /// Accept anybody's workers, and show anybody metrics and pages, on an address that other machines reach.
    #[arg(long, env = "BANYAN_INSECURE", help_heading = "Cluster")]
    pub insecure: bool,

    /// Play one batch in so many again on another worker, and compare: a worker whose tallies are wrong
    /// is put out, and they are taken back out of the tree. 0 compares none.
    #[arg(long, env = "BANYAN_AUDIT", default_value_t = 200, value_name = "N")]
    #[arg(help_heading = "Cluster")]
    pub audit: u32,
}

/// Workers that must be there before anything begins.
#[derive(Clone, Debug, Args)]
pub struct WaitArgs {
    /// Wait until so many workers have joined before the clock starts.
    #[arg(long, env = "BANYAN_MIN_WORKERS", default_value_t = 0, value_name = "N")]
    #[arg(help_heading = "Cluster", requires = "listen")]
    pub min_workers: usize,
    /// Wait for them no longer than this, then begin with those that are there.
    #[arg(long, env = "BANYAN_JOIN_TIMEOUT", default_value = "30s", value_name = "TIME")]
    #[arg(value_parser = duration, help_heading = "Cluster")]
    pub join_timeout: Duration,
}

/// Who plays games of self-play, and tries rules.
#[derive(Clone, Debug, Args)]
pub struct FarmArgs {
    /// The cluster that does it; without --listen threads of this process alone do.
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// The workers that are waited for.
    #[command(flatten)]
    pub wait: WaitArgs,
}

/// Options of `banyan serve`.
#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    /// Front ends that may be attached at a time; more are refused.
    #[arg(long, env = "BANYAN_SESSIONS", value_name = "N", default_value_t = 16)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=limits::SESSIONS_MAX as i64))]
    pub sessions: u32,
    /// Memory for the trees of all sessions together; each may use an equal part of it. The boards of --http
    /// together may use as much again.
    #[arg(long, env = "BANYAN_TREE_MEMORY", default_value = "4GiB", value_name = "BYTES")]
    #[arg(value_parser = bytes)]
    pub tree_memory: ByteSize,
    /// Show on a page what a loop of learning has come to: the folder of `banyan train run`.
    #[arg(long, env = "BANYAN_LEARNING", value_name = "FOLDER", requires = "http")]
    pub learning: Option<PathBuf>,
    /// A network beside those of the program, one a game, several times: files that `banyan model` knows. Front
    /// ends may name it, the coordinator of --join too, and the pages' boards are judged by it unless they say
    /// otherwise.
    #[arg(long = "net", env = "BANYAN_NET", value_name = "FILE", value_delimiter = ',')]
    pub nets: Vec<PathBuf>,
    /// Let this book grow while nobody plays: positions are looked into as `banyan book build` does, and as soon
    /// as somebody searches that stops. The book must be there: `banyan book build --time 1s` makes one.
    #[arg(long, env = "BANYAN_BOOK", value_name = "FILE", help_heading = "Book")]
    pub book: Option<PathBuf>,
    /// Think so long about each of its positions.
    #[arg(long, env = "BANYAN_LEAF_TIME", value_name = "TIME", value_parser = duration)]
    #[arg(help_heading = "Book", default_value = "1s")]
    pub leaf_time: Duration,
    /// The cluster. Without --listen it is 127.0.0.1:7337.
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Another cluster that this one works for.
    #[command(flatten)]
    pub join: JoinArgs,
}

/// Options of a coordinator that works for another one.
#[derive(Clone, Debug, Args)]
pub struct JoinArgs {
    /// Work for the coordinator there as well, with all workers and threads of this one, as if they were one
    /// worker: for more workers than one coordinator can lend to, and for sites of which each has its own.
    /// The variable is not BANYAN_JOIN, which is for the workers of this one.
    #[arg(long, env = "BANYAN_SERVE_JOIN", value_name = "HOST:PORT", help_heading = "Join")]
    pub join: Option<String>,
    /// A file with the secret of that coordinator [default: as --token-file].
    #[arg(long, env = "BANYAN_JOIN_TOKEN_FILE", value_name = "FILE", help_heading = "Join")]
    pub join_token_file: Option<PathBuf>,
    /// Name in that coordinator's tables [default: the host's name].
    #[arg(long, env = "BANYAN_NAME", value_name = "NAME", help_heading = "Join")]
    pub name: Option<String>,
    /// Speak TLS with that coordinator, whose certificate was signed by this one (PEM).
    #[arg(long, env = "BANYAN_TLS_CA", value_name = "FILE", help_heading = "Join")]
    pub tls_ca: Option<PathBuf>,
    /// The name in that coordinator's certificate [default: the host of --join].
    #[arg(long, env = "BANYAN_TLS_NAME", value_name = "NAME", help_heading = "Join")]
    pub tls_name: Option<String>,
    /// The certificate (PEM) to show to that coordinator, if it asks for one: that of a worker, where --tls-cert is
    /// what this one's own workers are shown.
    #[arg(long, env = "BANYAN_JOIN_TLS_CERT", value_name = "FILE")]
    #[arg(requires_all = ["join_tls_key", "tls_ca"])]
    #[arg(help_heading = "Join")]
    pub join_tls_cert: Option<PathBuf>,
    /// The key of that certificate (PEM).
    #[arg(long, env = "BANYAN_JOIN_TLS_KEY", value_name = "FILE", requires = "join_tls_cert")]
    #[arg(help_heading = "Join")]
    pub join_tls_key: Option<PathBuf>,
}

/// Options of whoever may think with a cluster that is served elsewhere.
#[derive(Clone, Debug, Args)]
pub struct RemoteArgs {
    /// Think with the coordinator that is served there (`banyan serve`) instead of a cluster of one's
    /// own. It must be there at the start; while it cannot be reached later --threads of this machine think.
    #[arg(long, env = "BANYAN_REMOTE", value_name = "HOST:PORT")]
    #[arg(conflicts_with_all = ["listen", "http", "metrics"])]
    #[arg(help_heading = "Remote")]
    pub remote: Option<String>,
    /// The part of that cluster beside other front ends, 1 to 100.
    #[arg(long, env = "BANYAN_WEIGHT", value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=limits::WEIGHT_MAX as i64))]
    #[arg(help_heading = "Remote")]
    pub weight: u32,
    /// Name in that coordinator's log [default: the host's name].
    #[arg(long, env = "BANYAN_NAME", value_name = "NAME", help_heading = "Remote")]
    pub name: Option<String>,
    /// Speak TLS with a coordinator whose certificate was signed by this one (PEM). --tls-cert and
    /// --tls-key are then what this front end shows.
    #[arg(long, env = "BANYAN_TLS_CA", value_name = "FILE")]
    #[arg(help_heading = "Remote")]
    pub tls_ca: Option<PathBuf>,
    /// The name in that coordinator's certificate [default: the host of --remote].
    #[arg(long, env = "BANYAN_TLS_NAME", value_name = "NAME", requires = "tls_ca")]
    #[arg(help_heading = "Remote")]
    pub tls_name: Option<String>,
}

impl RemoteArgs {
    /// The name to go by: what was asked, or the host's.
    pub fn name(&self) -> String {
        named(self.name.as_ref())
    }

    /// The part of the cluster.
    pub fn weight(&self) -> NonZeroU32 {
        NonZeroU32::new(self.weight).unwrap_or(NonZeroU32::MIN)
    }
}

impl JoinArgs {
    /// The name to go by: what was asked, or the host's.
    pub fn name(&self) -> String {
        named(self.name.as_ref())
    }
}

fn named(asked: Option<&String>) -> String {
    let host = || rustix::system::uname().nodename().to_string_lossy().into_owned();
    asked.cloned().unwrap_or_else(host)
}

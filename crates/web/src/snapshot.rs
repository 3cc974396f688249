//! The cluster as it stands at one moment, and whoever can be asked for it. The coordinator implements
//! [`Cluster`]; nothing else of it is known here.

use std::time::Duration;

use banyan_jobs::{Claim, SessionId, Totals, WorkerId};

/// Reason why a worker was put out that has done no wrong.
pub const BANNED: &str = "banned by the operator";

/// A coordinator, as it is seen and steered from a page.
pub trait Cluster: Send + Sync + 'static {
    /// Returns its state. Cheap: copies of what the cluster's thread published last.
    fn snapshot(&self) -> Snapshot;

    /// Tells whether it can take work.
    ///
    /// # Errors
    /// Says why not, in words for people.
    fn readiness(&self) -> Result<(), String>;

    /// Lends a worker nothing more: it finishes what it holds and leaves.
    ///
    /// # Errors
    /// Says why that cannot be, in words for people.
    fn drain(&self, worker: WorkerId) -> Result<(), String>;

    /// Puts a worker out, and does not let it in again; what it counted stays.
    ///
    /// # Errors
    /// Says why that cannot be, in words for people.
    fn ban(&self, worker: WorkerId) -> Result<(), String>;
}

/// The cluster at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Every worker that is there, and the latest that were, in the order in which they came.
    pub nodes: Vec<Node>,
    /// Searches under way.
    pub searches: Vec<Search>,
    /// Ends of all batches so far.
    pub totals: Totals,
    /// Workers that joined since the process began, count.
    pub joined: u64,
    /// Connections that were refused since then, count.
    pub refused: u64,
    /// Front ends attached, count.
    pub attached: u64,
    /// Names and certificates that are not let in again, count.
    pub liars: u64,
    /// Processor time of the search threads, of all sessions together.
    pub search_cpu: Duration,
    /// Processor time of the cluster's thread.
    pub cluster_cpu: Duration,
}

/// One connection of one worker.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its number.
    pub id: WorkerId,
    /// Its name.
    pub name: String,
    /// Its threads.
    pub threads: u32,
    /// Playouts of its tallies that counted, since it joined.
    pub playouts: u64,
    /// Playouts per second that it is seen to do.
    pub rate: f64,
    /// Playouts that may be in flight to it.
    pub window: u32,
    /// Playouts that are.
    pub in_flight: u32,
    /// The evaluator that it judges by, where it does nothing else: its playouts are evaluations.
    pub judges_by: Option<String>,
    /// Processor time that it has used.
    pub cpu: Duration,
    /// Median round trip of its pings, seconds.
    pub round_trip_p50: f64,
    /// The 99th percentile of it, seconds.
    pub round_trip_p99: f64,
    /// It is a part of the coordinator's own process.
    pub is_local: bool,
    /// It is still there.
    pub is_present: bool,
    /// Its tallies count as they come.
    pub is_trusted: bool,
    /// It is lent nothing more.
    pub is_draining: bool,
    /// Reason why it was put out for good.
    pub quarantined: Option<String>,
}

/// One search under way.
#[derive(Clone, Debug)]
pub struct Search {
    /// The session that it belongs to.
    pub session: SessionId,
    /// Game and rules, in words.
    pub game: String,
    /// A network alone judges: nothing is played out.
    pub is_judged: bool,
    /// Its claim.
    pub claim: Claim,
    /// Its part of the cluster, 0 to 1.
    pub part: f64,
    /// Playouts that have no tally yet.
    pub open_playouts: u64,
}

//! The cluster as a page draws it, and as JSON says it.

use serde::{Deserialize, Serialize};

/// Event of a cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Seconds since the coordinator began to watch.
    pub at: u64,
    /// `join`, `leave`, `lease` or `bad`.
    pub kind: String,
    /// In words.
    pub text: String,
}

/// The cluster as a page draws it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Picture {
    /// Nodes that are there, and the latest that are gone.
    pub nodes: Vec<NodePicture>,
    /// Searches under way.
    pub searches: Vec<SearchPicture>,
    /// Events, the latest first.
    pub events: Vec<Event>,
    /// Playouts a second of all together, over the last seconds.
    pub rate: f64,
    /// The same over the last minute, a point each [`super::INTERVAL`].
    pub graph: Vec<u32>,
    /// Threads of all nodes.
    pub threads: u32,
    /// Limit that keeps it from doing more, in words; nothing while nothing is searched.
    pub limit: Option<String>,
    /// Load of the search threads, 0 to 1 for each.
    pub search_busy: f64,
    /// Load of the cluster's thread, 0 to 1.
    pub cluster_busy: f64,
    /// Workers that joined, count.
    pub joined: u64,
    /// Connections that were refused, count.
    pub refused: u64,
    /// Front ends attached, count.
    pub attached: u64,
    /// Liars that are not let in again, count.
    pub liars: u64,
    /// Ends of leases and batches.
    pub totals: TotalsPicture,
}

/// A node as a page draws it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NodePicture {
    /// Its number.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its threads.
    pub threads: u32,
    /// Work that it does, in words.
    pub work: String,
    /// It plays nothing out: its playouts are evaluations.
    #[serde(default)]
    pub is_judging: bool,
    /// It is a part of the coordinator's process.
    pub is_local: bool,
    /// It is there.
    pub is_present: bool,
    /// Its tallies count as they come.
    pub is_trusted: bool,
    /// It is lent nothing more.
    pub is_draining: bool,
    /// Reason why it was put out for good.
    pub quarantined: Option<String>,
    /// Playouts a second over the last seconds.
    pub rate: f64,
    /// The same over the last minute.
    pub graph: Vec<u32>,
    /// Playouts that counted.
    pub playouts: u64,
    /// Playouts that are on their way.
    pub in_flight: u32,
    /// Room for them.
    pub window: u32,
    /// Its share of what all are seen to do, 0 to 1.
    pub capacity: f64,
    /// Its share of what was done in the last ten seconds, 0 to 1.
    pub share: f64,
    /// Share of its threads' time that it is busy.
    pub busy: f64,
    /// Median and 99th percentile of its pings, milliseconds.
    pub round_trip: [f64; 2],
}

/// A search as a page draws it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SearchPicture {
    /// The session that it belongs to.
    pub session: String,
    /// Game and rules, in words.
    #[serde(default)]
    pub game: String,
    /// `thinking` or `pondering`.
    pub purpose: String,
    /// Its weight beside others.
    pub weight: u32,
    /// Its part of the cluster, 0 to 1.
    pub part: f64,
    /// Playouts that have no tally yet.
    pub open_playouts: u64,
}

/// Sums over all batches, counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TotalsPicture {
    /// Playouts merged.
    pub playouts: u64,
    /// Batches sent.
    pub leases: u64,
    /// Leases lost.
    pub lost: u64,
    /// Leases after a batch's first.
    pub again: u64,
    /// Tallies that came too late.
    pub dropped: u64,
    /// Batches played again and compared.
    pub audited: u64,
    /// Those of them that were not equal.
    pub disputed: u64,
}

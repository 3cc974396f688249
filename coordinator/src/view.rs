//! The cluster as it looks from outside: written by the scheduler's driver alone, read by anyone.
//!
//! No guard is held across an await; readers copy what they need.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use banyan_admission::{Outcasts, Register};
use banyan_jobs::{Claim, Root, Usage, WorkerId};
use banyan_scheduler::{Ledger, Member, RoundTrip, Scheduler, Totals};
use dashmap::DashMap;

/// Entries of departed workers kept; the oldest go first.
const DEPARTED_MAX: usize = 256;

/// One connection of one worker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The worker's name.
    pub name: String,
    /// Its threads.
    pub threads: u32,
    /// Playouts of its tallies that counted, since it joined.
    pub playouts: u64,
    /// Those of them that are evaluations.
    pub evaluations: u64,
    /// Playouts per second that it is seen to do.
    pub rate: f64,
    /// Playouts that may be in flight to it.
    pub window: u32,
    /// Playouts that are.
    pub in_flight: u32,
    /// The evaluator that it judges by, where it does nothing else: its playouts are evaluations.
    pub judges_by: Option<String>,
    /// What it has used, as of `usage_at`.
    pub usage: Usage,
    /// When it said so, on the scheduler's clock.
    pub usage_at: Duration,
    /// Round trips of its pings.
    pub round_trip: RoundTrip,
    /// Tells whether it is a part of this process.
    pub local: bool,
    /// Tells whether it is still there.
    pub present: bool,
    /// Tells whether its tallies count as they come: it has passed its probation.
    pub trusted: bool,
    /// Tells whether it is lent nothing more.
    pub draining: bool,
    /// Tells whether it is a cluster with workers of its own.
    pub is_cluster: bool,
    /// Reason why it was put out for good: its tallies were wrong, or [`banyan_web::snapshot::BANNED`].
    pub quarantined: Option<String>,
}

impl Node {
    /// Threads that play out here now, and are lent more: none of one that only judges, whose number is of positions.
    pub fn playing_threads(&self) -> u32 {
        let plays = self.present && !self.draining && self.judges_by.is_none();
        if plays { self.threads } else { 0 }
    }
}

/// Every worker that is or was there.
#[derive(Debug, Default)]
pub struct View {
    nodes: DashMap<WorkerId, Node>,
    /// Identities of the workers, and who is not let in again.
    register: Register,
    /// Searches and batches of the whole process; locked for a copy.
    whole: Mutex<Whole>,
    /// Workers that joined, count.
    joined: AtomicU64,
    /// Connections that were refused, count; written at the door.
    refused: Arc<AtomicU64>,
    /// Front ends that are attached, count; written by their session slots.
    attached: Arc<AtomicU64>,
}

/// One search under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// The position that is searched, and by what.
    pub root: Arc<Root>,
    /// Its claim.
    pub claim: Claim,
    /// Its part of the cluster, 0 to 1.
    pub part: f64,
    /// Playouts that have no tally yet.
    pub open_playouts: u64,
}

/// Searches and batches of the whole process.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Whole {
    /// Searches under way.
    pub searches: Vec<Search>,
    /// Ends of all batches so far.
    pub totals: Totals,
    /// When this was written last; nothing before the first time.
    pub published: Option<Instant>,
}

impl View {
    /// Of a cluster without workers.
    pub(crate) fn knowing(outcasts: Arc<Outcasts>) -> View {
        View { register: Register::knowing(outcasts), ..View::default() }
    }

    /// Every worker, in the order in which they came.
    pub fn nodes(&self) -> Vec<(WorkerId, Node)> {
        let mut nodes: Vec<_> =
            self.nodes.iter().map(|entry| (*entry.key(), entry.value().clone())).collect();
        nodes.sort_by_key(|&(id, _)| id);
        nodes
    }

    /// Workers present now.
    pub fn present(&self) -> usize {
        self.nodes.iter().filter(|node| node.present).count()
    }

    /// The name of a worker that is or was there.
    pub(crate) fn name(&self, worker: WorkerId) -> Option<String> {
        self.nodes.get(&worker).map(|node| node.name.clone())
    }

    /// Returns the identities of the workers, and who is not let in again.
    pub fn register(&self) -> &Register {
        &self.register
    }

    pub(crate) fn quarantine(&self, worker: WorkerId, why: &str) {
        if let Some(mut node) = self.nodes.get_mut(&worker) {
            node.quarantined = Some(why.to_owned());
        }
        let trusted = self.nodes.iter().filter(|node| node.present && node.trusted);
        let trusted: Vec<WorkerId> = trusted.map(|node| *node.key()).collect();
        self.register.put_out(worker, why, &trusted);
    }

    /// Searches and batches of the whole process.
    pub fn whole(&self) -> Whole {
        self.whole.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Workers that joined since the process began, count.
    pub fn joined(&self) -> u64 {
        self.joined.load(Ordering::Relaxed)
    }

    /// Connections that were refused since the process began, count.
    pub fn refused(&self) -> &Arc<AtomicU64> {
        &self.refused
    }

    /// Front ends that are attached now, count.
    pub fn attached(&self) -> &Arc<AtomicU64> {
        &self.attached
    }

    pub(crate) fn joins(&self) {
        self.joined.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn publish(&self, scheduler: &Scheduler) {
        for (id, member) in scheduler.members() {
            self.nodes.insert(id, node(member));
        }
        let search = |(root, claim, part, ledger): (&Arc<Root>, _, _, &Ledger)| Search {
            root: root.clone(),
            claim,
            part,
            open_playouts: ledger.open_playouts(),
        };
        let searches = scheduler.searches().map(search).collect();
        let totals = scheduler.totals();
        *self.whole.lock().unwrap_or_else(PoisonError::into_inner) =
            Whole { searches, totals, published: Some(Instant::now()) };
    }

    pub(crate) fn departed(&self, worker: WorkerId) {
        if let Some(mut node) = self.nodes.get_mut(&worker) {
            node.present = false;
        }
        let mut gone: Vec<WorkerId> =
            self.nodes.iter().filter(|node| !node.present).map(|node| *node.key()).collect();
        if gone.len() > DEPARTED_MAX {
            gone.sort();
            self.nodes.remove(&gone[0]);
            self.register.forget(gone[0]);
        }
    }
}

/// Names the evaluator of a member that does not play out.
fn judges_by(member: &Member) -> Option<String> {
    let profile = member.profile();
    let offer = profile.evaluators.first().filter(|_| profile.games.is_empty())?;
    Some(offer.name.clone())
}

fn node(member: &Member) -> Node {
    Node {
        name: member.profile().name.clone(),
        threads: member.profile().threads,
        playouts: member.merged_playouts(),
        evaluations: member.merged_evaluations(),
        rate: member.rate(),
        window: member.last_window(),
        in_flight: member.in_flight(),
        judges_by: judges_by(member),
        usage: member.usage(),
        usage_at: member.usage_at(),
        round_trip: member.round_trip(),
        local: member.origin().is_here(),
        present: true,
        trusted: member.is_trusted(),
        draining: member.is_draining(),
        is_cluster: member.profile().spreads,
        quarantined: None,
    }
}

//! The figures of a cluster at one moment: two of them and their difference are a measurement.

use std::time::{Duration, Instant};

use banyan_jobs::WorkerId;
use banyan_web::machine::{self, Machine};

use crate::cluster::Link;
use crate::view;

/// Nodes and processor time at one moment.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    /// When.
    pub at: Instant,
    /// Every worker that is or was there.
    pub nodes: Vec<(WorkerId, view::Node)>,
    /// Work of all cores of this machine so far; nothing where the system does not say.
    pub machine: Option<Machine>,
    /// Processor time of this process.
    pub process: Duration,
    /// Processor time of the search thread.
    pub search: Duration,
    /// Processor time of the cluster's thread.
    pub cluster: Duration,
}

impl Moment {
    pub(super) fn now(link: &Link) -> Moment {
        let nodes = link.view().nodes();
        Moment {
            at: Instant::now(),
            nodes,
            machine: Machine::now(),
            process: machine::process_time(),
            search: link.busy().search.read(),
            cluster: link.busy().cluster.read(),
        }
    }

    pub(super) fn node(&self, id: WorkerId) -> Option<&view::Node> {
        self.nodes.iter().find(|&&(other, _)| other == id).map(|(_, node)| node)
    }

    /// Time between `before` and this.
    pub(super) fn since(&self, before: &Moment) -> Duration {
        self.at.saturating_duration_since(before.at)
    }

    /// Returns the load of this machine's cores since `before`, 0 to 1: with all that runs on it, where
    /// the system says so, and by this process.
    pub(super) fn cores_busy(&self, before: &Moment, cores: f64) -> (f64, f64) {
        let used = self.process.saturating_sub(before.process).as_secs_f64();
        let process = used / self.since(before).as_secs_f64().max(1e-9) / cores;
        let machine = self.machine.zip(before.machine).map(|(now, then)| now.busy_since(&then));
        (machine.unwrap_or(process).max(process), process)
    }
}

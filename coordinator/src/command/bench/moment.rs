//! The figures of a cluster at one moment: two of them and their difference are a measurement.

use std::time::{Duration, Instant};

use banyan_jobs::WorkerId;

use crate::cluster::Link;
use crate::view;

/// Nodes and processor time at one moment.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    /// When.
    pub at: Instant,
    /// Every worker that is or was there.
    pub nodes: Vec<(WorkerId, view::Node)>,
    /// Processor time of this process.
    pub process: Duration,
    /// Processor time of the grower's thread.
    pub grower: Duration,
    /// Processor time of the cluster's thread.
    pub cluster: Duration,
}

impl Moment {
    pub(super) fn now(link: &Link) -> Moment {
        let nodes = link.view().nodes();
        let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Moment {
            at: Instant::now(),
            nodes,
            process: Duration::new(used.tv_sec as u64, used.tv_nsec as u32),
            grower: link.busy().grower.read(),
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
}

//! The parts of a cluster that can be seen without asking it, for [`banyan_web`].

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use banyan_web::snapshot::{self, Snapshot};

use crate::busy::Busy;
use crate::view::View;

/// The cluster's thread publishes how it stands many times a second; one that has not for so long hangs.
const SILENCE_MAX: Duration = Duration::from_secs(5);

/// What can be seen of a cluster.
#[derive(Debug)]
pub struct Watched {
    pub(crate) view: Arc<View>,
    pub(crate) busy: Arc<Busy>,
}

impl snapshot::Cluster for Watched {
    fn snapshot(&self) -> Snapshot {
        let whole = self.view.whole();
        let search = |search: crate::view::Search| snapshot::Search {
            session: search.session,
            claim: search.claim,
            part: search.part,
            open_playouts: search.open_playouts,
        };
        Snapshot {
            nodes: self.view.nodes().into_iter().map(node).collect(),
            searches: whole.searches.into_iter().map(search).collect(),
            totals: whole.totals,
            joined: self.view.joined(),
            refused: self.view.refused().load(Ordering::Relaxed),
            attached: self.view.attached().load(Ordering::Relaxed),
            liars: self.view.register().liars() as u64,
            search_cpu: self.busy.search.read(),
            cluster_cpu: self.busy.cluster.read(),
        }
    }

    fn readiness(&self) -> Result<(), String> {
        match self.view.whole().published {
            None => Err("the cluster's thread has not begun".to_owned()),
            Some(at) if at.elapsed() > SILENCE_MAX => Err(format!(
                "the cluster's thread has said nothing for {} s",
                at.elapsed().as_secs()
            )),
            Some(_) => Ok(()),
        }
    }
}

fn node((id, node): (banyan_jobs::WorkerId, crate::view::Node)) -> snapshot::Node {
    snapshot::Node {
        id,
        name: node.name,
        threads: node.threads,
        playouts: node.playouts,
        rate: node.rate,
        window: node.window,
        in_flight: node.in_flight,
        judges_by: node.judges_by,
        cpu: node.cpu,
        round_trip_p50: node.round_trip.ms_p50 / 1e3,
        round_trip_p99: node.round_trip.ms_p99 / 1e3,
        is_local: node.local,
        is_present: node.present,
        is_trusted: node.trusted,
        quarantined: node.quarantined,
    }
}

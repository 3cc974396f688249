//! Metrics of a coordinator for Prometheus; `docs/metrics.md` lists them.
//!
//! Nothing is counted here: each scrape reads a snapshot of the cluster. `text` writes it.

mod text;

pub(crate) use text::Format;

use std::fmt::Display;
use std::time::Duration;

use banyan_jobs::Totals;

use crate::snapshot::{Node, Search, Snapshot};

/// Way in which a metric moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Up alone, from 0 on.
    Counter,
    /// Up and down.
    Gauge,
}

use Kind::{Counter, Gauge};

/// Names and values, in the order in which they are written.
type Labels = Vec<(&'static str, String)>;

/// One metric of the process: a value for each set of labels.
#[derive(Clone, Debug)]
struct Metric {
    /// Without the program's name before it, and a counter's `_total` after it.
    name: &'static str,
    help: &'static str,
    kind: Kind,
    samples: Vec<(Labels, f64)>,
}

const fn metric(
    name: &'static str,
    help: &'static str,
    kind: Kind,
    samples: Vec<(Labels, f64)>,
) -> Metric {
    Metric { name, help, kind, samples }
}

/// All metrics of a cluster, as text.
pub(crate) fn write(snapshot: &Snapshot, format: Format) -> String {
    let all = [process(snapshot), searches(snapshot), batches(snapshot), workers(snapshot)];
    format.write(&all.concat())
}

/// The only value of a metric without labels.
fn one(value: f64) -> Vec<(Labels, f64)> {
    vec![(Labels::new(), value)]
}

fn process(snapshot: &Snapshot) -> Vec<Metric> {
    let thread =
        |name: &str, clock: Duration| (vec![("thread", name.to_owned())], clock.as_secs_f64());
    let threads =
        vec![thread("search", snapshot.search_cpu), thread("cluster", snapshot.cluster_cpu)];
    let build = vec![("version", banyan_worker::BUILD.to_owned())];
    let present = snapshot.nodes.iter().filter(|node| node.is_present).count();
    vec![
        metric("build", "The version of this coordinator; always 1.", Gauge, vec![(build, 1.0)]),
        metric(
            "coordinator_cpu_seconds",
            "Processor time of the threads that no second core can help.",
            Counter,
            threads,
        ),
        metric("searches", "Searches under way.", Gauge, one(snapshot.searches.len() as f64)),
        metric("sessions", "Front ends attached.", Gauge, one(snapshot.attached as f64)),
        metric(
            "workers",
            "Workers present, this process' own threads as one.",
            Gauge,
            one(present as f64),
        ),
        metric("workers_joined", "Workers that joined.", Counter, one(snapshot.joined as f64)),
        metric(
            "connections_refused",
            "Connections that were not let in.",
            Counter,
            one(snapshot.refused as f64),
        ),
        metric(
            "workers_quarantined",
            "Names and certificates that are not let in again: their tallies were wrong.",
            Gauge,
            one(snapshot.liars as f64),
        ),
    ]
}

fn searches(snapshot: &Snapshot) -> Vec<Metric> {
    let each = |value: &dyn Fn(&Search) -> f64| -> Vec<(Labels, f64)> {
        let labels = |search: &Search| {
            let purpose = search.claim.purpose.word().to_owned();
            vec![("session", search.session.to_string()), ("purpose", purpose)]
        };
        snapshot.searches.iter().map(|search| (labels(search), value(search))).collect()
    };
    vec![
        metric(
            "search_part",
            "A search's part of the cluster, 0 to 1.",
            Gauge,
            each(&|search| search.part),
        ),
        metric(
            "search_open_playouts",
            "Playouts of a search that have no tally yet.",
            Gauge,
            each(&|search| search.open_playouts as f64),
        ),
    ]
}

fn batches(snapshot: &Snapshot) -> Vec<Metric> {
    let Totals {
        sent,
        answered,
        lost,
        dead,
        merged,
        lent_again,
        lent_to_audit,
        dropped,
        abandoned,
        audited,
        disputed,
        playouts,
    } = snapshot.totals;
    let by = |label, parts: &[(&str, u64)]| {
        let sample = |&(name, value): &(&str, u64)| (vec![(label, name.to_owned())], value as f64);
        parts.iter().map(sample).collect()
    };
    let ends = [("answered", answered), ("lost", lost), ("dead", dead)];
    let batches = [("merged", merged), ("abandoned", abandoned)];
    let audits = [("equal", audited.saturating_sub(disputed)), ("disputed", disputed)];
    vec![
        metric("playouts", "Playouts merged.", Counter, one(playouts as f64)),
        metric("leases", "Batches sent, every attempt counted.", Counter, one(sent as f64)),
        metric("leases_ended", "Leases that ended, by how.", Counter, by("end", &ends)),
        metric(
            "leases_again",
            "Leases after a batch's first, because that was lost or late.",
            Counter,
            one(lent_again as f64),
        ),
        metric(
            "leases_to_audit",
            "Leases of batches that have their tally, to compare.",
            Counter,
            one(lent_to_audit as f64),
        ),
        metric("batches_ended", "Batches that ended, by how.", Counter, by("end", &batches)),
        metric(
            "tallies_dropped",
            "Tallies that came too late to count.",
            Counter,
            one(dropped as f64),
        ),
        metric(
            "audits",
            "Batches played again and compared, by outcome.",
            Counter,
            by("outcome", &audits),
        ),
    ]
}

fn workers(snapshot: &Snapshot) -> Vec<Metric> {
    let each = |value: &dyn Fn(&Node) -> f64| -> Vec<(Labels, f64)> {
        let labels = |id: &dyn Display, node: &Node| {
            vec![("worker", node.name.clone()), ("connection", id.to_string())]
        };
        let present = snapshot.nodes.iter().filter(|node| node.is_present);
        present.map(|node| (labels(&node.id, node), value(node))).collect()
    };
    let percentile = |share: &str, seconds: &dyn Fn(&Node) -> f64| -> Vec<(Labels, f64)> {
        let mut samples = each(seconds);
        samples.iter_mut().for_each(|it| it.0.push(("percentile", share.to_owned())));
        samples
    };
    let median = percentile("50", &|node| node.round_trip_p50);
    let round_trips = [median, percentile("99", &|node| node.round_trip_p99)].concat();
    vec![
        metric(
            "worker_threads",
            "Threads that play out.",
            Gauge,
            each(&|node| f64::from(node.threads)),
        ),
        metric(
            "worker_playouts",
            "Playouts of its tallies that counted.",
            Counter,
            each(&|node| node.playouts as f64),
        ),
        metric(
            "worker_playouts_per_second",
            "Playouts per second that it is seen to do.",
            Gauge,
            each(&|node| node.rate),
        ),
        metric(
            "worker_window_playouts",
            "Playouts that may be in flight to it.",
            Gauge,
            each(&|node| f64::from(node.window)),
        ),
        metric(
            "worker_cpu_seconds",
            "Processor time it has used.",
            Counter,
            each(&|node| node.cpu.as_secs_f64()),
        ),
        metric("worker_round_trip_seconds", "Round trips of its pings.", Gauge, round_trips),
    ]
}

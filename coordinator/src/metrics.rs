//! What Prometheus sees of a coordinator; `docs/metrics.md` lists it.
//!
//! Nothing is counted here: each scrape reads the view of the cluster.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use axum::routing::get;
use banyan_scheduler::{Purpose, Totals};
use banyan_worker::Token;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;

use crate::cluster::Watched;
use crate::descriptors;
use crate::rpc::{Strangers, Visits};
use crate::view::{Node, Search};

/// Connections at a time: some scrapers and probes. Each lasts a few seconds, and the oldest makes room.
const VISITS_MAX: usize = 64;

/// What scrapers ask for.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Answers `/metrics` and `/health` until the runtime ends.
///
/// - `token`: what whoever wants metrics must show, as workers do; health is anybody's to ask for.
pub(crate) async fn serve(listener: TcpListener, watched: Watched, token: Option<Token>) {
    let mut registry = Registry::with_prefix("banyan");
    registry.register_collector(Box::new(Scrape(watched)));
    let registry = Arc::new(registry);
    let metrics = move || async move {
        let mut text = String::new();
        let _ = prometheus_client::encoding::text::encode(&mut text, &registry);
        ([(CONTENT_TYPE, OPEN_METRICS)], text).into_response()
    };
    let metrics = get(metrics).layer(middleware::from_fn(move |request: Request, next: Next| {
        let is_allowed = shows(&token, &request);
        async move {
            if is_allowed {
                next.run(request).await
            } else {
                StatusCode::UNAUTHORIZED.into_response()
            }
        }
    }));
    let routes =
        Router::new().route("/metrics", metrics).route("/health", get(|| async { "ok\n" }));
    let strangers = Strangers::new(VISITS_MAX.min(descriptors::strangers_max()), Arc::default());
    if let Err(error) = axum::serve(Visits::new(listener, strangers), routes).await {
        tracing::error!("metrics are no longer served: {error}");
    }
}

fn shows(token: &Option<Token>, request: &Request) -> bool {
    let Some(token) = token else { return true };
    let shown = request.headers().get(AUTHORIZATION);
    shown.is_some_and(|shown| token.is_shown_by(shown.as_bytes()))
}

#[derive(Debug)]
struct Scrape(Watched);

/// One metric of the process: name, help, kind, and a value for each set of labels.
type Row = (&'static str, &'static str, MetricType, Vec<(Labels, f64)>);

/// Names and values, in the order in which they are written.
type Labels = Vec<(&'static str, String)>;

impl Collector for Scrape {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let rows = self.process().into_iter().chain(self.searches()).chain(self.batches());
        let rows = rows.chain(self.workers());
        for (name, help, kind, samples) in rows {
            let mut metric = encoder.encode_descriptor(name, help, None, kind)?;
            for (labels, value) in samples {
                match labels.is_empty() {
                    true => write(&mut metric, kind, value)?,
                    false => write(&mut metric.encode_family(&labels)?, kind, value)?,
                }
            }
        }
        Ok(())
    }
}

fn write(sample: &mut MetricEncoder<'_>, kind: MetricType, value: f64) -> Result<(), fmt::Error> {
    match kind {
        MetricType::Counter => sample.encode_counter::<Labels, _, f64>(&value, None),
        _ => sample.encode_gauge(&value),
    }
}

impl Scrape {
    fn process(&self) -> Vec<Row> {
        use MetricType::{Counter, Gauge};
        let seconds = |clock: Duration| clock.as_secs_f64();
        let thread = |name: &str, clock| (vec![("thread", name.to_owned())], seconds(clock));
        let build = vec![("version", banyan_worker::BUILD.to_owned())];
        let view = &self.0.view;
        let attached = view.attached().load(std::sync::atomic::Ordering::Relaxed);
        let refused = view.refused().load(std::sync::atomic::Ordering::Relaxed);
        vec![
            ("build", "The version of this coordinator; always 1.", Gauge, vec![(build, 1.0)]),
            (
                "coordinator_cpu_seconds",
                "Processor time of the threads that no second core can help.",
                Counter,
                vec![
                    thread("search", self.0.busy.search.read()),
                    thread("cluster", self.0.busy.cluster.read()),
                ],
            ),
            ("searches", "Searches under way.", Gauge, one(view.whole().searches.len() as f64)),
            ("sessions", "Front ends attached.", Gauge, one(attached as f64)),
            (
                "workers",
                "Workers present, this process' own threads as one.",
                Gauge,
                one(view.present() as f64),
            ),
            ("workers_joined", "Workers that joined.", Counter, one(view.joined() as f64)),
            (
                "connections_refused",
                "Connections that were not let in.",
                Counter,
                one(refused as f64),
            ),
            (
                "workers_quarantined",
                "Names and certificates that are not let in again: their tallies were wrong.",
                Gauge,
                one(view.register().liars() as f64),
            ),
        ]
    }

    fn searches(&self) -> Vec<Row> {
        use MetricType::Gauge;
        let searches = self.0.view.whole().searches;
        let each = |value: &dyn Fn(&Search) -> f64| -> Vec<(Labels, f64)> {
            let purpose = |search: &Search| match search.claim.purpose {
                Purpose::Thinking => "thinking",
                Purpose::Pondering => "pondering",
            };
            let labels = |search: &Search| {
                vec![
                    ("session", search.session.to_string()),
                    ("purpose", purpose(search).to_owned()),
                ]
            };
            searches.iter().map(|search| (labels(search), value(search))).collect()
        };
        vec![
            (
                "search_part",
                "A search's part of the cluster, 0 to 1.",
                Gauge,
                each(&|search| search.part),
            ),
            (
                "search_open_playouts",
                "Playouts of a search that have no tally yet.",
                Gauge,
                each(&|search| search.open_playouts as f64),
            ),
        ]
    }

    fn batches(&self) -> Vec<Row> {
        use MetricType::Counter;
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
        } = self.0.view.whole().totals;
        let by = |label, parts: &[(&str, u64)]| {
            let sample =
                |&(name, value): &(&str, u64)| (vec![(label, name.to_owned())], value as f64);
            parts.iter().map(sample).collect()
        };
        let ends = [("answered", answered), ("lost", lost), ("dead", dead)];
        let batches = [("merged", merged), ("abandoned", abandoned)];
        let audits = [("equal", audited.saturating_sub(disputed)), ("disputed", disputed)];
        vec![
            ("playouts", "Playouts merged.", Counter, one(playouts as f64)),
            ("leases", "Batches sent, every attempt counted.", Counter, one(sent as f64)),
            ("leases_ended", "Leases that ended, by how.", Counter, by("end", &ends)),
            (
                "leases_again",
                "Leases after a batch's first, because that was lost or late.",
                Counter,
                one(lent_again as f64),
            ),
            (
                "leases_to_audit",
                "Leases of batches that have their tally, to compare.",
                Counter,
                one(lent_to_audit as f64),
            ),
            ("batches_ended", "Batches that ended, by how.", Counter, by("end", &batches)),
            (
                "tallies_dropped",
                "Tallies that came too late to count.",
                Counter,
                one(dropped as f64),
            ),
            (
                "audits",
                "Batches played again and compared, by outcome.",
                Counter,
                by("outcome", &audits),
            ),
        ]
    }

    fn workers(&self) -> Vec<Row> {
        use MetricType::{Counter, Gauge};
        let nodes: Vec<_> =
            self.0.view.nodes().into_iter().filter(|(_, node)| node.present).collect();
        let each = |value: &dyn Fn(&Node) -> f64| -> Vec<(Labels, f64)> {
            let labels = |id: &dyn fmt::Display, node: &Node| {
                vec![("worker", node.name.clone()), ("connection", id.to_string())]
            };
            nodes.iter().map(|(id, node)| (labels(id, node), value(node))).collect()
        };
        let quantile = |share: &str, seconds: &dyn Fn(&Node) -> f64| -> Vec<(Labels, f64)> {
            let mut samples = each(seconds);
            samples.iter_mut().for_each(|it| it.0.push(("quantile", share.to_owned())));
            samples
        };
        let median = quantile("0.5", &|node| node.round_trip.ms_p50 / 1e3);
        let round_trips = [median, quantile("0.99", &|node| node.round_trip.ms_p99 / 1e3)].concat();
        vec![
            (
                "worker_threads",
                "Threads that play out.",
                Gauge,
                each(&|node| f64::from(node.threads)),
            ),
            (
                "worker_playouts",
                "Playouts of its tallies that counted.",
                Counter,
                each(&|node| node.playouts as f64),
            ),
            (
                "worker_playouts_per_second",
                "Playouts per second that it is seen to do.",
                Gauge,
                each(&|node| node.rate),
            ),
            (
                "worker_window_playouts",
                "Playouts that may be in flight to it.",
                Gauge,
                each(&|node| f64::from(node.window)),
            ),
            (
                "worker_cpu_seconds",
                "Processor time it has used.",
                Counter,
                each(&|node| node.cpu.as_secs_f64()),
            ),
            ("worker_round_trip_seconds", "Round trips of its pings.", Gauge, round_trips),
        ]
    }
}

/// The only value of a metric without labels.
fn one(value: f64) -> Vec<(Labels, f64)> {
    vec![(Labels::new(), value)]
}

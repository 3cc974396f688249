//! Views of a running coordinator: health and reflection over gRPC, metrics over HTTP.

use std::collections::BTreeSet;

use banyan_lab::processes::{Process, free_address};
use banyan_lab::scrape::{self, get, samples};
use tonic::Status;
use tonic::transport::Channel;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

#[test]
fn metrics_tell_what_workers_and_batches_do_and_the_docs_list_them_all() {
    let metrics = free_address();
    let args = ["search", "--json", "--threads", "1", "--time", "60s", "--metrics", &metrics];
    let (_coordinator, address) = Process::coordinator(&args);
    let worker = Process::worker(&address, "elm");
    worker.wait_for_log("working for");
    for probe in ["/health", "/healthz", "/readyz"] {
        assert!(get(&metrics, probe).ends_with("ok\n"), "{probe}");
    }
    let of_elm = |name: &str| name.starts_with("banyan_worker_playouts_total{worker=\"elm\"");
    let text = scrape::wait_for(&metrics, |name, playouts| of_elm(name) && playouts > 0.0);
    let found = samples(&text);
    for (name, least) in [
        ("banyan_searches", 1.0),
        ("banyan_workers", 2.0),
        ("banyan_workers_joined_total", 1.0),
        ("banyan_playouts_total", 1.0),
        ("banyan_leases_total", 1.0),
        ("banyan_batches_ended_total{end=\"merged\"}", 1.0),
        ("banyan_audits_total{outcome=\"disputed\"}", 0.0),
        ("banyan_connections_refused_total", 0.0),
    ] {
        assert!(found.get(name) >= Some(&least), "{name}: {text}");
    }
    let ended = ["answered", "lost", "dead"];
    let ended = ended.map(|end| found[&format!("banyan_leases_ended_total{{end=\"{end}\"}}")]);
    assert!(ended.iter().sum::<f64>() <= found["banyan_leases_total"], "{text}");
    assert!(text.to_lowercase().contains("content-type: text/plain; version=0.0.4"), "{text}");
    let base = |name: &str| name.split('{').next().unwrap_or(name).to_owned();
    let served: BTreeSet<String> = found.keys().map(|name| base(name)).collect();
    let helps = text.lines().filter_map(|line| line.strip_prefix("# HELP ")?.split_once(' '));
    let helped: BTreeSet<String> = helps.map(|(name, _)| name.to_owned()).collect();
    assert_eq!(served, helped, "what is served and what has help");
    let docs = include_str!("../../../docs/metrics.md");
    let rows = docs.lines().filter_map(|line| line.strip_prefix("| `banyan_"));
    let listed = rows.filter_map(|row| Some(format!("banyan_{}", base(row.split('`').next()?))));
    assert_eq!(served, listed.collect(), "what is served and what docs/metrics.md lists");
}

#[test]
fn a_name_of_any_kind_is_one_label_of_bounded_length() {
    let metrics = free_address();
    let args = ["search", "--threads", "1", "--time", "60s", "--metrics", &metrics];
    let (_coordinator, address) = Process::coordinator(&args);
    let name = format!("a\"b\\c{{}}\n{}", "é".repeat(300));
    let _worker = Process::worker(&address, &name);
    // The line feed is one of the 64 characters that a worker sends, and is dropped on arrival.
    let kept = format!("a\\\"b\\\\c{{}}{}", "é".repeat(64 - 8));
    let label = format!("banyan_worker_threads{{worker=\"{kept}\",");
    scrape::wait_for(&metrics, |sample, threads| sample.starts_with(&label) && threads == 1.0);
}

#[test]
fn a_worker_that_was_refused_is_counted() {
    let (metrics, folder) = (free_address(), tempfile::tempdir().expect("a folder"));
    let token = folder.path().join("token");
    std::fs::write(&token, "0123456789abcdef").expect("written");
    let token = token.to_str().expect("UTF-8");
    let args = ["search", "--threads", "1", "--time", "60s", "--metrics", &metrics, "--token-file"];
    let (_coordinator, address) = Process::coordinator(&[&args[..], &[token]].concat());
    assert_eq!(Process::worker(&address, "stranger").wait().code(), Some(1));
    assert_eq!(samples(&get(&metrics, "/metrics"))["banyan_connections_refused_total"], 1.0);
}

#[test]
fn probes_ask_for_health_without_a_token_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder for the token");
    let token = folder.path().join("token");
    std::fs::write(&token, "0123456789abcdef").expect("written");
    let args = ["search", "--threads", "1", "--time", "60s", "--token-file"];
    let token = token.to_str().expect("UTF-8");
    let (_coordinator, address) = Process::coordinator(&[&args[..], &[token]].concat());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let mut client = HealthClient::new(connect(&address).await);
        for service in ["", "banyan.cluster.v1.Cluster"] {
            let request = HealthCheckRequest { service: service.to_owned() };
            let answer = client.check(request).await.expect("an answer").into_inner();
            assert_eq!(answer.status(), ServingStatus::Serving, "{service}");
        }
        let refused = list_services(connect(&address).await).await.expect_err("no token");
        assert_eq!(refused.code(), tonic::Code::Unauthenticated);
    });
}

async fn connect(address: &str) -> Channel {
    let endpoint = Channel::from_shared(format!("http://{address}")).expect("an address");
    endpoint.connect().await.expect("it listens")
}

/// The names of the services, by reflection.
async fn list_services(channel: Channel) -> Result<Vec<String>, Status> {
    let ask = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut client = ServerReflectionClient::new(channel);
    let mut answers = client.server_reflection_info(tokio_stream::iter([ask])).await?.into_inner();
    let answer = answers.message().await?.and_then(|answer| answer.message_response);
    match answer {
        Some(MessageResponse::ListServicesResponse(list)) => {
            Ok(list.service.into_iter().map(|service| service.name).collect())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn whoever_may_join_can_ask_what_there_is() {
    let (_coordinator, address) =
        Process::coordinator(&["search", "--threads", "1", "--time", "60s"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let services = runtime.expect("a runtime").block_on(async {
        list_services(connect(&address).await).await.expect("loopback needs no token")
    });
    for name in ["banyan.cluster.v1.Cluster", "grpc.health.v1.Health"] {
        assert!(services.iter().any(|service| service == name), "{services:?}");
    }
}

#[test]
fn dashboards_and_alerts_use_metrics_that_there_are() {
    let docs = include_str!("../../../docs/metrics.md");
    let is_letter = |c: char| c.is_ascii_lowercase() || c == '_';
    let names = |text: &'static str| -> BTreeSet<&'static str> {
        let starts = text.match_indices("banyan_").map(|(at, _)| at);
        let name = |at: usize| &text[at..at + text[at..].find(|c| !is_letter(c)).unwrap_or(0)];
        starts.map(name).collect()
    };
    for used in [
        include_str!("../../../deploy/prometheus/alerts.yaml"),
        include_str!("../../../deploy/grafana/banyan.json"),
        include_str!("../../../deploy/kubernetes/scaling/autoscaler.yaml"),
        include_str!("../../../deploy/prometheus/adapter.yaml"),
    ] {
        let unknown: Vec<_> = names(used).difference(&names(docs)).copied().collect();
        assert!(
            !names(used).is_empty() && unknown.is_empty(),
            "not in docs/metrics.md: {unknown:?}"
        );
    }
}

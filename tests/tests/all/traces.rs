//! Traces of searches and leases, as a collector of OpenTelemetry gets them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use banyan_lab::processes::Process;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use tokio::runtime::Runtime;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic::{Request, Response, Status};

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

/// Keeps what it is told.
#[derive(Clone, Debug, Default)]
struct Collector(Arc<Mutex<Vec<ExportTraceServiceRequest>>>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.0.lock().expect("no panic under the lock").push(request.into_inner());
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Collector {
    /// One on a free port, with its address and what it runs on.
    fn start() -> (Collector, String, Runtime) {
        let collector = Collector::default();
        let runtime = Runtime::new().expect("threads");
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"));
        let listener = listener.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("it is bound"));
        let service = TraceServiceServer::new(collector.clone());
        let incoming = TcpListenerStream::new(listener);
        runtime.spawn(Server::builder().add_service(service).serve_with_incoming(incoming));
        (collector, address, runtime)
    }

    /// The spans so far of a name.
    fn spans(&self, name: &str) -> Vec<Span> {
        let told = self.0.lock().expect("no panic under the lock");
        let scopes = told.iter().flat_map(|it| &it.resource_spans).flat_map(|it| &it.scope_spans);
        scopes.flat_map(|it| &it.spans).filter(|span| span.name == name).cloned().collect()
    }
}

/// An attribute as text; nothing where it is missing.
fn attribute(attributes: &[KeyValue], key: &str) -> String {
    let found = attributes.iter().find(|it| it.key == key);
    match found.and_then(|it| it.value.as_ref()).and_then(|it| it.value.as_ref()) {
        Some(Value::StringValue(text)) => text.clone(),
        Some(Value::IntValue(number)) => number.to_string(),
        _ => String::new(),
    }
}

fn told(address: &str, args: &[&str]) -> Process {
    let args = [args, &["--listen", "127.0.0.1:0"]].concat();
    Process::start("banyan", &args, |command| {
        command.env(ENDPOINT, address);
    })
}

#[test]
fn a_search_is_a_trace_in_which_each_lease_is_a_span() {
    let (collector, address, _runtime) = Collector::start();
    let args = ["search", "--game", "othello", "--threads", "0", "--min-workers", "1"];
    let search = told(&address, &[&args[..], &["--playouts", "2000", "--json"]].concat());
    let line = search.wait_for_log("--join ");
    let cluster = line.split("--join ").nth(1).expect("waited for it").trim().to_owned();
    let _worker = Process::worker(&cluster, "elm");
    let answer = search.json();
    let [search] = &collector.spans("search")[..] else { panic!("one search") };
    assert!(search.parent_span_id.is_empty());
    let of = |key: &str| attribute(&search.attributes, key);
    assert_eq!([of("game"), of("purpose"), of("plies")], ["othello", "thinking", "0"]);
    assert!(answer["playouts"].as_u64() >= Some(2000), "{answer}");
    // A visit whose end the coordinator knows takes no lease, and the span counts what came home.
    assert!(of("playouts").parse::<u64>().is_ok_and(|it| it >= 1900), "{search:?}");
    let leases = collector.spans("lease");
    let sent: usize = of("leases").parse().expect("a count");
    let untraced: usize = of("leases_untraced").parse().expect("a count");
    assert_eq!(leases.len() + untraced, sent);
    assert!(!leases.is_empty());
    for lease in &leases {
        assert_eq!((&lease.trace_id, &lease.parent_span_id), (&search.trace_id, &search.span_id));
        assert_eq!(attribute(&lease.attributes, "worker"), "elm");
        assert_eq!(attribute(&lease.attributes, "attempt"), "1");
        assert!(search.start_time_unix_nano <= lease.start_time_unix_nano);
        assert!(lease.end_time_unix_nano <= search.end_time_unix_nano);
    }
    let ends = leases.iter().map(|lease| attribute(&lease.attributes, "end"));
    let answered = ends.filter(|end| end == "answered").count();
    assert!(
        answered + untraced > 0 && answered > leases.len() / 2,
        "{answered} of {}",
        leases.len()
    );
    let resources = collector.0.lock().expect("no panic under the lock").clone();
    let resource = resources[0].resource_spans[0].resource.clone().expect("who tells");
    assert_eq!(attribute(&resource.attributes, "service.name"), "banyan");
}

#[test]
fn leases_of_a_worker_that_is_killed_are_lost() {
    let (collector, address, _runtime) = Collector::start();
    let args = ["search", "--threads", "0", "--min-workers", "1", "--time", "8s", "--size", "19"];
    // Batches that take long are few: each lease is traced, those under way at the worker's death too.
    let batches = ["--evaluator", "playouts", "--mode", "leaf-parallel", "--batch", "1000"];
    let args = [&args[..], &batches].concat();
    let mut search = told(&address, &args);
    let line = search.wait_for_log("--join ");
    let cluster = line.split("--join ").nth(1).expect("waited for it").trim().to_owned();
    let doomed = Process::worker(&cluster, "doomed");
    doomed.wait_for_log("working for");
    let other = Process::worker(&cluster, "other");
    // Both have work, however busy the machine is.
    other.wait_for_log("working for");
    std::thread::sleep(Duration::from_secs(1));
    doomed.signal(rustix::process::Signal::KILL);
    assert!(search.wait().success());
    let leases = collector.spans("lease");
    let has = |worker: &str, end: &str| {
        leases.iter().any(|lease| {
            attribute(&lease.attributes, "worker") == worker
                && attribute(&lease.attributes, "end") == end
        })
    };
    let [search] = &collector.spans("search")[..] else { panic!("one search") };
    assert_eq!(attribute(&search.attributes, "leases_untraced"), "0");
    assert!(has("doomed", "lost") && has("other", "answered"), "{} leases", leases.len());
}

#[test]
fn a_collector_that_is_not_there_holds_nothing_up() {
    let nobody = banyan_lab::processes::free_address();
    let mut search =
        told(&format!("http://{nobody}"), &["search", "--playouts", "500", "--threads", "1"]);
    assert!(search.wait().success());
    search.wait_for_log("OTLP export exhausted retries");
    let wrong = told("localhost", &["search", "--playouts", "500", "--threads", "1"]);
    wrong.wait_for_log("OTEL_EXPORTER_OTLP_ENDPOINT=localhost: no http:// or https:// before it");
}

//! Greetings: a made-up worker at a real coordinator, a made-up coordinator for a real worker.

use std::pin::Pin;
use std::time::Duration;

use banyan_jobs::profile::{PROTOCOL_VERSION, supported_games};
use banyan_jobs::session::ToFrontEnd;
use banyan_jobs::{FromWorker, Profile, ToWorker};
use banyan_lab::processes::{PATIENCE, Process};
use banyan_proto::wire::cluster_client::ClusterClient;
use banyan_proto::wire::cluster_server::{Cluster, ClusterServer};
use banyan_proto::wire::sessions_server::{Sessions, SessionsServer};
use banyan_proto::{decode, encode, sessions, wire};
use banyan_tests::front_end::FrontEnd;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio_stream::wrappers::{IntervalStream, ReceiverStream, TcpListenerStream};
use tokio_stream::{Stream, StreamExt};
use tonic::transport::Server;
use tonic::transport::server::Router;
use tonic::{Request, Response, Status, Streaming};

fn profile() -> Profile {
    Profile {
        name: "made-up".to_owned(),
        threads: 1,
        build: "0.0.1".to_owned(),
        protocol: PROTOCOL_VERSION,
        games: supported_games(),
        evaluators: Vec::new(),
        spreads: false,
    }
}

/// The answer of the coordinator at `address` to the first message of a connection.
fn first_answer(address: &str, first: wire::FromWorker) -> Result<ToWorker, Status> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let client = ClusterClient::connect(format!("http://{address}")).await;
        let (up, outbound) = mpsc::channel(4);
        up.send(first).await.expect("the receiver is here");
        let mut client = client.expect("it listens");
        let mut down = client.work(ReceiverStream::new(outbound)).await?.into_inner();
        let answer = tokio::time::timeout(PATIENCE, down.next()).await.expect("an answer in time");
        let answer = answer.unwrap_or_else(|| Err(Status::cancelled("closed without a word")))?;
        Ok(decode::to_worker(answer).expect("our own message"))
    })
}

fn hello(profile: Profile) -> wire::FromWorker {
    encode::from_worker(FromWorker::Hello(profile))
}

fn coordinator() -> (Process, String) {
    Process::coordinator(&["search", "--json", "--threads", "1", "--time", "60s"])
}

#[test]
fn a_worker_that_would_play_otherwise_is_refused_with_the_reason_on_both_sides() {
    let (coordinator, address) = coordinator();
    let mut other_playouts = profile();
    other_playouts.games[1].fingerprint ^= 1;
    let mut other_models = profile();
    other_models.games[1].models.0 ^= 1;
    let older = PROTOCOL_VERSION - 1;
    let both =
        format!("it speaks protocol {older} (build 0.0.1), this coordinator {PROTOCOL_VERSION}");
    for (profile, reason) in [
        (Profile { protocol: older, ..profile() }, both.as_str()),
        (Profile { protocol: 99, ..profile() }, "it speaks protocol 99 (build 0.0.1)"),
        (Profile { games: Vec::new(), ..profile() }, "it does not play go"),
        (other_playouts, "its playouts of othello (build 0.0.1) differ"),
        (other_models, "its models of othello (build 0.0.1) are "),
    ] {
        match first_answer(&address, hello(profile)) {
            Ok(ToWorker::Refused(why)) => assert!(why.contains(reason), "{why}"),
            other => panic!("{reason}: {other:?}"),
        }
        // What differs in numbers alone is logged once a minute.
        if !reason.contains("protocol 99") {
            coordinator.wait_for_log(reason);
        }
    }
    assert_eq!(first_answer(&address, hello(profile())).ok(), Some(ToWorker::Welcome));
}

#[test]
fn a_connection_that_does_not_begin_with_a_good_hello_is_closed_with_the_reason() {
    let (_coordinator, address) = coordinator();
    let nameless = wire::FromWorker { message: None };
    let threads = |threads| {
        let hello = wire::Hello { threads, ..wire::Hello::default() };
        wire::FromWorker { message: Some(wire::from_worker::Message::Hello(hello)) }
    };
    for (first, words) in [
        (encode::from_worker(FromWorker::Draining), "first message must be a hello"),
        (nameless, "no content"),
        (threads(0), "no thread"),
        (threads(999_999_999), "threads: 999999999, at most 4096"),
    ] {
        let closed = first_answer(&address, first).expect_err("no hello");
        assert!(closed.message().contains(words), "{closed}");
    }
}

/// A coordinator that says this to everybody and is gone.
struct Unfriendly(Vec<ToWorker>);

type Outbound = Pin<Box<dyn Stream<Item = Result<wire::ToWorker, Status>> + Send>>;

#[tonic::async_trait]
impl Cluster for Unfriendly {
    type WorkStream = Outbound;

    async fn work(
        &self,
        _: Request<Streaming<wire::FromWorker>>,
    ) -> Result<Response<Outbound>, Status> {
        let said = self.0.clone().into_iter().map(|message| Ok(encode::to_worker(message)));
        Ok(Response::new(Box::pin(tokio_stream::iter(said.collect::<Vec<_>>()))))
    }
}

/// A coordinator that welcomes a front end again and again, and says nothing else.
struct Chatty;

#[tonic::async_trait]
impl Sessions for Chatty {
    type OpenStream = Pin<Box<dyn Stream<Item = Result<wire::ToFrontEnd, Status>> + Send>>;

    async fn open(
        &self,
        _: Request<Streaming<wire::FromFrontEnd>>,
    ) -> Result<Response<Self::OpenStream>, Status> {
        let often = IntervalStream::new(tokio::time::interval(Duration::from_millis(1)));
        let welcome = |_| Ok(sessions::encode_to_front_end(ToFrontEnd::Welcome));
        Ok(Response::new(Box::pin(often.map(welcome))))
    }
}

/// Serves on a free port of loopback, as long as the runtime lives.
fn listen(runtime: &Runtime, served: Router) -> String {
    let bound = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"));
    let listener = bound.expect("loopback has free ports");
    let address = listener.local_addr().expect("it is bound").to_string();
    runtime.spawn(served.serve_with_incoming(TcpListenerStream::new(listener)));
    address
}

/// The same of one that says this to workers.
fn unfriendly(runtime: &Runtime, said: Vec<ToWorker>) -> String {
    listen(runtime, Server::builder().add_service(ClusterServer::new(Unfriendly(said))))
}

/// Checks what a real worker does that a coordinator refuses with these words.
fn refused_with(words: &str) {
    let runtime = Runtime::new().expect("a runtime");
    let address = unfriendly(&runtime, vec![ToWorker::Refused(words.to_owned())]);
    let mut worker = Process::worker(&address, "refused");
    assert_eq!(worker.wait().code(), Some(1));
    worker.wait_for_log(&format!("refused this worker: {words}"));
    runtime.shutdown_timeout(Duration::from_secs(1));
}

#[test]
fn a_refused_worker_says_why_and_ends() {
    refused_with("not on a Friday");
}

#[test]
fn a_worker_that_meets_an_older_coordinator_says_both_protocols_and_ends() {
    let older = PROTOCOL_VERSION - 1;
    refused_with(&format!("it speaks protocol {PROTOCOL_VERSION}, this coordinator {older}"));
}

#[test]
fn a_cluster_that_is_put_out_right_after_its_welcome_goes_on_for_its_own() {
    let runtime = Runtime::new().expect("a runtime");
    let refused = ToWorker::Refused("not on a Friday".to_owned());
    let address = unfriendly(&runtime, vec![ToWorker::Welcome, refused]);
    let args = ["serve", "--threads", "0", "--join", &address];
    let (mut cluster, here) = Process::coordinator(&args);
    let _worker = Process::worker(&here, "worker");
    cluster.wait_for_log("this cluster works for it no more until it is started again");
    assert!(!cluster.has_ended());
    runtime.shutdown_timeout(Duration::from_secs(1));
}

#[test]
fn a_coordinator_that_says_much_and_answers_nothing_holds_no_move_back() {
    let runtime = Runtime::new().expect("a runtime");
    let service = SessionsServer::new(Chatty);
    let address = listen(&runtime, Server::builder().add_service(service));
    let args = ["--size", "9", "--time", "300ms", "--threads", "1", "--remote", &address];
    let mut front_end = FrontEnd::start(&args);
    assert!(!front_end.ask("genmove b").is_empty());
    front_end.process.wait_for_log("thinking on this machine");
    runtime.shutdown_timeout(Duration::from_secs(1));
}

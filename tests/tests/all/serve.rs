//! `banyan serve` with real processes: front ends that attach, share the workers, die, and are left
//! alone.

use std::num::NonZeroU32;
use std::time::{Duration, Instant, SystemTime};

use banyan::config::Config;
use banyan::remote::{Away, Remote};
use banyan::rpc::LineError;
use banyan_engine::{Limits, Session};
use banyan_games::gomoku::{Gomoku, GomokuRules};
use banyan_games::{Color, Kind, Move, Record};
use banyan_jobs::session::{FromFrontEnd, SESSIONS_VERSION, SearchRequest, ToFrontEnd, Visitor};
use banyan_jobs::{Growing, Root};
use banyan_lab::processes::{Process, free_address};
use banyan_lab::scrape::{get, samples, wait_for, wait_for_playouts};
use banyan_operator::certs::{self, Wish};
use banyan_proto::sessions;
use banyan_proto::wire::sessions_client::SessionsClient;
use banyan_tests::front_end::FrontEnd;
use banyan_worker::dial::Address;
use rustix::process::Signal;
use tokio_stream::StreamExt as _;
use tonic::Status;
use tonic::transport::Channel;

/// A served cluster that workers and front ends find at an address, and metrics at another.
struct Served {
    process: Process,
    address: String,
    metrics: String,
}

fn serve(args: &[&str]) -> Served {
    let metrics = free_address();
    let args = [&["serve", "--metrics", &metrics], args].concat();
    let (process, address) = Process::coordinator(&args);
    Served { process, address, metrics }
}

impl Served {
    fn workers(&self, names: &[&str]) -> Vec<Process> {
        let start = |name: &&str| Process::worker(&self.address, name);
        let workers: Vec<Process> = names.iter().map(start).collect();
        workers.iter().for_each(|worker| drop(worker.wait_for_log("working for")));
        workers
    }

    fn attach(&self, args: &[&str]) -> FrontEnd {
        let args = [args, &["--threads", "1", "--remote", &self.address]].concat();
        let front_end = FrontEnd::start(&args);
        front_end.process.wait_for_log("thinking with");
        front_end
    }

    fn sample(&self, name: &str) -> f64 {
        samples(&get(&self.metrics, "/metrics"))[name]
    }

    fn wait_until(&self, name: &str, value: f64) {
        wait_for(&self.metrics, |sample, found| sample == name && found == value);
    }
}

#[test]
fn front_ends_of_two_games_think_at_once_and_one_that_dies_leaves_all_to_the_other() {
    let served = serve(&["--threads", "0"]);
    let _workers = served.workers(&["a", "b"]);
    let mut go = served.attach(&["--size", "9", "--time", "2s"]);
    let mut othello = served.attach(&["--game", "othello", "--time", "2s"]);
    go.say("genmove b");
    othello.say("genmove b");
    served.wait_until("banyan_searches", 2.0);
    assert_eq!(served.sample("banyan_sessions"), 2.0);
    for front_end in [&mut go, &mut othello] {
        let answer = front_end.answer();
        assert!(answer.starts_with("= "), "{answer}");
    }
    // Both played, and every lease has one end.
    served.wait_until("banyan_searches", 0.0);
    assert!(served.sample("banyan_playouts_total") > 0.0);
    let ended = |end: &str| served.sample(&format!("banyan_leases_ended_total{{end=\"{end}\"}}"));
    let all = ended("answered") + ended("lost") + ended("dead");
    assert_eq!(served.sample("banyan_leases_total"), all);

    go.say("genmove w");
    othello.say("genmove w");
    served.wait_until("banyan_searches", 2.0);
    wait_for(&served.metrics, |name, part| name.starts_with("banyan_search_part") && part < 0.9);
    let killed = Instant::now();
    go.process.signal(Signal::KILL);
    served.wait_until("banyan_searches", 1.0);
    wait_for(&served.metrics, |name, part| name.starts_with("banyan_search_part") && part > 0.99);
    let took = killed.elapsed();
    // Within a second where nothing else runs; a busy machine has two more.
    assert!(took < Duration::from_secs(3), "the other had all workers after {took:?}");
    assert!(othello.answer().starts_with("= "));
    served.wait_until("banyan_sessions", 1.0);
    assert_eq!(othello.ask("quit"), "");
    served.wait_until("banyan_sessions", 0.0);
}

#[test]
fn the_network_of_the_program_judges_for_front_ends_too() {
    let served = serve(&["--threads", "0"]);
    let _workers = served.workers(&["a"]);
    let mut go = served.attach(&["--size", "9", "--playouts", "60", "--evaluator", "net"]);
    assert!(!go.ask("genmove b").is_empty());
    let log = go.process.log().join("\n");
    assert!(!log.contains("refused") && !log.contains("thinking on this machine"), "{log}");
    wait_for(&served.metrics, |name, leases| name == "banyan_leases_total" && leases > 0.0);
}

#[test]
fn a_front_end_goes_on_alone_when_its_coordinator_dies_and_returns_to_it() {
    let address = free_address();
    let metrics = free_address();
    let args = ["serve", "--threads", "1", "--listen", &address, "--metrics", &metrics];
    let served = Process::start("banyan", &args, |_| {});
    served.wait_for_log("front ends may attach");
    let args = ["--size", "9", "--time", "1s", "--threads", "1", "--remote", &address];
    let mut front_end = FrontEnd::start(&args);
    front_end.process.wait_for_log("thinking with");
    front_end.say("genmove b");
    served.wait_for_log("front end attached");
    wait_for_playouts(&metrics);
    let killed = Instant::now();
    drop(served);
    let answer = front_end.answer();
    assert!(answer.starts_with("= "), "{answer}");
    assert!(killed.elapsed() < Duration::from_secs(8), "{:?}", killed.elapsed());
    front_end.process.wait_for_log("thinking on this machine");
    assert!(!front_end.ask("genmove w").is_empty());

    let again =
        Process::start("banyan", &["serve", "--threads", "1", "--listen", &address], |_| {});
    again.wait_for_log("front ends may attach");
    // It tries no more often than every five seconds.
    for color in ["b", "w"].into_iter().cycle().take(12) {
        assert!(!front_end.ask(&format!("genmove {color}")).is_empty());
        if front_end.process.log().iter().any(|line| line.contains("again")) {
            return;
        }
    }
    panic!("{:#?}", front_end.process.log());
}

#[test]
fn a_frozen_coordinator_holds_no_move_back_for_long() {
    let served = serve(&["--threads", "1"]);
    let mut front_end = served.attach(&["--size", "9", "--time", "1s"]);
    served.process.signal(Signal::STOP);
    let asked = Instant::now();
    assert!(!front_end.ask("genmove b").is_empty());
    assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
    served.process.signal(Signal::CONT);
}

/// The last words of a front end that is not let in.
fn turned_away(args: &[&str]) -> String {
    let mut front_end = FrontEnd::start(args);
    assert_eq!(front_end.process.wait().code(), Some(2), "{args:?}");
    front_end.process.wait_for_log("cannot think with")
}

#[test]
fn more_front_ends_than_seats_are_refused_and_let_in_when_one_leaves() {
    let served = serve(&["--threads", "1", "--sessions", "1"]);
    let mut first = served.attach(&["--playouts", "100"]);
    let remote = ["--remote", &served.address];
    let why = turned_away(&remote);
    assert!(why.contains("at most 1 at a time"), "{why}");
    assert!(!first.ask("genmove b").is_empty());
    first.ask("quit");
    served.wait_until("banyan_sessions", 0.0);
    served.attach(&["--playouts", "100"]);
}

#[test]
fn who_is_not_served_is_told_why() {
    let (_coordinator, address) =
        Process::coordinator(&["search", "--threads", "1", "--time", "60s"]);
    let why = turned_away(&["--remote", &address]);
    assert!(why.contains("serves no front ends"), "{why}");
    let why = turned_away(&["--remote", &free_address()]);
    assert!(why.contains("cannot reach the coordinator"), "{why}");

    let folder = tempfile::tempdir().expect("a folder for tokens");
    let [right, wrong] = ["0123456789abcdef", "fedcba9876543210"].map(|secret| {
        let file = folder.path().join(secret);
        std::fs::write(&file, secret).expect("written");
        file.to_str().expect("UTF-8").to_owned()
    });
    let served = serve(&["--threads", "1", "--token-file", &right]);
    let remote = ["--remote", &served.address, "--token-file"];
    let why = turned_away(&[&remote[..], &[&wrong]].concat());
    assert!(why.contains("its token is not this coordinator's"), "{why}");
    served.attach(&["--token-file", &right]);
}

#[test]
fn front_ends_show_and_ask_for_certificates() {
    let folder = tempfile::tempdir().expect("a folder for certificates");
    let year = Duration::from_secs(365 * 24 * 3600);
    let hosts = vec!["127.0.0.1".to_owned()];
    let wish =
        Wish { hosts, workers: vec!["guest".to_owned()], from: SystemTime::now(), valid: year };
    certs::make(folder.path(), &wish).expect("certificates");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let [ca, cert, key] = ["ca.pem", "guest.pem", "guest-key.pem"].map(file);
    let [ours, our_key] = ["coordinator.pem", "coordinator-key.pem"].map(file);
    let served = serve(
        &[
            &["--threads", "1", "--tls-cert", &ours, "--tls-key", &our_key],
            &["--tls-client-ca", &ca][..],
        ]
        .concat(),
    );
    let own = ["--tls-ca", &ca, "--tls-cert", &cert, "--tls-key", &key];
    let mut front_end = served.attach(&[&["--playouts", "100"], &own[..]].concat());
    assert!(!front_end.ask("genmove b").is_empty());
    let remote = ["--remote", &served.address];
    let why = turned_away(&remote);
    assert!(why.contains("if it speaks TLS, give --tls-ca"), "{why}");
    let why = turned_away(&[&remote[..], &["--tls-ca", &ca]].concat());
    assert!(why.contains("give --tls-cert and --tls-key"), "{why}");
}

fn rules() -> GomokuRules {
    GomokuRules::new(9, 9, Default::default()).expect("a size of Gomoku")
}

fn config() -> Config {
    let args = ["banyan", "gtp", "--game", "gomoku", "--size", "9", "--playouts", "20000"];
    let cli = <banyan_cli::options::Cli as clap::Parser>::parse_from(args.into_iter().chain([
        "--reproducible",
        "--threads",
        "1",
    ]));
    match cli.command {
        banyan_cli::options::Command::Gtp(args) => Config::new(&args.engine).expect("sound"),
        _ => panic!("it says gtp"),
    }
}

fn dial(served: &Served) -> Result<Remote, LineError> {
    let address = Address::new(&served.address, None, None).expect("an address");
    Remote::dial(address, "test", NonZeroU32::MIN, config().setup)
}

/// The digest of a reproducible search of the empty board.
fn digest(mut session: Session<Gomoku>) -> Option<u64> {
    let limits = Limits { playouts: Some(20_000), ..session.limits() };
    let report = session.think(Color::Black, limits, Vec::new(), &mut |_| {});
    report.ended.expect("it ended").digest
}

#[test]
fn a_reproducible_search_grows_the_same_tree_wherever_it_runs() {
    let served = serve(&["--threads", "0"]);
    let _workers = served.workers(&["a", "b"]);
    let remote = dial(&served).expect("it is there");
    let settings = config().search.settings;
    let mut away = Away::new(remote);
    let search = move |request| away.search(request);
    let there = Session::searched_by(&rules(), search, &settings).expect("a thread");
    let evaluators = config().setup.evaluators;
    let own = banyan::cluster::Own { threads: 1, evaluators, ..Default::default() };
    let cluster = banyan::cluster::Cluster::start(own, 0).expect("threads");
    let here = Session::new(&rules(), cluster.lender(), &settings).expect("a thread");
    let (there, here) = (digest(there), digest(here));
    assert!(there.is_some());
    assert!(
        served.sample("banyan_batches_ended_total{end=\"merged\"}") >= 19_000.0,
        "it was there"
    );
    assert_eq!(there, here);
}

/// Answers to a front end until the coordinator ends the stream.
fn conversation(address: &str, asks: Vec<FromFrontEnd>) -> Result<Vec<ToFrontEnd>, Status> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let endpoint = Channel::from_shared(format!("http://{address}")).expect("an address");
        let mut client = SessionsClient::new(endpoint.connect().await.expect("it listens"));
        let asks = tokio_stream::iter(asks.into_iter().map(sessions::encode_from_front_end));
        let mut answers = client.open(asks.chain(tokio_stream::pending())).await?.into_inner();
        let mut said = Vec::new();
        while let Some(answer) = answers.message().await? {
            said.push(sessions::decode_to_front_end(answer).expect("within the limits"));
        }
        Ok(said)
    })
}

fn hello(version: u32) -> FromFrontEnd {
    FromFrontEnd::Hello(Visitor { name: "test".to_owned(), build: "9.9".to_owned(), version })
}

fn order(number: u32) -> SearchRequest {
    let record = Record::<Gomoku>::new(&rules());
    let growing = Growing::of(Kind::Gomoku);
    SearchRequest::of(number, Root::of(&record, Color::Black, Default::default(), growing))
}

#[test]
fn who_breaks_the_rules_of_a_conversation_is_put_out_and_the_slot_is_free() {
    let served = serve(&["--threads", "1"]);
    let address = &served.address;
    let refused = conversation(address, vec![FromFrontEnd::Stop(1)]).expect_err("no hello");
    assert!(refused.message().contains("must be a hello"), "{refused}");

    for version in [SESSIONS_VERSION - 1, 99] {
        let both = format!("version {version} of sessions (build 9.9), this coordinator ");
        let both = both + &SESSIONS_VERSION.to_string();
        let said = conversation(address, vec![hello(version)]).expect("an answer");
        let is_named = |why: &str| why.contains(&both);
        assert!(matches!(&said[..], [ToFrontEnd::Refused(why)] if is_named(why)), "{said:?}");
    }

    let occupied = SearchRequest { allowed: vec![Move::point(7), Move::point(7)], ..order(1) };
    let search = |order| FromFrontEnd::Search(Box::new(order));
    let asks = vec![hello(SESSIONS_VERSION), search(occupied)];
    let said = conversation(address, asks).expect("an answer");
    assert!(matches!(&said[..], [ToFrontEnd::Welcome, ToFrontEnd::Refused(_)]), "{said:?}");

    // The first search ends for the second, which may wait; a third may not.
    let asks = (1..=9).map(|number| search(order(number)));
    let asks = [hello(SESSIONS_VERSION)].into_iter().chain(asks).collect();
    let said = conversation(address, asks).expect("an answer");
    assert_eq!(said[0], ToFrontEnd::Welcome);
    served.process.wait_for_log("it asks before it is answered");
    served.wait_until("banyan_sessions", 0.0);
    served.wait_until("banyan_searches", 0.0);
}

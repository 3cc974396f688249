//! Admission by a real coordinator, and what both sides say: tokens, certificates, connections that
//! say nothing.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use banyan_lab::processes::{PATIENCE, Process, free_address};
use banyan_lab::scrape;
use banyan_operator::certs::{self, Wish};
use rustix::process::Signal;

const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);

/// Certificates and tokens in a folder that goes with the test.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        let folder = tempfile::tempdir().expect("a folder for certificates");
        let files = Files(folder);
        files.make("good", SystemTime::now());
        files.make("foreign", SystemTime::now());
        std::fs::write(files.path("token"), "0123456789abcdef0123456789abcdef\n").expect("written");
        std::fs::write(files.path("other-token"), "fedcba9876543210").expect("written");
        std::fs::write(files.path("no-token"), "hunter2").expect("written");
        files
    }

    fn make(&self, folder: &str, from: SystemTime) {
        let hosts = vec!["127.0.0.1".to_owned()];
        let wish = Wish { hosts, workers: vec!["worker".to_owned()], from, valid: YEAR };
        certs::make(&self.0.path().join(folder), &wish).expect("certificates");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Options with a `@` before each file of this folder.
    fn options(&self, text: &str) -> Vec<String> {
        let option = |word: &str| match word.strip_prefix('@') {
            Some(name) => self.path(name).display().to_string(),
            None => word.to_owned(),
        };
        text.split_whitespace().map(option).collect()
    }

    fn coordinator(&self, options: &str) -> (Process, String) {
        let options = self.options(options);
        let mut args = vec!["search", "--json", "--threads", "0", "--time", "60s"];
        args.extend(options.iter().map(String::as_str));
        Process::coordinator(&args)
    }

    fn worker(&self, address: &str, options: &str) -> Process {
        let options = self.options(options);
        let mut args = vec!["--join", address, "--threads", "1", "--name", "w"];
        args.extend(options.iter().map(String::as_str));
        Process::start("banyan-worker", &args, |_| {})
    }
}

const TLS: &str = "--tls-cert @good/coordinator.pem --tls-key @good/coordinator-key.pem";
const MUTUAL: &str = "--tls-cert @good/coordinator.pem --tls-key @good/coordinator-key.pem \
                      --tls-client-ca @good/ca.pem";

fn own(folder: &str) -> String {
    format!(
        "--tls-ca @good/ca.pem --tls-cert @{folder}/worker.pem --tls-key @{folder}/worker-key.pem"
    )
}

#[test]
fn workers_with_the_right_token_or_certificate_are_let_in() {
    let files = Files::new();
    for (coordinator, worker) in [
        ("--token-file @token", "--token-file @token"),
        (TLS, "--tls-ca @good/ca.pem"),
        (MUTUAL, &own("good")),
    ] {
        let (coordinator, address) = files.coordinator(coordinator);
        let worker = files.worker(&address, worker);
        worker.wait_for_log("working for");
        coordinator.wait_for_log("worker joined");
    }
}

#[test]
fn a_token_may_stand_in_the_environment_on_both_sides() {
    let with_token = |token: &'static str| {
        move |command: &mut std::process::Command| {
            command.env("BANYAN_TOKEN", token);
        }
    };
    let args = ["search", "--threads", "0", "--time", "60s", "--listen", "127.0.0.1:0"];
    let coordinator = Process::start("banyan", &args, with_token("0123456789abcdef"));
    let line = coordinator.wait_for_log("--join ");
    let address = line.split("--join ").nth(1).expect("waited for it").trim().to_owned();
    let args = ["--join", &address, "--threads", "1"];
    let worker = Process::start("banyan-worker", &args, with_token("0123456789abcdef"));
    worker.wait_for_log("working for");
    let mut worker = Process::start("banyan-worker", &args, with_token("0123456789abcdeX"));
    assert_eq!(worker.wait().code(), Some(1));
    coordinator.wait_for_log("its token is not this coordinator's");
    let logs = [coordinator.log(), worker.log()].concat().join("\n");
    assert!(!logs.contains("0123456789"), "a token is never logged: {logs}");
}

#[test]
fn a_wrong_token_ends_the_worker_with_one_clear_line_on_both_sides() {
    let files = Files::new();
    let (mut coordinator, address) = files.coordinator("--token-file @token");
    let wrong = [
        ("--token-file @other-token", "its token is not this coordinator's"),
        ("", "it shows no token"),
    ];
    for (options, reason) in wrong {
        let mut worker = files.worker(&address, options);
        assert_eq!(worker.wait().code(), Some(1));
        worker.wait_for_log(reason);
        assert_eq!(lines_with(&worker, "refused"), 1, "{:?}", worker.log());
    }
    end(&mut coordinator);
    for (_, reason) in wrong {
        assert_eq!(lines_with(&coordinator, reason), 1, "{:?}", coordinator.log());
    }
}

/// Ends a search in order, whether anybody was let in that searched (0) or nothing was searched (2); its log
/// is whole then.
fn end(coordinator: &mut Process) {
    coordinator.wait_until_it_catches(Signal::TERM);
    coordinator.signal(Signal::TERM);
    let code = coordinator.wait().code();
    assert!(matches!(code, Some(0 | 2)), "{code:?}: {:?}", coordinator.log());
}

fn lines_with(process: &Process, text: &str) -> usize {
    process.log().iter().filter(|line| line.contains(text)).count()
}

#[test]
fn certificates_that_are_missing_foreign_or_expired_are_refused_on_both_sides() {
    let files = Files::new();
    let two_years_ago = SystemTime::now() - 2 * YEAR;
    // An authority that is good, and what it signed long ago.
    for name in ["ca.pem", "ca-key.pem"] {
        std::fs::create_dir_all(files.path("expired")).expect("a folder");
        std::fs::copy(files.path("good").join(name), files.path("expired").join(name)).expect(name);
    }
    files.make("expired", two_years_ago);
    let foreign_ca = "--tls-ca @foreign/ca.pem";
    let expired = "--tls-cert @expired/coordinator.pem --tls-key @expired/coordinator-key.pem";
    for (coordinator, worker, said_here, said_there) in [
        (MUTUAL, "--tls-ca @good/ca.pem", "peer sent no certificates", "give --tls-cert"),
        (MUTUAL, &own("foreign"), "invalid peer certificate", "refused the certificate shown"),
        (MUTUAL, &own("expired"), "certificate expired", "refused the certificate shown"),
        (TLS, foreign_ca, "received fatal alert", "its certificate cannot be trusted"),
        (expired, "--tls-ca @good/ca.pem", "CertificateExpired", "certificate expired"),
        (TLS, "", "it does not speak TLS", "if it speaks TLS, give --tls-ca"),
        ("", "--tls-ca @good/ca.pem", "", "it does not speak TLS"),
    ] {
        let (coordinator, address) = files.coordinator(coordinator);
        let worker = files.worker(&address, worker);
        worker.wait_for_log(said_there);
        coordinator.wait_for_log(said_here);
        assert_eq!(lines_with(&worker, "working for"), 0, "{:?}", worker.log());
        assert_eq!(lines_with(&coordinator, "joined"), 0, "{:?}", coordinator.log());
    }
}

#[test]
fn the_same_refusal_is_said_once() {
    let files = Files::new();
    let metrics = free_address();
    let (mut coordinator, address) = files.coordinator(&format!("{TLS} --metrics {metrics}"));
    for _ in 0..3 {
        let mut stranger = TcpStream::connect(&address).expect("it listens");
        stranger.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("a fresh socket");
        wait_for_end(&mut stranger);
    }
    scrape::wait_for(&metrics, |name, refused| {
        name == "banyan_connections_refused_total" && refused == 3.0
    });
    end(&mut coordinator);
    assert_eq!(lines_with(&coordinator, "it does not speak TLS"), 1, "{:?}", coordinator.log());
}

#[test]
fn an_open_door_to_other_machines_needs_a_lock() {
    let files = Files::new();
    for (options, refusal) in [
        ("", Some("--insecure")),
        (TLS, Some("--insecure")),
        ("--token-file @no-token", Some("7 characters")),
        ("--token-file @nothing", Some("nothing")),
        ("--tls-cert @good/worker.pem --tls-key @good/nothing.pem", Some("nothing.pem")),
        ("--tls-cert @token --tls-key @good/coordinator-key.pem", Some("no certificate in PEM")),
        ("--tls-cert @good/ca.pem --tls-key @foreign/ca-key.pem", Some("cannot be used")),
        ("--token-file @token", None),
        (MUTUAL, None),
        ("--insecure", None),
    ] {
        let options = files.options(options);
        let mut args = vec!["search", "--threads", "1", "--playouts", "1"];
        // A lock that is broken is found on loopback too.
        let is_open = refusal.is_none_or(|refusal| refusal == "--insecure");
        args.extend(["--listen", if is_open { "0.0.0.0:0" } else { "127.0.0.1:0" }]);
        args.extend(options.iter().map(String::as_str));
        let mut search = Process::start("banyan", &args, |_| {});
        match refusal {
            None => assert!(search.wait().success(), "{options:?}: {:?}", search.log()),
            Some(words) => {
                assert_eq!(search.wait().code(), Some(2), "{options:?}");
                search.wait_for_log(words);
                let log = search.log().join("\n");
                assert!(!log.contains("hunter2") && !log.contains("panicked"), "{log}");
            }
        }
    }
}

/// Reads until the other side closes; fails the test when it does not.
fn wait_for_end(socket: &mut TcpStream) {
    socket.set_read_timeout(Some(PATIENCE)).expect("a timeout above zero");
    let started = Instant::now();
    let mut left = [0; 1024];
    while matches!(socket.read(&mut left), Ok(1..)) {}
    assert!(started.elapsed() < PATIENCE, "the connection is still open");
}

#[test]
fn connections_that_say_nothing_are_cut_off_and_do_not_keep_workers_out() {
    let files = Files::new();
    for (options, own) in [("", String::new()), (MUTUAL, own("good"))] {
        let (_coordinator, address) = files.coordinator(options);
        let connect = |_| TcpStream::connect(&address).expect("it listens");
        let mut strangers: Vec<TcpStream> = (0..300).map(connect).collect();
        // Slow ones: a byte of the greeting now and then is as good as none.
        for stranger in &mut strangers {
            let _ = stranger.write_all(if own.is_empty() { b"PRI * HT" } else { &[0x16, 3, 1] });
        }
        let worker = files.worker(&address, &own);
        worker.wait_for_log("working for");
        let last = strangers.last_mut().expect("300 of them");
        wait_for_end(last);
        strangers.iter_mut().for_each(wait_for_end);
        assert_eq!(lines_with(&worker, "trying again"), 0, "{:?}", worker.log());
    }
}

#[test]
fn certificates_are_made_once_and_keys_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let files = Files::new();
    let folder = files.path("made");
    let folder = folder.to_str().expect("UTF-8");
    let run = |args: &[&str]| {
        let (text, status) =
            Process::start("banyan", &[&["certs", folder], args].concat(), |_| {}).output();
        assert!(status.success(), "{text}");
        text
    };
    assert_eq!(run(&["--host", "10.0.0.5"]).matches("made ").count(), 3);
    let ca = std::fs::read(Path::new(folder).join("ca.pem")).expect("made");
    let again = run(&["--worker", "second"]);
    assert_eq!((again.matches("kept ").count(), again.matches("made ").count()), (2, 1), "{again}");
    assert_eq!(std::fs::read(Path::new(folder).join("ca.pem")).expect("kept"), ca);
    for name in ["ca-key.pem", "coordinator-key.pem", "second-key.pem"] {
        let mode = Path::new(folder).join(name).metadata().expect(name).permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let refused = |args: &[&str], words: &str| {
        let mut process = Process::start("banyan", &[&["certs", folder], args].concat(), |_| {});
        assert_eq!(process.wait().code(), Some(2), "{args:?}");
        process.wait_for_log(words);
    };
    refused(&["--worker", "../x"], "'../x' is no name");
    std::fs::remove_file(Path::new(folder).join("coordinator.pem")).expect("made before");
    refused(&[], "coordinator.pem is not");
    std::fs::remove_file(Path::new(folder).join("coordinator-key.pem")).expect("made before");
    refused(&["--host", "not ä name"], "not ä name");
}

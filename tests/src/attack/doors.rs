//! Strangers without a token, at every door.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use banyan_jobs::session::{FromFrontEnd, SESSIONS_VERSION, ToFrontEnd, Visitor};
use banyan_lab::processes::{Process, free_address};
use banyan_lab::scrape::get;
use banyan_operator::certs::{self, Wish};
use banyan_proto::sessions;
use banyan_proto::wire::sessions_client::SessionsClient;
use tokio_stream::StreamExt as _;

use super::ground::{crowd, joins, lines_with, raise_limit, search};
use super::{Attack, Seen, patience};

/// A worker is let in within this.
fn soon() -> Duration {
    Duration::from_secs(1) * patience()
}

/// Lines of a log that a crowd may cause.
const LINES_MAX: usize = 60;

pub(super) const STRANGERS: Attack = Attack {
    name: "strangers",
    what: "3,000 silent sockets from 60 addresses",
    expected: "a worker gets in within a second, the log stays short",
    is_short: true,
    act: || strangers(&search(20, "--threads 0"), 3_000, 60, &[]),
};

fn strangers(
    (coordinator, address): &(Process, String),
    count: usize,
    addresses: u32,
    options: &[&str],
) -> Seen {
    raise_limit();
    let crowd = crowd(address, count, addresses);
    let (_worker, took) = joins(address, "oak", options);
    let lines = coordinator.log().len();
    let held = took < soon() && lines < LINES_MAX && crowd.len() > count * 9 / 10;
    let text = format!(
        "{} connected, the worker was in after {} ms, {lines} lines",
        crowd.len(),
        took.as_millis()
    );
    Seen::new(held, text)
}

pub(super) const STRANGERS_TLS: Attack = Attack {
    name: "strangers-tls",
    what: "the same where TLS is spoken and workers show certificates",
    expected: "a worker gets in within a second",
    is_short: false,
    act: || {
        let folder = Folder::new("strangers-tls");
        let wish = Wish {
            hosts: vec!["127.0.0.1".to_owned()],
            workers: vec!["worker".to_owned()],
            from: std::time::SystemTime::now(),
            valid: Duration::from_secs(3_600),
        };
        certs::make(&folder.0, &wish).expect("certificates");
        let path = |name: &str| folder.0.join(name).display().to_string();
        let (cert, key, ca) =
            (path("coordinator.pem"), path("coordinator-key.pem"), path("ca.pem"));
        let locked = format!("--threads 0 --tls-cert {cert} --tls-key {key} --tls-client-ca {ca}");
        let (own, own_key) = (path("worker.pem"), path("worker-key.pem"));
        let options = ["--tls-ca", &ca, "--tls-cert", &own, "--tls-key", &own_key];
        strangers(&search(20, &locked), 3_000, 60, &options)
    },
};

/// A folder of its own, gone with its value.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("banyan-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(super) const STRANGERS_V6: Attack = Attack {
    name: "strangers-v6",
    what: "500 silent sockets over IPv6",
    expected: "a worker gets in within a second over IPv6",
    is_short: false,
    act: || {
        if std::net::TcpListener::bind("[::1]:0").is_err() {
            return Seen::skipped("no IPv6 on loopback");
        }
        let args =
            ["search", "--time", "20s", "--threads", "0", "--size", "9", "--listen", "[::1]:0"];
        let coordinator = Process::start("banyan", &args, |_| {});
        let line = coordinator.wait_for_log("--join ");
        let address = line.split("--join ").nth(1).expect("waited for it").trim().to_owned();
        strangers(&(coordinator, address), 500, 1, &[])
    },
};

pub(super) const TEN_THOUSAND: Attack = Attack {
    name: "ten-thousand",
    what: "10,000 connections at once from 200 addresses",
    expected: "a worker gets in within a second",
    is_short: true,
    act: || {
        if raise_limit() < 11_000 {
            return Seen::skipped("this process may not have so many sockets");
        }
        strangers(&search(30, "--threads 0"), 10_000, 200, &[])
    },
};

pub(super) const METRICS_FLOOD: Attack = Attack {
    name: "metrics-flood",
    what: "1,500 silent sockets at the metrics of a coordinator that may have 1,024 descriptors",
    expected: "a worker gets in within a second, metrics answer, the log stays short",
    is_short: true,
    act: || {
        raise_limit();
        let (metrics, listen) = (free_address(), free_address());
        let program = banyan_lab::processes::binary("banyan");
        let line = format!(
            "ulimit -n 1024; exec {} search --time 20s --threads 0 --size 9 --metrics {metrics} --listen \
             {listen}",
            program.display()
        );
        let shell = std::process::Command::new("sh");
        let coordinator = Process::run(shell, &["-c", &line], |_| {});
        coordinator.wait_for_log("--join ");
        let crowd = crowd(&metrics, 1_500, 1);
        let (_worker, took) = joins(&listen, "oak", &[]);
        let answers = get(&metrics, "/metrics").contains("banyan_workers ");
        let lines = coordinator.log().len();
        let held = took < soon() && answers && lines < LINES_MAX;
        let text = format!(
            "{} connected, the worker was in after {} ms, metrics answer: {answers}, {lines} lines",
            crowd.len(),
            took.as_millis()
        );
        Seen::new(held, text)
    },
};

pub(super) const LOG_FLOOD: Attack = Attack {
    name: "log-flood",
    what: "500 connections that speak another protocol, from 100 addresses",
    expected: "the log tells of it in some dozens of lines",
    is_short: true,
    act: || {
        let (coordinator, address) = search(20, "--threads 0");
        for _ in 0..5 {
            for mut socket in crowd(&address, 100, 100) {
                let _ = socket.write_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n");
            }
        }
        let (_worker, took) = joins(&address, "oak", &[]);
        let lines = coordinator.log().len();
        let held = lines < LINES_MAX && took < 2 * soon();
        Seen::new(held, format!("{lines} lines, a worker was in after {} ms", took.as_millis()))
    },
};

pub(super) const IDLE_FRONT_ENDS: Attack = Attack {
    name: "idle-front-ends",
    what: "16 front ends take all 16 seats, say hello and nothing more",
    expected: "a refusal names them, and within seconds another has a seat",
    is_short: true,
    act: || {
        let (_coordinator, address) = Process::coordinator(&["serve", "--threads", "1"]);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        runtime.block_on(async {
            let mut seats = Vec::new();
            for at in 0..16 {
                seats.push(attach(&address, &format!("idle-{at}")).await);
            }
            let began = Instant::now();
            let refusal = loop {
                let (answer, _) = attach(&address, "late").await;
                match answer {
                    ToFrontEnd::Refused(why) if began.elapsed() < Duration::from_secs(20) => {
                        tokio::time::sleep(Duration::from_millis(200)).await;
                        if !why.contains("idle-3") {
                            break Err(why);
                        }
                    }
                    ToFrontEnd::Welcome => break Ok(began.elapsed()),
                    other => break Err(format!("{other:?}")),
                }
            };
            match refusal {
                Ok(took) => Seen::new(true, format!("a seat after {:.1} s", took.as_secs_f64())),
                Err(why) => Seen::new(false, format!("no seat: {why}")),
            }
        })
    },
};

type Stream = tonic::Streaming<banyan_proto::wire::ToFrontEnd>;

/// A front end that says hello and waits; its stream stays open as long as what is returned.
async fn attach(
    address: &str,
    name: &str,
) -> (ToFrontEnd, (tokio::sync::mpsc::Sender<FromFrontEnd>, Stream)) {
    let mut client = SessionsClient::connect(format!("http://{address}")).await.expect("it serves");
    let (up, outbound) = tokio::sync::mpsc::channel(4);
    let visitor =
        Visitor { name: name.to_owned(), build: String::new(), version: SESSIONS_VERSION };
    up.send(FromFrontEnd::Hello(visitor)).await.expect("room");
    let outbound = tokio_stream::wrappers::ReceiverStream::new(outbound);
    let down = client.open(outbound.map(sessions::encode_from_front_end)).await;
    let mut down = down.expect("a stream").into_inner();
    let first = down.next().await.expect("an answer").expect("an answer");
    (sessions::decode_to_front_end(first).expect("a message"), (up, down))
}

pub(super) const OPEN_METRICS: Attack = Attack {
    name: "open-metrics",
    what: "metrics on an address of every network, without a lock",
    expected: "refused at the start",
    is_short: true,
    act: || {
        let args = ["search", "--playouts", "1", "--threads", "1", "--metrics", "0.0.0.0:0"];
        let mut process = Process::start("banyan", &args, |_| {});
        let code = process.wait().code();
        let told = lines_with(&process, "--insecure") == 1;
        Seen::new(
            code == Some(2) && told,
            format!("exit status {code:?}, told how to mend it: {told}"),
        )
    },
};

pub(super) const GARBAGE: Attack = Attack {
    name: "garbage",
    what: "a size field of 999,999,999 and other nonsense on 50 connections",
    expected: "the connections end, a worker gets in within a second",
    is_short: true,
    act: || {
        let (_coordinator, address) = search(20, "--threads 0");
        let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
        for at in 0..50u8 {
            let mut socket = TcpStream::connect(&address).expect("it listens");
            let _ = socket.write_all(preface);
            let _ = socket.write_all(&[0x3b, 0x9a, 0xc9, 0xff, at, 0xff, 0xff, 0xff, 0xff, 0xff]);
            let _ = socket.set_read_timeout(Some(Duration::from_millis(20)));
            let _ = socket.read(&mut [0; 64]);
        }
        let (_worker, took) = joins(&address, "oak", &[]);
        Seen::new(took < soon(), format!("a worker was in after {} ms", took.as_millis()))
    },
};

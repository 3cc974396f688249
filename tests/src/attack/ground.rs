//! The clusters that are attacked, and what is read from them.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use banyan_lab::processes::Process;
use serde_json::Value;

/// A search that lasts so long, by whatever joins; 9x9 Go with quick playouts unless told otherwise.
pub(super) fn search(seconds: u32, options: &str) -> (Process, String) {
    let time = format!("{seconds}s");
    let mut args = vec!["search", "--json", "--time", &time];
    if !options.contains("--game") {
        args.extend(["--size", "9"]);
    }
    args.extend(options.split_whitespace());
    Process::coordinator(&args)
}

/// Asks an honest search of this machine about the same position; returns the value of its best move.
pub(super) fn honest_value(options: &str) -> f64 {
    let (process, _) = search(2, &format!("--threads 1 {options}"));
    value(&process.json())
}

pub(super) fn value(answer: &Value) -> f64 {
    answer["value"].as_f64().expect("a value")
}

pub(super) fn seconds(answer: &Value) -> f64 {
    answer["seconds"].as_f64().expect("a time")
}

pub(super) fn of_batches(answer: &Value, key: &str) -> u64 {
    answer["batches"][key].as_u64().expect("a count")
}

/// Tells whether every lease has one end.
pub(super) fn books_are_even(answer: &Value) -> bool {
    let [sent, answered, lost, dead] =
        ["sent", "answered", "lost", "dead"].map(|key| of_batches(answer, key));
    sent == answered + lost + dead
}

/// Lines of a log with some words.
pub(super) fn lines_with(process: &Process, words: &str) -> usize {
    process.log().iter().filter(|line| line.contains(words)).count()
}

/// A worker that is let in; how long that took.
pub(super) fn joins(address: &str, name: &str, options: &[&str]) -> (Process, Duration) {
    let began = Instant::now();
    let args = [&["--join", address, "--threads", "1", "--name", name], options].concat();
    let worker = Process::start("banyan-worker", &args, |_| {});
    worker.wait_for_log("working for");
    (worker, began.elapsed())
}

/// Sockets that are opened and say nothing, from many addresses of loopback.
pub(super) fn crowd(address: &str, count: usize, addresses: u32) -> Vec<TcpStream> {
    let to = address.parse().expect("an address");
    (0..count as u32).filter_map(|at| connect_from(at % addresses, to).ok()).collect()
}

/// A socket from the `from`-th address of loopback where there are many.
fn connect_from(from: u32, to: std::net::SocketAddr) -> std::io::Result<TcpStream> {
    use rustix::net::{AddressFamily, SocketType, bind, connect, socket};
    if to.is_ipv6() {
        return TcpStream::connect(to);
    }
    let [high, low] = (2 + from as u16).to_be_bytes();
    let own = std::net::SocketAddr::from(([127, 0, high, low], 0));
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    bind(&socket, &own)?;
    connect(&socket, &to)?;
    Ok(socket.into())
}

/// As many descriptors as this process may have.
pub(super) fn raise_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

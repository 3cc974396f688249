//! Reads the metrics of a coordinator, as Prometheus would.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::processes::PATIENCE;

/// The answer of a web server to a path.
pub fn get(address: &str, path: &str) -> String {
    try_get(address, path).unwrap_or_else(|error| panic!("{address}{path}: {error}"))
}

fn try_get(address: &str, path: &str) -> io::Result<String> {
    let mut socket = TcpStream::connect(address)?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes())?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer)?;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    Ok(answer)
}

/// Samples by name and labels.
pub fn samples(text: &str) -> BTreeMap<String, f64> {
    let lines = text.lines().filter(|line| line.starts_with("banyan_"));
    let sample = |line: &str| {
        let (name, value) = line.rsplit_once(' ').expect("a value");
        (name.to_owned(), value.parse().expect("a number"))
    };
    lines.map(sample).collect()
}

/// Asks until one of the samples is as wanted, and returns the text that has it. A coordinator that is
/// being started need not listen yet.
pub fn wait_for(address: &str, is_wanted: impl Fn(&str, f64) -> bool) -> String {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let answer = try_get(address, "/metrics");
        if let Ok(text) = &answer
            && samples(text).iter().any(|(name, &value)| is_wanted(name, value))
        {
            return text.clone();
        }
        assert!(Instant::now() < deadline, "{answer:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Asks until a search is under way, and some of its playouts are done.
pub fn wait_for_playouts(address: &str) {
    wait_for(address, |name, playouts| name == "banyan_playouts_total" && playouts > 0.0);
}

//! Requests to pages as a program sends them, header by header.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Instant;

use banyan_lab::processes::PATIENCE;
use serde_json::Value;

/// An answer of a server of pages.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its head, in lower case.
    pub head: String,
    /// Its body.
    pub body: String,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Sends one request on a connection of its own.
///
/// - `headers`: lines beside those that say where to and how long.
pub fn request(address: &str, first: &str, headers: &[&str], body: &str) -> Answer {
    let mut socket = TcpStream::connect(address).expect("it listens");
    let is_host = |line: &&str| line.to_lowercase().starts_with("host:");
    let host =
        if headers.iter().any(is_host) { String::new() } else { format!("Host: {address}\r\n") };
    let lines: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
    let length = body.len();
    let head = format!(
        "{first} HTTP/1.1\r\n{host}{lines}Content-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    socket.write_all(format!("{head}{body}").as_bytes()).expect("it reads");
    let mut text = String::new();
    socket.read_to_string(&mut text).expect("it answers in UTF-8");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Answer { status: status.expect("a status"), head: head.to_lowercase(), body: body.to_owned() }
}

/// Asks for a page or a value.
pub fn get(address: &str, path: &str) -> Answer {
    request(address, &format!("GET {path}"), &[], "")
}

/// Asks for something to be done.
pub fn post(address: &str, path: &str, body: &Value) -> Answer {
    let json = "Content-Type: application/json";
    request(address, &format!("POST {path}"), &[json], &body.to_string())
}

/// A stream of what happens.
pub struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    /// Begins to follow.
    pub fn follow(address: &str, path: &str) -> Events {
        let mut socket = TcpStream::connect(address).expect("it listens");
        socket.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
        socket.write_all(head.as_bytes()).expect("it reads");
        Events { lines: BufReader::new(socket) }
    }

    /// The next value, once it comes.
    pub fn one_more(&mut self) -> Value {
        loop {
            let mut line = String::new();
            let read = self.lines.read_line(&mut line).expect("it goes on");
            assert!(read > 0, "the stream has ended");
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data.trim()).expect("JSON");
            }
        }
    }

    /// Follows until a value is as wanted, and returns that.
    pub fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let value = self.one_more();
            if is_wanted(&value) {
                return value;
            }
            assert!(Instant::now() < deadline, "never as wanted: {value}");
        }
    }
}

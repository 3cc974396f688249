//! The values of a cluster's page, over plain HTTP.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use banyan_web::history::Picture;
use banyan_worker::Token;
use serde_json::Value;

/// A page answers within this.
const PATIENCE: Duration = Duration::from_secs(3);

/// No picture is longer, bytes.
const ANSWER_BYTES_MAX: u64 = 16 << 20;

/// Address and token of a coordinator's pages.
#[derive(Debug)]
pub(super) struct Source {
    address: String,
    token: Option<Token>,
}

impl Source {
    /// # Errors
    /// Says what is no address of pages.
    pub fn new(at: &str, token: Option<Token>) -> anyhow::Result<Source> {
        ensure!(
            !at.starts_with("https://"),
            "'{at}': over TLS the pages are for browsers alone: expected HOST:PORT of pages without TLS"
        );
        let address = at.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let port = address.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
        ensure!(
            port.is_some(),
            "'{at}' is no address of pages: expected HOST:PORT, as --http says it"
        );
        Ok(Source { address, token })
    }

    /// The cluster as it stands.
    ///
    /// # Errors
    /// Says what keeps it from being read.
    pub fn read(&self) -> anyhow::Result<Picture> {
        let body = self.exchange("GET /api/cluster", "")?;
        let what = || format!("{} shows no cluster", self.address);
        let picture: Option<Picture> = serde_json::from_str(&body).with_context(what)?;
        // Nothing yet: the coordinator has just begun.
        match picture {
            Some(picture) => Ok(picture),
            None => bail!("{} has nothing to show yet", self.address),
        }
    }

    /// Drains or bans a node.
    ///
    /// # Errors
    /// What the coordinator said.
    pub fn order(&self, id: &str, action: &str) -> anyhow::Result<()> {
        self.exchange(&format!("POST /api/workers/{id}/{action}"), "{}").map(drop)
    }

    fn exchange(&self, first: &str, body: &str) -> anyhow::Result<String> {
        let address = &self.address;
        let lost = || format!("cannot reach the pages at {address}: is banyan serve --http there?");
        let to = address.to_socket_addrs().with_context(lost)?;
        let mut socket = connect(to).with_context(lost)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        let token = self.token.as_ref();
        let token = token.map_or(String::new(), |it| format!("Authorization: {}\r\n", it.header()));
        let request = format!(
            "{first} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n{token}\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        socket.write_all(request.as_bytes()).with_context(lost)?;
        let mut text = String::new();
        socket.take(ANSWER_BYTES_MAX).read_to_string(&mut text).with_context(lost)?;
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse::<u16>().ok());
        match status {
            Some(200) => Ok(body.to_owned()),
            Some(401) => bail!("{address} asks for its token: give --token-file"),
            Some(_) => {
                let said = serde_json::from_str::<Value>(body).unwrap_or_default();
                bail!("{address}: {}", said["error"].as_str().unwrap_or(head))
            }
            None => bail!("{address} does not speak HTTP"),
        }
    }
}

/// The first of a name's addresses that answers: `localhost` is often ::1 before 127.0.0.1.
fn connect(addresses: impl Iterator<Item = SocketAddr>) -> io::Result<TcpStream> {
    let mut refused = io::Error::other("the name has no address");
    for address in addresses {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(socket) => return Ok(socket),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_addresses_of_a_name_are_tried() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let there = listener.local_addr().expect("bound");
        let nobody = SocketAddr::from(([127, 0, 0, 1], 1));
        let found = connect([nobody, there].into_iter()).expect("the second");
        assert_eq!(found.peer_addr().expect("connected"), there);
        assert!(connect([nobody].into_iter()).is_err() && connect([].into_iter()).is_err());
    }

    /// Returns the fault that this answer of a server leads to.
    fn answered(answer: &'static str) -> String {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let at = listener.local_addr().expect("bound").to_string();
        let server = std::thread::spawn(move || {
            let (mut socket, _) = listener.accept().expect("it comes");
            let mut heard = [0; 4096];
            let read = socket.read(&mut heard).expect("it asks");
            socket.write_all(answer.as_bytes()).expect("it reads");
            String::from_utf8_lossy(&heard[..read]).into_owned()
        });
        let found = Source::new(&at, None).expect("an address").read().expect_err("no picture");
        assert!(server.join().expect("it ran").starts_with("GET /api/cluster HTTP/1.1\r\n"));
        format!("{found:#}")
    }

    #[test]
    fn what_a_server_says_is_said() {
        assert!(answered("HTTP/1.1 401 Unauthorized\r\n\r\n").contains("give --token-file"));
        assert!(
            answered("HTTP/1.1 421 X\r\n\r\n{\"error\":\"not that name\"}")
                .contains("not that name")
        );
        assert!(answered("HTTP/1.1 200 OK\r\n\r\nnull").contains("nothing to show yet"));
        assert!(answered("HTTP/1.1 200 OK\r\n\r\n<html>").contains("shows no cluster"));
        assert!(answered("SSH-2.0\r\n").contains("does not speak HTTP"));
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for (at, words) in [("here", "expected HOST:PORT"), ("https://a:1", "for browsers alone")] {
            let refused = Source::new(at, None).expect_err(at).to_string();
            assert!(refused.contains(words), "{refused}");
        }
        let nowhere = Source::new("http://127.0.0.1:1/", None).expect("an address");
        assert!(
            format!("{:#}", nowhere.read().expect_err("nobody")).contains("banyan serve --http")
        );
    }
}

//! Reaching the coordinator: its address, the token to show, the certificates to ask for.

use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use banyan_jobs::limits;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

use crate::tls::{self, TlsFileError, TlsFiles};
use crate::token::Token;

/// The port of a coordinator where none is said.
pub const PORT: u16 = 7337;

pub(crate) const CONNECT_TIME_MAX: Duration = Duration::from_secs(5);

/// A reason why a worker does not reach its coordinator.
#[derive(Debug, thiserror::Error)]
pub enum DialError {
    /// Neither a host nor a port, nor both.
    #[error(
        "'{0}' is no address: expected HOST:PORT such as 192.168.1.10:{PORT}, a host alone, or a port of \
         this machine"
    )]
    Address(String),
    /// A certificate or key that is not there.
    #[error(transparent)]
    Tls(#[from] TlsFileError),
    /// Nobody answers, or who answers is not trusted.
    #[error("cannot reach the coordinator: {}", tls::explain(.0))]
    Dial(#[from] tonic::transport::Error),
}

/// The stream broke before it began; what may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the coordinator hung up without a word: {0}")]
pub struct HungUp(&'static str);

/// Address of a coordinator, and how to speak with it.
#[derive(Clone, Debug)]
pub struct Address {
    host_and_port: String,
    token: Option<MetadataValue<Ascii>>,
    tls: Option<TlsFiles>,
}

impl Address {
    /// Checks that `typed` is an address, and that files can be read: a host with its port; a host alone, with
    /// [`PORT`]; a port alone, of this machine.
    ///
    /// # Errors
    /// [`DialError`] names what is wrong.
    pub fn new(
        typed: &str,
        token: Option<Token>,
        tls: Option<TlsFiles>,
    ) -> Result<Address, DialError> {
        let host_and_port =
            host_and_port(typed).ok_or_else(|| DialError::Address(typed.to_owned()))?;
        let token = token.map(|token| {
            let header = MetadataValue::try_from(token.header());
            let mut header = header.expect("a token is visible ASCII");
            // Kept out of what the header's own type prints.
            header.set_sensitive(true);
            header
        });
        let address = Address { host_and_port, token, tls };
        address.endpoint()?;
        Ok(address)
    }

    /// Connects.
    ///
    /// # Errors
    /// [`DialError`]; most pass with time.
    pub async fn dial(&self) -> Result<Channel, DialError> {
        Ok(self.endpoint()?.connect().await?)
    }

    /// Shows the token.
    pub fn authorize<T>(&self, mut request: Request<T>) -> Request<T> {
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", token.clone());
        }
        request
    }

    /// Options that may be missing here when the coordinator hangs up before the first word: one that wants
    /// TLS or a certificate does so, and its reason may come too late.
    ///
    /// Nothing where the connection did not break underneath, where the reason came, or where all that
    /// could be missing is at hand.
    pub fn hung_up(&self, broken: &Status) -> Option<HungUp> {
        if broken.source().is_none_or(tls::is_to_blame) {
            return None;
        }
        match &self.tls {
            None => Some(HungUp("if it speaks TLS, give --tls-ca")),
            Some(TlsFiles { identity: None, .. }) => {
                Some(HungUp("if it asks for a certificate, give --tls-cert and --tls-key"))
            }
            Some(_) => None,
        }
    }

    fn endpoint(&self) -> Result<Endpoint, DialError> {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let wrong = |_| DialError::Address(self.host_and_port.clone());
        let endpoint = Endpoint::from_shared(format!("{scheme}://{}", self.host_and_port));
        let endpoint = endpoint.map_err(wrong)?.connect_timeout(CONNECT_TIME_MAX).tcp_nodelay(true);
        let endpoint = endpoint
            .initial_stream_window_size(limits::STREAM_WINDOW_BYTES)
            .initial_connection_window_size(limits::STREAM_WINDOW_BYTES);
        Ok(match &self.tls {
            Some(files) => endpoint.tls_config(files.read()?)?,
            None => endpoint,
        })
    }
}

/// The host and the port that were meant.
fn host_and_port(typed: &str) -> Option<String> {
    if let Ok(address) = typed.trim_matches(['[', ']']).parse::<IpAddr>() {
        return Some(SocketAddr::from((address, PORT)).to_string());
    }
    if !typed.is_empty() && typed.bytes().all(|byte| byte.is_ascii_digit()) {
        return typed.parse::<u16>().ok().map(|port| format!("127.0.0.1:{port}"));
    }
    let (host, port) = match typed.rsplit_once(':') {
        Some((host, port)) => (host, port.parse::<u16>().ok()?),
        None => (typed, PORT),
    };
    (!host.is_empty()).then(|| format!("{host}:{port}"))
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.host_and_port)
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use tonic::Code;

    use super::*;

    fn address(tls: Option<TlsFiles>) -> Address {
        Address { host_and_port: "localhost:7411".to_owned(), token: None, tls }
    }

    #[test]
    fn an_address_may_be_a_host_or_a_port_alone() {
        for (typed, meant) in [
            ("10.0.0.1:80", "10.0.0.1:80"),
            ("elm:80", "elm:80"),
            ("elm", "elm:7337"),
            ("10.0.0.1", "10.0.0.1:7337"),
            ("::1", "[::1]:7337"),
            ("[::1]:80", "[::1]:80"),
            ("7411", "127.0.0.1:7411"),
        ] {
            assert_eq!(host_and_port(typed).as_deref(), Some(meant), "{typed}");
        }
        for typed in ["", ":", ":80", "127.0.0.1:99999", "99999", "elm:http"] {
            assert_eq!(host_and_port(typed), None, "{typed}");
        }
    }

    /// The status of the first request over a connection that broke for this reason.
    fn broken(reason: &str) -> Status {
        Status::from_error(Box::new(io::Error::other(reason.to_owned())))
    }

    #[test]
    fn what_may_be_missing_is_guessed_only_where_no_reason_came() {
        let without_identity = address(Some(TlsFiles::default()));
        let identity = Some((Default::default(), Default::default()));
        let with_all = address(Some(TlsFiles { identity, ..TlsFiles::default() }));
        let guesses = |broken: &Status| {
            let guess = |address: &Address| address.hung_up(broken).map(|HungUp(what)| what);
            [&address(None), &without_identity, &with_all].map(guess)
        };
        let [plain, anonymous, known] = guesses(&broken("connection reset"));
        assert!(plain.is_some_and(|what| what.contains("--tls-ca")), "{plain:?}");
        assert!(anonymous.is_some_and(|what| what.contains("--tls-cert")), "{anonymous:?}");
        assert_eq!(known, None);
        for reason in [
            "received fatal alert: CertificateRequired",
            "received fatal alert: HandshakeFailure",
            "invalid peer certificate: UnknownIssuer",
        ] {
            assert_eq!(guesses(&broken(reason)), [None; 3], "{reason}");
        }
        // The coordinator's own word is no broken connection.
        assert_eq!(guesses(&Status::new(Code::Unavailable, "full")), [None; 3]);
    }
}

//! The door: sockets come in, TLS is spoken where it is asked for, and whoever does not say in time who
//! they are is shown out.

use std::io;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use banyan_jobs::limits;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::either::Either;
use tonic::transport::server::Connected;

use crate::strangers::{Guest, Strangers};

/// Connections through the door that the server has not taken up yet.
const WAITING_MAX: usize = 64;

/// After the system refused a socket: it has none left for now.
const PAUSE: Duration = Duration::from_millis(50);

/// The first byte of every TLS connection: a handshake record.
const TLS_HANDSHAKE: u8 = 0x16;

/// Sockets that came through the door, for the server.
pub fn open(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    strangers: Arc<Strangers>,
) -> ReceiverStream<io::Result<Connection>> {
    let (inside, connections) = mpsc::channel(WAITING_MAX);
    tokio::spawn(async move {
        while !inside.is_closed() {
            match listener.accept().await {
                Ok((socket, address)) => {
                    let guest = strangers.arrive(address);
                    tokio::spawn(let_in(socket, tls.clone(), guest, inside.clone()));
                }
                Err(error) => {
                    let nobody = IpAddr::V6(Ipv6Addr::UNSPECIFIED);
                    strangers.said.say(nobody, &format!("cannot accept it: {error}"));
                    sleep(PAUSE).await;
                }
            }
        }
    });
    ReceiverStream::new(connections)
}

async fn let_in(
    socket: TcpStream,
    tls: Option<TlsAcceptor>,
    guest: Arc<Guest>,
    inside: mpsc::Sender<io::Result<Connection>>,
) {
    // Small messages must not wait for more.
    let _ = socket.set_nodelay(true);
    let stream = match tls {
        None => Either::Left(socket),
        Some(tls) => {
            let handshake = timeout(limits::HELLO_TIME_MAX, handshake(socket, tls));
            let shaken = tokio::select! {
                shaken = handshake => shaken.unwrap_or_else(|_| Err(late())),
                () = guest.evicted() => return,
            };
            match shaken {
                Ok(stream) => {
                    let shown = stream.get_ref().1.peer_certificates();
                    if let Some(certificate) = shown.and_then(|shown| shown.first()) {
                        guest.showed(certificate);
                    }
                    Either::Right(Box::new(stream))
                }
                Err(error) => {
                    guest.refuse(&error.to_string());
                    return;
                }
            }
        }
    };
    let _ = inside.send(Ok(Connection::new(stream, guest))).await;
}

async fn handshake(socket: TcpStream, tls: TlsAcceptor) -> io::Result<TlsStream<TcpStream>> {
    let mut first = [0];
    let is_tls = socket.peek(&mut first).await? == 1 && first[0] == TLS_HANDSHAKE;
    if !is_tls {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it does not speak TLS"));
    }
    tls.accept(socket).await
}

fn late() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "it did not say in time who it is")
}

/// A socket that came through the door.
pub struct Connection {
    stream: Either<TcpStream, Box<TlsStream<TcpStream>>>,
    guest: Arc<Guest>,
    /// Resolves when a stranger's time is over; gone once the guest is welcome.
    patience: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Connection {
    fn new(stream: Either<TcpStream, Box<TlsStream<TcpStream>>>, guest: Arc<Guest>) -> Connection {
        let stranger = guest.clone();
        let patience = async move {
            let _ = timeout(limits::HELLO_TIME_MAX, stranger.evicted()).await;
        };
        Connection { stream, guest, patience: Some(Box::pin(patience)) }
    }

    /// Whoever is at the other end.
    pub fn guest(&self) -> &Arc<Guest> {
        &self.guest
    }

    /// An error once a stranger's time is over.
    fn check_patience(&mut self, cx: &mut Context<'_>) -> io::Result<()> {
        if self.guest.is_welcome() {
            self.patience = None;
        }
        let over = self.patience.as_mut().is_some_and(|over| over.as_mut().poll(cx).is_ready());
        if over { Err(late()) } else { Ok(()) }
    }
}

impl Connected for Connection {
    type ConnectInfo = Arc<Guest>;

    fn connect_info(&self) -> Arc<Guest> {
        self.guest.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_patience(cx)?;
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        // Whoever does not read what it asked for is as silent as who asks nothing.
        self.check_patience(cx)?;
        Pin::new(&mut self.stream).poll_write(cx, buffer)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// A plain listener where everybody stays a stranger: each connection has its few seconds, and the oldest
/// makes room for the newest.
pub struct Visits {
    listener: TcpListener,
    strangers: Arc<Strangers>,
}

impl Visits {
    /// Its visitors are among these strangers.
    pub fn new(listener: TcpListener, strangers: Arc<Strangers>) -> Visits {
        Visits { listener, strangers }
    }
}

impl axum::serve::Listener for Visits {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((socket, address)) => {
                    let guest = self.strangers.arrive(address);
                    return (Connection::new(Either::Left(socket), guest), address);
                }
                Err(error) => {
                    let nobody = IpAddr::V6(Ipv6Addr::UNSPECIFIED);
                    self.strangers.said.say(nobody, &format!("cannot accept it: {error}"));
                    sleep(PAUSE).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

//! Browsers at the door: the same sockets, TLS and patience as for workers, for a server of pages.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

use crate::door::{self, Connection};
use crate::strangers::{Guest, Strangers};
use crate::tls;

/// A listener for pages.
pub struct Browsers {
    connections: ReceiverStream<io::Result<Connection>>,
    address: SocketAddr,
}

impl Browsers {
    /// Opens the door; must be called on the runtime that serves.
    pub fn new(
        listener: TcpListener,
        tls: Option<TlsAcceptor>,
        strangers: Arc<Strangers>,
    ) -> io::Result<Browsers> {
        let address = listener.local_addr()?;
        let tls = tls.as_ref().map(tls::for_browsers);
        Ok(Browsers { connections: door::open(listener, tls, strangers), address })
    }
}

impl Listener for Browsers {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        loop {
            match self.connections.next().await {
                Some(Ok(connection)) => {
                    let address = connection.guest().address();
                    return (connection, address);
                }
                Some(Err(_)) => {}
                // Nobody comes any more.
                None => std::future::pending().await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

/// Whoever is at the other end, for the server to welcome.
#[derive(Clone, Debug)]
pub struct Browser(Arc<Guest>);

impl Browser {
    /// It showed what it needs; from now on it may be silent for as long as it likes.
    pub fn welcome(&self) {
        self.0.welcome();
    }
}

impl Connected<IncomingStream<'_, Browsers>> for Browser {
    fn connect_info(stream: IncomingStream<'_, Browsers>) -> Browser {
        Browser(stream.io().guest().clone())
    }
}

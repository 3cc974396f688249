//! Locks of a listener: what is configured, and the same with its files read.

use banyan_worker::Token;
use tokio_rustls::TlsAcceptor;

use crate::guard::Guard;
use crate::tls::{TlsError, TlsFiles};

/// Rules on who may join.
#[derive(Clone, Debug, Default)]
pub struct Security {
    /// The token that workers must show.
    pub token: Option<Token>,
    /// Certificates, where TLS is spoken.
    pub tls: Option<TlsFiles>,
}

/// [`Security`] with its files read.
pub struct Locks {
    /// Leave to ask for anything, for whoever shows the token.
    pub guard: Guard,
    /// TLS, where it is spoken.
    pub tls: Option<TlsAcceptor>,
}

impl Security {
    /// Reads the files.
    ///
    /// # Errors
    /// [`TlsError`] names the file.
    pub fn locks(&self) -> Result<Locks, TlsError> {
        let tls = self.tls.as_ref().map(TlsFiles::acceptor).transpose()?;
        Ok(Locks { guard: Guard { token: self.token.clone() }, tls })
    }
}

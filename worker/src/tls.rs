//! Certificates: how a worker knows its coordinator, and shows who it is itself.

use std::error::Error;
use std::path::{Path, PathBuf};

use tonic::Status;
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

/// The files for a connection that nobody else can read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate of who signs coordinators.
    pub authority: PathBuf,
    /// This worker's own certificate and key, for a coordinator that asks for them.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// The name in the coordinator's certificate, where it is not the host that is dialled.
    pub server_name: Option<String>,
}

/// A file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {0}: {1}")]
pub struct TlsFileError(PathBuf, std::io::Error);

impl TlsFiles {
    /// Reads them: at each connection anew, so that certificates can be renewed under a worker.
    ///
    /// # Errors
    /// [`TlsFileError`] names the file.
    pub fn read(&self) -> Result<ClientTlsConfig, TlsFileError> {
        let authority = Certificate::from_pem(read(&self.authority)?);
        let mut config = ClientTlsConfig::new().ca_certificate(authority);
        if let Some((certificate, key)) = &self.identity {
            config = config.identity(Identity::from_pem(read(certificate)?, read(key)?));
        }
        Ok(match &self.server_name {
            Some(name) => config.domain_name(name),
            None => config,
        })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, TlsFileError> {
    std::fs::read(path).map_err(|error| TlsFileError(path.to_owned(), error))
}

/// The words of the coordinator, or what broke underneath.
pub fn words(status: &Status) -> String {
    status.source().map_or_else(|| status.message().to_owned(), explain)
}

/// Explains why a connection failed, in words for people: those of the error that started it all, and where
/// certificates are the reason, what to do about it.
pub(crate) fn explain(error: &(dyn Error + 'static)) -> String {
    let text = root_cause(error);
    reason(&text).unwrap_or(text)
}

/// Tells whether it was TLS that failed, by the word of either side.
pub(crate) fn is_to_blame(error: &(dyn Error + 'static)) -> bool {
    reason(&root_cause(error)).is_some()
}

fn root_cause(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes.last().unwrap_or(error).to_string()
}

/// The fault of TLS, and what to do about it; nothing where something else was.
///
/// Known by its text: on its way through the layers of HTTP nothing else is left of an error.
fn reason(text: &str) -> Option<String> {
    if text.contains("InvalidContentType") {
        return Some("it does not speak TLS, which --tls-ca asks for".to_owned());
    }
    if let Some(why) = text.strip_prefix("invalid peer certificate: ") {
        return Some(format!("its certificate cannot be trusted: {why}"));
    }
    Some(match text.strip_prefix("received fatal alert: ")? {
        "CertificateRequired" => {
            "it asks for a certificate: give --tls-cert and --tls-key".to_owned()
        }
        alert => format!("it refused the certificate shown to it: {alert}"),
    })
}

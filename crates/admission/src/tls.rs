//! The coordinator's side of TLS: its own certificate, and whose certificates it asks workers for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{self, CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{VerifierBuilderError, WebPkiClientVerifier};
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

/// The files of a listener that nobody else can listen in on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The coordinator's certificate, those of intermediate authorities after it (PEM).
    pub certificate: PathBuf,
    /// Its key (PEM).
    pub key: PathBuf,
    /// The authority that signs workers: one without a certificate of theirs is not let in.
    pub client_authority: Option<PathBuf>,
}

/// A fault of the files.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// Not there, or no PEM.
    #[error("{path} holds no {expected} in PEM: {error}")]
    Pem {
        /// The file.
        path: PathBuf,
        /// The contents that it should hold.
        expected: &'static str,
        /// Reason.
        error: pki_types::pem::Error,
    },
    /// A certificate and a key that do not belong together, or of a kind unknown.
    #[error("{0} cannot be used: {1}")]
    Unusable(PathBuf, tokio_rustls::rustls::Error),
    /// An authority that cannot vouch for anyone.
    #[error("{0} cannot vouch for workers: {1}")]
    Authority(PathBuf, VerifierBuilderError),
}

impl TlsFiles {
    /// Reads them.
    ///
    /// # Errors
    /// [`TlsError`] names the file.
    pub fn acceptor(&self) -> Result<TlsAcceptor, TlsError> {
        let unusable = |error| TlsError::Unusable(self.certificate.clone(), error);
        let provider = Arc::new(ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider.clone());
        let builder = builder.with_safe_default_protocol_versions().map_err(unusable)?;
        let builder = match &self.client_authority {
            None => builder.with_no_client_auth(),
            Some(path) => {
                let roots = Arc::new(authority(path)?);
                let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider).build();
                let wrong = |error| TlsError::Authority(path.clone(), error);
                builder.with_client_cert_verifier(verifier.map_err(wrong)?)
            }
        };
        let key = PrivateKeyDer::from_pem_file(&self.key).map_err(no(&self.key, "private key"))?;
        let chain = certificates(&self.certificate)?;
        let mut config = builder.with_single_cert(chain, key).map_err(unusable)?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

/// The same for pages: browsers speak HTTP/2 here, programs often nothing but HTTP/1.1.
pub fn for_browsers(acceptor: &TlsAcceptor) -> TlsAcceptor {
    let mut config = (**acceptor.config()).clone();
    config.alpn_protocols.push(b"http/1.1".to_vec());
    TlsAcceptor::from(Arc::new(config))
}

fn authority(path: &Path) -> Result<RootCertStore, TlsError> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        let unusable = |error| TlsError::Unusable(path.to_owned(), error);
        roots.add(certificate).map_err(unusable)?;
    }
    Ok(roots)
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let wrong = no(path, "certificate");
    let read = CertificateDer::pem_file_iter(path).map_err(&wrong)?;
    let found: Vec<_> = read.collect::<Result<_, _>>().map_err(&wrong)?;
    if found.is_empty() {
        return Err(wrong(pki_types::pem::Error::NoItemsFound));
    }
    Ok(found)
}

fn no(path: &Path, expected: &'static str) -> impl Fn(pki_types::pem::Error) -> TlsError {
    move |error| TlsError::Pem { path: path.to_owned(), expected, error }
}

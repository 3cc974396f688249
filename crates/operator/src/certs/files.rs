//! Certificates for a cluster of one's own: an authority, and what it signs.
//!
//! Files that are there already are kept, so that asking again adds what is missing: a worker more, or a
//! new certificate for one whose file was removed.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use x509_parser::pem::Pem;

/// Clocks of machines differ; a certificate is good a little before it was made.
const CLOCK_SKEW: Duration = Duration::from_secs(3600);

const AUTHORITY: &str = "ca";
const COORDINATOR: &str = "coordinator";
/// What the file of a key has behind its owner's name.
const KEY_END: &str = "-key";

/// Names that get a certificate, and for how long.
#[derive(Clone, Debug)]
pub struct Wish {
    /// Names and addresses at which workers reach the coordinator.
    pub hosts: Vec<String>,
    /// Workers, each a file of its own.
    pub workers: Vec<String>,
    /// From when they are good.
    pub from: SystemTime,
    /// For how long.
    pub valid: Duration,
}

/// Reasons why there are no certificates.
#[derive(Debug, thiserror::Error)]
pub enum CertsError {
    /// A file or folder.
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    /// A name that no certificate can hold, or an authority that is none.
    #[error("{0}: {1}")]
    Unusable(String, rcgen::Error),
    /// Signed by another authority than the folder's.
    #[error(
        "{0} was not signed by {1}: remove it and its key to have it made anew, or put the authority back that \
         signed it"
    )]
    Foreign(PathBuf, PathBuf),
    /// An authority that is good no longer.
    #[error("{0}: good until {1}: remove it, and all that it signed, to have them made anew")]
    Ended(PathBuf, String),
    /// Half a pair.
    #[error("{0} is there but {1} is not: put it back, or remove both")]
    Half(PathBuf, PathBuf),
    /// Not a name of a file.
    #[error(
        "'{0}' is no name for a worker: expected letters, digits, '-', '_' and '.', and neither '{AUTHORITY}', \
         '{COORDINATOR}' nor an end in '{KEY_END}', which name other files"
    )]
    Name(String),
}

/// A certificate's file, and its key's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// PEM, for everybody.
    pub certificate: PathBuf,
    /// PEM, for its owner alone.
    pub key: PathBuf,
    /// Tells whether it was made now; else it was there.
    pub is_new: bool,
}

/// Makes what is missing in `folder`; returns the authority's pair, the coordinator's, the workers'.
///
/// # Errors
/// [`CertsError`] names the file or the name.
pub fn make(folder: &Path, wish: &Wish) -> Result<Vec<Pair>, CertsError> {
    for name in &wish.workers {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let is_name = !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain);
        let is_taken = [AUTHORITY, COORDINATOR].contains(&&**name) || name.ends_with(KEY_END);
        if !is_name || is_taken {
            return Err(CertsError::Name(name.clone()));
        }
    }
    std::fs::create_dir_all(folder).map_err(|error| CertsError::File(folder.into(), error))?;
    let authority = authority(folder, wish)?;
    // What it signs is good no longer than it is.
    let valid = wish.valid.min(authority.ends.duration_since(wish.from).unwrap_or_default());
    let wish = &Wish { valid, ..wish.clone() };
    let coordinator = signed(folder, COORDINATOR, &authority, || coordinator(wish))?;
    let worker = |name: &String| signed(folder, name, &authority, || worker(name, wish));
    let pairs = [Ok(authority.pair.clone()), Ok(coordinator)].into_iter();
    pairs.chain(wish.workers.iter().map(worker)).collect()
}

/// An authority that signs.
struct Authority {
    pair: Pair,
    issuer: Issuer<'static, KeyPair>,
    ends: SystemTime,
}

/// The authority of the folder, made if there is none.
fn authority(folder: &Path, wish: &Wish) -> Result<Authority, CertsError> {
    let pair = pair(folder, AUTHORITY)?;
    if pair.is_new {
        let unusable = |error| CertsError::Unusable(AUTHORITY.to_owned(), error);
        let key = KeyPair::generate().map_err(unusable)?;
        let certificate = authority_parameters(wish)?.self_signed(&key).map_err(unusable)?;
        write_key(&pair.key, &key)?;
        write(&pair.certificate, &certificate.pem(), 0o644)?;
    }
    let not_key = |error| CertsError::Unusable(pair.key.display().to_string(), error);
    let key = KeyPair::from_pem(&read(&pair.key)?).map_err(not_key)?;
    let not_ca = |error| CertsError::Unusable(pair.certificate.display().to_string(), error);
    let text = read(&pair.certificate)?;
    let issuer = Issuer::from_ca_cert_pem(&text, key).map_err(not_ca)?;
    let pem = pem(&text).ok_or_else(|| not_ca(rcgen::Error::CouldNotParseCertificate))?;
    let parsed = pem.parse_x509().map_err(|_| not_ca(rcgen::Error::CouldNotParseCertificate))?;
    let until = parsed.validity().not_after;
    let seconds = u64::try_from(until.timestamp()).unwrap_or_default();
    let ends = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    if ends <= wish.from {
        return Err(CertsError::Ended(pair.certificate, until.to_string()));
    }
    Ok(Authority { pair, issuer, ends })
}

/// The first certificate of a file.
fn pem(text: &str) -> Option<Pem> {
    Pem::iter_from_buffer(text.as_bytes()).flatten().find(|pem| pem.label == "CERTIFICATE")
}

/// Tells whether a certificate, or one of those in its file that lead to it, was signed by an authority of another file.
pub fn is_signed(certificate: &str, by: &str) -> bool {
    let read =
        |text: &str| -> Vec<Pem> { Pem::iter_from_buffer(text.as_bytes()).flatten().collect() };
    let (signed, authorities) = (read(certificate), read(by));
    let mut pairs = signed.iter().flat_map(|one| authorities.iter().map(move |other| (one, other)));
    pairs.any(|(one, other)| match (one.parse_x509(), other.parse_x509()) {
        (Ok(one), Ok(other)) => one.verify_signature(Some(other.public_key())).is_ok(),
        _ => false,
    })
}

fn authority_parameters(wish: &Wish) -> Result<CertificateParams, CertsError> {
    let mut parameters = parameters("Banyan cluster authority", &[], wish)?;
    parameters.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    Ok(parameters)
}

fn coordinator(wish: &Wish) -> Result<CertificateParams, CertsError> {
    let mut parameters = parameters("Banyan coordinator", &wish.hosts, wish)?;
    parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    Ok(parameters)
}

/// Good for joining only: with a worker's key nobody can pose as the coordinator.
fn worker(name: &str, wish: &Wish) -> Result<CertificateParams, CertsError> {
    let mut parameters = parameters(&format!("Banyan worker {name}"), &[], wish)?;
    parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    Ok(parameters)
}

fn parameters(name: &str, hosts: &[String], wish: &Wish) -> Result<CertificateParams, CertsError> {
    let unusable = |error| CertsError::Unusable(hosts.join(", "), error);
    let mut parameters = CertificateParams::new(hosts.to_vec()).map_err(unusable)?;
    parameters.distinguished_name.push(DnType::CommonName, name);
    parameters.not_before = (wish.from - CLOCK_SKEW).into();
    parameters.not_after = (wish.from + wish.valid).into();
    Ok(parameters)
}

/// A pair that the authority signs.
fn signed(
    folder: &Path,
    name: &str,
    authority: &Authority,
    parameters: impl FnOnce() -> Result<CertificateParams, CertsError>,
) -> Result<Pair, CertsError> {
    let pair = pair(folder, name)?;
    if pair.is_new {
        let unusable = |error| CertsError::Unusable(name.to_owned(), error);
        let key = KeyPair::generate().map_err(unusable)?;
        let certificate = parameters()?.signed_by(&key, &authority.issuer).map_err(unusable)?;
        write_key(&pair.key, &key)?;
        write(&pair.certificate, &certificate.pem(), 0o644)?;
    } else if !is_signed(&read(&pair.certificate)?, &read(&authority.pair.certificate)?) {
        return Err(CertsError::Foreign(pair.certificate, authority.pair.certificate.clone()));
    }
    Ok(pair)
}

/// The files of a name: both there, or both to be made.
fn pair(folder: &Path, name: &str) -> Result<Pair, CertsError> {
    let certificate = folder.join(format!("{name}.pem"));
    let key = folder.join(format!("{name}{KEY_END}.pem"));
    match (certificate.exists(), key.exists()) {
        (true, false) => Err(CertsError::Half(certificate, key)),
        (false, true) => Err(CertsError::Half(key, certificate)),
        (_, is_there) => Ok(Pair { certificate, key, is_new: !is_there }),
    }
}

fn read(path: &Path) -> Result<String, CertsError> {
    std::fs::read_to_string(path).map_err(|error| CertsError::File(path.into(), error))
}

fn write_key(path: &Path, key: &KeyPair) -> Result<(), CertsError> {
    write(path, &key.serialize_pem(), 0o600)
}

/// Writes a new file that only those whom `mode` names can read from its first moment on.
fn write(path: &Path, text: &str, mode: u32) -> Result<(), CertsError> {
    let create = |path: &Path| -> std::io::Result<File> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        Ok(file)
    };
    create(path).map(drop).map_err(|error| CertsError::File(path.into(), error))
}

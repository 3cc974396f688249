//! The way to a coordinator: files, address, certificates, token.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use banyan_worker::Token;
use banyan_worker::dial::Address;
use banyan_worker::tls::TlsFiles;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
use x509_parser::pem::Pem;

use crate::certs::is_signed;

use super::DoctorArgs;
use super::finding::Finding;

/// Certificates should be good for this much longer.
const DAYS_MIN: i64 = 14;

/// A coordinator answers within this, or is not there.
const PATIENCE: Duration = Duration::from_secs(5);

/// A round trip beyond this keeps a worker waiting, unless much is in flight to it.
const FAR: Duration = Duration::from_millis(20);

/// The service that workers speak with.
const SERVICE: &str = "banyan.cluster.v1.Cluster";

/// Looks at the files that were named.
pub(super) fn files(args: &DoctorArgs) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(path) = &args.token_file {
        findings.push(match Token::find(Some(path)) {
            Err(error) => Finding::bad(error.to_string(), "openssl rand -hex 32 > token makes one"),
            Ok(_) => secret(path, "token"),
        });
    }
    findings.extend(args.tls_ca.as_deref().map(|path| certificate(path, "authority")));
    findings.extend(args.tls_cert.as_deref().map(|path| certificate(path, "certificate")));
    findings.extend(args.tls_key.as_deref().map(|path| secret(path, "key")));
    let both = args.tls_cert.as_deref().zip(args.tls_ca.as_deref());
    findings.extend(both.and_then(|(certificate, authority)| foreign(certificate, authority)));
    findings
}

/// A certificate that the coordinator's authority did not sign: few coordinators let workers in by another.
fn foreign(certificate: &Path, authority: &Path) -> Option<Finding> {
    let read = |path| std::fs::read_to_string(path).ok();
    let is_foreign = !is_signed(&read(certificate)?, &read(authority)?);
    is_foreign.then(|| {
        let (certificate, authority) = (certificate.display(), authority.display());
        Finding::slow(
            format!("certificate {certificate}: not signed by {authority}"),
            "unless the coordinator's --tls-client-ca is another authority, remove it and its key, and say banyan \
             certs again",
        )
    })
}

/// A file that nobody else should read.
fn secret(path: &Path, what: &str) -> Finding {
    let name = path.display();
    match path.metadata() {
        Err(error) => Finding::bad(format!("{what} {name}: {error}"), "give a file that is there"),
        Ok(about) if about.permissions().mode() & 0o077 != 0 => Finding::slow(
            format!("{what} {name}: others on this machine may read it"),
            format!("chmod 600 {name}"),
        ),
        Ok(_) => Finding::good(format!("{what} {name}")),
    }
}

fn certificate(path: &Path, what: &str) -> Finding {
    let (name, help) = (path.display(), "banyan certs makes what is missing");
    let again = match what {
        "authority" => "remove it, its key and what it signed, and say banyan certs again",
        _ => "remove it and its key, and say banyan certs again",
    };
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Finding::bad(format!("{what} {name}: {error}"), help),
    };
    let first = Pem::iter_from_buffer(&bytes).flatten().find(|pem| pem.label == "CERTIFICATE");
    let Some(Ok(parsed)) = first.as_ref().map(Pem::parse_x509) else {
        return Finding::bad(format!("{what} {name}: no certificate in PEM"), help);
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() as i64;
    let (begins, ends) =
        (parsed.validity().not_before.timestamp(), parsed.validity().not_after.timestamp());
    let days = (ends - now) / 86_400;
    match () {
        () if now < begins => Finding::bad(
            format!("{what} {name}: not good before {}", parsed.validity().not_before),
            "this machine's clock may be wrong",
        ),
        () if now >= ends => {
            Finding::bad(format!("{what} {name}: ended on {}", parsed.validity().not_after), again)
        }
        () if days < DAYS_MIN => {
            Finding::slow(format!("{what} {name}: good for {days} days more"), again)
        }
        () => Finding::good(format!("{what} {name}: good for {days} days more")),
    }
}

/// Tries to speak with a coordinator as a worker would, up to where it would join.
pub(super) fn reach(args: &DoctorArgs, join: &str) -> Vec<Finding> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime {
        Ok(runtime) => runtime.block_on(speak(args, join)),
        Err(error) => vec![Finding::bad(format!("no runtime: {error}"), "try again")],
    }
}

async fn speak(args: &DoctorArgs, join: &str) -> Vec<Finding> {
    if args.tls_cert.is_some() && args.tls_ca.is_none() {
        let help = "give the authority with --tls-ca: without it no certificate is shown, and nothing is encrypted";
        return vec![Finding::bad("--tls-cert is shown by TLS alone", help)];
    }
    let identity = args.tls_cert.clone().zip(args.tls_key.clone());
    let (authority, server_name) = (args.tls_ca.clone(), args.tls_name.clone());
    let tls = authority.map(|authority| TlsFiles { authority, identity, server_name });
    let wrong = |error: String| vec![Finding::bad(error, "see the files above")];
    let token = match Token::find(args.token_file.as_deref()) {
        Ok(token) => token,
        Err(error) => return wrong(error.to_string()),
    };
    let address = match Address::new(join, token, tls) {
        Ok(address) => address,
        Err(error) => return wrong(error.to_string()),
    };
    let socket = knock(&address).await;
    if socket.is_failure() {
        return vec![socket];
    }
    let greeting = match address.dial().await {
        Err(error) => {
            Finding::bad(error.to_string(), "are --tls-ca and --tls-name those of the coordinator?")
        }
        Ok(channel) => greet(&address, channel).await,
    };
    vec![socket, greeting]
}

/// Opens a socket, of which nothing more is asked.
async fn knock(address: &Address) -> Finding {
    let host_and_port = address.to_string();
    let started = Instant::now();
    let opening = tokio::net::TcpStream::connect(&host_and_port);
    let socket = tokio::time::timeout(PATIENCE, opening).await;
    let took = started.elapsed();
    match socket {
        Ok(Ok(_)) if took < FAR => {
            Finding::good(format!("{address} answers after {:.1} ms", 1e3 * took.as_secs_f64()))
        }
        Ok(Ok(_)) => Finding::slow(
            format!("{address} answers after {:.0} ms", 1e3 * took.as_secs_f64()),
            "such a worker needs much in flight: short searches have little use for it",
        ),
        Ok(Err(error)) => Finding::bad(
            format!("{address}: {error}"),
            "is a coordinator there (--listen), and does its firewall let the port in?",
        ),
        Err(_) => Finding::bad(
            format!("{address}: no answer in {} s", PATIENCE.as_secs()),
            "a firewall on the way may drop what it does not know",
        ),
    }
}

/// Asks what is spoken there, which only whoever may join is told.
async fn greet(address: &Address, channel: Channel) -> Finding {
    let asked = tokio::time::timeout(PATIENCE, services(address, channel)).await;
    match asked {
        Ok(Ok(names)) if names.iter().any(|name| name == SERVICE) => {
            Finding::good("a coordinator is there, and would let a worker in from here")
        }
        Ok(Ok(_)) => {
            Finding::bad("something else answers there", "is it the right port? 7337 is usual")
        }
        Ok(Err(status))
            if [Code::Unauthenticated, Code::PermissionDenied].contains(&status.code()) =>
        {
            let help = "give the coordinator's token with --token-file";
            Finding::bad(
                format!("it does not let workers in from here: {}", status.message()),
                help,
            )
        }
        Ok(Err(status)) => match address.hung_up(&status) {
            Some(hung_up) => Finding::bad(hung_up.to_string(), "it may want TLS or a certificate"),
            None => Finding::bad(status.to_string(), "is a coordinator of Banyan there?"),
        },
        Err(_) => Finding::bad("it says nothing", "is a coordinator of Banyan there?"),
    }
}

async fn services(address: &Address, channel: Channel) -> Result<Vec<String>, Status> {
    let ask = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let asks = address.authorize(Request::new(tokio_stream::iter([ask])));
    let mut client = ServerReflectionClient::new(channel);
    let mut answers = client.server_reflection_info(asks).await?.into_inner();
    match answers.message().await?.and_then(|answer| answer.message_response) {
        Some(MessageResponse::ListServicesResponse(list)) => {
            Ok(list.service.into_iter().map(|service| service.name).collect())
        }
        _ => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_others_may_read_and_certificates_that_are_none_are_told_of() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token");
        std::fs::write(&path, "0123456789abcdef").expect("written");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).expect("ours");
        assert!(secret(&path, "token").to_string().contains("chmod 600"));
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).expect("ours");
        assert!(!secret(&path, "token").to_string().contains("chmod"));
        let none = certificate(&path, "certificate");
        assert!(none.is_failure() && none.to_string().contains("no certificate in PEM"), "{none}");
        assert!(certificate(&folder.path().join("nowhere"), "authority").is_failure());
    }

    #[test]
    fn a_certificate_of_another_authority_is_told_of() {
        let [ours, theirs] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        for folder in [&ours, &theirs] {
            let wish = crate::certs::Wish {
                hosts: vec!["one.example".to_owned()],
                workers: vec!["oak".to_owned()],
                from: SystemTime::now(),
                valid: Duration::from_secs(86_400 * 30),
            };
            crate::certs::make(folder.path(), &wish).expect("certificates");
        }
        let oak = ours.path().join("oak.pem");
        assert!(foreign(&oak, &ours.path().join("ca.pem")).is_none());
        let found = foreign(&oak, &theirs.path().join("ca.pem")).expect("another one's");
        assert!(found.to_string().contains("not signed by"), "{found}");
    }

    #[tokio::test]
    async fn a_port_alone_is_one_of_this_machine() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let meant = listener.local_addr().expect("bound");
        let address = Address::new(&meant.port().to_string(), None, None).expect("an address");
        let found = knock(&address).await;
        assert!(!found.is_failure(), "{found}");
        assert!(found.to_string().contains(&format!("{meant} answers")), "{found}");
    }
}

//! `banyan certs`: an authority of one's own, and what it signs.
//!
//! Reading order: `files` (what is made, and what is kept), then here what was typed and what is said.

mod files;

use std::io::Write;
use std::net::Ipv6Addr;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use banyan_worker::typed::duration;
use clap::Args;

pub use files::{CertsError, Pair, Wish, is_signed, make};

/// Options of `banyan certs`.
#[derive(Clone, Debug, Args)]
pub struct CertsArgs {
    /// Where they go. What is there already is kept, and what is missing is made with the authority
    /// that is there.
    #[arg(default_value = "certs", value_name = "FOLDER")]
    pub folder: PathBuf,
    /// A name or address at which workers reach the coordinator, several times [default: localhost,
    /// its addresses, and this machine's name].
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// A certificate for a worker, several times; workers may share one.
    #[arg(long = "worker", value_name = "NAME", default_value = "worker")]
    pub workers: Vec<String>,
    /// How long the certificates are good for, those that the authority signs at most as long as it is.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1year")]
    pub valid: Duration,
}

/// Makes what is missing, and says what there is and what to type next.
///
/// # Errors
/// Names the file or the name that cannot be used.
pub fn run(args: &CertsArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let wish = Wish {
        hosts: if args.hosts.is_empty() { this_machine() } else { args.hosts.clone() },
        workers: args.workers.clone(),
        from: SystemTime::now(),
        valid: args.valid,
    };
    let pairs = make(&args.folder, &wish)?;
    for Pair { certificate, key, is_new } in &pairs {
        let what = if *is_new { "made" } else { "kept" };
        writeln!(out, "{what} {} and {}", certificate.display(), key.display())?;
    }
    if let [authority, coordinator, worker, ..] = &pairs[..] {
        if !coordinator.is_new && !args.hosts.is_empty() {
            writeln!(
                out,
                "{} was there, and holds for the names that it was made with alone: --host adds none; remove it \
                 and its key to have it made anew",
                coordinator.certificate.display()
            )?;
        }
        write!(out, "{}", next(&wish, [authority, coordinator, worker]))?;
    }
    Ok(())
}

fn this_machine() -> Vec<String> {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned(), name]
}

/// Commands to type next.
fn next(wish: &Wish, [authority, coordinator, worker]: [&Pair; 3]) -> String {
    let ca = authority.certificate.display();
    let (cert, key) = (coordinator.certificate.display(), coordinator.key.display());
    let (own, own_key) = (worker.certificate.display(), worker.key.display());
    // One that was there is for the names that it was made with.
    let is_for_them = coordinator.is_new;
    let host = wish.hosts.last().filter(|_| is_for_them).map_or("HOST", String::as_str);
    let host = before_port(host);
    format!(
        "\nThe coordinator:\n  banyan search --listen 0.0.0.0:7337 \
         --tls-cert {cert} --tls-key {key} --tls-client-ca {ca}\n\nA worker, which needs these three \
         files:\n  banyan-worker --join {host}:7337 --tls-ca {ca} --tls-cert {own} --tls-key \
         {own_key}\n\nKeep {authority_key} where only you can read it: whoever has it can make more.\n",
        authority_key = authority.key.display(),
    )
}

/// A host as it stands before a port: the colons of IPv6 are put in brackets.
fn before_port(host: &str) -> String {
    match host.parse::<Ipv6Addr>() {
        Ok(address) => format!("[{address}]"),
        Err(_) => host.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(folder: &std::path::Path, host: &str, worker: &str) -> anyhow::Result<String> {
        let args = CertsArgs {
            folder: folder.to_owned(),
            hosts: vec![host.to_owned()],
            workers: vec![worker.to_owned()],
            valid: Duration::from_secs(3600),
        };
        let mut out = Vec::new();
        run(&args, &mut out)?;
        Ok(String::from_utf8(out)?)
    }

    #[test]
    fn a_name_that_a_kept_certificate_does_not_have_is_not_to_be_joined() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = told(folder.path(), "one.example", "oak").expect("certificates");
        assert!(made.contains("--join one.example:7337"), "{made}");
        let kept = told(folder.path(), "two.example", "oak").expect("certificates");
        assert!(kept.contains("--join HOST:7337") && kept.contains("--host adds none"), "{kept}");
    }

    #[test]
    fn what_another_authority_signed_is_not_kept_beside_a_new_one() {
        let folder = tempfile::tempdir().expect("a folder");
        told(folder.path(), "one.example", "oak").expect("certificates");
        told(folder.path(), "one.example", "oak").expect("they are kept");
        let remove = |names: &[&str]| {
            let path = |name: &&str| folder.path().join(name);
            names.iter().for_each(|name| std::fs::remove_file(path(name)).expect("it was there"));
        };
        remove(&["ca.pem", "ca-key.pem"]);
        for name in ["coordinator", "oak"] {
            let refused = told(folder.path(), "one.example", "oak").expect_err("of another");
            let words = format!("{name}.pem was not signed by");
            assert!(refused.to_string().contains(&words), "{refused}");
            remove(&[&format!("{name}.pem"), &format!("{name}-key.pem")]);
        }
        told(folder.path(), "one.example", "oak").expect("all by the new one");
    }

    #[test]
    fn nothing_is_good_longer_than_the_authority_that_signs_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let ends = |name: &str| {
            let text = std::fs::read(folder.path().join(name)).expect("a certificate");
            let (_, pem) = x509_parser::pem::parse_x509_pem(&text).expect("PEM");
            pem.parse_x509().expect("a certificate").validity().not_after.timestamp()
        };
        told(folder.path(), "one.example", "oak").expect("certificates");
        let from = SystemTime::now();
        let wish = |valid, from| Wish {
            hosts: vec!["one.example".to_owned()],
            workers: vec!["elm".to_owned()],
            from,
            valid,
        };
        make(folder.path(), &wish(Duration::from_secs(86_400), from)).expect("one more");
        assert!((ends("ca.pem") - ends("elm.pem")).abs() <= 1);
        let later = from + Duration::from_secs(7200);
        let refused = make(folder.path(), &wish(Duration::from_secs(60), later));
        let refused = refused.expect_err("it has ended").to_string();
        assert!(refused.contains("ca.pem: good until"), "{refused}");
    }

    #[test]
    fn an_address_of_ipv6_is_joined_in_brackets() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = told(folder.path(), "::1", "oak").expect("certificates");
        assert!(made.contains("--join [::1]:7337 "), "{made}");
    }

    #[test]
    fn no_worker_gets_the_files_of_another() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["ca", "coordinator", "oak-key", "../oak", ""] {
            let refused = told(folder.path(), "one.example", name).expect_err(name).to_string();
            assert!(refused.contains("is no name for a worker"), "{refused}");
        }
    }
}

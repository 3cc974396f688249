//! `banyan certs`: an authority of one's own, and what it signs.
//!
//! Reading order: `files` (what is made, and what is kept), then here what was typed and what is said.

mod files;

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use banyan_worker::typed::duration;
use clap::Args;

pub use files::{CertsError, Pair, Wish, make};

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
    /// How long the certificates are good for.
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
    let host = wish.hosts.last().map_or("localhost", String::as_str);
    format!(
        "\nThe coordinator:\n  banyan search --listen 0.0.0.0:7337 \
         --tls-cert {cert} --tls-key {key} --tls-client-ca {ca}\n\nA worker, which needs these three \
         files:\n  banyan-worker --join {host}:7337 --tls-ca {ca} --tls-cert {own} --tls-key \
         {own_key}\n\nKeep {authority_key} where only you can read it: whoever has it can make more.\n",
        authority_key = authority.key.display(),
    )
}

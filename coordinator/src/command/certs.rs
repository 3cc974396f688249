//! `banyan certs`: an authority of one's own, and what it signs.

use std::io::Write as _;
use std::time::SystemTime;

use crate::certs::{self, Pair, Wish};
use crate::cli::CertsArgs;

pub(super) fn run(args: &CertsArgs) -> anyhow::Result<()> {
    let wish = Wish {
        hosts: if args.hosts.is_empty() { this_machine() } else { args.hosts.clone() },
        workers: args.workers.clone(),
        from: SystemTime::now(),
        valid: args.valid,
    };
    let pairs = certs::make(&args.folder, &wish)?;
    let mut out = std::io::stdout().lock();
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

//! `banyan doctor`: what of this machine and of the way to a coordinator would be slow or would fail, and
//! what helps.
//!
//! Reading order: `finding` (what is said), `machine` (processor, memory, limits), `speed` (playouts,
//! measured), `way` (address, token, certificates).

mod finding;

mod machine;

mod speed;

mod way;

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use finding::Finding;

/// Options of `banyan doctor`.
#[derive(Clone, Debug, Args)]
pub struct DoctorArgs {
    /// A coordinator to try to reach, as a worker would.
    #[arg(long, env = "BANYAN_JOIN", value_name = "HOST:PORT")]
    pub join: Option<String>,
    /// The file with the token; without it the variable BANYAN_TOKEN is looked at.
    #[arg(long, env = "BANYAN_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// The authority that signed the coordinator's certificate (PEM).
    #[arg(long, env = "BANYAN_TLS_CA", value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
    /// This machine's certificate (PEM).
    #[arg(long, env = "BANYAN_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// Its key (PEM).
    #[arg(long, env = "BANYAN_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// The name in the coordinator's certificate [default: the host of --join].
    #[arg(long, env = "BANYAN_TLS_NAME", value_name = "NAME", requires = "tls_ca")]
    pub tls_name: Option<String>,
    /// Measure no playouts.
    #[arg(long)]
    pub quick: bool,
}

/// Looks, and says what it finds.
///
/// # Errors
/// How many things would fail; and whatever keeps `out` from being written to.
pub fn run(args: &DoctorArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut failed = 0;
    let mut tell = |title: &str, findings: Vec<Finding>| -> std::io::Result<()> {
        writeln!(out, "{title}")?;
        for finding in findings {
            failed += usize::from(finding.is_failure());
            writeln!(out, "  {finding}")?;
        }
        out.flush()
    };
    tell("this machine", machine::look())?;
    if !args.quick {
        tell("playouts", speed::measure())?;
    }
    if args.token_file.is_some() || args.tls_ca.is_some() || args.tls_cert.is_some() {
        tell("files", way::files(args))?;
    }
    match &args.join {
        Some(join) => tell("the way to a coordinator", way::reach(args, join))?,
        None => writeln!(out, "say --join HOST:PORT to have the way to a coordinator looked at")?,
    }
    match failed {
        0 => Ok(()),
        1 => bail!("one thing would fail"),
        failed => bail!("{failed} things would fail"),
    }
}

//! The worker's process: logs, options, signals, and the link.

use std::io::IsTerminal as _;
use std::process::ExitCode;

use anyhow::Context as _;
use banyan_worker::{cli::Cli, link, profile};
use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let filter = EnvFilter::try_from_env("BANYAN_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let colors = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colors);
    log.with_writer(std::io::stderr).init();
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Input and output on one thread; playouts have threads of their own.
fn run(cli: &Cli) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(work(cli))
}

async fn work(cli: &Cli) -> anyhow::Result<()> {
    let mut term = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for Ctrl-C")?;
    let drain = async move {
        tokio::select! { _ = term.recv() => {}, _ = interrupt.recv() => {} }
        tokio::spawn(async move {
            tokio::select! { _ = term.recv() => {}, _ = interrupt.recv() => {} }
            std::process::exit(130);
        });
    };
    link::run(cli.address()?, profile(&cli.name(), cli.threads()), drain).await?;
    Ok(())
}

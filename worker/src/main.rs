//! The worker's process: logs, options, signals, and the link.

use std::process::ExitCode;

use anyhow::Context as _;
use banyan_worker::{cli::Cli, link, profile};
use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};

fn main() -> ExitCode {
    let cli = Cli::parse();
    banyan_worker::log::begin(cli.log);
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

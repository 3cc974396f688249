//! The worker's process: logs, options, signals, and the link.

use std::process::ExitCode;

use anyhow::Context as _;
use banyan_katago::Config;
use banyan_worker::cli::Cli;
use banyan_worker::link::{self, Hand, LinkError};
use banyan_worker::{katago, log, profile};
use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| log::refuse(&error));
    let _log = log::begin(cli.log);
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::fail(cli.log, &error);
            ExitCode::FAILURE
        }
    }
}

/// Input and output on one thread; playouts have threads of their own.
fn run(cli: &Cli) -> anyhow::Result<()> {
    if let Some(file) = &cli.write_katago_config {
        Config { batch: cli.katago_batch, side: cli.katago_side }.write(file, cli.force)?;
        tracing::info!(
            "written: {}; it is for katago analysis -config {0} -model FILE",
            file.display()
        );
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(work(cli))
}

async fn work(cli: &Cli) -> anyhow::Result<()> {
    let (drain, draining) = watch::channel(false);
    let mut term = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for Ctrl-C")?;
    let stay = cli.stay(rand::random());
    let lifetime = async move {
        match stay {
            Some(stay) => tokio::time::sleep(stay).await,
            None => std::future::pending().await,
        }
    };
    tokio::spawn(async move {
        tokio::select! { _ = term.recv() => {}, _ = interrupt.recv() => {}, () = lifetime => {} }
        tracing::info!("draining: finishing what is held, then leaving");
        drain.send_replace(true);
        tokio::select! { _ = term.recv() => {}, _ = interrupt.recv() => {} }
        std::process::exit(130);
    });
    let drained = || {
        let mut draining = draining.clone();
        async move { drop(draining.wait_for(|&draining| draining).await) }
    };
    let (address, name) = (cli.address()?, cli.name());
    let playing = async {
        match cli.threads()? {
            0 => Ok(()),
            threads => {
                let hand = Hand::playing(profile(&name, threads), cli.model_cache());
                link::run(address.clone(), hand, drained()).await.map_err(anyhow::Error::from)
            }
        }
    };
    let judging = async {
        let Some(command) = cli.katago.clone() else { return Ok(()) };
        match katago::run(address.clone(), &name, command, drained()).await {
            // The threads that play out are worth as much without it.
            Err(error @ LinkError::Refused(_)) if cli.threads()? > 0 => {
                tracing::warn!("KataGo judges no more until this worker is started again: {error}");
                Ok(())
            }
            ended => ended.map_err(anyhow::Error::from),
        }
    };
    tokio::try_join!(playing, judging)?;
    Ok(())
}

//! `banyan serve`: a coordinator that stays up, for workers that join and front ends that attach.

use std::sync::mpsc;

use anyhow::Context as _;

use crate::cli::ServeArgs;
use crate::config;
use crate::node::Node;
use crate::signals;

pub(super) fn run(args: &ServeArgs) -> anyhow::Result<()> {
    let setup = config::serving(args)?;
    let node = Node::start(&setup).context("cannot start the cluster")?;
    if let Some(address) = node.listening() {
        tracing::info!("front ends may attach: banyan gtp --remote {address}");
        tracing::info!("workers may join: banyan-worker --join {address}");
    }
    let (stop, stopped) = mpsc::channel();
    signals::on_stop(move || {
        let _ = stop.send(());
    })?;
    let _ = stopped.recv();
    tracing::info!("stopping: workers and front ends are told");
    Ok(())
}

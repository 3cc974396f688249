//! The commands: each takes what was configured, starts a cluster, and does its work. What needs no cluster
//! is done by [`banyan_cli::command`].

mod bench;

mod book;

mod farm;

mod gomocup;

mod gtp;

mod home;

mod nboard;

mod rules;

mod search;

mod serve;

mod solve;

mod train;

use anyhow::Context as _;
use banyan_cli::command::model;
use banyan_cli::options::{Cli, Command, EngineArgs, WaitArgs};
use banyan_operator::parameters::ParamsArgs;
use banyan_operator::{certs, doctor, manual, parameters, slurm, top};
use clap::CommandFactory as _;

use crate::node::{Node, Setup};
use crate::site;

/// Does what was asked.
///
/// # Errors
/// Anything that keeps the command from being done, in words for people.
pub fn run(command: &Command) -> anyhow::Result<()> {
    let out = &mut std::io::stdout();
    if let Some(args) = command.engine().filter(|args| asks_for_parameters(args)) {
        return parameters::run(&ParamsArgs { game: args.game, json: false }, out);
    }
    match command {
        Command::Search(args) => search::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Gtp(args) => gtp::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Nboard(args) => nboard::run(args),
        Command::Gomocup(args) => gomocup::run(args),
        Command::Book(args) => book::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Model(args) => model::run(args),
        Command::Train(args) => train::run(args, out),
        Command::Rules(args) => rules::run(args, out),
        Command::Certs(args) => certs::run(args, out),
        Command::Top(args) => top::run(args, out),
        Command::Doctor(args) => doctor::run(args, &mut anstream::stdout()),
        Command::Slurm(args) => slurm::run(args, out),
        Command::Params(args) => parameters::run(args, out),
        Command::Completions(args) => manual::completions(args, Cli::command(), out),
        Command::Man(args) => {
            let pages = manual::pages(args, Cli::command())?;
            tracing::info!("{pages} manual pages are in {}", args.folder.display());
            Ok(())
        }
    }
}

/// Tells whether `--set help` was said, instead of a setting.
fn asks_for_parameters(args: &EngineArgs) -> bool {
    args.set.iter().any(|setting| setting.split('=').next().is_some_and(|it| it.trim() == "help"))
}

/// A cluster as configured, with the workers that were to be waited for.
fn gather(setup: &Setup, wait: &WaitArgs) -> anyhow::Result<Node> {
    let node = Node::start(setup).context("cannot start the cluster")?;
    if let Some(address) = node.listening().map(site::dialled) {
        tracing::info!("workers may join: banyan-worker --join {address}");
    }
    let WaitArgs { min_workers, join_timeout } = *wait;
    let came = node.cluster().link().wait_for_workers(min_workers, join_timeout);
    if came < min_workers {
        let (wanted, waited) = (min_workers, join_timeout.as_secs_f32());
        tracing::warn!("{came} of {wanted} workers joined within {waited} s: going on with these");
    } else if min_workers > 0 {
        tracing::info!("{came} workers are here: the clock starts");
    }
    Ok(node)
}

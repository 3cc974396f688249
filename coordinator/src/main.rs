//! The coordinator's program.

use std::io::{self, BufReader};

use anyhow::Context as _;
use banyan::cli::{Cli, Command, GtpArgs};
use banyan::cluster::Cluster;
use banyan::config::Config;
use banyan::gtp;
use banyan::session::{Limits, Session};
use banyan_games::{Kind, with_game};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Gtp(args) => play_gtp(&args),
        _ => anyhow::bail!("not yet"),
    }
}

fn play_gtp(args: &GtpArgs) -> anyhow::Result<()> {
    let config = Config::new(&args.engine)?;
    let cluster = Cluster::start(&config.setup)?;
    let options = gtp::Options {
        resign: (args.engine.game == Kind::Go).then_some(args.resign),
        explicit: Limits { time: args.engine.time, playouts: args.engine.playouts },
    };
    with_game!(&config.rules, G, rules => {
        let session = Session::<G>::new(rules, cluster.link(), &config)?;
        gtp::run(BufReader::new(io::stdin()), io::stdout().lock(), session, options)
    })
    .context("cannot answer")
}

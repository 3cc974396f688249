//! `banyan gtp`: a session on standard input and output.

use std::io::{self, BufReader};
use std::sync::Arc;

use anyhow::Context as _;
use banyan_games::with_game;

use crate::cli::GtpArgs;
use crate::cluster::Cluster;
use crate::gtp::{self, Options};
use crate::session::{Limits, Session};
use crate::signals;

pub(super) fn run(args: &GtpArgs) -> anyhow::Result<()> {
    let (config, cluster) = super::start(&args.engine)?;
    let options = Options {
        resign: args.resign,
        explicit: Limits { time: args.engine.time, playouts: args.engine.playouts },
    };
    let cluster = Arc::new(cluster);
    say_farewell_on_signal(&cluster)?;
    with_game!(&config.rules, G, rules => {
        let session = Session::<G>::new(rules, cluster.link(), &config)?;
        gtp::run(BufReader::new(io::stdin()), io::stdout().lock(), session, options)
    })
    .context("cannot answer")
}

/// A thread waits for the next line of input and cannot be woken: the process ends under it, once the
/// workers have been told.
fn say_farewell_on_signal(cluster: &Arc<Cluster>) -> io::Result<()> {
    let link = cluster.link().clone();
    signals::on_stop(move || {
        link.farewell();
        std::process::exit(0);
    })
}

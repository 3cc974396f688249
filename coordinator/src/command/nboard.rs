//! `banyan nboard`: a session of Othello on standard input and output.

use std::io::{self, BufReader};

use anyhow::Context as _;
use banyan_cli::options::{EngineArgs, NboardArgs};
use banyan_frontends::nboard;
use banyan_games::Kind;
use banyan_games::othello::{Othello, OthelloRules};

use super::home::Home;

pub(super) fn run(args: &NboardArgs) -> anyhow::Result<()> {
    let engine = EngineArgs { game: Kind::Othello, ponder: false, ..args.engine.clone() };
    let (config, home) = Home::find(&engine, &args.remote, &args.opening_book)?;
    let (session, _node) = home.session::<Othello>(&OthelloRules, &config.search.settings)?;
    nboard::run(BufReader::new(io::stdin()), io::stdout().lock(), session).context("cannot answer")
}

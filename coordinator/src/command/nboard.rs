//! `banyan nboard`: a session of Othello on standard input and output.

use std::io::{self, BufReader};

use anyhow::Context as _;
use banyan_frontends::nboard;
use banyan_games::Kind;
use banyan_games::othello::{Othello, OthelloRules};

use super::home::Home;
use crate::cli::{EngineArgs, NboardArgs};
use crate::config;

pub(super) fn run(args: &NboardArgs) -> anyhow::Result<()> {
    let engine = EngineArgs { game: Kind::Othello, ..args.engine.clone() };
    let (mut config, home) = Home::find(&engine, &args.remote)?;
    config.settings.book = config::opening(&args.opening_book, &config.rules)?;
    let (session, _node) = home.session::<Othello>(&OthelloRules, &config.settings)?;
    nboard::run(BufReader::new(io::stdin()), io::stdout().lock(), session).context("cannot answer")
}

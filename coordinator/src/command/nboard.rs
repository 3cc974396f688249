//! `banyan nboard`: a session of Othello on standard input and output.

use std::io::{self, BufReader};

use anyhow::Context as _;
use banyan_games::Kind;
use banyan_games::othello::{Othello, OthelloRules};

use crate::cli::{EngineArgs, NboardArgs};
use crate::nboard;
use crate::session::Session;

pub(super) fn run(args: &NboardArgs) -> anyhow::Result<()> {
    let engine = EngineArgs { game: Kind::Othello, ..args.engine.clone() };
    let (config, cluster) = super::start(&engine)?;
    let session = Session::<Othello>::new(&OthelloRules, cluster.link(), &config)?;
    nboard::run(BufReader::new(io::stdin()), io::stdout().lock(), session).context("cannot answer")
}

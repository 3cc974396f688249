//! `banyan gomocup`: a session of Gomoku on standard input and output.

use std::io::{self, BufReader};

use anyhow::Context as _;
use banyan_games::{Kind, Rules};

use crate::cli::{EngineArgs, GomocupArgs};
use crate::config::Config;
use crate::gomocup;

pub(super) fn run(args: &GomocupArgs) -> anyhow::Result<()> {
    let engine = EngineArgs { game: Kind::Gomoku, ..args.engine.clone() };
    let config = Config::to_play(&engine)?;
    let cluster = super::gather(&config.setup, &config.wait)?;
    let Rules::Gomoku(rules) = &config.rules else { anyhow::bail!("gomocup plays Gomoku alone") };
    let game = (rules, cluster.link(), &config);
    gomocup::run(BufReader::new(io::stdin()), io::stdout().lock(), game).context("cannot answer")
}

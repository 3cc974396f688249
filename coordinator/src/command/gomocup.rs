//! `banyan gomocup`: a session of Gomoku on standard input and output.

use std::io::{self, BufReader};

use anyhow::Context as _;
use banyan_cli::options::{EngineArgs, GomocupArgs};
use banyan_engine::{Session, Settings};
use banyan_frontends::gomocup;
use banyan_games::gomoku::GomokuRules;
use banyan_games::{Kind, Rules};

use crate::config::Config;

pub(super) fn run(args: &GomocupArgs) -> anyhow::Result<()> {
    let engine = EngineArgs { game: Kind::Gomoku, ponder: false, ..args.engine.clone() };
    let mut config = Config::to_play(&engine)?;
    config.open_by(&args.opening_book)?;
    let node = super::gather(&config.setup, &config.wait)?;
    let Rules::Gomoku(rules) = &config.search.rules else {
        anyhow::bail!("gomocup plays Gomoku alone")
    };
    let make_session = move |rules: &GomokuRules, settings: &Settings| {
        let mut session = Session::new(rules, node.cluster().lender(), settings)?;
        node.show(&mut session);
        Ok(session)
    };
    let options = gomocup::Options {
        rules: rules.clone(),
        make_session: Box::new(make_session),
        settings: config.search.settings.clone(),
        asked_time: config.search.asked_time,
    };
    gomocup::run(BufReader::new(io::stdin()), io::stdout().lock(), options).context("cannot answer")
}

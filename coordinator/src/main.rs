//! The coordinator's process: logs, options, and the command that was asked for.

use std::io::IsTerminal as _;
use std::path::Path;
use std::process::ExitCode;

use banyan::cli::Cli;
use banyan::{command, config};
use clap::{CommandFactory, FromArgMatches};
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let filter = EnvFilter::try_from_env("BANYAN_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let colors = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colors);
    log.with_writer(std::io::stderr).init();
    match parse().and_then(|cli| command::run(&cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn parse() -> anyhow::Result<Cli> {
    let mut root = Cli::command();
    let file = std::env::var("BANYAN_CONFIG").unwrap_or_else(|_| "banyan.toml".to_owned());
    let file = Path::new(&file);
    if file.exists() {
        root = config::apply_file(root, file, config::read_file(file)?)?;
    }
    Ok(Cli::from_arg_matches(&root.get_matches())?)
}

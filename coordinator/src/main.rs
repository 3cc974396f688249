//! The coordinator's process: logs, options, and the command that was asked for.

use std::path::Path;
use std::process::ExitCode;

use banyan::command;
use banyan_cli::file;
use banyan_cli::options::{self, Cli};
use banyan_worker::log::{self, LogArgs};
use clap::{CommandFactory, FromArgMatches};

fn main() -> ExitCode {
    let cli = parse();
    let args = cli.as_ref().map_or_else(|_| LogArgs::default(), |cli| cli.log);
    let _log = log::begin(args);
    match cli.and_then(|cli| command::run(&cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::fail(args, &error);
            ExitCode::from(2)
        }
    }
}

fn parse() -> anyhow::Result<Cli> {
    let mut root = Cli::command();
    let named = std::env::var("BANYAN_CONFIG").ok().filter(|named| !named.is_empty());
    let path = Path::new(named.as_deref().unwrap_or("banyan.toml"));
    // A file that was named must be there.
    if named.is_some() || path.exists() {
        root = file::apply(root, path, file::read(path)?)?;
    }
    let matches = root.try_get_matches().unwrap_or_else(|error| log::refuse(&error));
    options::refuse_void(&matches)?;
    Ok(Cli::from_arg_matches(&matches)?)
}

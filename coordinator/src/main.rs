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
    let path = std::env::var("BANYAN_CONFIG").unwrap_or_else(|_| "banyan.toml".to_owned());
    let path = Path::new(&path);
    if path.exists() {
        root = file::apply(root, path, file::read(path)?)?;
    }
    let matches = root.try_get_matches().unwrap_or_else(|error| log::refuse(&error));
    options::refuse_void(&matches)?;
    Ok(Cli::from_arg_matches(&matches)?)
}

//! The coordinator's process: logs, options, and the command that was asked for.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use banyan::command;
use banyan_cli::options::{self, Cli};
use banyan_cli::{file, precedence};
use banyan_worker::log::{self, LogArgs};
use clap::FromArgMatches;

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
    let named = std::env::var("BANYAN_CONFIG").ok().filter(|named| !named.is_empty());
    let path = Path::new(named.as_deref().unwrap_or("banyan.toml"));
    // A file that was named must be there.
    let is_there = named.is_some() || path.exists();
    let values = if is_there { file::read(path)? } else { BTreeMap::new() };
    let typed: Vec<OsString> = std::env::args_os().collect();
    let (root, values) = precedence::settle(options::command(), &typed, values);
    let root = file::apply(root, path, values)?;
    let matches = root.try_get_matches_from(typed).unwrap_or_else(|error| log::refuse(&error));
    options::refuse_void(&matches)?;
    Ok(Cli::from_arg_matches(&matches)?)
}

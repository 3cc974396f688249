//! The coordinator's process: logs, options, and the command that was asked for.

use std::path::Path;
use std::process::ExitCode;

use banyan::cli::{self, Cli};
use banyan::{command, config};
use banyan_worker::log::{self, LogArgs};
use clap::{CommandFactory, FromArgMatches};

fn main() -> ExitCode {
    let cli = parse();
    let args = cli.as_ref().map_or_else(|_| LogArgs::default(), |cli| cli.log);
    log::begin(args);
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
    let file = std::env::var("BANYAN_CONFIG").unwrap_or_else(|_| "banyan.toml".to_owned());
    let file = Path::new(&file);
    if file.exists() {
        root = config::apply_file(root, file, config::read_file(file)?)?;
    }
    let matches = root.get_matches();
    cli::refuse_void(&matches)?;
    Ok(Cli::from_arg_matches(&matches)?)
}

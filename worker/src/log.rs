//! What the programs log, and how: to standard error, for people or for programs.

use std::io::IsTerminal as _;

use clap::{Args, ValueEnum};
use tracing_subscriber::EnvFilter;

/// How log lines look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// A line of text each.
    #[default]
    Text,
    /// A JSON object each.
    Json,
}

/// Options about logs that both programs have.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct LogArgs {
    /// Log to standard error as lines of text, or as JSON objects. BANYAN_LOG says how much: error,
    /// warn, info, debug, or info,banyan::rpc=debug.
    #[arg(long, env = "BANYAN_LOG_FORMAT", value_enum, default_value_t, global = true)]
    #[arg(help_heading = "Log", value_name = "FORMAT")]
    pub log_format: LogFormat,
}

/// Begins to log.
pub fn begin(args: LogArgs) {
    let filter = EnvFilter::try_from_env("BANYAN_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match args.log_format {
        LogFormat::Text => log.with_ansi(std::io::stderr().is_terminal()).init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}

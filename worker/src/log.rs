//! Logs of the programs: to standard error, for people or for programs.

use std::io::IsTerminal as _;

use clap::{Args, ValueEnum};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

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
///
/// A `BANYAN_LOG` that cannot be read is said, and counts as `info`.
pub fn begin(args: LogArgs) {
    let asked = std::env::var("BANYAN_LOG").unwrap_or_default();
    let parsed = asked.parse::<Targets>();
    let fallback = || {
        let ours = Targets::new().with_default(LevelFilter::INFO);
        // What strangers do wrong on the wire is said at the door, not by the libraries below it.
        ours.with_targets(["h2", "hyper", "rustls"].map(|library| (library, LevelFilter::ERROR)))
    };
    let wrong = parsed.as_ref().err().map(ToString::to_string);
    let filter = parsed.ok().filter(|_| !asked.is_empty()).unwrap_or_else(fallback);
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines = tracing_subscriber::registry();
    match args.log_format {
        LogFormat::Text => {
            let log = log.with_ansi(std::io::stderr().is_terminal());
            lines.with(log.with_filter(filter)).init();
        }
        LogFormat::Json => lines.with(log.json().flatten_event(true).with_filter(filter)).init(),
    }
    if let Some(wrong) = wrong {
        tracing::warn!("BANYAN_LOG={asked}: {wrong}: expected a level, or info,banyan::rpc=debug");
    }
}

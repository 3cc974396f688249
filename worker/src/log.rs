//! Logs of the programs, and their last words: to standard error, for people or for programs.

use std::io::Write as _;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

use crate::traces::Exporter;

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

/// Begins to log, and to tell a collector of OpenTelemetry where there is one, for as long as what it returns is
/// kept.
///
/// A `BANYAN_LOG` that cannot be read is said, and counts as `info`.
#[must_use]
pub fn begin(args: LogArgs) -> Exporter {
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
    let exporter = Exporter::begin();
    let lines = tracing_subscriber::registry().with(exporter.layer());
    match args.log_format {
        LogFormat::Text => {
            let log = log.with_ansi(AutoStream::choice(&std::io::stderr()) != ColorChoice::Never);
            lines.with(log.with_filter(filter)).init();
        }
        LogFormat::Json => lines.with(log.json().flatten_event(true).with_filter(filter)).init(),
    }
    if let Some(wrong) = wrong {
        tracing::warn!("BANYAN_LOG={asked}: {wrong}: expected a level, or info,banyan::rpc=debug");
    }
    exporter.say_what_is_missing();
    exporter
}

/// The word before last words, as the command line's parser writes it.
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Says why the program ends: `error: …` for people, a line of the log for programs. Whoever stopped
/// reading what the program writes need not be told.
pub fn fail(args: LogArgs, error: &anyhow::Error) {
    let is_unread = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    if error.root_cause().downcast_ref().is_some_and(is_unread) {
        return;
    }
    let words = said_once(error);
    match args.log_format {
        LogFormat::Json => tracing::error!("{words}"),
        // Nobody is left to tell it to if standard error is closed.
        LogFormat::Text => _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {words}"),
    }
}

/// Ends the process with what is wrong with its options, or with the help that was asked for.
pub fn refuse(error: &clap::Error) -> ! {
    let said = in_words(&error.render().ansi().to_string());
    if error.use_stderr() {
        anstream::eprint!("{said}");
    } else {
        anstream::print!("{said}");
    }
    std::process::exit(error.exit_code())
}

/// A text in which the standard library's errors of numbers say what was expected.
fn in_words(said: &str) -> String {
    let whole = "expected a whole number";
    let words = [
        ("invalid digit found in string", whole),
        ("cannot parse integer from empty string", whole),
        ("number would be zero for non-zero type", "expected 1 or more"),
        ("number too large to fit in target type", "the number is too large"),
        ("number too small to fit in target type", "the number is too small"),
        ("invalid float literal", "expected a number"),
    ];
    words.iter().fold(said.to_owned(), |said, (raw, plain)| said.replace(raw, plain))
}

/// An error with its causes, but for those that the words before them hold already.
fn said_once(error: &anyhow::Error) -> String {
    let mut words = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if words.is_empty() {
            words = cause;
        } else if !words.contains(&cause) {
            words = format!("{words}: {cause}");
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;
    use tracing::Subscriber as _;

    use super::*;

    #[test]
    fn without_a_collector_nobody_makes_spans_that_nobody_gets() {
        let exporter = Exporter::begin();
        let log = tracing_subscriber::fmt::layer().with_filter(LevelFilter::INFO);
        let lines = tracing_subscriber::registry().with(exporter.layer()).with(log);
        assert_eq!(lines.max_level_hint(), Some(LevelFilter::INFO));
    }

    #[test]
    fn numbers_that_are_none_are_refused_with_what_was_expected() {
        for (typed, words) in [("x", "a whole number"), ("0", "1 or more"), ("", "a whole number")]
        {
            let raw = typed.parse::<std::num::NonZeroU32>().expect_err(typed).to_string();
            assert_eq!(in_words(&raw), format!("expected {words}"));
        }
        assert_eq!(in_words(&"x".parse::<f32>().expect_err("x").to_string()), "expected a number");
    }

    #[test]
    fn a_cause_that_was_said_is_not_said_again() {
        let cause = anyhow!("illegal move D4");
        assert_eq!(
            said_once(&cause.context("number 2: illegal move D4")),
            "number 2: illegal move D4"
        );
        let cause = anyhow!("no such file").context("cannot read a.sgf");
        assert_eq!(said_once(&cause), "cannot read a.sgf: no such file");
    }
}

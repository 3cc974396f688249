//! `banyan rules`: what can be typed, and what it does.

use std::io::Write;

use clap::{Args, Subcommand};

use crate::ebg::command::{self as ebg, Asked, Taught};

/// Options of `banyan rules`.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The commands.
#[derive(Clone, Debug, Subcommand)]
enum Command {
    /// Say whether a goal follows from a theory and facts, with its proof.
    Prove(Asked),
    /// Prove a goal, and print the rule that its proof becomes.
    Explain(Asked),
    /// Learn rules that cover a set of goals.
    Learn(Taught),
}

/// Runs a command; what it says goes to `out`.
///
/// # Errors
/// In words for people: files and options that are not as they should be.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Prove(asked) => ebg::prove(asked, out),
        Command::Explain(asked) => ebg::explain_goal(asked, out),
        Command::Learn(taught) => ebg::learn(taught, out),
    }
}

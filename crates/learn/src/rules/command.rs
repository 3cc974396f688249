//! `banyan rules`: what can be typed, and what it does.

use std::io::Write;

use clap::{Args, Subcommand};

use super::go::command as go;
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
    /// Write a position of Go as facts for the theory of Go.
    Facts(go::Position),
    /// Say which moves the theory of Go proves good in a position, and explain the best one.
    Go(go::Asked),
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
        Command::Facts(position) => go::print_facts(position, out),
        Command::Go(asked) => go::explain_move(asked, out),
    }
}

//! `banyan rules`: what can be typed, and what it does.

use std::io::Write;

use banyan_games::Kind;
use clap::{Args, Subcommand};

use super::go::command as go;
use super::zones::command as zones;
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
    /// Learn rules that cover a set of goals; with --game, rules of a game from what its solver proves.
    Learn(Box<Learn>),
    /// Write a page with a file's rules: board, conditions, proof, hits, saving.
    Show(zones::Shown),
    /// Judge a file's rules by the solver, on random completions of what they do not care about.
    Check(zones::Checked),
    /// Say what a file's rules save the solver.
    Measure(zones::Measured),
    /// Write a position of Go as facts for the theory of Go.
    Facts(go::Position),
    /// Say which moves the theory of Go proves good in a position, and explain the best one.
    Go(go::Asked),
}

/// What rules are learned from.
#[derive(Clone, Debug, Args)]
struct Learn {
    /// Learn rules of this game, instead of by a theory: go.
    #[arg(long)]
    game: Option<Kind>,
    #[command(flatten)]
    taught: Taught,
    #[command(flatten)]
    lesson: zones::Lesson,
}

fn learn(asked: &Learn, out: &mut impl Write) -> anyhow::Result<()> {
    match asked.game {
        None => ebg::learn(&asked.taught, out),
        Some(Kind::Go) => zones::learn_rules(&asked.lesson, out),
        Some(other) => anyhow::bail!("rules of {other} are not learned yet, only those of go"),
    }
}

/// Runs a command; what it says goes to `out`.
///
/// # Errors
/// In words for people: files and options that are not as they should be.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Prove(asked) => ebg::prove(asked, out),
        Command::Explain(asked) => ebg::explain_goal(asked, out),
        Command::Learn(asked) => learn(asked, out),
        Command::Show(shown) => zones::show(shown, out),
        Command::Check(checked) => zones::check(checked, out),
        Command::Measure(measured) => zones::measure_rules(measured, out),
        Command::Facts(position) => go::print_facts(position, out),
        Command::Go(asked) => go::explain_move(asked, out),
    }
}

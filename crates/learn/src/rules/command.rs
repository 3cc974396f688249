//! `banyan rules`: what can be typed, and what it does.

use std::io::Write;

use anyhow::Context as _;
use banyan_games::Kind;
use banyan_games::connect6::Connect6Rules;
use banyan_games::gomoku::GomokuRules;
use clap::{Args, Subcommand};

use super::go::command as go;
use super::lines::command as lines;
use super::options::{Checked, Lesson, Measured, Shown};
use super::zones::command as zones;
use super::{file, saving::Saving};
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
    Show(Shown),
    /// Judge a file's rules by the solver, on random completions of what they do not care about.
    Check(Checked),
    /// Say what a file's rules save the solver.
    Measure(Measured),
    /// Write a position of Go as facts for the theory of Go.
    Facts(go::Position),
    /// Say which moves the theory of Go proves good in a position, and explain the best one.
    Go(go::Asked),
}

/// What rules are learned from.
#[derive(Clone, Debug, Args)]
struct Learn {
    /// Learn rules of this game, instead of by a theory: go, gomoku or connect6.
    #[arg(long)]
    game: Option<Kind>,
    #[command(flatten)]
    taught: Taught,
    #[command(flatten)]
    lesson: Lesson,
}

fn learn(asked: &Learn, out: &mut impl Write) -> anyhow::Result<()> {
    match asked.game {
        None => ebg::learn(&asked.taught, out),
        Some(Kind::Go) => zones::learn_rules(&asked.lesson, out),
        Some(Kind::Gomoku) => lines::learn_rules::<GomokuRules>(&asked.lesson, out),
        Some(Kind::Connect6) => lines::learn_rules::<Connect6Rules>(&asked.lesson, out),
        Some(other) => anyhow::bail!("{}", not_learned(other)),
    }
}

fn not_learned(game: Kind) -> String {
    format!("rules of {game} are not learned yet, only those of go, gomoku and connect6")
}

fn show(shown: &Shown, out: &mut impl Write) -> anyhow::Result<()> {
    let page = match file::game_of(&shown.file)? {
        Kind::Go => zones::show(shown)?,
        Kind::Gomoku => lines::show::<GomokuRules>(shown)?,
        Kind::Connect6 => lines::show::<Connect6Rules>(shown)?,
        other => anyhow::bail!("{}", not_learned(other)),
    };
    match &shown.to {
        Some(to) => {
            std::fs::write(to, page).with_context(|| format!("cannot write {}", to.display()))
        }
        None => Ok(out.write_all(page.as_bytes())?),
    }
}

fn check(checked: &Checked, out: &mut impl Write) -> anyhow::Result<()> {
    match file::game_of(&checked.file)? {
        Kind::Go => zones::check(checked, out),
        Kind::Gomoku => lines::check::<GomokuRules>(checked, out),
        Kind::Connect6 => lines::check::<Connect6Rules>(checked, out),
        other => anyhow::bail!("{}", not_learned(other)),
    }
}

fn measure(measured: &Measured, out: &mut impl Write) -> anyhow::Result<()> {
    let saving: Saving = match file::game_of(&measured.file)? {
        Kind::Go => zones::measure_rules(measured)?,
        Kind::Gomoku => lines::measure_rules::<GomokuRules>(measured)?,
        Kind::Connect6 => lines::measure_rules::<Connect6Rules>(measured)?,
        other => anyhow::bail!("{}", not_learned(other)),
    };
    match measured.json {
        true => writeln!(out, "{}", serde_json::to_string(&saving)?)?,
        false => writeln!(out, "{saving}")?,
    }
    Ok(())
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
        Command::Show(shown) => show(shown, out),
        Command::Check(checked) => check(checked, out),
        Command::Measure(measured) => measure(measured, out),
        Command::Facts(position) => go::print_facts(position, out),
        Command::Go(asked) => go::explain_move(asked, out),
    }
}

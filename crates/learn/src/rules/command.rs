//! `banyan rules`: what can be typed, and what it does.

use std::io::Write;

use banyan_games::Kind;
use banyan_games::connect6::Connect6Rules;
use banyan_games::gomoku::GomokuRules;
use clap::{Args, Subcommand};

use super::go::command as go;
use super::learned::is_learned;
use super::lines::command as lines;
use super::options::{Checked, Lesson, Measured, Shown};
use super::page::PAGE;
use super::provers::{Call, Provers};
use super::theories::{self, Asked, Taught, print_with_room};
use super::zones::command as zones;
use super::{file, saving::Saving};
use crate::files::put_again;

/// Options of `banyan rules`.
#[derive(Clone, Debug, Args)]
pub struct Arguments<H: Args> {
    #[command(subcommand)]
    command: Command<H>,
}

/// The commands.
#[derive(Clone, Debug, Subcommand)]
enum Command<H: Args> {
    /// Say whether a goal follows from a theory and facts, with its proof.
    Prove(Asked),
    /// Prove a goal, and print the rule that its proof becomes.
    Explain(Asked),
    /// Learn rules that cover a set of goals; with --game, rules of a game from what its solver proves.
    Learn(Box<Learn<H>>),
    /// Write a page with a file's rules: board, conditions, proof, hits, saving.
    Show(Shown),
    /// Judge a file's rules by the solver, on random completions of what they do not care about.
    Check(Box<Check<H>>),
    /// Say what a file's rules save the solver.
    Measure(Measured),
    /// Write a position of Go as facts for the theory of Go.
    Facts(go::Position),
    /// Say which moves the theory of Go proves good in a position, and explain the best one.
    Go(go::Asked),
}

/// What rules are learned from.
#[derive(Clone, Debug, Args)]
struct Learn<H: Args> {
    /// Learn rules of this game, instead of by a theory: go, gomoku or connect6.
    #[arg(long)]
    game: Option<Kind>,
    #[command(flatten)]
    taught: Taught,
    #[command(flatten)]
    lesson: Lesson,
    #[command(flatten)]
    hands: H,
}

/// Rules that are judged, and who judges them.
#[derive(Clone, Debug, Args)]
struct Check<H: Args> {
    #[command(flatten)]
    checked: Checked,
    #[command(flatten)]
    hands: H,
}

fn learn<H: Args>(asked: &Learn<H>, call: Call<'_, H>, out: &mut impl Write) -> anyhow::Result<()> {
    let Learn { game, taught, lesson, hands } = asked;
    let Some(game) = *game else {
        if let Some(option) = lesson.of_a_game() {
            anyhow::bail!("{option} is about rules of a game: --game says of which");
        }
        return print_with_room(|out| theories::learn(taught, out), out);
    };
    anyhow::ensure!(
        is_learned(game),
        "rules of {game} are not learned yet, only those of go, gomoku and connect6"
    );
    file::may_write(lesson.to()?)?;
    let provers = &*call(hands, game)?;
    match game {
        Kind::Gomoku => lines::learn_rules::<GomokuRules>(lesson, provers, out),
        Kind::Connect6 => lines::learn_rules::<Connect6Rules>(lesson, provers, out),
        _ => zones::learn_rules(lesson, provers, out),
    }?;
    tell(provers, out)
}

/// Says who tried rules, where that was a cluster.
fn tell(provers: &dyn Provers, out: &mut impl Write) -> anyhow::Result<()> {
    match provers.told() {
        Some(by) => Ok(writeln!(out, "trials {by}")?),
        None => Ok(()),
    }
}

fn show(shown: &Shown, out: &mut impl Write) -> anyhow::Result<()> {
    let page = match file::game_of(&shown.file)? {
        Kind::Gomoku => lines::show::<GomokuRules>(shown)?,
        Kind::Connect6 => lines::show::<Connect6Rules>(shown)?,
        _ => zones::show(shown)?,
    };
    match &shown.to {
        Some(to) => put_again(to, ("page", PAGE), &page),
        None => Ok(out.write_all(page.as_bytes())?),
    }
}

fn check<H: Args>(
    Check { checked, hands }: &Check<H>,
    call: Call<'_, H>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let game = file::game_of(&checked.file)?;
    let provers = &*call(hands, game)?;
    match game {
        Kind::Gomoku => lines::check::<GomokuRules>(checked, provers, out),
        Kind::Connect6 => lines::check::<Connect6Rules>(checked, provers, out),
        _ => zones::check(checked, provers, out),
    }?;
    tell(provers, out)
}

fn measure(measured: &Measured, out: &mut impl Write) -> anyhow::Result<()> {
    let saving: Saving = match file::game_of(&measured.file)? {
        Kind::Gomoku => lines::measure_rules::<GomokuRules>(measured)?,
        Kind::Connect6 => lines::measure_rules::<Connect6Rules>(measured)?,
        _ => zones::measure_rules(measured)?,
    };
    match measured.json {
        true => writeln!(out, "{}", serde_json::to_string(&saving)?)?,
        false => writeln!(out, "{saving}")?,
    }
    Ok(())
}

/// Runs a command; what it says goes to `out`.
///
/// - `call`: calls those who try rules, by the options that say who they are.
///
/// # Errors
/// In words for people: files and options that are not as they should be.
pub fn run<H: Args>(
    arguments: &Arguments<H>,
    call: Call<'_, H>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Prove(asked) => print_with_room(|out| theories::prove(asked, out), out),
        Command::Explain(asked) => print_with_room(|out| theories::explain_goal(asked, out), out),
        Command::Learn(asked) => learn(asked, call, out),
        Command::Show(shown) => show(shown, out),
        Command::Check(asked) => check(asked, call, out),
        Command::Measure(measured) => measure(measured, out),
        Command::Facts(position) => go::print_facts(position, out),
        Command::Go(asked) => go::explain_move(asked, out),
    }
}

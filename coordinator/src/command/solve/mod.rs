//! `banyan solve`: what can be known for certain, by game.

mod othello;

use banyan_cli::command::solve::{go, lines};
use banyan_cli::options::SolveArgs;
use banyan_games::Kind;

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<()> {
    check(args)?;
    match args.game {
        Kind::Go => go::run(args),
        Kind::Othello => othello::run(args),
        Kind::Gomoku | Kind::Connect6 => lines::run(args),
        other => anyhow::bail!("there is no solver for {other}"),
    }
}

/// Refuses options of other games. Those that the environment may give, for other commands too, are passed over.
fn check(args: &SolveArgs) -> anyhow::Result<()> {
    const GO: &[Kind] = &[Kind::Go];
    const OTHELLO: &[Kind] = &[Kind::Othello];
    const WITH_RULES: &[Kind] = &[Kind::Go, Kind::Gomoku, Kind::Connect6];
    let game = args.game;
    let given = [
        ("--target", args.target.is_some(), GO),
        ("--side", args.side.is_some(), GO),
        ("--obf", args.obf.is_some(), OTHELLO),
        ("--positions", args.positions.is_some(), OTHELLO),
        ("--learned-rules", args.learned_rules.is_some(), WITH_RULES),
    ];
    match given.into_iter().find(|(_, is_given, games)| *is_given && !games.contains(&game)) {
        Some((option, _, games)) => {
            let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
            anyhow::bail!("{game} has no {option}: expected --game {}", names.join(" or "))
        }
        None => Ok(()),
    }
}

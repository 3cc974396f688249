//! `banyan solve`: what can be known for certain, by game.

mod othello;

use banyan_cli::command::solve::{go, lines};
use banyan_cli::options::SolveArgs;
use banyan_games::Kind;

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<()> {
    match args.game {
        Kind::Go => go::run(args),
        Kind::Othello => othello::run(args),
        Kind::Gomoku | Kind::Connect6 => lines::run(args),
        other => anyhow::bail!("there is no solver for {other}"),
    }
}

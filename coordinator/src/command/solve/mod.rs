//! `banyan solve`: what can be known for certain, by game.

mod go;

mod lines;

mod othello;

use banyan_games::Kind;

use crate::cli::SolveArgs;

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<()> {
    match args.game {
        Kind::Go => go::run(args),
        Kind::Othello => othello::run(args),
        Kind::Gomoku | Kind::Connect6 => lines::run(args),
        other => anyhow::bail!("there is no solver for {other}"),
    }
}

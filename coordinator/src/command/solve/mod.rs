//! `banyan solve`: what can be known for certain, by game.

mod go;

mod othello;

use banyan_games::Kind;

use crate::cli::SolveArgs;

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<()> {
    match args.game {
        Kind::Go => go::run(args),
        Kind::Othello => othello::run(args),
        other => anyhow::bail!("solve knows no {other} yet: expected --game go or othello"),
    }
}

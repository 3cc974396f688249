//! `banyan solve`: what can be known for certain, by game.

mod othello;

use banyan_cli::command::solve::{go, lines};
use banyan_cli::options::SolveArgs;
use banyan_games::Kind;

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let has_rules = matches!(args.game, Kind::Go | Kind::Gomoku | Kind::Connect6);
    if args.learned_rules.is_some() && !has_rules {
        anyhow::bail!("{0} has no --learned-rules: expected go, gomoku or connect6", args.game);
    }
    match args.game {
        Kind::Go => go::run(args),
        Kind::Othello => othello::run(args),
        Kind::Gomoku | Kind::Connect6 => lines::run(args),
        other => anyhow::bail!("there is no solver for {other}"),
    }
}

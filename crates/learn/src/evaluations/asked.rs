//! Options of `banyan-fit`.

use anyhow::ensure;
use clap::{Parser, ValueEnum};

/// Whose evaluation is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fitted {
    /// `crates/knowledge/src/othello/stages.rs`
    Othello,
    /// `crates/knowledge/src/gomoku/weights.txt`
    Gomoku,
    /// `crates/knowledge/src/connect6/order.txt`
    Connect6,
}

/// Plays games and prints weights of an evaluation that fit how they ended.
#[derive(Clone, Debug, Parser)]
#[command(name = "banyan-fit", version)]
pub struct Arguments {
    /// Whose evaluation.
    #[arg(long, value_enum, default_value = "othello")]
    pub(super) game: Fitted,
    /// Games.
    #[arg(long, default_value_t = 12_000)]
    pub(super) games: u32,
    /// Plies that a move is searched deep [default: 4, 2 in Gomoku].
    #[arg(long)]
    pub(super) plies: Option<u32>,
    /// Othello: empty points from which on a game is solved [default: 14].
    #[arg(long, value_parser = clap::value_parser!(u32).range(..=24))]
    pub(super) solve_from: Option<u32>,
    /// Gomoku: the evaluation that the games are played by [default: the best].
    #[arg(long)]
    pub(super) evaluation: Option<String>,
    /// Gomoku, Connect6: threads that play [default: 1].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(super) threads: Option<u32>,
    /// Seed of all chance.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
}

impl Arguments {
    /// Refuses options that another game has.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        for (option, is_given, games) in [
            ("--solve-from", self.solve_from.is_some(), &[Fitted::Othello][..]),
            ("--evaluation", self.evaluation.is_some(), &[Fitted::Gomoku]),
            ("--threads", self.threads.is_some(), &[Fitted::Gomoku, Fitted::Connect6]),
        ] {
            let names = games.iter().map(|game| format!("{game:?}").to_lowercase());
            let names = names.collect::<Vec<_>>().join(" and ");
            let fits = !is_given || games.contains(&self.game);
            ensure!(fits, "{option} is an option of {names}, not of {:?}", self.game);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_another_game_are_refused() {
        for (words, fits) in [
            (["gomoku", "--evaluation", "shapes"], true),
            (["connect6", "--evaluation", "shapes"], false),
            (["othello", "--solve-from", "10"], true),
            (["gomoku", "--solve-from", "10"], false),
            (["othello", "--threads", "2"], false),
        ] {
            let line = ["banyan-fit", "--game"].into_iter().chain(words);
            let checked = Arguments::parse_from(line).check();
            assert_eq!(checked.is_ok(), fits, "{words:?}: {checked:?}");
        }
    }
}

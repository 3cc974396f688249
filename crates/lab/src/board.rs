//! The board that a match is played on: options that the match runner and the lab share.

use banyan_games::go::GoRules;
use banyan_games::gomoku::Variant;
use banyan_games::{Kind, Rules, RulesError, Terms};
use clap::Args;

/// A game and its rules, as they are typed.
#[derive(Clone, Debug, Args)]
pub struct Board {
    /// go, othello, gomoku, connect6 or hex.
    #[arg(long, default_value = "go")]
    game: Kind,
    /// Points a side [default: go 9, othello 8, gomoku 15, connect6 19, hex 11].
    #[arg(long)]
    size: Option<u32>,
    /// Points for White in Go.
    #[arg(long, default_value_t = 7.5, allow_negative_numbers = true)]
    komi: f64,
    /// In Gomoku: freestyle, standard (exactly five) or renju.
    #[arg(long, default_value_t = Variant::Freestyle)]
    rules: Variant,
}

impl Board {
    /// The rules that this asks for.
    ///
    /// # Errors
    /// [`RulesError`] for a size or a komi that the game does not have.
    pub fn rules(&self) -> Result<Rules, RulesError> {
        let side = self.size.unwrap_or(self.game.side());
        let komi = GoRules::komi_from_points(self.komi)?;
        Rules::new(self.game, Terms { width: side, height: side, komi, variant: self.rules })
    }
}

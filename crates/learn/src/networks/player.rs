//! The player of the games: what is known without a network in the first generation, the best network from then on.

use super::rows::encoding;
use super::torch::Inference;
use anyhow::Context as _;
use banyan_games::{Kind, Rules, Terms, with_game};
use banyan_net::Network;
use banyan_selfplay::Depths;
use banyan_selfplay::game::VISITS_MAX;
use std::path::Path;

/// Depths without a network, and with one.
pub const DEPTHS: [Depths; 2] = [
    Depths { full: 48, short: 12, decided: 6, full_permille: 350 },
    Depths { full: 64, short: 16, decided: 8, full_permille: 350 },
];

/// The name of players without a network.
pub const HEAVY: &str = "heavy";

/// A player of games.
pub struct Player {
    /// Game.
    pub game: Kind,
    /// The network; nothing where the game's evaluation or its heavy playouts play.
    pub network: Option<Box<Network>>,
    /// Depths to which its games are searched.
    pub depths: Depths,
    /// Means of evaluating the network.
    pub by: By,
}

/// Means of evaluating a network.
#[derive(Clone, Debug)]
pub enum By {
    /// Processors, in whole numbers.
    Processors,
    /// PyTorch; nothing as long as there is no network.
    Torch(Option<Inference>),
}

impl Player {
    /// The network of a file, or what is known without one where there is no file.
    ///
    /// # Errors
    /// A file that is no network of this game.
    pub fn of(game: Kind, path: &Path) -> anyhow::Result<Player> {
        if !path.exists() {
            return Ok(Player { game, network: None, depths: DEPTHS[0], by: By::Processors });
        }
        let network = Network::load(path).with_context(|| format!("{}", path.display()))?;
        let rules = Rules::new(game, Terms::of(game))?;
        let encoding = with_game!(&rules, G, _rules => encoding::<G>())?;
        network.check_for(&encoding).with_context(|| format!("{}", path.display()))?;
        Ok(Player { game, network: Some(Box::new(network)), depths: DEPTHS[1], by: By::Processors })
    }

    /// The network's digest; [`HEAVY`] where there is none.
    pub fn name(&self) -> String {
        self.network.as_ref().map_or_else(|| HEAVY.to_owned(), |it| it.digest().to_string())
    }
}

/// Reads depths as `64,16,8,0.35`.
///
/// # Errors
/// Words for what is something else.
pub fn depths(text: &str) -> Result<Depths, String> {
    let wrong = || {
        format!(
            "{text:?}: must be three numbers of visits from 1 to {VISITS_MAX} and a share from 0 to 1, such as 64,16,8,0.35"
        )
    };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let &[full, short, decided, share] = parts.as_slice() else { return Err(wrong()) };
    let visits = |part: &str| {
        part.parse().ok().filter(|visits| (1..=VISITS_MAX).contains(visits)).ok_or_else(wrong)
    };
    let share: f64 =
        share.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(wrong)?;
    let [full, short, decided] = [visits(full)?, visits(short)?, visits(decided)?];
    Ok(Depths { full, short, decided, full_permille: (1000.0 * share).round() as u32 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_three_numbers_and_a_share() {
        let wanted = Depths { full: 32, short: 8, decided: 4, full_permille: 400 };
        assert_eq!(depths("32, 8,4,0.4"), Ok(wanted));
        for text in
            ["32,8,4", "0,8,4,0.4", "99999,8,4,0.4", "32,8,4,1.5", "a,8,4,0.4", "32,8,4,nan"]
        {
            assert!(depths(text).unwrap_err().starts_with(&format!("{text:?}: must be three")));
        }
    }
}

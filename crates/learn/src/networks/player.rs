//! The player of the games: what is known without a network in the first generation, the best network from then on.

use super::rows::encoding;
use super::torch::Inference;
use anyhow::Context as _;
use banyan_games::{Kind, Rules, Terms, with_game};
use banyan_knowledge::Knowledge as _;
use banyan_net::Network;
use banyan_selfplay::Depths;
use banyan_selfplay::game::VISITS_MAX;
use std::path::Path;

/// Depths without a network, and with one.
pub const DEPTHS: [Depths; 2] = [
    Depths { full: 48, short: 12, decided: 6, full_permille: 350 },
    Depths { full: 64, short: 16, decided: 8, full_permille: 350 },
];

/// The name of a player without a network where its game has no evaluation, as Go has none; earlier builds gave it to
/// those of all games.
const HEAVY: &str = "heavy";

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

    /// The network's digest; where there is none the name of the evaluation that judges positions in its place, or
    /// `heavy` where heavy playouts do.
    pub fn name(&self) -> String {
        let known = || name_without_network(self.game).to_owned();
        self.network.as_ref().map_or_else(known, |it| it.digest().to_string())
    }
}

/// Name of what judges a game's positions before there is a network (`ByKnowledge` of `banyan_selfplay`).
fn name_without_network(game: Kind) -> &'static str {
    let rules = Rules::new(game, Terms::of(game)).expect("a game's usual board");
    with_game!(&rules, G, _rules => {
        G::evaluations().get(G::SEARCHED_BY).map_or(HEAVY, |evaluation| evaluation.name())
    })
}

/// Whether a player's name is that of a network, its digest.
pub fn is_network(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
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
    fn a_player_is_named_after_what_judges_its_positions() {
        let name = |game| Player::of(game, Path::new("no network")).unwrap().name();
        let names = [
            (Kind::Go, "heavy"),
            (Kind::Gomoku, "mix"),
            (Kind::Connect6, "mix"),
            (Kind::Othello, "patterns"),
            (Kind::Hex, "two-distance"),
        ];
        for (game, expected) in names {
            assert_eq!(name(game), expected, "{game}");
            assert!(!is_network(expected));
        }
        let path = Path::new("../../models/go.safetensors");
        assert!(is_network(&Player::of(Kind::Go, path).unwrap().name()));
    }

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

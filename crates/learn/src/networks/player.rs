//! Whose games they are: heavy playouts in the first generation, the best network from then on.

use anyhow::Context as _;
use banyan_net::Network;
use banyan_selfplay::Depths;
use std::path::Path;

/// Depths where heavy playouts play, and where a network does.
pub const DEPTHS: [Depths; 2] = [
    Depths { full: 48, short: 12, decided: 6, full_permille: 350 },
    Depths { full: 64, short: 16, decided: 8, full_permille: 350 },
];

/// Who plays.
pub enum Player {
    /// Heavy playouts.
    Heavy,
    /// A network.
    Net(Box<Network>),
}

impl Player {
    /// The network of a file, or heavy playouts where there is none.
    ///
    /// # Errors
    /// A file that is no network.
    pub fn of(path: &Path) -> anyhow::Result<Player> {
        if !path.exists() {
            return Ok(Player::Heavy);
        }
        let network = Network::load(path).with_context(|| format!("{}", path.display()))?;
        network.check_for(&banyan_knowledge::go::planes::ENCODING)?;
        Ok(Player::Net(Box::new(network)))
    }

    /// `heavy`, or the network's digest.
    pub fn name(&self) -> String {
        match self {
            Player::Heavy => "heavy".to_owned(),
            Player::Net(network) => network.digest().to_string(),
        }
    }

    /// How deep its games are searched.
    pub fn depths(&self) -> Depths {
        match self {
            Player::Heavy => DEPTHS[0],
            Player::Net(_) => DEPTHS[1],
        }
    }
}

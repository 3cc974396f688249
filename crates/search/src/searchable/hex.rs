//! Hex: playouts and the defaults.

use banyan_games::hex::Hex;

use super::Searchable;

impl Searchable for Hex {
    /// Matches, docs/strength.md.
    const ALPHA_BETA_LEADS: bool = true;
}

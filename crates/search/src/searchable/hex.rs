//! Hex: playouts and the defaults.

use banyan_games::hex::Hex;

use super::Searchable;

impl Searchable for Hex {}

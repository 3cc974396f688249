//! Knowledge of Hex: nothing beyond its rules.

use banyan_games::hex::Hex;

use crate::knowledge::Knowledge;

impl Knowledge for Hex {}

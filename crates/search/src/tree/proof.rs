//! Proven wins, losses and draws.

use banyan_games::{Color, Outcome};

/// A proof about a node, for the player who moved into it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// Nothing yet.
    #[default]
    Open,
    /// The player who moved here wins.
    Win,
    /// The player who moved here loses.
    Loss,
    /// Nobody wins.
    Draw,
}

impl Proof {
    /// The proof that an ended game is for the player who moved into it.
    pub fn of(outcome: Outcome, mover: Color) -> Proof {
        match outcome.winner() {
            None => Proof::Draw,
            Some(winner) if winner == mover => Proof::Win,
            Some(_) => Proof::Loss,
        }
    }

    /// 1, 0 or ½; nothing while it is open.
    pub fn value(self) -> Option<f64> {
        match self {
            Proof::Open => None,
            Proof::Win => Some(1.0),
            Proof::Loss => Some(0.0),
            Proof::Draw => Some(0.5),
        }
    }

    /// The same fact for the other side.
    pub fn reversed(self) -> Proof {
        match self {
            Proof::Win => Proof::Loss,
            Proof::Loss => Proof::Win,
            same => same,
        }
    }

    /// A number for it, 0 to 3.
    pub const fn bits(self) -> u8 {
        self as u8
    }

    /// The proof of a number; of any but 1 to 3 it is [`Proof::Open`].
    pub const fn from_bits(bits: u8) -> Proof {
        match bits {
            1 => Proof::Win,
            2 => Proof::Loss,
            3 => Proof::Draw,
            _ => Proof::Open,
        }
    }
}

//! Proof and disproof numbers: how hard a proof and its opposite look.

use super::and_or::{AndOr, Estimate, Player, Verdict};

/// A number that says: impossible.
pub(super) const INFINITE: u32 = u32::MAX / 2;

/// Difficulty for the player to move of reaching what he wants (phi), and for the other (delta): 0 when it is done,
/// [`INFINITE`] when it cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) phi: u32,
    pub(super) delta: u32,
}

impl Numbers {
    const WON: Numbers = Numbers { phi: 0, delta: INFINITE };
    const LOST: Numbers = Numbers { phi: INFINITE, delta: 0 };

    pub(super) fn of(verdict: Verdict, to_move: Player) -> Numbers {
        match (verdict, to_move) {
            (Verdict::Proven, Player::Prover) | (Verdict::Refuted, Player::Refuter) => Numbers::WON,
            _ => Numbers::LOST,
        }
    }

    pub(super) fn estimated(estimate: Estimate, to_move: Player) -> Numbers {
        let Estimate { proof, disproof } = estimate;
        match to_move {
            Player::Prover => Numbers { phi: proof, delta: disproof },
            Player::Refuter => Numbers { phi: disproof, delta: proof },
        }
    }

    pub(super) fn verdict(self, to_move: Player) -> Option<Verdict> {
        match (self, to_move) {
            (Numbers { phi: 0, .. }, Player::Prover) => Some(Verdict::Proven),
            (Numbers { phi: 0, .. }, Player::Refuter) => Some(Verdict::Refuted),
            (Numbers { delta: 0, .. }, Player::Prover) => Some(Verdict::Refuted),
            (Numbers { delta: 0, .. }, Player::Refuter) => Some(Verdict::Proven),
            _ => None,
        }
    }

    /// The same for the other player.
    pub(super) fn turned(self) -> Numbers {
        Numbers { phi: self.delta, delta: self.phi }
    }

    /// These numbers of whoever moves in a child as seen by the other side of whoever moves in its parent:
    /// turned where one player moves twice.
    pub(super) fn seen_from<P: AndOr>(self, parent: &P, child: &P) -> Numbers {
        if parent.to_move() == child.to_move() { self.turned() } else { self }
    }

    pub(super) fn is_solved(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

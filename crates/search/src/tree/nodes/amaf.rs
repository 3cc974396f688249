//! A node's AMAF tally.

/// A node's AMAF tally in one word: visits in the lower half, twice the wins plus the draws above,
/// for the player who moved into the node.
///
/// Adding two words adds both sums at once: neither half may pass 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amaf(pub u64);

impl Amaf {
    pub fn new(visits: u32, half_wins: u32) -> Amaf {
        Amaf(u64::from(visits) | u64::from(half_wins) << 32)
    }

    #[inline(always)]
    pub fn visits(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    pub fn half_wins(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Both sums together, halved first where they might pass their bound.
    pub fn plus(self, other: Amaf) -> Amaf {
        let bounded = |amaf: Amaf| if amaf.is_large() { amaf.halved() } else { amaf };
        Amaf(bounded(self).0 + bounded(other).0)
    }

    /// Both sums without those of `before`, which are a part of them.
    pub fn since(self, before: Amaf) -> Amaf {
        Amaf(self.0 - before.0)
    }

    /// Tells whether either sum might pass its bound before long.
    pub fn is_large(self) -> bool {
        self.visits().max(self.half_wins()) >= 1 << 30
    }

    /// The same value with half the weight.
    pub fn halved(self) -> Amaf {
        Amaf::new(self.visits() / 2, self.half_wins() / 2)
    }

    /// Both sums without those of `lies`, never below nothing.
    pub fn without(self, lies: Amaf) -> Amaf {
        let visits = self.visits().saturating_sub(lies.visits());
        let half_wins = self.half_wins().saturating_sub(lies.half_wins());
        Amaf::new(visits, half_wins.min(visits.saturating_mul(2)))
    }
}

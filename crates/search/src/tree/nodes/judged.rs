//! Judgements by evaluators of a node and of those below it.

use banyan_knowledge::evaluator::VALUE_ONE;

/// Evaluations through a node in one word: how many in the lower 24 bits, above the sum of their values in
/// 1/32768, for the player who moved into the node.
///
/// Adding two words adds both sums at once: of a quarter of all counts there is room for twice as many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judged(pub u64);

const COUNT_BITS: u32 = 24;

/// From so many evaluations on the sums are halved, so that they never pass their bounds.
const LARGE: u32 = 1 << 22;

impl Judged {
    pub const NONE: Judged = Judged(0);

    /// The most that an image may hold.
    pub const COUNT_MAX: u32 = 1 << 23;

    /// - `sum`: of the values, at most `count` times [`VALUE_ONE`].
    pub fn new(count: u32, sum: u64) -> Judged {
        Judged(u64::from(count) | sum << COUNT_BITS)
    }

    /// Evaluations, count.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0 as u32 & ((1 << COUNT_BITS) - 1)
    }

    /// Sum of their values, in 1/32768.
    #[inline(always)]
    pub fn sum(self) -> u64 {
        self.0 >> COUNT_BITS
    }

    /// Mean of their values, in `0.0..=1.0`; no number without any.
    #[inline(always)]
    pub fn mean(self) -> f32 {
        self.sum() as f32 / (self.count() as f32 * f32::from(VALUE_ONE))
    }

    /// Both sums together, halved first where they might pass their bounds.
    pub fn plus(self, other: Judged) -> Judged {
        let bounded = |it: Judged| if it.count() >= LARGE { it.halved() } else { it };
        Judged(bounded(self).0 + bounded(other).0)
    }

    /// Both sums without those of `lies`, never below nothing.
    pub fn without(self, lies: Judged) -> Judged {
        let count = self.count().saturating_sub(lies.count());
        let sum = self.sum().saturating_sub(lies.sum());
        Judged::new(count, sum.min(u64::from(count) * u64::from(VALUE_ONE)))
    }

    fn halved(self) -> Judged {
        Judged::new(self.count() / 2, self.sum() / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_add_and_never_pass_their_bounds() {
        let one = Judged::new(1, VALUE_ONE.into());
        let two = one.plus(Judged::new(1, 0));
        assert_eq!((two.count(), two.sum(), two.mean()), (2, 32_768, 0.5));
        assert_eq!(one.without(two), Judged::NONE);
        let mut many = Judged::NONE;
        (0..2 * LARGE + 9).for_each(|_| many = many.plus(one));
        assert!(many.count() <= LARGE && many.mean() == 1.0, "{many:?}");
    }
}

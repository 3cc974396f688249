//! When two tallies of one batch say the same: bit for bit, or nearly, where floating point judged.

use banyan_jobs::{Tally, tolerance};

/// Likeness that tallies of a batch must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    /// Equal: the batch is a pure function of its contents.
    Exact,
    /// Within a tolerance: what they say rests on judgements in floating point.
    Near,
}

impl Likeness {
    /// Tells whether two tallies of one batch say the same.
    pub(super) fn agree(self, one: &Tally, other: &Tally) -> bool {
        match self {
            Likeness::Exact => one == other,
            Likeness::Near => tolerance::difference(&one.answer, &other.answer).is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use banyan_jobs::{Answer, BatchId, Judgement};
    use banyan_knowledge::Chance;
    use banyan_knowledge::evaluator::VALUE_ONE;

    use super::*;

    fn tally(value: f32, first: f32) -> Tally {
        let policy = vec![Chance::of(first), Chance::of(0.2), Chance::NONE];
        let value = (value * f32::from(VALUE_ONE)) as u16;
        let answer = Answer::Judged(Judgement { value, policy, ..Judgement::default() });
        Tally { batch: BatchId(7), answer }
    }

    #[test]
    fn judgements_in_floating_point_agree_within_the_tolerance_and_exact_ones_bit_for_bit() {
        let ours = tally(0.5, 0.6);
        for (theirs, near) in [
            (tally(0.5, 0.6), true),
            (tally(0.54, 0.6), true),
            (tally(0.46, 0.55), true),
            (tally(0.56, 0.6), false),
            (tally(0.44, 0.6), false),
            (tally(0.5, 0.45), false),
        ] {
            assert_eq!(Likeness::Near.agree(&ours, &theirs), near, "{theirs:?}");
            assert_eq!(Likeness::Exact.agree(&ours, &theirs), ours == theirs, "{theirs:?}");
        }
    }
}

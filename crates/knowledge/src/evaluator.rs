//! Evaluators of positions: a value and a policy, from a network or from anything else that says both.
//!
//! A judgement is whole numbers from Black's point of view, as tallies are, so that it can be summed.

use std::fmt::Debug;

use banyan_games::{Color, Move};
pub use banyan_net::Digest as ModelDigest;

/// A sure win of Black, in the unit of [`Judgement::value`].
pub const VALUE_ONE: u16 = 1 << 15;

/// A point, in the unit of [`Judgement::score`].
pub const SCORE_ONE: i32 = 1 << 8;

/// Digest that a root names when KataGo is to judge: whichever network its process was started with, so that its
/// judgements are approximate. All others are exact.
pub const KATAGO: ModelDigest = ModelDigest(*b"katago, whatever network it has.");

/// Tells whether the evaluator of this digest gives the same query the same judgement, bit for bit, on every
/// machine.
pub fn is_exact(evaluator: ModelDigest) -> bool {
    evaluator != KATAGO
}

/// Something that judges the positions of a game.
///
/// It never changes: where it is exact, a judgement depends on the query alone, on every machine.
pub trait Evaluator<G>: Debug + Send + Sync {
    /// The name for people.
    fn name(&self) -> &str;

    /// The identity of what it judges by.
    fn digest(&self) -> ModelDigest;

    /// Tells whether the same query has the same judgement, bit for bit, wherever it is asked.
    fn is_exact(&self) -> bool;

    /// Judges positions whose game goes on; one judgement each, in their order.
    ///
    /// - `judgements`: what was in it is replaced, and its memory used again.
    ///
    /// # Errors
    /// [`EvaluatorError`] where a position cannot be judged; then none of them is.
    fn evaluate(
        &self,
        queries: &[Query<'_, G>],
        judgements: &mut Vec<Judgement>,
    ) -> Result<(), EvaluatorError>;
}

/// A position to be judged, and how the game came to it.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a, G> {
    /// The position.
    pub position: &'a G,
    /// The position at which the plies begin.
    pub start: &'a G,
    /// The plies from there to the position, as far as they are known; the last one last.
    pub plies: &'a [(Color, Move)],
}

impl<'a, G> Query<'a, G> {
    /// A position of which nobody knows how the game came to it.
    pub fn of(position: &'a G) -> Query<'a, G> {
        Query { position, start: position, plies: &[] }
    }
}

/// An evaluator's judgement of one position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// Black's expected share of wins, draws counted half, in 1/32768: 0 to [`VALUE_ONE`].
    pub value: u16,
    /// Chance of each move to be the best, by point, a pass last; [`Chance::NONE`] for what is no candidate.
    pub policy: Vec<Chance>,
    /// Points that Black is expected to win by, in 1/256; nothing where the evaluator does not say.
    pub score: Option<i32>,
    /// Expected owner of each point, from −127 (White's for sure) to 127 (Black's); empty where the evaluator does
    /// not say.
    pub ownership: Vec<i8>,
}

impl Judgement {
    /// The chance of a move; any `u16` may be asked about.
    pub fn chance(&self, mv: Move) -> Chance {
        let last = self.policy.len().saturating_sub(1);
        let place = mv.index().map_or(Some(last), |point| Some(point).filter(|&it| it < last));
        place.and_then(|place| self.policy.get(place)).copied().unwrap_or(Chance::NONE)
    }
}

/// Failure to judge a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{evaluator} cannot judge: {reason}")]
pub struct EvaluatorError {
    /// Its name.
    pub evaluator: String,
    /// The reason.
    pub reason: String,
}

/// A move's share of a policy, in one byte: 2^(−(b − 1) / 16), from 1 down to 1/60,000; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chance(pub u8);

/// Steps by which a chance is halved.
const STEPS: u8 = 16;

/// Bits of the fractions 2^(−k / 16).
const FRACTIONS: [u32; STEPS as usize] = [
    0x3f80_0000,
    0x3f75_257d,
    0x3f6a_c0c7,
    0x3f60_ccdf,
    0x3f57_44fd,
    0x3f4e_248c,
    0x3f45_672a,
    0x3f3d_08a4,
    0x3f35_04f3,
    0x3f2d_583f,
    0x3f25_fed7,
    0x3f1e_f532,
    0x3f18_37f0,
    0x3f11_c3d3,
    0x3f0b_95c2,
    0x3f05_aac3,
];

impl Chance {
    /// Chance of a move that is no candidate, or of which nothing is known.
    pub const NONE: Chance = Chance(0);

    /// The nearest chance that can be held, at least the smallest: a candidate has some.
    ///
    /// - `share`: in `0.0..=1.0`.
    pub fn of(share: f32) -> Chance {
        if share <= 0.0 {
            return Chance(u8::MAX);
        }
        // A library's logarithm differs between machines by a last bit; libm's is our own code's.
        let steps = (f32::from(STEPS) * -libm::log2f(share)).round();
        Chance(1 + steps.clamp(0.0, 254.0) as u8)
    }

    /// Tells whether the move is a candidate.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        self != Chance::NONE
    }

    /// In `0.0..=1.0`; what stands for none is 2^(1/16), which nobody should ask for.
    #[inline(always)]
    pub fn share(self) -> f32 {
        let steps = u32::from(self.0).wrapping_sub(1) & 0xff;
        let fraction = FRACTIONS[(steps % u32::from(STEPS)) as usize];
        f32::from_bits(fraction - ((steps / u32::from(STEPS)) << 23))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_is_a_power_of_two_by_sixteenths() {
        for byte in 1..=u8::MAX {
            let wanted = 2f64.powf(-f64::from(byte - 1) / 16.0);
            let found = f64::from(Chance(byte).share());
            assert!((found / wanted - 1.0).abs() < 1e-6, "{byte}: {found} for {wanted}");
            assert_eq!(Chance::of(found as f32), Chance(byte));
        }
        assert_eq!([1.0, 0.5, 0.25].map(|share| Chance::of(share).0), [1, 17, 33]);
        assert_eq!([0.0, 1e-9].map(|share| Chance::of(share).0), [255, 255]);
    }

    #[test]
    fn a_move_that_the_board_does_not_have_has_no_chance() {
        let judgement = Judgement { policy: vec![Chance(3); 5], ..Judgement::default() };
        assert_eq!([0, 3].map(|point| judgement.chance(Move(point))), [Chance(3); 2]);
        assert_eq!(judgement.chance(Move::PASS), Chance(3));
        assert_eq!([4, 5, 999].map(|point| judgement.chance(Move(point))), [Chance::NONE; 3]);
        assert_eq!(Judgement::default().chance(Move::PASS), Chance::NONE);
    }
}

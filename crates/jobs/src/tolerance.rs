//! How far judgements of one position in floating point may be apart.

use banyan_knowledge::evaluator::VALUE_ONE;
use banyan_knowledge::{Chance, Judgement};

/// Shares of a win that two judgements of one position may differ by. Between processes of one build it was
/// 0.0000016 at most (docs/katago.md); the rest is left to other backends and half precision, and is what
/// somebody who bends the truth may bend it by.
const VALUE_TOLERANCE: f32 = 0.05;

/// Shares of the policy that a move's may differ by.
const POLICY_TOLERANCE: f32 = 0.1;

/// What two judgements of one position differ by beyond the tolerance, for people; nothing where they agree.
pub fn difference(one: &Judgement, other: &Judgement) -> Option<String> {
    let share = |judgement: &Judgement| f32::from(judgement.value) / f32::from(VALUE_ONE);
    let values = [one, other].map(share);
    if (values[0] - values[1]).abs() > VALUE_TOLERANCE {
        return Some(format!(
            "Black wins {:.1} % and {:.1} %",
            100.0 * values[0],
            100.0 * values[1]
        ));
    }
    if one.policy.len() != other.policy.len() {
        return Some(format!("{} and {} moves", one.policy.len(), other.policy.len()));
    }
    let chances = one.policy.iter().zip(&other.policy);
    let differ = |(one, other): &(f32, f32)| (one - other).abs() > POLICY_TOLERANCE;
    let share = |chance: Chance| if chance.is_some() { chance.share() } else { 0.0 };
    let shares = chances.map(|(&one, &other)| (share(one), share(other)));
    let (one, other) = shares.into_iter().find(differ)?;
    Some(format!("a move has {:.1} % and {:.1} % of the policy", 100.0 * one, 100.0 * other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judgement(value: f32, first: f32) -> Judgement {
        let policy = vec![Chance::of(first), Chance::of(0.2), Chance::NONE];
        let value = (value * f32::from(VALUE_ONE)) as u16;
        Judgement { value, policy, ..Judgement::default() }
    }

    #[test]
    fn a_difference_beyond_the_tolerance_is_told_with_both_figures() {
        let told = |one: Judgement, other: Judgement| difference(&one, &other);
        let values = told(judgement(0.9, 0.6), judgement(0.4, 0.6));
        assert_eq!(values.as_deref(), Some("Black wins 90.0 % and 40.0 %"));
        let policies = told(judgement(0.5, 0.5), judgement(0.5, 0.25));
        assert_eq!(policies.as_deref(), Some("a move has 50.0 % and 25.0 % of the policy"));
        assert_eq!(told(judgement(0.5, 0.5), judgement(0.53, 0.55)), None);
        let short = Judgement { policy: Vec::new(), ..judgement(0.5, 0.5) };
        assert_eq!(told(judgement(0.5, 0.5), short).as_deref(), Some("3 and 0 moves"));
    }
}

//! Tolerance between answers that rest on judgements in floating point.

use banyan_knowledge::evaluator::VALUE_ONE;
use banyan_knowledge::{Chance, Judgement};

use crate::answer::Answer;

/// Shares of a win that two judgements of one position may differ by. Between processes of one build it was
/// 0.0000016 at most (docs/katago.md); the rest is left to other backends and half precision, and is what
/// somebody who bends the truth may bend it by.
const VALUE_TOLERANCE: f32 = 0.05;

/// Shares of the policy that a move's may differ by.
const POLICY_TOLERANCE: f32 = 0.1;

/// Shares of a win that the means of two private trees may differ by: a last digit may lead descents elsewhere.
const MEAN_TOLERANCE: f32 = 0.1;

/// Describes what two answers to one job differ by beyond the tolerance, for people; nothing where they agree. Games
/// of self-play go elsewhere by a last digit, so they say nothing; answers that rest on no judgement must be equal.
pub fn difference(one: &Answer, other: &Answer) -> Option<String> {
    match (one, other) {
        (Answer::Judged(one), Answer::Judged(other)) => {
            values_apart([one, other].map(value), VALUE_TOLERANCE)
                .or_else(|| policies_apart(one, other))
        }
        (Answer::Subtree(..), Answer::Subtree(..)) => {
            values_apart([one, other].map(mean), MEAN_TOLERANCE)
        }
        (Answer::Played(_), Answer::Played(_)) => None,
        _ => (one != other).then(|| "not the same counts".to_owned()),
    }
}

/// Black's share of wins.
fn value(judgement: &Judgement) -> f32 {
    f32::from(judgement.value) / f32::from(VALUE_ONE)
}

/// The mean of Black's shares in a private tree; nothing was judged in an empty one.
fn mean(answer: &Answer) -> f32 {
    let sum = answer.subtree().map_or(0, |subtree| subtree.leaf_judged) as f32;
    sum / (answer.playouts().max(1) as f32 * f32::from(VALUE_ONE))
}

fn values_apart([one, other]: [f32; 2], tolerance: f32) -> Option<String> {
    let apart = (one - other).abs() > tolerance;
    apart.then(|| format!("Black wins {:.1} % and {:.1} %", 100.0 * one, 100.0 * other))
}

fn policies_apart(one: &Judgement, other: &Judgement) -> Option<String> {
    if one.policy.len() != other.policy.len() {
        return Some(format!("{} and {} moves", one.policy.len(), other.policy.len()));
    }
    let share = |chance: Chance| if chance.is_some() { chance.share() } else { 0.0 };
    let chances = one.policy.iter().zip(&other.policy);
    let shares = chances.map(|(&one, &other)| (share(one), share(other)));
    let differ = |(one, other): &(f32, f32)| (one - other).abs() > POLICY_TOLERANCE;
    let (one, other) = shares.into_iter().find(differ)?;
    Some(format!("a move has {:.1} % and {:.1} % of the policy", 100.0 * one, 100.0 * other))
}

#[cfg(test)]
mod tests {
    use banyan_games::Counts;
    use banyan_search::Subtree;

    use super::*;

    fn judgement(value: f32, first: f32) -> Answer {
        let policy = vec![Chance::of(first), Chance::of(0.2), Chance::NONE];
        let value = (value * f32::from(VALUE_ONE)) as u16;
        Answer::Judged(Judgement { value, policy, ..Judgement::default() })
    }

    fn subtree(mean: f32) -> Answer {
        let counts = Counts { wins: 6, losses: 2, ..Counts::default() };
        let leaf_judged = (8.0 * mean * f32::from(VALUE_ONE)) as u64;
        Answer::Subtree(counts, Box::new(Subtree { leaf_judged, ..Subtree::default() }))
    }

    #[test]
    fn a_difference_beyond_the_tolerance_is_told_with_both_figures() {
        let told = |one: Answer, other: Answer| difference(&one, &other);
        let values = told(judgement(0.9, 0.6), judgement(0.4, 0.6));
        assert_eq!(values.as_deref(), Some("Black wins 90.0 % and 40.0 %"));
        let policies = told(judgement(0.5, 0.5), judgement(0.5, 0.25));
        assert_eq!(policies.as_deref(), Some("a move has 50.0 % and 25.0 % of the policy"));
        assert_eq!(told(judgement(0.5, 0.5), judgement(0.53, 0.55)), None);
        let short = Answer::Judged(Judgement { value: VALUE_ONE / 2, ..Judgement::default() });
        assert_eq!(told(judgement(0.5, 0.5), short).as_deref(), Some("3 and 0 moves"));
    }
    #[test]
    fn private_trees_are_compared_by_their_means_and_playouts_bit_for_bit() {
        assert_eq!(difference(&subtree(0.5), &subtree(0.59)), None);
        let apart = difference(&subtree(0.5), &subtree(0.61));
        assert_eq!(apart.as_deref(), Some("Black wins 50.0 % and 61.0 %"));
        let [one, other] = [4, 5].map(|wins| Answer::Counts(Counts { wins, ..Counts::default() }));
        assert_eq!(difference(&one, &one), None);
        assert!(difference(&one, &other).is_some());
        assert!(difference(&one, &subtree(0.5)).is_some());
    }
}

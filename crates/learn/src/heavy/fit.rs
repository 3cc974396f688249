//! The weights that make the moves of games likeliest.
//!
//! Each move is a contest of teams: a candidate is the team of its traits, its strength the product of
//! their weights, and its chance to be played its share of all strengths.
//!
//! # Source
//! Minorisation-maximisation for generalised Bradley-Terry models: Hunter 2004; for Go, Coulom 2007.

use std::io::Write;

use banyan_knowledge::go::Trait;

/// A move that was played, among all that could have been.
pub(super) struct Choice {
    /// Index of the candidate that was played.
    pub(super) chosen: usize,
    /// The traits of every candidate.
    pub(super) traits: Vec<Vec<Trait>>,
}

/// Contests against a trait of weight 1 that every trait has won and lost once besides: no weight is
/// zero or infinite.
const PRIOR: f64 = 1.0;

/// Surroundings seen less often keep the weight 1.
const SEEN_MIN: u32 = 5;

/// Weights by trait.
pub(super) struct Weights {
    weights: Vec<f64>,
    /// Candidates that had each trait.
    seen: Vec<u32>,
    /// Every trait that was seen.
    traits: Vec<Trait>,
}

impl Weights {
    /// Makes `rounds` passes over all classes of traits.
    pub(super) fn fit(choices: &[Choice], rounds: u32) -> Weights {
        let traits = choices.iter().flat_map(|choice| choice.traits.iter().flatten().copied());
        let mut weights = Weights {
            weights: vec![1.0; Trait::COUNT],
            seen: vec![0; Trait::COUNT],
            traits: traits.collect(),
        };
        weights.traits.iter().for_each(|of| weights.seen[of.index()] += 1);
        weights.traits.sort_unstable();
        weights.traits.dedup();
        let mut wins = vec![0.0; Trait::COUNT];
        let won = choices.iter().flat_map(|choice| &choice.traits[choice.chosen]);
        won.for_each(|of| wins[of.index()] += 1.0);
        let classes = weights.traits.iter().map(|of| of.class() + 1).max().unwrap_or(0);
        for _ in 0..rounds {
            (0..classes).for_each(|class| weights.maximise(choices, &wins, class));
        }
        weights
    }

    fn strength(&self, traits: &[Trait]) -> f64 {
        traits.iter().map(|of| self.weights[of.index()]).product()
    }

    /// Sets the weights of one class, whose traits exclude each other, to the best for the others.
    fn maximise(&mut self, choices: &[Choice], wins: &[f64], class: usize) {
        let mut chances = vec![0.0; Trait::COUNT];
        for choice in choices {
            let strengths: Vec<f64> =
                choice.traits.iter().map(|traits| self.strength(traits)).collect();
            let total: f64 = strengths.iter().sum();
            for (traits, strength) in choice.traits.iter().zip(strengths) {
                for of in traits.iter().filter(|of| of.class() == class) {
                    chances[of.index()] += strength / self.weights[of.index()] / total;
                }
            }
        }
        for of in self.traits.iter().filter(|of| of.class() == class) {
            let weight = &mut self.weights[of.index()];
            let prior = 2.0 * PRIOR / (*weight + 1.0);
            *weight = (wins[of.index()] + PRIOR) / (chances[of.index()] + prior);
        }
    }

    /// Writes the table: factors first, then surroundings, the heaviest first.
    pub(super) fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let is_seen = |of: Trait| of.class() > 0 || self.seen[of.index()] >= SEEN_MIN;
        let is_known = |&&of: &&Trait| of.is_weighed() && is_seen(of);
        let known = self.traits.iter().filter(is_known);
        let mut lines: Vec<(Trait, f64)> =
            known.map(|&of| (of, self.weights[of.index()])).collect();
        let is_factor = |of: Trait| of.class() > 0;
        lines.sort_by(|a, b| is_factor(b.0).cmp(&is_factor(a.0)).then(b.1.total_cmp(&a.1)));
        for (of, weight) in lines {
            writeln!(out, "{of} {weight:.3}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::Game;
    use banyan_games::go::{Go, GoRules};
    use banyan_knowledge::go::traits;

    #[test]
    fn what_stands_around_points_far_from_the_last_stone_is_learned_but_not_written() {
        let mut game = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
        game.play(banyan_games::Move::point(40));
        let traits: Vec<_> = traits(&game).into_iter().map(|mv| mv.traits).collect();
        let choices: Vec<Choice> =
            (0..40).map(|_| Choice { chosen: 0, traits: traits.clone() }).collect();
        let weights = Weights::fit(&choices, 3);
        let is_far = |of: &Trait| of.to_string().starts_with("far ");
        assert!(weights.traits.iter().any(is_far));
        let mut written = Vec::new();
        weights.write(&mut written).expect("memory takes all");
        let written = String::from_utf8(written).expect("text");
        assert!(written.contains("near ") && !written.contains("far "), "{written}");
    }

    /// Two candidates that one trait tells apart, the first of them played in 30 games of 40.
    #[test]
    fn a_trait_that_wins_three_of_four_contests_gets_three_times_the_weight() {
        let game = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
        let all: Vec<Trait> = traits(&game).into_iter().map(|mv| mv.traits[0]).collect();
        let (corner, middle) = (all[0], all[40]);
        assert_ne!(corner, middle);
        let choice = |chosen| Choice { chosen, traits: vec![vec![corner], vec![middle]] };
        let choices: Vec<Choice> = (0..40).map(|n| choice(usize::from(n < 30))).collect();
        let weights = Weights::fit(&choices, 200);
        let of = |of: Trait| weights.weights[of.index()];
        // The prior pulls both a little towards each other.
        let times = of(middle) / of(corner);
        assert!((2.5..3.0).contains(&times), "{times}");
    }
}

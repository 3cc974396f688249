//! The weights of tables over patterns that fit what positions are worth with the least squared error.
//!
//! Stochastic descent with a step of its own for each weight (Duchi, Hazan & Singer 2011), over games in
//! another order each time; some games are kept apart to see what the weights are worth.

use banyan_games::Rng;
use banyan_knowledge::othello::learned::DISC;
use banyan_knowledge::othello::patterns::{COUNTERS, LANES, LAYOUT, counts};
use banyan_knowledge::tuples::{Stages, Tables};

use banyan_selfplay::patterns::othello_games::Sample;

/// Parts of a disc that a stored weight is counted in.
const PARTS_OF_A_DISC: f32 = DISC as f32;

/// Settings by which weights are learned.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// Passes over all samples.
    pub passes: u32,
    /// The first step of a weight, discs.
    pub step: f32,
    /// Seed of the order.
    pub seed: u64,
}

/// Mean errors over some samples, discs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Mean of the absolute error.
    pub mean: f64,
    /// Root of the mean of the squared error.
    pub root_mean_square: f64,
    /// Mean of the absolute error against how the games ended.
    pub mean_of_scores: f64,
}

/// Weights on their way.
#[derive(Clone, Debug)]
pub struct Fit {
    stages: Stages,
    /// A row of stored weights for each stage, discs, each with its squares of slopes.
    weights: Vec<[f32; 2]>,
}

impl Fit {
    /// Weights that say 0 of everything.
    ///
    /// - `caution`: squares of slopes that each begins with, above 0; the more, the less a rare one moves.
    pub fn new(stages: Stages, caution: f32) -> Fit {
        let weights = vec![[0.0, caution]; stages.knots().len() * LAYOUT.stored_len()];
        Fit { stages, weights }
    }

    /// The weights of tables.
    ///
    /// - `caution`: as in [`Fit::new`].
    pub fn going_on(tables: &Tables, caution: f32) -> Fit {
        let discs = |&parts: &i16| [f32::from(parts) / PARTS_OF_A_DISC, caution];
        Fit {
            stages: tables.stages().clone(),
            weights: tables.stored().iter().map(discs).collect(),
        }
    }

    /// Learns from samples, in as many passes as the course says; `told` hears of each pass.
    pub fn learn(&mut self, course: Course, samples: &[Sample], mut told: impl FnMut(u32, &Fit)) {
        let mut rng = Rng::from_seed(course.seed);
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        for pass in 1..=course.passes {
            for at in (1..order.len()).rev() {
                order.swap(at, rng.below(at as u32 + 1) as usize);
            }
            // The last passes settle: what is left is noise of the steps.
            let left = 1.0 - (pass - 1) as f32 / course.passes as f32;
            for &at in &order {
                self.step(&samples[at as usize], course.step * left);
            }
            told(pass, self);
        }
    }

    fn step(&mut self, sample: &Sample, step: f32) {
        let mut asked = [0; LANES + COUNTERS];
        let (asked, rows) = self.asked(sample, &mut asked);
        let error = sample.worth - self.predicted(asked, rows);
        for (row, share) in rows {
            let slope = error * share;
            for &at in asked {
                let [weight, squares] = &mut self.weights[row + at];
                *squares += slope * slope;
                *weight += step * slope / squares.sqrt();
            }
        }
    }

    /// The stored weights that a sample asks for, and in which rows with what share.
    fn asked<'a>(
        &self,
        sample: &Sample,
        asked: &'a mut [usize; LANES + COUNTERS],
    ) -> (&'a [usize], [(usize, f32); 2]) {
        let Sample { own, other, .. } = *sample;
        let (indices, counts) = (LAYOUT.indices(own, other), counts(own, other));
        for (place, weight) in asked.iter_mut().zip(LAYOUT.weights(&indices, &counts)) {
            *place = LAYOUT.stored()[weight] as usize;
        }
        let (low, high, share) = self.stages.around((own | other).count_ones());
        let row = |knot: usize| knot * LAYOUT.stored_len();
        (&asked[..], [(row(low), 1.0 - share), (row(high), share)])
    }

    fn predicted(&self, asked: &[usize], rows: [(usize, f32); 2]) -> f32 {
        let sum = |(row, share): (usize, f32)| {
            share * asked.iter().map(|&at| self.weights[row + at][0]).sum::<f32>()
        };
        rows.into_iter().filter(|(_, share)| *share > 0.0).map(sum).sum()
    }

    /// Value of a sample's position by the weights, discs for the side to move.
    pub fn value(&self, sample: &Sample) -> f32 {
        let mut asked = [0; LANES + COUNTERS];
        let (asked, rows) = self.asked(sample, &mut asked);
        self.predicted(asked, rows)
    }

    /// Errors of the weights against what samples are worth, and against the scores.
    pub fn errors<'a>(&self, samples: impl IntoIterator<Item = &'a Sample>) -> Errors {
        let (mut count, mut sum, mut squares, mut of_scores) = (0.0, 0.0, 0.0, 0.0);
        for sample in samples {
            let value = self.value(sample).clamp(-64.0, 64.0);
            let error = f64::from(sample.worth - value);
            (count, sum, squares) = (count + 1.0, sum + error.abs(), squares + error * error);
            of_scores += f64::from((sample.score as f32 - value).abs());
        }
        let count = f64::max(count, 1.0);
        Errors {
            mean: sum / count,
            root_mean_square: (squares / count).sqrt(),
            mean_of_scores: of_scores / count,
        }
    }

    /// The weights as they are stored.
    pub fn stored(&self) -> Vec<i16> {
        let parts = |[weight, _]: &[f32; 2]| (weight * PARTS_OF_A_DISC).round() as i16;
        self.weights.iter().map(parts).collect()
    }

    /// The stages at which they are given.
    pub fn stages(&self) -> &Stages {
        &self.stages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use banyan_games::othello::discs;

    /// Positions of random discs, worth two discs a move that a side has more.
    fn samples(count: u32, seed: u64) -> Vec<Sample> {
        let mut rng = Rng::from_seed(seed);
        let mut sample = || {
            let own = rng.bits() & rng.bits();
            let other = rng.bits() & !own;
            let moves = |own, other| discs::moves(own, other).count_ones() as i32;
            let score = 2 * (moves(own, other) - moves(other, own));
            Sample { own, other, score, worth: score as f32 }
        };
        (0..count).map(|_| sample()).collect()
    }

    #[test]
    fn a_fit_that_goes_on_begins_with_what_the_tables_say() {
        let (learned, apart) = (samples(4000, 1), samples(200, 2));
        let mut fit = Fit::new(Stages::new(vec![12, 60]), 10.0);
        fit.learn(Course { passes: 2, step: 0.5, seed: 3 }, &learned, |_, _| ());
        let tables = Tables::new(fit.stages().clone(), fit.stored(), 64);
        let again = Fit::going_on(&tables, 10.0);
        assert_eq!(again.stored(), fit.stored());
        let (before, after) = (fit.errors(&apart).mean, again.errors(&apart).mean);
        assert!((before - after).abs() < 0.5, "{before} {after}");
    }

    #[test]
    fn what_moves_are_worth_is_learned_and_holds_for_other_positions() {
        let (learned, apart) = (samples(4000, 1), samples(200, 2));
        let mut fit = Fit::new(Stages::new(vec![12, 60]), 10.0);
        let before = fit.errors(&apart);
        let mut heard = 0;
        fit.learn(Course { passes: 4, step: 0.5, seed: 3 }, &learned, |_, _| heard += 1);
        let after = fit.errors(&apart);
        assert_eq!(heard, 4);
        assert!(after.mean < before.mean / 2.0, "{before:?} {after:?}");
        assert!(fit.stored().iter().any(|&weight| weight != 0));
    }
}

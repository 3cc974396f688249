//! Learning of tables of games of lines: what of, in which steps, and what is kept apart.

use banyan_games::{Game, Rng};

use banyan_selfplay::patterns::line_games::Recorded;

/// Target value of a position: between how its game ended, and what a search said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Part of the end of the game, 0 to 1.
    pub of_outcome: f64,
}

impl Target {
    /// The share of the game for a position with this value (hundredths of a logit) whose side to move got this
    /// share of it.
    pub fn share(self, value: i16, outcome: f64) -> f64 {
        let searched = logistic(f64::from(value) / 100.0);
        self.of_outcome * outcome + (1.0 - self.of_outcome) * searched
    }
}

pub(crate) fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// A model that learns from the positions of games.
pub(super) trait Sampled {
    type Game: Game;
    type Sample;

    /// Samples of a game, to learn from.
    fn samples(&self, root: &Self::Game, game: &Recorded) -> Vec<Self::Sample>;
    /// A step towards what a sample says.
    fn learn(&mut self, sample: &Self::Sample, step: f64);
    /// Cross entropy of the model against what a sample says.
    fn loss(&self, sample: &Self::Sample) -> f64;
    /// The model as a file.
    fn text(&self) -> String;
}

/// Games of which one is kept apart to see what the weights are worth, count.
const KEPT_APART: usize = 20;

/// Samples that are learned from, and those kept apart.
///
/// - `together`: records of one game, above 0, which are kept apart or not together.
pub(super) fn samples<F: Sampled>(
    fit: &F,
    root: &F::Game,
    (records, together): (&[Recorded], usize),
) -> (Vec<F::Sample>, Vec<F::Sample>) {
    let (mut learned, mut apart) = (Vec::new(), Vec::new());
    for (number, game) in records.iter().enumerate() {
        let number = number / together;
        let is_apart = number % KEPT_APART == KEPT_APART - 1;
        if is_apart { &mut apart } else { &mut learned }.extend(fit.samples(root, game));
    }
    (learned, apart)
}

/// The first step of a weight, and how often all is passed over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    pub step: f64,
    pub passes: u32,
    pub seed: u64,
}

/// Learns from samples in another order each time; `told` hears of each pass.
pub(super) fn learn<F: Sampled>(
    course: Course,
    fit: &mut F,
    samples: &[F::Sample],
    mut told: impl FnMut(u32, &F),
) {
    let mut rng = Rng::from_seed(course.seed);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    for pass in 1..=course.passes {
        for at in (1..order.len()).rev() {
            order.swap(at, rng.below(at as u32 + 1) as usize);
        }
        // The last passes settle: what is left is noise of the steps.
        let left = 1.0 - f64::from(pass - 1) / f64::from(course.passes);
        for &at in &order {
            fit.learn(&samples[at as usize], course.step * left);
        }
        told(pass, fit);
    }
}

/// The mean loss over some samples.
pub(super) fn loss<F: Sampled>(fit: &F, samples: &[F::Sample]) -> f64 {
    samples.iter().fold(0.0, |sum, sample| sum + fit.loss(sample)) / samples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_lies_between_the_search_and_the_end() {
        assert_eq!(Target { of_outcome: 1.0 }.share(300, 0.0), 0.0);
        assert_eq!(Target { of_outcome: 0.0 }.share(0, 1.0), 0.5);
        let between = Target { of_outcome: 0.25 }.share(100, 1.0);
        let expected = 0.25 + 0.75 / (1.0 + (-1.0f64).exp());
        assert!((between - expected).abs() < 1e-12, "{between}");
    }
}

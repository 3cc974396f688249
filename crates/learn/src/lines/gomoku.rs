//! Gomoku: logistic regression over crossings, printed as `crates/knowledge/src/gomoku/weights.txt`.

use banyan_games::gomoku::Gomoku;

use super::course::{Sampled, Target};
use crate::evaluations::gomoku::{Fit as Crossings, Kinds, Sample, sample};
use banyan_selfplay::patterns::line_games::Recorded;

/// Crossings, the best threats of both sides, and the order of moves.
pub(super) struct Fit {
    target: Target,
    kinds: &'static Kinds,
    crossings: Crossings<'static>,
}

impl Fit {
    pub fn new(target: Target) -> Fit {
        // One for the process that learns.
        let kinds: &'static Kinds = Box::leak(Box::new(Kinds::new()));
        Fit { target, kinds, crossings: Crossings::new(kinds) }
    }
}

impl Sampled for Fit {
    type Game = Gomoku;
    type Sample = Sample;

    fn samples(&self, root: &Gomoku, game: &Recorded) -> Vec<Sample> {
        let mut samples = Vec::new();
        game.each(root, |position, ply, share| {
            let share = self.target.share(ply.value, share);
            let mut sample = sample(self.kinds, position, Some(ply.best));
            sample.share = share;
            samples.push(sample);
        });
        samples
    }

    fn learn(&mut self, sample: &Sample, step: f64) {
        self.crossings.learn(sample, step);
    }

    fn loss(&self, sample: &Sample) -> f64 {
        self.crossings.value_loss(sample).unwrap_or(0.0)
    }

    fn text(&self) -> String {
        let mut text = Vec::new();
        self.crossings.write(&mut text).expect("a vector takes all");
        String::from_utf8(text).expect("names and numbers")
    }
}

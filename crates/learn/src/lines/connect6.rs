//! Connect6: logistic regression over looks along lines, printed as `crates/knowledge/src/connect6/tables.txt`.

use banyan_games::connect6::Connect6;
use banyan_knowledge::Knowledge;
use banyan_knowledge::connect6::tables::{self, LOOKS, Look, looks, matters, mirrored};
use std::collections::HashMap;

use super::course::{Sampled, Target, logistic};
use crate::adagrad::Weight;
use banyan_selfplay::patterns::line_games::Recorded;

/// Draws the worth of a look with one stone left in the turn towards that with two, and all towards 0.
const DECAY: f64 = 1e-6;

/// A position as it is learned from.
pub(super) struct Sample {
    /// Stones that the turn has used.
    used: usize,
    looks: Vec<Look>,
    share: f64,
}

/// Weights of looks, and of having the move; by stones that the turn has used. What both have in common is apart.
pub(super) struct Fit {
    target: Target,
    kind_of: Vec<u16>,
    kinds: Vec<Look>,
    common: Vec<Weight>,
    by_used: [Vec<Weight>; 2],
    to_move: [Weight; 2],
}

impl Fit {
    pub fn new(target: Target) -> Fit {
        let (mut kind_of, mut kinds) = (vec![u16::MAX; LOOKS], Vec::new());
        let mut known = HashMap::new();
        for look in (0..LOOKS).map(|look| look as Look).filter(|&look| matters(look)) {
            let name = look.min(mirrored(look));
            let kind = *known.entry(name).or_insert_with(|| {
                kinds.push(name);
                kinds.len() as u16 - 1
            });
            kind_of[usize::from(look)] = kind;
        }
        let none = || vec![Weight::default(); kinds.len()];
        let (common, by_used) = (none(), [none(), none()]);
        Fit { target, kind_of, common, by_used, to_move: Default::default(), kinds }
    }

    fn logit(&self, sample: &Sample) -> f64 {
        let by_used = &self.by_used[sample.used];
        let of = |look: &Look| {
            let kind = usize::from(self.kind_of[usize::from(*look)]);
            self.common[kind].at + by_used[kind].at
        };
        sample.looks.iter().map(of).sum::<f64>() + self.to_move[sample.used].at
    }
}

impl Sampled for Fit {
    type Game = Connect6;
    type Sample = Sample;

    fn samples(&self, root: &Connect6, game: &Recorded) -> Vec<Sample> {
        let mut samples = Vec::new();
        let all = Connect6::evaluations();
        let evaluation = all.iter().find(|it| it.name() == "tables").unwrap_or(&all[0]);
        game.each(root, |position, ply, share| {
            // Where something is urgent a search goes on, and asks for no value.
            let mut urgent = Vec::new();
            evaluation.forced(position, &mut urgent);
            if !urgent.is_empty() {
                return;
            }
            let share = self.target.share(ply.value, share);
            let used = usize::from(2 - position.plies_left());
            samples.push(Sample { used, looks: looks(position), share });
        });
        samples
    }

    fn learn(&mut self, sample: &Sample, step: f64) {
        let slope = logistic(self.logit(sample)) - sample.share;
        for look in &sample.looks {
            let kind = usize::from(self.kind_of[usize::from(*look)]);
            let common = &mut self.common[kind];
            common.step(slope + DECAY * common.at, step);
            let own = &mut self.by_used[sample.used][kind];
            own.step(slope + 10.0 * DECAY * own.at, step / 2.0);
        }
        self.to_move[sample.used].step(slope, step);
    }

    fn loss(&self, sample: &Sample) -> f64 {
        let chance = logistic(self.logit(sample)).clamp(1e-9, 1.0 - 1e-9);
        -(sample.share * chance.ln() + (1.0 - sample.share) * (1.0 - chance).ln())
    }

    fn text(&self) -> String {
        let parts = |logit: f64| (1000.0 * logit).round().clamp(-30_000.0, 30_000.0) as i16;
        let [two, one] = self.to_move.each_ref().map(|it| parts(it.at));
        let worths = self.kinds.iter().enumerate().map(|(kind, &look)| {
            (look, [0, 1].map(|used| parts(self.common[kind].at + self.by_used[used][kind].at)))
        });
        tables::text([two, one], worths)
    }
}

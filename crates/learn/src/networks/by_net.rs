//! A network whose logits are taken as they are, of moves that no search would try too.

use banyan_games::Move;
use banyan_knowledge::planes::{Input, Planes};
use banyan_net::fixed::{LOGIT_ONE, VALUE_ONE};
use banyan_net::{Evaluator, Network, Output, Scratch, Vectors};
use banyan_selfplay::Learned;
use banyan_selfplay::judge::{Due, Judge, Said};

/// A network with room for its evaluations.
pub struct ByNet {
    evaluator: Evaluator,
    scratch: Scratch,
    planes: Vec<Planes>,
    outputs: Vec<Output>,
}

impl ByNet {
    /// Makes a network ready.
    pub fn new(network: &Network) -> ByNet {
        ByNet {
            evaluator: Evaluator::new(network, Vectors::fastest()),
            scratch: Scratch::default(),
            planes: Vec::new(),
            outputs: Vec::new(),
        }
    }
}

impl<G: Learned> Judge<G> for ByNet {
    const VALUE_SCALE: f32 = 0.6;

    fn judge(&mut self, due: &[Due<'_, G>]) -> anyhow::Result<Vec<Said>> {
        self.planes.resize(self.planes.len().max(due.len()), Planes::default());
        due.iter().zip(&mut self.planes).for_each(|(due, planes)| due.position.encode(planes));
        let count = self.evaluator.shape().planes;
        let seen = &self.planes[..due.len()];
        let inputs: Vec<Input<'_>> = seen.iter().map(|planes| planes.input(count)).collect();
        self.evaluator.evaluate(&mut self.scratch, &inputs, &mut self.outputs)?;
        let seen = self.planes.iter().zip(&self.outputs);
        Ok(due.iter().zip(seen).map(|(due, seen)| said(seen, &due.moves)).collect())
    }
}

fn said((planes, output): (&Planes, &Output), moves: &[Move]) -> Said {
    let at = |point| output.policy[planes.point(point)];
    let logit = |mv: &Move| mv.index().map_or(output.pass, at);
    Said {
        value: output.value() as f32 / VALUE_ONE as f32,
        logits: moves.iter().map(|mv| logit(mv) as f32 / LOGIT_ONE as f32).collect(),
    }
}

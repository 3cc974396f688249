//! Who judges the positions of self-play: a network, or heavy playouts before there is one.

use banyan_games::counts::Asked;
use banyan_games::go::Go;
use banyan_games::{Color, Counts, Game as _, Leaf, Move, Rng};
use banyan_knowledge::go::planes::encode;
use banyan_knowledge::planes::{Input, Planes};
use banyan_knowledge::{Knowledge as _, Policy};
use banyan_net::fixed::{LOGIT_ONE, VALUE_ONE};
use banyan_net::{Evaluator, InputError, Network, Output, Scratch, Vectors};

/// A position that is to be judged, and its moves.
pub struct Due<'a> {
    /// The position; its game goes on.
    pub position: &'a Go,
    /// Moves whose logits are asked for.
    pub moves: Vec<Move>,
}

/// What a judge says of a position: value for the side to move, logits of its moves.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// 0 to 1.
    pub value: f32,
    /// One for each move that was asked about.
    pub logits: Vec<f32>,
}

/// Judges positions, many at a time.
pub trait Judge {
    /// What a value from 0 to 1 counts against logits, for each visit: the surer a value, the more.
    const VALUE_SCALE: f32;

    /// One judgement each, in order.
    ///
    /// # Errors
    /// A board that the judge does not know.
    fn judge(&mut self, due: &[Due<'_>]) -> Result<Vec<Said>, InputError>;
}

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

impl Judge for ByNet {
    const VALUE_SCALE: f32 = 0.6;

    fn judge(&mut self, due: &[Due<'_>]) -> Result<Vec<Said>, InputError> {
        self.planes.resize(self.planes.len().max(due.len()), Planes::default());
        due.iter().zip(&mut self.planes).for_each(|(due, planes)| encode(due.position, planes));
        let inputs: Vec<Input<'_>> = self.planes[..due.len()].iter().map(Planes::input).collect();
        self.evaluator.evaluate(&mut self.scratch, &inputs, &mut self.outputs)?;
        Ok(due.iter().zip(&self.outputs).map(|(due, output)| said(output, &due.moves)).collect())
    }
}

fn said(output: &Output, moves: &[Move]) -> Said {
    let logit = |mv: &Move| mv.index().map_or(output.pass, |point| output.policy[point]);
    Said {
        value: output.value() as f32 / VALUE_ONE as f32,
        logits: moves.iter().map(|mv| logit(mv) as f32 / LOGIT_ONE as f32).collect(),
    }
}

/// Heavy playouts for the value, the tree's learned priors for the policy.
pub struct ByPlayouts {
    rng: Rng,
}

/// Playouts of each position.
const PLAYOUTS: u32 = 4;

/// A pass is so much less likely than the likeliest move: what priors do not say.
const PASS_LOGIT: f32 = -3.0;

impl ByPlayouts {
    /// A judge whose chance follows from a seed.
    pub fn new(seed: u64) -> ByPlayouts {
        ByPlayouts { rng: Rng::from_seed(seed) }
    }
}

impl Judge for ByPlayouts {
    const VALUE_SCALE: f32 = 0.12;

    fn judge(&mut self, due: &[Due<'_>]) -> Result<Vec<Said>, InputError> {
        let asked = Asked { amaf: false, ownership: false };
        let mut rngs: Vec<Rng> = due.iter().map(|_| Rng::from_seed(self.rng.bits())).collect();
        let mut counts: Vec<Counts> =
            due.iter().map(|due| Counts::new(due.position.size().area(), asked)).collect();
        let mut leaves: Vec<Leaf<'_, Go>> = due
            .iter()
            .zip(rngs.iter_mut().zip(&mut counts))
            .map(|(due, (rng, counts))| Leaf {
                position: due.position,
                playouts: PLAYOUTS,
                rng,
                counts,
            })
            .collect();
        Go::play_out_by(Policy::Heavy, &mut leaves);
        Ok(due.iter().zip(&counts).map(|(due, counts)| played(due, counts)).collect())
    }
}

fn played(due: &Due<'_>, counts: &Counts) -> Said {
    let black = (counts.wins as f32 + counts.draws as f32 / 2.0) / counts.playouts() as f32;
    let is_black = due.position.side_to_move() == Color::Black;
    let mut odds = Vec::new();
    due.position.priors(&due.moves, &mut odds);
    odds.resize(due.moves.len(), 1.0);
    let most = odds.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let logit = |(mv, odds): (&Move, &f32)| {
        if mv.is_pass() { PASS_LOGIT } else { (odds / most).max(1e-4).ln() }
    };
    Said {
        value: if is_black { black } else { 1.0 - black },
        logits: due.moves.iter().zip(&odds).map(logit).collect(),
    }
}

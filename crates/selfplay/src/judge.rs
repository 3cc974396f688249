//! Who judges the positions of self-play: an evaluator, or heavy playouts before there is one.

use banyan_games::counts::Asked;
use banyan_games::go::Go;
use banyan_games::{Color, Counts, Game as _, Leaf, Move, Rng};
use banyan_knowledge::evaluator::{Chance, VALUE_ONE};
use banyan_knowledge::{Evaluator, Judgement, Knowledge as _, Policy, Query};

/// A position that is to be judged, and its moves.
pub struct Due<'a> {
    /// The position; its game goes on.
    pub position: &'a Go,
    /// Moves whose logits are asked for.
    pub moves: Vec<Move>,
    /// What its chance follows from, where the judge leaves something to chance.
    pub salt: u64,
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
    fn judge(&mut self, due: &[Due<'_>]) -> anyhow::Result<Vec<Said>>;
}

/// An evaluator of positions, such as a network.
pub struct ByEvaluator<'a> {
    evaluator: &'a dyn Evaluator<Go>,
    judgements: Vec<Judgement>,
}

impl ByEvaluator<'_> {
    /// Room for its judgements.
    pub fn new(evaluator: &dyn Evaluator<Go>) -> ByEvaluator<'_> {
        ByEvaluator { evaluator, judgements: Vec::new() }
    }
}

impl Judge for ByEvaluator<'_> {
    const VALUE_SCALE: f32 = 0.6;

    fn judge(&mut self, due: &[Due<'_>]) -> anyhow::Result<Vec<Said>> {
        let queries: Vec<Query<'_, Go>> = due.iter().map(|due| Query::of(due.position)).collect();
        self.evaluator.evaluate(&queries, &mut self.judgements)?;
        Ok(due.iter().zip(&self.judgements).map(|(due, judged)| judged_by(judged, due)).collect())
    }
}

/// What a policy that leaves a move out says of it.
const NO_LOGIT: f32 = -12.0;

fn judged_by(judgement: &Judgement, due: &Due<'_>) -> Said {
    let black = f32::from(judgement.value) / f32::from(VALUE_ONE);
    let logit = |&mv: &Move| match judgement.chance(mv) {
        Chance::NONE => NO_LOGIT,
        chance => libm::logf(chance.share()),
    };
    let is_black = due.position.side_to_move() == Color::Black;
    Said {
        value: if is_black { black } else { 1.0 - black },
        logits: due.moves.iter().map(logit).collect(),
    }
}

/// Heavy playouts for the value, the tree's learned priors for the policy.
pub struct ByPlayouts;

/// Playouts of each position.
const PLAYOUTS: u32 = 4;

/// A pass is so much less likely than the likeliest move: what priors do not say.
const PASS_LOGIT: f32 = -3.0;

impl Judge for ByPlayouts {
    const VALUE_SCALE: f32 = 0.12;

    fn judge(&mut self, due: &[Due<'_>]) -> anyhow::Result<Vec<Said>> {
        let asked = Asked { amaf: false, ownership: false };
        let mut rngs: Vec<Rng> = due.iter().map(|due| Rng::from_seed(due.salt)).collect();
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
        if mv.is_pass() { PASS_LOGIT } else { libm::logf((odds / most).max(1e-4)) }
    };
    Said {
        value: if is_black { black } else { 1.0 - black },
        logits: due.moves.iter().zip(&odds).map(logit).collect(),
    }
}

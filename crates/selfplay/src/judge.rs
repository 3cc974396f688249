//! Judges of the positions of self-play: an evaluator, or what is known of the game before there is one.

use super::learned::Learned;
use banyan_games::counts::Asked;
use banyan_games::{Color, Counts, Leaf, Move, Rng};
use banyan_knowledge::evaluator::{Chance, VALUE_ONE};
use banyan_knowledge::statics::expected_share;
use banyan_knowledge::{Evaluator, Judgement, Policy, Query};

/// A position that is to be judged, and its moves.
pub struct Due<'a, G> {
    /// The position; its game goes on.
    pub position: &'a G,
    /// Moves whose logits are asked for.
    pub moves: Vec<Move>,
    /// Seed of its chance, where the judge leaves something to chance.
    pub salt: u64,
}

/// Judgement of a position: value for the side to move, logits of its moves.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// 0 to 1.
    pub value: f32,
    /// One for each move that was asked about.
    pub logits: Vec<f32>,
}

/// Judges positions, many at a time.
pub trait Judge<G> {
    /// Weight of a value from 0 to 1 against logits, for each visit: the surer a value, the more.
    const VALUE_SCALE: f32;

    /// One judgement each, in order.
    ///
    /// # Errors
    /// A board that the judge does not know.
    fn judge(&mut self, due: &[Due<'_, G>]) -> anyhow::Result<Vec<Said>>;
}

/// An evaluator of positions, such as a network.
pub struct ByEvaluator<'a, G> {
    evaluator: &'a dyn Evaluator<G>,
    judgements: Vec<Judgement>,
}

impl<G> ByEvaluator<'_, G> {
    /// Room for its judgements.
    pub fn new(evaluator: &dyn Evaluator<G>) -> ByEvaluator<'_, G> {
        ByEvaluator { evaluator, judgements: Vec::new() }
    }
}

impl<G: Learned> Judge<G> for ByEvaluator<'_, G> {
    const VALUE_SCALE: f32 = 0.6;

    fn judge(&mut self, due: &[Due<'_, G>]) -> anyhow::Result<Vec<Said>> {
        let queries: Vec<Query<'_, G>> = due.iter().map(|due| Query::of(due.position)).collect();
        self.evaluator.evaluate(&queries, &mut self.judgements)?;
        Ok(due.iter().zip(&self.judgements).map(|(due, judged)| judged_by(judged, due)).collect())
    }
}

/// Logit of a move that a policy leaves out.
const NO_LOGIT: f32 = -12.0;

fn judged_by<G: Learned>(judgement: &Judgement, due: &Due<'_, G>) -> Said {
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

/// Knowledge without a network: the game's evaluation for the value, heavy playouts where it has none; the
/// tree's priors for the policy.
pub struct ByKnowledge;

/// Playouts of each position.
const PLAYOUTS: u32 = 4;

/// A pass is so much less likely than the likeliest move: what priors do not say.
const PASS_LOGIT: f32 = -3.0;

impl<G: Learned> Judge<G> for ByKnowledge {
    const VALUE_SCALE: f32 = 0.12;

    fn judge(&mut self, due: &[Due<'_, G>]) -> anyhow::Result<Vec<Said>> {
        let values = if G::evaluations().is_empty() { played_out(due) } else { evaluated(due) };
        Ok(due.iter().zip(values).map(|(due, value)| said(due, value)).collect())
    }
}

/// Shares of the wins that the game's evaluation expects for the side to move.
fn evaluated<G: Learned>(due: &[Due<'_, G>]) -> Vec<f32> {
    due.iter().map(|due| expected_share(due.position).map_or(0.5, |share| share as f32)).collect()
}

/// Shares of heavy playouts that the side to move wins.
fn played_out<G: Learned>(due: &[Due<'_, G>]) -> Vec<f32> {
    let asked = Asked { amaf: false, ownership: false };
    let mut rngs: Vec<Rng> = due.iter().map(|due| Rng::from_seed(due.salt)).collect();
    let mut counts: Vec<Counts> =
        due.iter().map(|due| Counts::new(due.position.size().area(), asked)).collect();
    let mut leaves: Vec<Leaf<'_, G>> = due
        .iter()
        .zip(rngs.iter_mut().zip(&mut counts))
        .map(|(due, (rng, counts))| Leaf {
            position: due.position,
            playouts: PLAYOUTS,
            rng,
            counts,
        })
        .collect();
    G::play_out_by(Policy::Heavy, &mut leaves);
    let share = |(due, counts): (&Due<'_, G>, &Counts)| {
        let black = (counts.wins as f32 + counts.draws as f32 / 2.0) / counts.playouts() as f32;
        if due.position.side_to_move() == Color::Black { black } else { 1.0 - black }
    };
    due.iter().zip(&counts).map(share).collect()
}

/// A value with the logits of the game's priors.
fn said<G: Learned>(due: &Due<'_, G>, value: f32) -> Said {
    let mut odds = Vec::new();
    due.position.priors(&due.moves, &mut odds);
    odds.resize(due.moves.len(), 1.0);
    let most = odds.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let logit = |(mv, odds): (&Move, &f32)| {
        if mv.is_pass() { PASS_LOGIT } else { libm::logf((odds / most).max(1e-4)) }
    };
    Said { value, logits: due.moves.iter().zip(&odds).map(logit).collect() }
}

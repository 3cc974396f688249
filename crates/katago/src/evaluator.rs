//! KataGo behind the seam that all evaluators share.

use banyan_games::go::Go;
use banyan_games::{Color, Game as _};
use banyan_knowledge::evaluator::{KATAGO, VALUE_ONE};
use banyan_knowledge::{Chance, Evaluator, EvaluatorError, Judgement, ModelDigest, Query};

use crate::judged::Judged;
use crate::katago::KataGo;
use crate::position::Position;

/// Its name for people.
pub const NAME: &str = "katago";

impl Evaluator<Go> for KataGo {
    fn name(&self) -> &str {
        NAME
    }

    fn digest(&self) -> ModelDigest {
        KATAGO
    }

    /// Its numbers are floating point, and other machines have other networks.
    fn is_exact(&self) -> bool {
        false
    }

    fn evaluate(
        &self,
        queries: &[Query<'_, Go>],
        judgements: &mut Vec<Judgement>,
    ) -> Result<(), EvaluatorError> {
        let position = |query: &Query<'_, Go>| {
            Position::new(query.start, query.plies, query.position.side_to_move())
        };
        let answers = self.judge(queries.iter().map(position).collect());
        judgements.clear();
        for (query, answer) in queries.iter().zip(answers) {
            let refused = |why: crate::Refusal| EvaluatorError {
                evaluator: NAME.to_owned(),
                reason: why.to_string(),
            };
            judgements.push(judgement(query.position.side_to_move(), &answer.map_err(refused)?));
        }
        Ok(())
    }
}

/// Converts what was said for the side to move to Black's point of view and whole numbers.
fn judgement(side: Color, judged: &Judged) -> Judgement {
    let sign = if side == Color::Black { 1.0 } else { -1.0 };
    let black = if side == Color::Black { judged.winrate } else { 1.0 - judged.winrate };
    let chance = |share: &Option<f32>| share.map_or(Chance::NONE, Chance::of);
    let pass = Chance::of(judged.pass);
    Judgement {
        value: (black * f32::from(VALUE_ONE)).round() as u16,
        policy: judged.policy.iter().map(chance).chain([pass]).collect(),
        score: Some((sign * judged.lead * 256.0).round() as i32),
        ownership: judged
            .ownership
            .iter()
            .map(|owner| (sign * owner * 127.0).round() as i8)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_good_for_white_to_move_is_bad_for_black() {
        let judged = Judged {
            winrate: 0.75,
            lead: 2.5,
            policy: vec![Some(0.5), None, Some(0.0)],
            pass: 0.25,
            ownership: vec![1.0, -1.0, 0.5],
        };
        let [black, white] = Color::BOTH.map(|side| judgement(side, &judged));
        assert_eq!((black.value, white.value), (24_576, 8_192));
        assert_eq!((black.score, white.score), (Some(640), Some(-640)));
        assert_eq!((black.ownership, white.ownership), (vec![127, -127, 64], vec![-127, 127, -64]));
        assert_eq!(black.policy, white.policy);
        assert_eq!(black.policy, [Chance(17), Chance::NONE, Chance(255), Chance(33)]);
    }
}

//! Static evaluations as evaluators: what a game's best evaluation says once all is [quiet](crate::quiescence), a
//! policy of its priors.

use std::sync::Arc;

use banyan_games::connect6::Connect6;
use banyan_games::go::Go;
use banyan_games::gomoku::Gomoku;
use banyan_games::hex::Hex;
use banyan_games::othello::Othello;
use banyan_games::{Color, Kind, Move};

use crate::evaluation::{Evaluation, share_of};
use crate::evaluator::{
    Chance, Evaluator, EvaluatorError, Judgement, ModelDigest, Query, VALUE_ONE,
};
use crate::evaluators::Evaluators;
use crate::knowledge::Knowledge;
use crate::quiescence;

/// The name of all of them.
pub const NAME: &str = "patterns";

/// Beginning of their digests; then come the game and the digest of the evaluation.
const TITLE: &[u8] = b"patterns of ";

/// Tells whether this is the digest of one of them.
pub fn is_static(digest: ModelDigest) -> bool {
    digest.0.starts_with(TITLE)
}

/// Digest of the best one of a game; nothing where it has none.
pub fn digest<G: Knowledge>() -> Option<ModelDigest> {
    let evaluation = G::evaluations().get(G::SEARCHED_BY)?;
    let name = G::KIND.name().as_bytes();
    let mut digest = [0; 32];
    digest[..TITLE.len()].copy_from_slice(TITLE);
    digest[TITLE.len()..][..name.len()].copy_from_slice(name);
    let said = evaluation.digest().and(quiescence::IDENTITY);
    digest[24..].copy_from_slice(&said.0.to_le_bytes());
    Some(ModelDigest(digest))
}

/// A static evaluation that judges the positions of one game, exactly.
#[derive(Debug)]
pub struct Static<G: 'static> {
    digest: ModelDigest,
    evaluation: &'static Arc<dyn Evaluation<G>>,
}

impl<G: Knowledge> Static<G> {
    /// The best one of this build; nothing where the game has none.
    pub fn built_in() -> Option<Static<G>> {
        let evaluation = G::evaluations().get(G::SEARCHED_BY)?;
        Some(Static { digest: digest::<G>()?, evaluation })
    }

    fn judge(&self, position: &G) -> Judgement {
        let share = share(&**self.evaluation, position);
        let own = (share * f64::from(VALUE_ONE)).round() as u16;
        let value = match position.side_to_move() {
            Color::Black => own,
            Color::White => VALUE_ONE - own,
        };
        Judgement { value, policy: policy(position), ..Judgement::default() }
    }
}

fn share<G: Knowledge>(evaluation: &dyn Evaluation<G>, position: &G) -> f64 {
    share_of(quiescence::value(evaluation, position), evaluation.scale())
}

/// The side to move's share of the wins, 0 to 1, that a game's best static evaluation expects; nothing where it has
/// none.
pub fn expected_share<G: Knowledge>(position: &G) -> Option<f64> {
    let evaluation = G::evaluations().get(G::SEARCHED_BY)?;
    Some(share(&**evaluation, position))
}

/// How likely each candidate is to be the best, by the game's priors; all alike where it has none.
fn policy<G: Knowledge>(position: &G) -> Vec<Chance> {
    let area = position.size().area();
    let (mut moves, mut weights) = (Vec::with_capacity(area + 1), Vec::new());
    position.candidates(&mut moves);
    position.priors(&moves, &mut weights);
    weights.resize(moves.len(), 1.0);
    let sum: f32 = weights.iter().sum();
    let mut policy = vec![Chance::NONE; area + 1];
    for (&mv, weight) in moves.iter().zip(weights) {
        policy[Move::index(mv).unwrap_or(area)] = Chance::of(weight / sum);
    }
    policy
}

impl<G: Knowledge> Evaluator<G> for Static<G> {
    fn name(&self) -> &str {
        NAME
    }

    fn digest(&self) -> ModelDigest {
        self.digest
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn evaluate(
        &self,
        queries: &[Query<'_, G>],
        judgements: &mut Vec<Judgement>,
    ) -> Result<(), EvaluatorError> {
        judgements.clear();
        judgements.extend(queries.iter().map(|query| self.judge(query.position)));
        Ok(())
    }
}

/// Tells whether a tree follows a game's static evaluation where no network judges and nobody says otherwise:
/// not in Hex, where playouts are as good at equal time.
pub fn leads(kind: Kind) -> bool {
    match kind {
        Kind::Othello | Kind::Gomoku | Kind::Connect6 => true,
        Kind::Go | Kind::Hex => false,
    }
}

/// Puts a game's best static evaluation with the others; its digest, where there is one.
pub fn add_static(evaluators: &mut Evaluators, kind: Kind) -> Option<ModelDigest> {
    fn add<G: Knowledge>(evaluators: &mut Evaluators) -> Option<ModelDigest> {
        let judge = Static::<G>::built_in()?;
        let digest = judge.digest;
        evaluators.add::<G>(Arc::new(judge));
        Some(digest)
    }
    match kind {
        Kind::Go => add::<Go>(evaluators),
        Kind::Othello => add::<Othello>(evaluators),
        Kind::Gomoku => add::<Gomoku>(evaluators),
        Kind::Connect6 => add::<Connect6>(evaluators),
        Kind::Hex => add::<Hex>(evaluators),
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::Game;
    use banyan_games::gomoku::GomokuRules;
    use banyan_games::othello::OthelloRules;

    use super::*;
    use crate::evaluator::is_exact;

    #[test]
    fn each_game_with_an_evaluation_has_one_of_its_own() {
        let mut evaluators = Evaluators::default();
        let digests: Vec<_> =
            Kind::ALL.iter().filter_map(|&kind| add_static(&mut evaluators, kind)).collect();
        assert_eq!(digests.len(), Kind::ALL.len() - 1, "Go has none");
        for (nth, &digest) in digests.iter().enumerate() {
            assert!(is_static(digest) && is_exact(digest) && evaluators.has(digest));
            assert!(!digests[..nth].contains(&digest));
        }
        assert!(evaluators.all().iter().all(|(_, _, name)| name == NAME));
    }

    #[test]
    fn it_says_of_a_position_what_the_evaluation_does_to_either_side() {
        let judge = Static::<Othello>::built_in().expect("Othello is evaluated");
        // Black to move, and White after it.
        let first = Othello::new(&OthelloRules);
        let mut moves = Vec::new();
        first.candidates(&mut moves);
        let mut second = first.clone();
        second.play(moves[0]);
        let queries = [&first, &second].map(Query::of);
        let mut judgements = Vec::new();
        judge.evaluate(&queries, &mut judgements).expect("always");
        let evaluation = &Othello::evaluations()[0];
        let share = |position| share_of(evaluation.value(position), evaluation.scale());
        let black = [share(&first), 1.0 - share(&second)];
        assert!(black.iter().all(|&share| share != 0.5), "{black:?}");
        for (judgement, share) in judgements.iter().zip(black) {
            let off = (f64::from(judgement.value) / f64::from(VALUE_ONE) - share).abs();
            assert!(off < 1e-4, "{judgement:?} {share}");
        }
        let policy = &judgements[0].policy;
        assert_eq!(policy.iter().filter(|chance| chance.is_some()).count(), moves.len());
        let sum: f32 = moves.iter().map(|&mv| judgements[0].chance(mv).share()).sum();
        assert!((0.9..1.1).contains(&sum), "{sum}");
    }

    #[test]
    fn the_policy_is_the_games_priors() {
        let judge = Static::<Gomoku>::built_in().expect("Gomoku is evaluated");
        let rules = GomokuRules::new(15, 15, Default::default()).expect("a size of Gomoku");
        let mut position = Gomoku::new(&rules);
        // Four in a row, open at both ends, and a stone elsewhere.
        let point = |x: u16, y: u16| Move(y * 15 + x);
        for mv in [(5, 7), (0, 0), (6, 7), (0, 2), (7, 7), (0, 4), (8, 7), (0, 6)] {
            position.play(point(mv.0, mv.1));
        }
        let mut judgements = Vec::new();
        judge.evaluate(&[Query::of(&position)], &mut judgements).expect("always");
        let chance = |x, y| judgements[0].chance(point(x, y)).share();
        assert!(chance(4, 7) > 0.1 && chance(9, 7) > 0.1, "{:?}", judgements[0]);
        assert!(chance(4, 7) > 5.0 * chance(12, 12).max(chance(2, 2)));
        assert!(judgements[0].value > VALUE_ONE / 2);
    }

    #[test]
    fn games_of_lines_are_judged_by_what_their_searches_go_by_once_all_is_quiet() {
        use banyan_games::connect6::Connect6Rules;

        let judge = Static::<Connect6>::built_in().expect("Connect6 is evaluated");
        assert_eq!(judge.evaluation.name(), "mix");
        let mut position = Connect6::new(&Connect6Rules::new(19).expect("a size"));
        for word in "k10 a1 c1 l10 m10 e1 g1 n10 o10".split(' ') {
            position.play(position.parse_move(word).expect("a point"));
        }
        let black = |position: &Connect6| {
            let mut judgements = Vec::new();
            judge.evaluate(&[Query::of(position)], &mut judgements).expect("always");
            judgements[0].value
        };
        let open = black(&position);
        assert!((1..VALUE_ONE).contains(&open), "White stops the five: {open}");
        for word in ["a5", "a9"] {
            position.play(position.parse_move(word).expect("a point"));
        }
        assert_eq!(black(&position), VALUE_ONE, "White did not");
        assert_eq!(expected_share(&position), Some(1.0));
    }
}

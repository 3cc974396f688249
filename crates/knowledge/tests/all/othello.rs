//! Priors of Othello.

use banyan_games::othello::{Othello, OthelloRules};
use banyan_games::{Color, Game, Move, Rng};
use banyan_knowledge::Knowledge;

fn moves(position: &Othello) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn set_up(text: &str, side: Color) -> Othello {
    let stones: Vec<(Color, Move)> = text
        .bytes()
        .filter(|byte| b"XO-".contains(byte))
        .enumerate()
        .filter(|&(_, byte)| byte != b'-')
        .map(|(p, byte)| (Color::BOTH[usize::from(byte == b'O')], Move::point(p)))
        .collect();
    let mut position = Othello::new(&OthelloRules);
    position.set_up(&stones, side).expect("free points");
    position
}

fn priors(position: &Othello, moves: &[Move]) -> Vec<f32> {
    let mut weights = Vec::new();
    position.priors(moves, &mut weights);
    weights
}

/// The odds of a win that the evaluation gives whoever played the move.
#[test]
fn a_move_is_believed_in_by_the_evaluation_after_it() {
    let evaluation = &Othello::evaluations()[0];
    let mut rng = Rng::from_seed(4);
    let mut position = Othello::new(&OthelloRules);
    let mut compared = 0;
    while position.outcome().is_none() {
        let moves = moves(&position);
        for (&mv, weight) in moves.iter().zip(priors(&position, &moves)) {
            let mut after = position.clone();
            after.play(mv);
            if after.outcome().is_none() {
                let log_odds = -evaluation.value(&after) as f32 / evaluation.scale();
                let odds = log_odds.clamp(-8.0, 8.0).exp();
                assert!((weight / odds - 1.0).abs() < 1e-3, "{weight} {odds}");
                compared += 1;
            }
        }
        position.play(moves[rng.below(moves.len() as u32) as usize]);
    }
    assert!(compared > 200, "{compared}");
    // Black's last move wins the game.
    let text = format!("{}-OX{}", "X".repeat(40), "X".repeat(21));
    let won = set_up(&text, Color::Black);
    let weights = priors(&won, &moves(&won));
    assert!(weights[0] > 1_000.0, "{weights:?}");
}

#[test]
fn every_move_that_a_liar_could_name_has_a_prior() {
    let position = Othello::new(&OthelloRules);
    let all: Vec<Move> = (0..=u16::MAX).map(Move).collect();
    let weights = priors(&position, &all);
    assert_eq!(weights.len(), all.len());
    assert!(weights.iter().all(|&weight| weight > 0.0 && weight.is_finite()));
    let legal = usize::from(moves(&position)[0].0);
    assert!(weights[legal] > weights[0] && weights[0] == weights[64]);
}

//! Which games have positions that are not quiet.

use banyan_games::Rng;
use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
use banyan_games::hex::{Hex, HexRules};
use banyan_games::othello::{Othello, OthelloRules};
use banyan_knowledge::Knowledge;

/// Games by chance: where none is said to have urgent moves no evaluation names any, else some evaluation does.
fn check<G: Knowledge>(rules: &G::Rules) {
    let (mut rng, mut urgent) = (Rng::from_seed(8), 0);
    for _ in 0..10 {
        let mut position = G::new(rules);
        while position.outcome().is_none() {
            for evaluation in G::evaluations() {
                let value = evaluation.quiescence_value(&position, &mut Vec::new());
                assert!(value.is_some() || G::HAS_URGENT_MOVES, "{position:?}");
                urgent += u32::from(value.is_none());
            }
            let mut moves = Vec::new();
            position.candidates(&mut moves);
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
    }
    assert_eq!(urgent > 0, G::HAS_URGENT_MOVES);
}

#[test]
fn positions_are_quiet_where_a_game_says_so() {
    check::<Othello>(&OthelloRules);
    check::<Hex>(&HexRules::new(5).expect("a size"));
    check::<Gomoku>(&GomokuRules::new(9, 9, Variant::Freestyle).expect("a size"));
    check::<Connect6>(&Connect6Rules::new(9).expect("a size"));
}

//! Random lines by which tests hold an accumulator to what is found afresh.

use banyan_games::game::Game;
use banyan_games::rng::Rng;
use banyan_games::types::Move;

use crate::evaluation::Accumulator;

/// Steps down random lines and back up again, now and then without a question on the way; returns the sum of what was
/// answered.
///
/// - `accumulator`: that of the root.
/// - `pick`: a move by lot, if there is one.
/// - `ask`: asks about the position where the accumulator stands.
pub(crate) fn wander<G: Game, A: Accumulator<G>>(
    (root, mut accumulator): (&G, A),
    (steps, rng): (usize, &mut Rng),
    pick: impl Fn(&G, &mut Rng) -> Option<Move>,
    ask: impl Fn(&mut A, &G) -> usize,
) -> usize {
    let (mut line, mut sum) = (vec![root.clone()], 0);
    for _ in 0..steps {
        let position = line.last().expect("the root at least");
        let mv = pick(position, rng).filter(|_| line.len() == 1 || rng.below(4) > 0);
        match mv {
            Some(mv) => {
                let mut next = position.clone();
                next.play(mv);
                if next.outcome().is_some() {
                    continue;
                }
                accumulator.play(position, mv);
                line.push(next);
            }
            None => {
                line.pop();
                accumulator.take_back();
            }
        }
        if rng.below(2) == 0 {
            sum += ask(&mut accumulator, line.last().expect("a position"));
        }
    }
    sum
}

/// Any candidate.
pub(crate) fn any<G: Game>(position: &G, rng: &mut Rng) -> Option<Move> {
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    let at = rng.below(moves.len().max(1) as u32) as usize;
    moves.get(at).copied()
}

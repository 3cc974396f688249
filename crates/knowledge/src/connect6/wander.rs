//! Random lines by which tests hold an accumulator to what is found afresh.

use banyan_games::Game as _;
use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::rng::Rng;

use crate::Accumulator;

/// Goes down random lines near each other's stones and back up again, now and then without a question;
/// returns the sum of what was answered.
///
/// - `of`: an accumulator of a position.
/// - `ask`: asks it about the position where it stands.
pub(super) fn wander<A: Accumulator<Connect6>>(
    of: &dyn Fn(&Connect6) -> A,
    ask: &dyn Fn(&mut A, &Connect6) -> usize,
) -> usize {
    let (mut rng, mut sum) = (Rng::from_seed(13), 0);
    for side in [6, 9, 19, 25].into_iter().flat_map(|side| [side; 4]) {
        let root = Connect6::new(&Connect6Rules::new(side).expect("a size"));
        let mut accumulator = of(&root);
        let mut line = vec![root];
        for _ in 0..120 {
            let position = line.last().expect("the root at least");
            if line.len() > 1 && rng.below(4) == 0 {
                line.pop();
                accumulator.take_back();
            } else {
                let mut next = position.clone();
                let mv = near(position, &mut rng);
                next.play(mv);
                if next.outcome().is_some() {
                    continue;
                }
                accumulator.play(position, mv);
                line.push(next);
            }
            if rng.below(2) == 0 {
                sum += ask(&mut accumulator, line.last().expect("a position"));
            }
        }
    }
    sum
}

/// A move by lot, along a diagonal where there is one, so that long rows come about.
fn near(position: &Connect6, rng: &mut Rng) -> banyan_games::Move {
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    let width = usize::from(position.size().width);
    let few: Vec<_> =
        moves.iter().copied().filter(|mv| usize::from(mv.0) % (width + 1) < 3).collect();
    let some = if few.is_empty() { moves } else { few };
    some[rng.below(some.len() as u32) as usize]
}

//! Random lines by which tests hold an accumulator to what is found afresh.

use banyan_games::Game as _;
use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::rng::Rng;
use banyan_games::types::Move;

use crate::Accumulator;
use crate::line::wander;

/// On boards of several sizes, near each other's stones; returns the sum of what was answered.
///
/// - `of`: an accumulator of a position.
/// - `ask`: asks it about the position where it stands.
pub(super) fn wander<A: Accumulator<Connect6>>(
    of: &dyn Fn(&Connect6) -> A,
    ask: &dyn Fn(&mut A, &Connect6) -> usize,
) -> usize {
    let mut rng = Rng::from_seed(13);
    let boards = [6, 9, 19, 25].into_iter().flat_map(|side| [side; 4]);
    let each = boards.map(|side| {
        let root = Connect6::new(&Connect6Rules::new(side).expect("a size"));
        wander::wander((&root, of(&root)), (120, &mut rng), near, ask)
    });
    each.sum()
}

/// A move by lot, along a diagonal where there is one, so that long rows come about.
fn near(position: &Connect6, rng: &mut Rng) -> Option<Move> {
    let mut moves = Vec::new();
    position.candidates(&mut moves);
    let width = usize::from(position.size().width);
    let few: Vec<_> =
        moves.iter().copied().filter(|mv| usize::from(mv.0) % (width + 1) < 3).collect();
    let some = if few.is_empty() { moves } else { few };
    some.get(rng.below(some.len().max(1) as u32) as usize).copied()
}

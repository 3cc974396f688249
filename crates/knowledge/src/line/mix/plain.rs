//! The value by its definition: the slow twin of sums that follow.

use super::learned::Learned;
use super::mixed::Mixed;
use super::sizes::{CHANNELS, LOGITS_MAX, ONE, SHAPES_MAX};

/// The value to the side to move, in logits, point by point as the definition says.
pub(crate) fn by_definition<G: Mixed>(learned: &Learned, position: &G, shapes: f32) -> f32 {
    let mut sums = [[0u16; CHANNELS]; 2];
    for looks in position.looks() {
        for (side, sums) in sums.iter_mut().enumerate() {
            for (channel, sum) in sums.iter_mut().enumerate() {
                let of = |look: u16, half: usize| {
                    i32::from(learned.row::<G>(look)[half * CHANNELS + channel])
                };
                let lines = looks.iter().map(|it| of(it[side], 0) + of(it[1 - side], 1));
                let number = i32::from(learned.bias[channel]) + lines.sum::<i32>();
                *sum += number.clamp(0, i32::from(ONE)) as u16;
            }
        }
    }
    let own = position.side_to_move().index();
    let head = &learned.heads[position.head()];
    head.value(&sums, own, shapes.clamp(-SHAPES_MAX, SHAPES_MAX)).clamp(-LOGITS_MAX, LOGITS_MAX)
}

//! One leaf of a shared search: what is it worth, to one depth?

use super::alpha_beta::{AlphaBeta, Place, Start};
use super::horizon::Horizon;
use super::memory::Memory;
use super::value::stones;
use crate::bounds::Bounds;
use crate::parallel::Bound;
use banyan_knowledge::{Evaluation, Knowledge};

/// One position, and how it is searched to one depth.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a, G> {
    /// The position; its game may be over.
    pub position: &'a G,
    /// The evaluation of lines where they are cut off.
    pub evaluation: &'a dyn Evaluation<G>,
    /// So many plies are looked ahead.
    pub depth: u32,
    /// Bounds of what matters of the value.
    pub bounds: Bounds,
}

/// Answers as if nothing had been searched before, so that the same probe has the same answer
/// everywhere; with the positions that were looked at. Nothing when told to stop. `memory` is room
/// alone, and forgets what it held.
///
/// - `goes_on` is asked about every thousand positions, with the positions so far.
pub fn probe<G: Knowledge>(
    memory: &mut Memory,
    asked: &Probe<'_, G>,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Option<(Bound, u64)> {
    let &Probe { position, evaluation, depth, bounds } = asked;
    memory.forget();
    let start = Start { position, evaluation, horizon: Horizon::Depth };
    let own = (&memory.table, &mut memory.order);
    let mut search = AlphaBeta::new(start, own, None, goes_on);
    let stones = stones(position);
    // The shallower searches show which moves to try first. (Measured: every second one does, and saves
    // a quarter of the positions in Othello; of the first three none may be left out in Gomoku.)
    let shows = |&shallower: &u32| shallower <= 3 || (depth - shallower).is_multiple_of(2);
    let mut value = 0;
    for depth in (depth.min(1)..=depth).filter(shows) {
        value = search.value(position, bounds, Place { depth, ply: 0, stones })?;
    }
    let bound = match value {
        value if value >= bounds.beta => Bound::AtLeast(value),
        value if value <= bounds.alpha => Bound::AtMost(value),
        value => Bound::Exact(value),
    };
    Some((bound, search.nodes))
}

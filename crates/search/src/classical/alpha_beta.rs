//! One search of one position to one depth: fail-soft alpha-beta with memory, in negamax form.
//!
//! # Source
//! S7; Fishburn 1983 for fail-soft, Reinefeld 1983 for the scout.

use std::sync::LazyLock;

use banyan_games::Move;
use banyan_knowledge::evaluation::accompany;
use banyan_knowledge::{Accumulator, Evaluation, Knowledge, LateMoves, Ranked};

use super::horizon::Horizon;
use super::order::{MoveOrdering, next};
use super::table::Table;
use super::value::{View, finished, is_lost};
use crate::bounds::{Bounds, INFINITE};
use crate::helped::{Busy, Places};

/// Between two questions whether to go on, positions.
const POSITIONS_BETWEEN_LOOKS: u64 = 1 << 10;

/// The game's own order of moves, and a scout before each move but the first, are for positions with
/// at least this depth below them.
const DEPTH_TO_ORDER: u32 = 2;

/// Moves that come late are looked at less deep first where at least this depth is left.
const DEPTH_TO_REDUCE: u32 = 3;

/// What another is searching with at least this depth is left for later.
const DEPTH_TO_DEFER: u32 = 3;

/// A value worse than so many times the evaluation's scale is as good as lost.
const HOPELESS: f32 = 16.0;

/// A search under way.
pub(super) struct AlphaBeta<'a, G: Knowledge> {
    evaluation: &'a dyn Evaluation<G>,
    /// The evaluation where the search is.
    accumulator: Box<dyn Accumulator<G> + 'a>,
    horizon: Horizon,
    /// Reduction and pruning of late moves. Plies narrow a position; a budget of branches does by itself.
    late_moves: Option<LateMoves>,
    /// A position that is worth less is as good as lost.
    hopeless: i32,
    pub table: &'a Table,
    pub order: &'a mut MoveOrdering,
    /// What is being searched, where others search beside this.
    busy: Option<&'a Busy>,
    /// Positions looked at.
    pub nodes: u64,
    /// Tells whether an evaluation has decided anything since this was last cleared.
    pub met_horizon: bool,
    /// Asked with the positions so far; false ends the search.
    pub goes_on: &'a mut dyn FnMut(u64) -> bool,
    /// Room for the moves of a position, given back when it is left.
    pub rooms: Vec<Vec<Ranked>>,
    pub scratch: Vec<Move>,
}

/// Root, evaluation and horizon of a search.
#[derive(Clone, Copy)]
pub(super) struct Start<'p, 'e, G> {
    pub position: &'p G,
    pub evaluation: &'e dyn Evaluation<G>,
    pub horizon: Horizon,
}

/// Place of a position in a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Effort left.
    pub depth: u32,
    /// Plies from the root.
    pub ply: usize,
    /// Stones on the board.
    pub stones: i32,
}

impl Place {
    fn below(self, depth: u32, mv: Move) -> Place {
        let stones = self.stones + i32::from(!mv.is_pass());
        Place { depth, ply: self.ply + 1, stones }
    }
}

/// A look at the moves of a position.
#[derive(Clone, Copy, Debug)]
struct Look {
    bounds: Bounds,
    place: Place,
    /// The depth for each of them.
    below: u32,
    /// Late-move pruning: so many of them, and the others only where these lose.
    pruned_after: usize,
    /// False where they are forced: one that cuts then says nothing of other positions.
    is_choice: bool,
}

/// A look at a child.
#[derive(Clone, Copy, Debug)]
struct Seen {
    view: View,
    /// As its parent sees them.
    bounds: Bounds,
    place: Place,
}

/// A look at one move.
#[derive(Clone, Copy, Debug)]
enum Tried {
    Value(i32),
    /// Another is searching it.
    Busy,
    /// The evaluation drops it for good.
    Dropped,
    /// Told to stop.
    Stopped,
}

/// The best of some moves, and what it is worth to the side that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Best {
    pub value: i32,
    pub mv: Move,
}

impl<'a, G: Knowledge> AlphaBeta<'a, G> {
    /// A search under way from `start`.
    pub fn new(
        start: Start<'_, 'a, G>,
        (table, order): (&'a Table, &'a mut MoveOrdering),
        busy: Option<&'a Busy>,
        goes_on: &'a mut dyn FnMut(u64) -> bool,
    ) -> AlphaBeta<'a, G> {
        let Start { position, evaluation, horizon } = start;
        AlphaBeta {
            evaluation,
            accumulator: accompany(evaluation, position),
            horizon,
            late_moves: evaluation.late_moves().filter(|_| horizon == Horizon::Depth),
            hopeless: (-HOPELESS * evaluation.scale()) as i32,
            table,
            order,
            busy,
            nodes: 0,
            met_horizon: false,
            goes_on,
            rooms: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// The best of `moves` (at least one) in the position at the root, the one in front tried first.
    ///
    /// # Errors
    /// When told to stop: the best so far, of those that were searched to their end.
    pub fn root(
        &mut self,
        position: &G,
        moves: &[Move],
        bounds: Bounds,
        place: Place,
    ) -> Result<Best, Best> {
        let mut ranked: Vec<Ranked> = moves.iter().map(|&mv| Ranked::new(mv)).collect();
        self.accumulator.rank(position, &mut ranked);
        self.order.rank(position.side_to_move(), place.ply, moves.first().copied(), &mut ranked);
        let below = self.horizon.below(place.depth, moves.len());
        let look = Look { bounds, place, below, pruned_after: usize::MAX, is_choice: true };
        self.best(position, &mut ranked, look)
    }

    /// The value of a position: exact within `bounds`, else a bound on that side of it. Nothing when
    /// told to stop.
    pub(super) fn value(&mut self, position: &G, bounds: Bounds, place: Place) -> Option<i32> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POSITIONS_BETWEEN_LOOKS) && !(self.goes_on)(self.nodes) {
            return None;
        }
        // Before anything else: what forces a move may force one in a game that is over, too.
        if let Some(outcome) = position.outcome() {
            return Some(finished(outcome, place.stones, position.side_to_move()));
        }
        if place.depth == 0 {
            return self.value_at_horizon(position, bounds, place);
        }
        let hash = position.hash();
        let known = self.table.get(hash);
        let bounds = match known.map(|entry| entry.narrow(place.depth, bounds)) {
            Some(Ok(value)) => {
                self.met_horizon |= known.is_some_and(|entry| self.table.is_old(&entry));
                return Some(value);
            }
            Some(Err(narrower)) => narrower,
            None => bounds,
        };
        let (mut moves, below, is_choice) = self.moves_worth_a_look(position, place.depth);
        let pruned_after = self.late_moves.map_or(usize::MAX, |it| it.searched(place.depth));
        if place.depth >= DEPTH_TO_ORDER || pruned_after < moves.len() {
            self.accumulator.rank(position, &mut moves);
        }
        let best = known.map(|entry| entry.best);
        self.order.rank(position.side_to_move(), place.ply, best, &mut moves);
        let look = Look { bounds, place, below, pruned_after, is_choice };
        let found = self.best(position, &mut moves, look);
        self.rooms.push(moves);
        let Best { value, mv } = found.ok()?;
        self.table.put(hash, place.depth, bounds, (value, mv));
        Some(value)
    }

    /// Forced moves, else the candidates; the depth that is left for each, all of it where there is one; and whether
    /// they are the candidates.
    fn moves_worth_a_look(&mut self, position: &G, depth: u32) -> (Vec<Ranked>, u32, bool) {
        self.scratch.clear();
        self.accumulator.forced(position, &mut self.scratch);
        let forced = self.room();
        match forced.len() {
            0 => {
                self.rooms.push(forced);
                self.scratch.clear();
                position.candidates(&mut self.scratch);
                let moves = self.room();
                let below = self.horizon.below(depth, moves.len().max(1));
                (moves, below, true)
            }
            1 => (forced, depth, false),
            several => (forced, self.horizon.below(depth, several), false),
        }
    }

    /// A position that is not at rest is played on by the moves that are worth a look alone.
    fn value_at_horizon(&mut self, position: &G, bounds: Bounds, place: Place) -> Option<i32> {
        self.met_horizon = true;
        self.scratch.clear();
        if let Some(value) = self.accumulator.quiescence_value(position, &mut self.scratch) {
            return Some(value);
        }
        let mut moves = self.room();
        self.order.rank(position.side_to_move(), place.ply, None, &mut moves);
        let look = Look { bounds, place, below: 0, pruned_after: usize::MAX, is_choice: false };
        let found = self.best(position, &mut moves, look);
        self.rooms.push(moves);
        found.ok().map(|best| best.value)
    }

    /// The moves in the scratch, each with room for a rank.
    fn room(&mut self) -> Vec<Ranked> {
        let mut moves = self.rooms.pop().unwrap_or_default();
        moves.clear();
        moves.extend(self.scratch.iter().map(|&mv| Ranked::new(mv)));
        moves
    }

    fn best(&mut self, position: &G, moves: &mut [Ranked], look: Look) -> Result<Best, Best> {
        let Look { bounds, place, .. } = look;
        let side = position.side_to_move();
        let mut best = Best { value: -INFINITE, mv: moves[0].mv };
        let mut places = Places::of(moves.len());
        while let Some((at, is_new)) = places.next() {
            if is_new && at >= look.pruned_after && best.value > self.hopeless {
                self.met_horizon = true;
                places.leave_out_others();
                continue;
            }
            let mv = if is_new { next(moves, at) } else { moves[at].mv };
            let alpha = bounds.alpha.max(best.value);
            let within = Look { bounds: Bounds { alpha, ..bounds }, ..look };
            let value = match self.tried(position, (mv, at), within, is_new) {
                Tried::Value(value) => value,
                Tried::Busy => {
                    places.defer(at);
                    continue;
                }
                Tried::Dropped => {
                    self.met_horizon = true;
                    continue;
                }
                // What loses need not be played where another is left.
                Tried::Stopped if place.ply == 0 && is_lost(best.value) => {
                    return Err(Best { mv, ..best });
                }
                Tried::Stopped => return Err(best),
            };
            if value > best.value {
                best = Best { value, mv };
            }
            if value >= bounds.beta {
                let weight = place.depth.saturating_mul(place.depth).min(i32::MAX as u32) as i32;
                if look.is_choice {
                    self.order.note_cut(side, place.ply, mv, weight);
                }
                break;
            }
        }
        if best.value == -INFINITE {
            best.value = self.accumulator.value(position);
        }
        Ok(best)
    }

    /// The value of the move at a place of the order, within the bounds of `look`.
    ///
    /// - `defers`: whether one that another is searching is left for later.
    fn tried(&mut self, position: &G, (mv, at): (Move, usize), look: Look, defers: bool) -> Tried {
        let Look { bounds, place, below, .. } = look;
        let mut child = position.clone();
        child.play(mv);
        if child.outcome().is_none() && !self.evaluation.keeps(position, &child) {
            return Tried::Dropped;
        }
        // Of the first the bounds of the others come.
        let busy = self.busy.filter(|_| at > 0 && below >= DEPTH_TO_DEFER);
        let hash = if busy.is_some() { child.hash() } else { 0 };
        if let Some(busy) = busy {
            if defers && busy.has(hash, below) {
                return Tried::Busy;
            }
            busy.begin(hash, below);
        }
        self.accumulator.play(position, mv);
        let view = View::of(position.side_to_move(), child.side_to_move());
        let seen = Seen { view, bounds, place: place.below(below, mv) };
        let less = self.late_moves.map_or(0, |it| reduction(it, at, place.depth));
        let value = match less {
            0 => self.child(&child, seen),
            less => self.late_child(&child, seen, less),
        };
        self.accumulator.take_back();
        if let Some(busy) = busy {
            busy.end(hash, below);
        }
        value.map_or(Tried::Stopped, Tried::Value)
    }

    /// The same as [`AlphaBeta::child`] where a shallower look says that the move may be the best.
    fn late_child(&mut self, child: &G, seen: Seen, less: u32) -> Option<i32> {
        let Seen { view, bounds, place } = seen;
        let scout = view.bounds(Bounds::below(bounds.alpha + 1));
        let shallower = Place { depth: place.depth.saturating_sub(less), ..place };
        let value = view.value(self.value(child, scout, shallower)?);
        match value > bounds.alpha {
            true => self.child(child, seen),
            false => Some(value),
        }
    }

    /// The value of a child as its parent sees it. Once there is a value to beat it is first asked
    /// whether the child beats it at all, which costs less.
    fn child(&mut self, child: &G, seen: Seen) -> Option<i32> {
        let Seen { view, bounds, place } = seen;
        let is_open = bounds.alpha > -INFINITE && bounds.alpha + 1 < bounds.beta;
        if is_open && place.depth >= DEPTH_TO_ORDER {
            let scout = view.bounds(Bounds::below(bounds.alpha + 1));
            let value = view.value(self.value(child, scout, place)?);
            if value <= bounds.alpha || value >= bounds.beta {
                return Some(value);
            }
        }
        Some(view.value(self.value(child, view.bounds(bounds), place)?))
    }
}

/// The late-move reduction, in plies, of the move at this place of the order, in a position with so much
/// depth: after [`LateMoves::reduced_after`] the logarithms of place and depth multiplied, and two thirds of
/// that.
pub(super) fn reduction(late_moves: LateMoves, at: usize, depth: u32) -> u32 {
    const SIDE: usize = 64;
    static PLIES: LazyLock<[[u8; SIDE]; SIDE]> = LazyLock::new(|| {
        let log = |n: usize| libm::log(n.max(1) as f64);
        let plies = |at: usize, depth: usize| (log(depth) * log(at + 1) / 1.5) as u8;
        std::array::from_fn(|at| std::array::from_fn(|depth| plies(at, depth)))
    });
    if at < late_moves.reduced_after || depth < DEPTH_TO_REDUCE {
        return 0;
    }
    let plies = PLIES[at.min(SIDE - 1)][(depth as usize).min(SIDE - 1)];
    u32::from(plies).min(depth - 2)
}

#[cfg(test)]
mod tests {
    use banyan_games::Game as _;
    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};

    use super::*;

    #[test]
    fn a_search_that_is_stopped_plays_no_move_that_it_knows_to_lose_where_another_is_left() {
        let rules = GomokuRules::new(15, 15, Variant::Freestyle).expect("a size");
        let mut position = Gomoku::new(&rules);
        // Four of Black's, which one point stops.
        for word in "f8 e8 g8 a1 h8 c1 i8".split(' ') {
            position.play(position.parse_move(word).expect("a point"));
        }
        let moves = ["a15", "c15", "j8"].map(|word| position.parse_move(word).expect("a point"));
        let windows = Gomoku::evaluations().iter().find(|it| it.name() == "windows");
        let evaluation = &**windows.expect("an evaluation of Gomoku");
        let mut lost = 0;
        // After so many positions.
        for stopped in 1..200 {
            let (table, mut order) = (Table::new(1 << 16), MoveOrdering::new());
            let start = Start { position: &position, evaluation, horizon: Horizon::Depth };
            let mut goes_on = |_| false;
            let mut search = AlphaBeta::new(start, (&table, &mut order), None, &mut goes_on);
            search.nodes = POSITIONS_BETWEEN_LOOKS - stopped;
            let place = Place { depth: 3, ply: 0, stones: 7 };
            match search.root(&position, &moves, Bounds::FULL, place) {
                Err(best) if best.value > Bounds::FULL.alpha && is_lost(best.value) => {
                    lost += 1;
                    assert_ne!(best.mv, moves[0], "stopped after {stopped} positions");
                }
                Err(_) | Ok(_) => {}
            }
        }
        assert!(lost > 0);
    }
}

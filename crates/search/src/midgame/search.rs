//! One search to one depth with one trust: principal variation search, cut on probability.

use banyan_knowledge::othello::learned::DISC;
use banyan_knowledge::tuples::Tables;

use super::order::{Children, children, next};
use super::probcut::{self, SURE, Trust};
use super::table::{Effort, NONE, Table};
use crate::bounds::{Bounds, INFINITE};
use crate::endgame::Node;
use crate::endgame::{Board, Solver, cut_by_stability};
use crate::helped::{Busy, Places};

/// No value is larger: every disc to one side.
pub(super) const VALUE_MAX: i32 = 64 * DISC;

/// Between two questions whether to go on, positions.
const NODES_BETWEEN_LOOKS: u64 = 1 << 10;

/// Most empties of a position that is the solver's, where the game's end is in sight.
const EMPTIES_TO_SOLVE: u32 = 11;

/// From so much depth on children are looked up before any of them is searched.
const DEPTH_TO_LOOK_UP: u32 = 3;

/// From so much depth on children are ordered by searches of a ply, and from so much of two.
const DEPTHS_TO_LOOK: [u32; 2] = [6, 10];

/// What another is searching with at least this depth is left for later.
const DEPTH_TO_DEFER: u32 = 4;

/// Shallow searches may be cut by shallower ones, and those by no others.
const SHALLOW_MAX: u32 = 2;

/// A search under way.
pub(super) struct Search<'a> {
    pub tables: &'a Tables,
    pub table: &'a Table,
    pub solver: &'a Solver,
    /// What is being searched, where others search beside this.
    pub busy: Option<&'a Busy>,
    pub trust: Trust,
    /// Positions looked at.
    pub nodes: u64,
    pub next_look: u64,
    /// Asked with the positions so far; false ends the search.
    pub goes_on: &'a mut dyn FnMut(u64) -> bool,
    /// Shallow searches that the search is within.
    pub within: u32,
}

/// The best of some moves, and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Best {
    pub value: i32,
    /// The point.
    pub at: u8,
}

impl Best {
    const NONE: Best = Best { value: -INFINITE, at: NONE };
}

impl Search<'_> {
    /// The best of the moves at the root, in the order in which they stand.
    ///
    /// # Errors
    /// When told to stop: the best of those that were searched to their end.
    pub fn root(&mut self, children: &Children, depth: u32, bounds: Bounds) -> Result<Best, Best> {
        let mut children = children.clone();
        children.iter_mut().zip(0..).for_each(|(child, place)| child.cost = place);
        self.best(&mut children, depth, bounds)
    }

    /// The value of a position, fail-soft within `bounds`; nothing when told to stop.
    pub fn value(&mut self, node: &Node, depth: u32, bounds: Bounds) -> Option<i32> {
        let left = node.empties();
        if depth >= left && left <= EMPTIES_TO_SOLVE {
            return self.solved(node, bounds);
        }
        self.nodes += 1;
        if depth == 0 {
            return Some(node.value(self.tables));
        }
        let moves = node.board.moves();
        if moves == 0 {
            let passed = node.passed();
            return match passed.board.moves() {
                0 => Some(node.score()),
                _ => self.value(&passed, depth, bounds.turned()).map(|value| -value),
            };
        }
        match depth {
            1 => Some(self.best_of_tables(node, moves, bounds.beta)),
            _ => self.value_by_children((node, moves), depth.min(left), bounds),
        }
    }

    /// The exact score, by discs.
    fn solved(&mut self, node: &Node, bounds: Bounds) -> Option<i32> {
        let discs = Bounds::new(bounds.alpha.div_euclid(DISC), -(-bounds.beta).div_euclid(DISC));
        let score = self.solver.value(node.board, discs, &mut self.nodes, self.goes_on)?;
        Some(DISC * score)
    }

    /// The best of the moves by what the tables say after it.
    fn best_of_tables(&mut self, node: &Node, mut moves: u64, beta: i32) -> i32 {
        let mut best = -INFINITE;
        while moves != 0 && best < beta {
            let at = moves & moves.wrapping_neg();
            moves ^= at;
            self.nodes += 1;
            best = best.max(node.value_of_move(self.tables, at));
        }
        best
    }

    fn value_by_children(
        &mut self,
        (node, moves): (&Node, u64),
        depth: u32,
        bounds: Bounds,
    ) -> Option<i32> {
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + NODES_BETWEEN_LOOKS;
            if !(self.goes_on)(self.nodes) {
                return None;
            }
        }
        let is_to_end = depth == node.empties();
        if is_to_end && let Some(value) = beyond_stable(node, bounds.alpha) {
            return Some(value);
        }
        let hash = node.board.hash();
        let effort = Effort { depth: depth as u8, trust: self.trust.0 };
        let known = self.table.get(hash);
        let mut bounds = bounds;
        if let Some(entry) = known.filter(|entry| entry.holds(effort)) {
            let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
            if lower >= bounds.beta || lower == upper {
                return Some(lower);
            }
            if upper <= bounds.alpha {
                return Some(upper);
            }
            bounds = Bounds::new(bounds.alpha.max(lower), bounds.beta.min(upper));
        }
        let first = known.map_or(NONE, |entry| entry.best);
        let mut children = children(node, moves, first);
        if depth >= DEPTH_TO_LOOK_UP
            && let Some(value) = self.cut_by_child(&children, depth, bounds.beta)
        {
            return Some(value);
        }
        if let Some(value) = self.cut_on_probability(node, depth, bounds)? {
            return Some(value);
        }
        self.sort(&mut children, depth)?;
        let best = self.best(&mut children, depth, bounds).ok()?;
        self.table.put(hash, effort, bounds, (best.value, best.at));
        Some(best.value)
    }

    /// A child that is known to be bad enough for the opponent saves the search of all of them.
    fn cut_by_child(&self, children: &Children, depth: u32, beta: i32) -> Option<i32> {
        let effort = Effort { depth: depth as u8 - 1, trust: self.trust.0 };
        let known = |board: Board| {
            let entry = self.table.get(board.hash()).filter(|entry| entry.holds(effort))?;
            Some(-i32::from(entry.upper))
        };
        children.iter().filter_map(|child| known(child.node.board)).find(|&value| value >= beta)
    }

    /// The bound that the value is beyond, where a shallow search is surely enough beyond it.
    fn cut_on_probability(
        &mut self,
        node: &Node,
        depth: u32,
        bounds: Bounds,
    ) -> Option<Option<i32>> {
        let is_open = bounds.alpha < bounds.beta - 1;
        let is_deep = depth >= probcut::DEPTH_MIN && self.within < SHALLOW_MAX;
        if is_open || !is_deep || self.trust == SURE {
            return Some(None);
        }
        let (left, shallow) = (node.empties(), probcut::shallow(depth));
        let margin = self.trust.margin(probcut::deviation(left, depth, shallow));
        // Where the tables see it on the other side by far, a shallow search would be in vain.
        let doubt = self.trust.margin(probcut::deviation(left, shallow, 0));
        let guess = node.value(self.tables);
        let (high, low) = (bounds.beta + margin, bounds.alpha - margin);
        if high <= VALUE_MAX && guess >= bounds.beta - doubt {
            let found = self.shallow(node, shallow, Bounds::below(high))?;
            if found >= high {
                return Some(Some(bounds.beta));
            }
        }
        if low >= -VALUE_MAX && guess <= bounds.alpha + doubt {
            let found = self.shallow(node, shallow, Bounds::below(low + 1))?;
            if found <= low {
                return Some(Some(bounds.alpha));
            }
        }
        Some(None)
    }

    fn shallow(&mut self, node: &Node, depth: u32, bounds: Bounds) -> Option<i32> {
        self.within += 1;
        let value = self.value(node, depth, bounds);
        self.within -= 1;
        value
    }

    /// Gives each child its cost: what a small search says, and the replies that it leaves.
    pub fn sort(&mut self, children: &mut Children, depth: u32) -> Option<()> {
        if children.len() < 2 {
            return Some(());
        }
        let plies = DEPTHS_TO_LOOK.iter().filter(|&&from| depth >= from).count() as u32;
        for child in children {
            if child.cost != i32::MIN {
                child.cost = self.value(&child.node, plies, Bounds::FULL)? + child.replies();
            }
        }
        Some(())
    }

    /// The best of the children, the cheapest first.
    ///
    /// # Errors
    /// When told to stop: the best of those that were searched to their end.
    fn best(&mut self, children: &mut Children, depth: u32, bounds: Bounds) -> Result<Best, Best> {
        let mut best = Best::NONE;
        let mut places = Places::of(children.len());
        while let Some((place, is_new)) = places.next() {
            let child = if is_new { next(children, place) } else { children[place] };
            // Of the first the bounds of the others come.
            let busy = self.busy.filter(|_| place > 0 && depth > DEPTH_TO_DEFER);
            let hash = if busy.is_some() { child.node.board.hash() } else { 0 };
            if let Some(busy) = busy {
                if is_new && busy.has(hash, depth) {
                    places.defer(place);
                    continue;
                }
                busy.begin(hash, depth);
            }
            let value = self.child((&child.node, place), depth, bounds.above(best.value));
            if let Some(busy) = busy {
                busy.end(hash, depth);
            }
            let value = value.ok_or(best)?;
            if value > best.value {
                best = Best { value, at: child.at };
            }
            if value >= bounds.beta {
                break;
            }
        }
        Ok(best)
    }

    /// The value of a child to its parent, which has so much depth: of the first within all of the bounds, of
    /// a later one only when null bounds show that it is better.
    fn child(&mut self, (child, place): (&Node, usize), depth: u32, bounds: Bounds) -> Option<i32> {
        let Bounds { alpha, beta } = bounds;
        if place > 0 && beta - alpha > 1 {
            let scout = Bounds::below(alpha + 1).turned();
            let value = -self.value(child, depth - 1, scout)?;
            if value <= alpha || value >= beta {
                return Some(value);
            }
        }
        self.value(child, depth - 1, bounds.turned()).map(|value| -value)
    }
}

/// The most that the opponent's stable discs leave, where that is no more than `alpha`.
fn beyond_stable(node: &Node, alpha: i32) -> Option<i32> {
    cut_by_stability(node.board, alpha.div_euclid(DISC)).map(|score| DISC * score)
}

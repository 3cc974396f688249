//! The search from the root to the last empties.

use banyan_games::Move;
use banyan_games::othello::stability::stable;

use super::board::{Board, SCORE_MAX};
use super::few;
use super::order::{Children, children, next};
use super::table::{NONE, Scored, Table};
use crate::bounds::Bounds;
use crate::helped::{Busy, Helpers, NoHelpers, Places, race};

/// Boards with fewer empties are played out without an order of moves.
const EMPTIES_TO_ORDER: u32 = 7;

/// Boards with fewer empties are not kept in the table.
const EMPTIES_TO_KEEP: u32 = 9;

/// From so many empties on children are looked up before any of them is searched.
const EMPTIES_TO_LOOK_UP: u32 = 12;

/// With so many empties what another is searching is left for later, and helpers are asked about a board with three
/// more.
const EMPTIES_TO_DEFER: u32 = 13;

/// Between two questions whether to go on, boards.
const NODES_BETWEEN_LOOKS: u64 = 1 << 14;

/// The result of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The disc difference that the side to move can force, points left empty to the winner; a bound
    /// where it lies outside the bounds.
    pub score: i32,
    /// Best play by both sides, passes with it. For a bound only the first move, where it is known.
    pub line: Vec<Move>,
    /// Boards looked at, count.
    pub nodes: u64,
}

/// Solves boards and remembers what it found for the next.
#[derive(Debug)]
pub struct Solver {
    table: Table,
}

impl Solver {
    /// A solver with at most `bytes` bytes for its table.
    pub fn new(bytes: usize) -> Solver {
        Solver { table: Table::new(bytes) }
    }

    /// Forgets everything: what comes next depends on nothing that came before.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The score of a board within `bounds`, and a line that leads to it.
    ///
    /// - `bounds`: scores between these matter; [`super::EXACT`] for all, [`super::WINNER`] for who wins.
    /// - `goes_on` is asked about every ten thousand boards; false ends the search.
    ///
    /// Nothing when told to stop; what was found on the way stays in the table.
    pub fn solve(
        &mut self,
        board: Board,
        bounds: Bounds,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Solution> {
        self.solve_helped(&NoHelpers, board, bounds, goes_on)
    }

    /// The same by these threads too, which share the table: how many boards they look at is not the same each time
    /// then.
    pub fn solve_helped(
        &mut self,
        helpers: &dyn Helpers,
        board: Board,
        bounds: Bounds,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Solution> {
        let is_large = board.empties().count_ones() >= EMPTIES_TO_DEFER + 3;
        let table = &self.table;
        let mut nodes = 0;
        if is_large && helpers.count() > 0 {
            let busy = Busy::new();
            let one = |goes_on: &mut dyn FnMut(u64) -> bool| {
                let busy = Some(&busy);
                let mut search = Search { table, busy, nodes: 0, next_look: 0, goes_on };
                (search.value(board, bounds), search.nodes)
            };
            let own = |goes_on: &mut dyn FnMut(u64) -> bool| {
                let (value, looked_at) = one(goes_on);
                nodes = looked_at;
                value.ok_or(())
            };
            let (value, helped) = race(helpers, goes_on, own, |_, goes_on| one(goes_on));
            nodes += helped;
            value.ok()?;
        }
        // What helpers found stands in the table.
        let next_look = nodes + NODES_BETWEEN_LOOKS;
        let mut search = Search { table, busy: None, nodes, next_look, goes_on };
        let score = search.value(board, bounds)?;
        let line = match bounds.alpha < score && score < bounds.beta {
            true => search.line(board, score)?,
            false => search.best_known(board).into_iter().collect(),
        };
        Some(Solution { score, line, nodes: search.nodes })
    }

    /// The score of a board within `bounds` and nothing else, fail-soft; `nodes` counts boards on.
    pub(crate) fn value(
        &self,
        board: Board,
        bounds: Bounds,
        nodes: &mut u64,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<i32> {
        let next_look = *nodes + NODES_BETWEEN_LOOKS;
        let mut search =
            Search { table: &self.table, busy: None, nodes: *nodes, next_look, goes_on };
        let value = search.value(board, bounds);
        *nodes = search.nodes;
        value
    }
}

struct Search<'a> {
    table: &'a Table,
    /// What is being searched, where others search beside this.
    busy: Option<&'a Busy>,
    nodes: u64,
    next_look: u64,
    goes_on: &'a mut dyn FnMut(u64) -> bool,
}

impl Search<'_> {
    /// The value of a board, fail-soft within `bounds`; nothing when told to stop.
    fn value(&mut self, board: Board, bounds: Bounds) -> Option<i32> {
        let left = board.empties().count_ones();
        if left < EMPTIES_TO_ORDER {
            return Some(self.play_out(board, bounds, left));
        }
        self.nodes += 1;
        if let Some(value) = cut_by_stability(board, bounds.alpha) {
            return Some(value);
        }
        let moves = board.moves();
        if moves == 0 {
            let passed = board.passed();
            return match passed.moves() {
                0 => Some(board.score()),
                _ => self.value(passed, bounds.turned()).map(|value| -value),
            };
        }
        if left < EMPTIES_TO_KEEP {
            let mut children = children(board, moves, NONE);
            return self.best(&mut children, bounds).map(|found| found.value);
        }
        let known = self.table.get(board.hash());
        let Some(entry) = known else { return self.value_by_children(board, bounds, NONE) };
        let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
        if lower >= bounds.beta || lower == upper {
            return Some(lower);
        }
        if upper <= bounds.alpha {
            return Some(upper);
        }
        let bounds = Bounds::new(bounds.alpha.max(lower), bounds.beta.min(upper));
        self.value_by_children(board, bounds, entry.best)
    }

    /// - `known`: the point of the move to try first, or [`NONE`].
    fn value_by_children(&mut self, board: Board, bounds: Bounds, known: u8) -> Option<i32> {
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + NODES_BETWEEN_LOOKS;
            if !(self.goes_on)(self.nodes) {
                return None;
            }
        }
        let before = self.nodes;
        let mut children = children(board, board.moves(), known);
        if board.empties().count_ones() >= EMPTIES_TO_LOOK_UP
            && let Some(value) = self.cut_by_child(&children, bounds.beta)
        {
            return Some(value);
        }
        let found = self.best(&mut children, bounds)?;
        self.table.put(board.hash(), bounds, found, self.nodes - before);
        Some(found.value)
    }

    /// A child that is known to be bad enough for the opponent saves the search of all of them.
    fn cut_by_child(&self, children: &Children, beta: i32) -> Option<i32> {
        let known =
            |board: Board| self.table.get(board.hash()).map(|entry| -i32::from(entry.upper));
        children.iter().filter_map(|child| known(child.board)).find(|&value| value >= beta)
    }

    /// The best child's value and point: the first within all of the bounds, each later one only when null
    /// bounds show that it is better.
    fn best(&mut self, children: &mut Children, bounds: Bounds) -> Option<Scored> {
        let mut best = Scored { value: -SCORE_MAX - 1, best: NONE };
        let mut places = Places::of(children.len());
        while let Some((place, is_new)) = places.next() {
            let child = if is_new { next(children, place) } else { children[place] };
            // Of the first the bounds of the others come.
            let busy = self.busy.filter(|_| place > 0 && is_large(child.board));
            let hash = if busy.is_some() { child.board.hash() } else { 0 };
            if let Some(busy) = busy {
                if is_new && busy.has(hash, 0) {
                    places.defer(place);
                    continue;
                }
                busy.begin(hash, 0);
            }
            let value = self.child(child.board, place, bounds.above(best.value));
            if let Some(busy) = busy {
                busy.end(hash, 0);
            }
            let value = value?;
            if value > best.value {
                best = Scored { value, best: child.at };
            }
            if best.value >= bounds.beta {
                break;
            }
        }
        Some(best)
    }

    /// The value of the child at a place of the order: of the first within all of the bounds, of a later one only when
    /// null bounds show that it is better.
    #[inline]
    fn child(&mut self, child: Board, place: usize, bounds: Bounds) -> Option<i32> {
        let Bounds { alpha, beta } = bounds;
        if place > 0 && beta - alpha > 1 {
            let value = -self.value(child, Bounds::below(alpha + 1).turned())?;
            if value <= alpha || value >= beta {
                return Some(value);
            }
        }
        self.value(child, bounds.turned()).map(|value| -value)
    }

    fn play_out(&mut self, board: Board, bounds: Bounds, left: u32) -> i32 {
        match left {
            0 => board.score(),
            1 => few::one_left(board, &mut self.nodes),
            _ => few::value(board, bounds, &mut self.nodes),
        }
    }

    fn best_known(&self, board: Board) -> Option<Move> {
        let entry = self.table.get(board.hash()).filter(|entry| entry.best != NONE)?;
        Some(Move::point(usize::from(entry.best)))
    }

    /// Best play from a board whose score is known: each ply is one that keeps it.
    fn line(&mut self, mut board: Board, mut score: i32) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        loop {
            let moves = board.moves();
            if moves == 0 {
                if board.passed().moves() == 0 {
                    return Some(line);
                }
                line.push(Move::PASS);
                (board, score) = (board.passed(), -score);
                continue;
            }
            let known = self.table.get(board.hash()).map_or(NONE, |entry| entry.best);
            let mut children = children(board, moves, known);
            let mut kept = None;
            for place in 0..children.len() {
                let child = next(&mut children, place);
                if -self.value(child.board, Bounds::below(score).turned())? >= score {
                    kept = Some(child);
                    break;
                }
            }
            let Some(child) = kept else { return Some(line) };
            line.push(Move::point(usize::from(child.at)));
            (board, score) = (child.board, -score);
        }
    }
}

fn is_large(board: Board) -> bool {
    board.empties().count_ones() >= EMPTIES_TO_DEFER
}

/// The most that the opponent's stable discs leave, where that is no more than `alpha`.
pub(crate) fn cut_by_stability(board: Board, alpha: i32) -> Option<i32> {
    let at_most = |discs: u64| SCORE_MAX - 2 * discs.count_ones() as i32;
    // Even if all of the opponent's discs were stable it would not be enough: no need to look.
    if at_most(board.other) > alpha {
        return None;
    }
    let value = at_most(stable(board.other, board.own));
    (value <= alpha).then_some(value)
}

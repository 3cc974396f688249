//! Deeper and deeper, then to the end of the game and surer and surer.

use std::sync::Arc;

use banyan_games::Move;

use super::order::{Children, children};
use super::probcut::{SURE, Trust};
use super::search::{Best, Search, VALUE_MAX};
use super::table::{NONE, Table};
use crate::bounds::{Bounds, INFINITE};
use crate::classical::{Found, Watch};
use crate::endgame::Node;
use crate::endgame::{Board, Solver};
use crate::helped::{Busy, Helpers, NoHelpers, race};
use banyan_knowledge::othello::learned::{self, DISC};
use banyan_knowledge::tuples::Tables;

/// A position, and how it is searched.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Its game goes on.
    pub board: Board,
    /// The moves to choose from, at least one, each legal.
    pub moves: &'a [Move],
    /// So many plies at most.
    pub depth_max: u32,
}

/// Result of a search; its value is in parts of a disc.
pub type Answer = Found;

/// Memory that a search keeps for the next one.
#[derive(Debug)]
pub struct Memory {
    tables: Arc<Tables>,
    table: Table,
    solver: Solver,
}

/// The solver's share of the memory.
const SOLVER_SHARE: usize = 4;

impl Memory {
    /// Nothing yet, with room of at most `bytes` bytes, for searches by the tables of this build.
    pub fn new(bytes: usize) -> Memory {
        Memory::by(learned::tables().clone(), bytes)
    }

    /// The same for searches by other tables.
    pub fn by(tables: Arc<Tables>, bytes: usize) -> Memory {
        let solver = bytes / SOLVER_SHARE;
        Memory { tables, table: Table::new(bytes - solver), solver: Solver::new(solver) }
    }
}

/// So many plies before its end a game is searched to its end, with little trust at first.
const PLIES_TO_END: u32 = 10;

/// With so few empties there is nothing to trust: the end is near.
const EMPTIES_TO_BE_SURE: u32 = 13;

/// The first window around the value that is expected, either way; the next are four times as wide.
const WINDOW: i32 = 3 * DISC;

/// Shallower searches have no window.
const DEPTH_FOR_WINDOW: u32 = 4;

/// Helpers are asked once a level took so many positions: to begin a thread costs as much as some of them.
const NODES_TO_BE_HELPED: u64 = 50_000;

/// One search of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    depth: u32,
    trust: Trust,
}

impl Level {
    /// The first of a position with so many empties.
    fn first(empties: u32, depth_max: u32) -> Level {
        match empties <= EMPTIES_TO_BE_SURE.min(depth_max) {
            true => Level { depth: empties, trust: SURE },
            false => Level { depth: 1, trust: Trust::FIRST },
        }
    }

    /// The one after this; nothing after the exact one, or the deepest that is allowed.
    fn next(self, empties: u32, depth_max: u32) -> Option<Level> {
        let Level { depth, trust } = self;
        if depth >= empties {
            return trust.next().map(|trust| Level { trust, ..self });
        }
        let is_near_end = depth + 1 + PLIES_TO_END > empties && empties <= depth_max;
        let depth = if is_near_end { empties } else { depth + 1 };
        (depth <= depth_max).then_some(Level { depth, trust })
    }
}

/// Searches deeper and surer. Stopped within a search it gives what the finished ones found, or better.
///
/// It also ends by itself: at the greatest depth, or when the score is known for sure.
pub fn search(memory: &mut Memory, question: &Question<'_>, watch: &mut dyn Watch) -> Answer {
    search_helped(&NoHelpers, memory, question, watch)
}

/// The same by these threads too, which share the table: what is cut on probability, and so the move and the value,
/// is not the same each time then.
pub fn search_helped(
    helpers: &dyn Helpers,
    memory: &mut Memory,
    question: &Question<'_>,
    watch: &mut dyn Watch,
) -> Answer {
    memory.table.begin();
    let node = Node::of(question.board);
    let mut deepening = Deepening::of(helpers, memory, question, &node);
    if question.moves[0].is_pass() {
        deepening.found.value = -node.passed().value(&deepening.memory.tables);
        return deepening.found;
    }
    let empties = node.empties();
    let mut level = Some(Level::first(empties, question.depth_max));
    while let Some(now) = level {
        if !deepening.search(now, watch) {
            break;
        }
        deepening.found.depth = now.depth;
        deepening.found.is_exact = now.depth >= empties && now.trust == SURE;
        watch.deepened(&deepening.found);
        level = now.next(empties, question.depth_max);
    }
    deepening.found
}

/// The value of a position whose game goes on after so many plies, none cut on probability; of as many as there are
/// empties, the score.
pub fn plain_value(memory: &mut Memory, board: Board, depth: u32) -> i32 {
    let Memory { tables, table, solver } = memory;
    // Entries of other depths would do as well, and hide the difference.
    table.forget();
    let goes_on = &mut |_| true;
    let (nodes, next_look) = (0, u64::MAX);
    let busy = None;
    let mut search =
        Search { tables, table, solver, busy, trust: SURE, nodes, next_look, goes_on, within: 0 };
    search.value(&Node::of(board), depth, Bounds::FULL).expect("nobody stops it")
}

struct Deepening<'a> {
    helpers: &'a dyn Helpers,
    memory: &'a mut Memory,
    board: Board,
    /// The best so far in front.
    children: Children,
    found: Found,
    /// The value before the last: that of the same side's last ply.
    before: i32,
    /// Positions of the level before.
    nodes_before: u64,
    busy: Option<Busy>,
}

impl<'a> Deepening<'a> {
    fn of(
        helpers: &'a dyn Helpers,
        memory: &'a mut Memory,
        question: &Question<'_>,
        node: &Node,
    ) -> Deepening<'a> {
        let Question { board, moves, .. } = *question;
        let allowed = moves.iter().filter(|mv| !mv.is_pass()).fold(0, |all, mv| all | 1u64 << mv.0);
        let known = memory.table.get(board.hash()).map_or(NONE, |entry| entry.best);
        let mut children = children(node, allowed, known);
        for child in &mut children {
            child.cost =
                child.cost.saturating_add(child.node.value(&memory.tables) + child.replies());
        }
        children.sort_by_key(|child| child.cost);
        let best = children.first().map_or(moves[0], |child| Move::point(usize::from(child.at)));
        let found = Found::nothing(best);
        let (nodes_before, busy) = (0, None);
        Deepening { helpers, memory, board, children, found, before: 0, nodes_before, busy }
    }

    /// Searches a level, takes the best there is to say from it, and returns whether it was finished.
    fn search(&mut self, level: Level, watch: &mut dyn Watch) -> bool {
        let expected = if level.trust == Trust::FIRST { self.before } else { self.found.value };
        let nodes = self.found.nodes;
        let result = self.within_windows(level, expected, watch);
        self.nodes_before = self.found.nodes - nodes;
        let is_whole = result.is_ok();
        if let Ok(best) | Err(Some(best)) = result {
            self.before = std::mem::replace(&mut self.found.value, best.value);
            self.found.best = Move::point(usize::from(best.at));
            self.bring_forward(best.at);
            self.found.line = line(&self.memory.table, self.board, self.found.best);
        }
        is_whole
    }

    fn bring_forward(&mut self, best: u8) {
        if let Some(at) = self.children.iter().position(|child| child.at == best) {
            self.children[..=at].rotate_right(1);
        }
    }

    /// The best move, by windows that widen until its value lies within one; broken off,
    /// the move by which the last window failed high, if it did.
    fn within_windows(
        &mut self,
        level: Level,
        expected: i32,
        watch: &mut dyn Watch,
    ) -> Result<Best, Option<Best>> {
        let (mut below, mut above) = (WINDOW, WINDOW);
        let mut better = None;
        if level.depth < DEPTH_FOR_WINDOW {
            (below, above) = (INFINITE, INFINITE);
        }
        loop {
            let edge = |width: i32| if width > VALUE_MAX { INFINITE } else { width };
            let alpha = expected.saturating_sub(edge(below)).max(-INFINITE);
            let beta = expected.saturating_add(edge(above)).min(INFINITE);
            self.found.passes += 1;
            match self.pass(level, Bounds { alpha, beta }, watch) {
                Ok(best) if best.value <= alpha => {
                    better = None;
                    below *= 4;
                }
                Ok(best) if best.value >= beta => {
                    self.bring_forward(best.at);
                    better = Some(best);
                    above *= 4;
                }
                Ok(best) => return Ok(best),
                // What is below all that was asked about is not known to be the best.
                Err(best) => {
                    let is_known = best.value > alpha && best.at != NONE;
                    return Err(if is_known { Some(best) } else { better });
                }
            }
        }
    }

    /// One search within one window, with help where it is worth while.
    fn pass(&mut self, level: Level, bounds: Bounds, watch: &mut dyn Watch) -> Result<Best, Best> {
        let Level { depth, trust } = level;
        let is_helped = self.helpers.count() > 0 && self.nodes_before >= NODES_TO_BE_HELPED;
        if is_helped {
            self.busy.get_or_insert_with(Busy::new);
        }
        let Memory { tables, table, solver } = &*self.memory;
        let busy = self.busy.as_ref().filter(|_| is_helped);
        let (children, before) = (&self.children, self.found.nodes);
        // What one search comes to, and the positions that it has looked at, beginning with `nodes`.
        let one = |nodes, goes_on: &mut dyn FnMut(u64) -> bool| {
            let (next_look, within) = (nodes, 0);
            let mut search =
                Search { tables, table, solver, busy, trust, nodes, next_look, goes_on, within };
            (search.root(children, depth, bounds), search.nodes)
        };
        let (mut nodes, mut goes_on) = (before, |nodes| watch.goes_on(nodes));
        let mut own = |goes_on: &mut dyn FnMut(u64) -> bool| {
            let (found, looked_at) = one(before, goes_on);
            nodes = looked_at;
            found
        };
        let (found, helped) = match is_helped {
            true => race(self.helpers, &mut goes_on, own, |_, goes_on| {
                let (found, nodes) = one(0, goes_on);
                (found.ok(), nodes)
            }),
            false => (own(&mut goes_on), 0),
        };
        self.found.nodes = nodes + helped;
        found
    }
}

/// Plies of a line that anyone reads.
const LINE_PLIES_MAX: usize = 20;

/// The best move and what the table says comes after it, as far as it knows.
fn line(table: &Table, board: Board, best: Move) -> Vec<Move> {
    let (mut board, mut line, mut next) = (board, Vec::new(), best);
    while line.len() < LINE_PLIES_MAX {
        let Some(after) = next.index().and_then(|point| board.after(1 << point)) else { break };
        line.push(next);
        board = after;
        if board.moves() == 0 && board.passed().moves() != 0 {
            line.push(Move::PASS);
            board = board.passed();
        }
        let known = table.get(board.hash()).map_or(NONE, |entry| entry.best);
        if known == NONE || board.moves() >> known & 1 == 0 {
            break;
        }
        next = Move::point(usize::from(known));
    }
    line
}

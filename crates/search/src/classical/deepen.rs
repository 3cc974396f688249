//! Deeper and deeper, until told to stop or nothing is left to be seen.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use banyan_games::Move;
use banyan_knowledge::{Evaluation, Knowledge};

use super::alpha_beta::{AlphaBeta, Best, Place, Start};
use super::horizon::Horizon;
use super::memory::Memory;
use super::mtdf::{Method, mtdf};
use super::order::MoveOrdering;
use super::table::Table;
use super::value::{is_decided, is_lost, stones};
use crate::bounds::Bounds;
use crate::helped::{Busy, Helpers, NoHelpers, race};

/// Helpers are asked once a pass of a depth took so many positions: to begin a thread costs as much as some of them.
const NODES_TO_BE_HELPED: u64 = 20_000;

/// A position, and how it is searched.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a, G> {
    /// The position; its game goes on.
    pub position: &'a G,
    /// The moves to choose from, at least one, each legal.
    pub moves: &'a [Move],
    /// The evaluation of lines where they are cut off. One memory serves one evaluation.
    pub evaluation: &'a dyn Evaluation<G>,
    /// The method by which values are found.
    pub method: Method,
    /// The distance to which lines are followed.
    pub horizon: Horizon,
    /// No depth beyond this is searched.
    pub depth_max: u32,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The move to play.
    pub best: Move,
    /// For the side to move: of the evaluation's unit, or beyond it for a finished game.
    pub value: i32,
    /// Best play from here, the best move first.
    pub line: Vec<Move>,
    /// The depth of the last search that was finished; 0 when there was none.
    pub depth: u32,
    /// Tells whether every line that mattered was followed to the end of the game.
    pub is_exact: bool,
    /// Positions looked at, count.
    pub nodes: u64,
    /// Searches with one pair of bounds each, count.
    pub passes: u32,
}

impl Found {
    /// What is known before the first search: a move that may be played.
    pub fn nothing(best: Move) -> Found {
        Found { best, value: 0, line: vec![best], depth: 0, is_exact: false, nodes: 0, passes: 0 }
    }
}

/// An observer that waits for an answer.
pub trait Watch {
    /// Asked about every thousand positions; false ends the search.
    fn goes_on(&mut self, nodes: u64) -> bool;

    /// Told after each finished search.
    fn deepened(&mut self, found: &Found) {
        let _ = found;
    }
}

/// Searches a position deeper and deeper. Stopped within a search it gives what the finished ones
/// found, or better.
///
/// It also ends by itself: at the greatest depth, when somebody is known to win, when every line ends
/// with the game.
pub fn search<G: Knowledge>(
    memory: &mut Memory,
    problem: &Problem<'_, G>,
    watch: &mut dyn Watch,
) -> Found {
    search_helped(&NoHelpers, memory, problem, watch)
}

/// The same by these threads too, which share the table: which of equal moves is found, and in how many positions, is
/// not the same each time then, nor is the value where late moves are reduced.
pub fn search_helped<G: Knowledge>(
    helpers: &dyn Helpers,
    memory: &mut Memory,
    problem: &Problem<'_, G>,
    watch: &mut dyn Watch,
) -> Found {
    memory.order.begin();
    let mut deepening = Deepening::of(helpers, memory, problem);
    let mut depth = deepening.first_depth().min(problem.depth_max);
    while deepening.search_to(depth, watch) {
        let found = &mut deepening.found;
        found.depth = depth;
        watch.deepened(found);
        if found.is_exact || is_decided(found.value) || depth >= problem.depth_max {
            break;
        }
        depth = problem.horizon.next(depth).min(problem.depth_max);
    }
    deepening.found
}

/// Searches of one position, each deeper than the one before.
struct Deepening<'a, G: 'static> {
    helpers: &'a dyn Helpers,
    memory: &'a mut Memory,
    problem: &'a Problem<'a, G>,
    /// The best so far in front.
    moves: Vec<Move>,
    found: Found,
    /// Positions of a pass of the depth before.
    nodes_before: u64,
    /// The helpers' orders of moves, one each, once they were asked.
    orders: Vec<Mutex<MoveOrdering>>,
    busy: Option<Busy>,
}

impl<'a, G: Knowledge> Deepening<'a, G> {
    fn of(
        helpers: &'a dyn Helpers,
        memory: &'a mut Memory,
        problem: &'a Problem<'a, G>,
    ) -> Deepening<'a, G> {
        let moves = problem.moves.to_vec();
        let found = Found::nothing(moves[0]);
        let (nodes_before, orders, busy) = (0, Vec::new(), None);
        Deepening { helpers, memory, problem, moves, found, nodes_before, orders, busy }
    }

    /// The depth to begin with: where the memory says so, that to which an earlier search knows the position.
    fn first_depth(&mut self) -> u32 {
        let Problem { position, horizon, .. } = *self.problem;
        let known = self.memory.table.get(position.hash()).filter(|_| self.memory.resumes);
        let Some(known) = known.filter(|it| self.moves.contains(&it.best)) else {
            return horizon.first();
        };
        bring_forward(&mut self.moves, known.best);
        self.found = Found::nothing(known.best);
        self.found.line = line(&self.memory.table, position, known.best);
        if let Ok(value) = known.narrow(known.depth(), Bounds::FULL) {
            self.found.value = value;
        }
        known.depth().max(horizon.first())
    }

    /// Searches to `depth`, takes the best there is to say from it, and returns whether it was finished.
    fn search_to(&mut self, depth: u32, watch: &mut dyn Watch) -> bool {
        let result = self.one_search(depth, watch);
        let is_whole = result.is_ok();
        if let Ok(Best { value, mv }) | Err(Some(Best { value, mv })) = result {
            self.found.best = mv;
            // Of a move that is taken in place of those that lose nothing new is known.
            if is_whole || !is_lost(value) {
                self.found.value = value;
            }
            self.found.line = line(&self.memory.table, self.problem.position, mv);
            bring_forward(&mut self.moves, mv);
        }
        is_whole
    }

    /// The best of the moves.
    ///
    /// # Errors
    /// When told to stop: the best there is to say, if there is any.
    fn one_search(&mut self, depth: u32, watch: &mut dyn Watch) -> Result<Best, Option<Best>> {
        // What a shallower search wrote is old: whether it met the horizon is not known any more.
        self.memory.table.begin();
        let Found { nodes, value, passes: passes_before, .. } = self.found;
        let mut passes = passes_before;
        let met_horizon = AtomicBool::new(false);
        let method = self.problem.method;
        let mut root = |bounds| self.pass((depth, bounds), &met_horizon, watch);
        let result = match method {
            Method::AlphaBeta => {
                passes += 1;
                // The best move so far was tried first: whatever has replaced it is better.
                root(Bounds::FULL).map_err(|best| (best.value > Bounds::FULL.alpha).then_some(best))
            }
            Method::Mtdf(step) => mtdf(value, step, &mut passes, root),
        };
        self.found.passes = passes;
        self.found.is_exact = result.is_ok() && !met_horizon.into_inner();
        self.nodes_before = (self.found.nodes - nodes) / u64::from((passes - passes_before).max(1));
        result
    }

    /// One search with one pair of bounds, with help where it is worth while.
    fn pass(
        &mut self,
        (depth, bounds): (u32, Bounds),
        met_horizon: &AtomicBool,
        watch: &mut dyn Watch,
    ) -> Result<Best, Best> {
        let Problem { position, evaluation, horizon, .. } = *self.problem;
        let is_helped = self.helpers.count() > 0 && self.nodes_before >= NODES_TO_BE_HELPED;
        if is_helped && self.orders.is_empty() {
            let order = || Mutex::new(self.memory.order.clone());
            self.orders = std::iter::repeat_with(order).take(self.helpers.count()).collect();
            self.busy = Some(Busy::new());
        }
        let Memory { table, order, .. } = &mut *self.memory;
        let (table, moves, before) = (&*table, &self.moves[..], self.found.nodes);
        let busy = self.busy.as_ref().filter(|_| is_helped);
        // What one search comes to, and the positions that it has looked at, beginning with `nodes`.
        let one = |order: &mut MoveOrdering, nodes, goes_on: &mut dyn FnMut(u64) -> bool| {
            let start = Start { position, evaluation, horizon };
            let mut search = AlphaBeta::new(start, (table, order), busy, goes_on);
            search.nodes = nodes;
            let place = Place { depth, ply: 0, stones: stones(position) };
            let found = search.root(position, moves, bounds, place);
            if search.met_horizon {
                met_horizon.store(true, Ordering::Relaxed);
            }
            (found, search.nodes)
        };
        let mut nodes = before;
        let mut goes_on = |nodes| watch.goes_on(nodes);
        let mut own = |goes_on: &mut dyn FnMut(u64) -> bool| {
            let (found, looked_at) = one(order, before, goes_on);
            nodes = looked_at;
            found
        };
        let (found, helped) = match is_helped {
            true => race(self.helpers, &mut goes_on, own, |number, goes_on| {
                let order = self.orders[number].lock();
                let mut order = order.unwrap_or_else(PoisonError::into_inner);
                let (found, nodes) = one(&mut order, 0, goes_on);
                (found.ok(), nodes)
            }),
            false => (own(&mut goes_on), 0),
        };
        self.found.nodes = nodes + helped;
        found
    }
}

/// Puts a move in front of those that came before it; nothing where it is not among them.
pub fn bring_forward(moves: &mut [Move], best: Move) {
    if let Some(at) = moves.iter().position(|&mv| mv == best) {
        moves[..=at].rotate_right(1);
    }
}

/// Plies of a line that anyone reads.
const LINE_PLIES_MAX: usize = 20;

/// The best move and what the table says comes after it, as far as it knows.
fn line<G: Knowledge>(table: &Table, position: &G, best: Move) -> Vec<Move> {
    let (mut position, mut line, mut mv) = (position.clone(), Vec::new(), best);
    loop {
        position.play(mv);
        line.push(mv);
        let known = table.get(position.hash()).map(|entry| entry.best);
        match known.filter(|&next| line.len() < LINE_PLIES_MAX && position.is_legal(next)) {
            Some(next) => mv = next,
            None => return line,
        }
    }
}

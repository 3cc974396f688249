//! Deeper and deeper, until told to stop or nothing is left to be seen.

use banyan_games::Move;
use banyan_knowledge::{Evaluation, Knowledge};

use super::alpha_beta::{AlphaBeta, Best, Place};
use super::horizon::Horizon;
use super::memory::Memory;
use super::mtdf::{Method, mtdf};
use super::table::Table;
use super::value::{is_decided, stones};
use crate::bounds::Bounds;

/// What is to be found out.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a, G> {
    /// The position; its game goes on.
    pub position: &'a G,
    /// The moves to choose from, at least one, each legal.
    pub moves: &'a [Move],
    /// What lines are judged by where they are cut off. One memory serves one evaluation.
    pub evaluation: &'a dyn Evaluation<G>,
    /// How values are found.
    pub method: Method,
    /// How far lines are followed.
    pub horizon: Horizon,
    /// No draft beyond this is searched.
    pub draft_max: u32,
}

/// What a search has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The move to play.
    pub best: Move,
    /// For the side to move: of the evaluation's unit, or beyond it for a finished game.
    pub value: i32,
    /// Best play from here, the best move first.
    pub line: Vec<Move>,
    /// The draft of the last search that was finished; 0 when there was none.
    pub draft: u32,
    /// Whether every line that mattered was followed to the end of the game.
    pub is_exact: bool,
    /// Positions looked at, count.
    pub nodes: u64,
    /// Searches with one pair of bounds each, count.
    pub passes: u32,
}

/// Who waits for an answer.
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
/// It also ends by itself: at the greatest draft, when somebody is known to win, when every line ends
/// with the game.
pub fn search<G: Knowledge>(
    memory: &mut Memory,
    question: &Question<'_, G>,
    watch: &mut dyn Watch,
) -> Found {
    let mut moves = question.moves.to_vec();
    let mut found = Found {
        best: moves[0],
        value: 0,
        line: vec![moves[0]],
        draft: 0,
        is_exact: false,
        nodes: 0,
        passes: 0,
    };
    memory.order.begin();
    let mut draft = question.horizon.first().min(question.draft_max);
    loop {
        let (best, is_whole) = one_search(memory, question, (&moves, draft), (&mut found, watch));
        if let Some(Best { value, mv }) = best {
            (found.value, found.best) = (value, mv);
            found.line = line(&memory.table, question.position, mv);
            bring_forward(&mut moves, mv);
        }
        if !is_whole {
            return found;
        }
        found.draft = draft;
        watch.deepened(&found);
        if found.is_exact || is_decided(found.value) || draft >= question.draft_max {
            return found;
        }
        draft = question.horizon.next(draft).min(question.draft_max);
    }
}

/// Searches `moves` to `draft`; returns the best there is to say, and whether it was finished.
fn one_search<G: Knowledge>(
    memory: &mut Memory,
    question: &Question<'_, G>,
    (moves, draft): (&[Move], u32),
    (found, watch): (&mut Found, &mut dyn Watch),
) -> (Option<Best>, bool) {
    // What a shallower search wrote is old: whether it met the horizon is not known any more.
    memory.table.begin();
    let place = Place { draft, ply: 0, stones: stones(question.position) };
    let goes_on = &mut |nodes| watch.goes_on(nodes);
    let asked = (question.position, question.evaluation);
    let mut search = AlphaBeta::new(asked, question.horizon, memory, goes_on);
    search.nodes = found.nodes;
    let mut root = |bounds| search.root(question.position, moves, (bounds, place));
    let result = match question.method {
        Method::AlphaBeta => {
            found.passes += 1;
            // The best move so far was tried first: whatever has replaced it is better.
            root(Bounds::FULL).map_err(|best| (best.value > Bounds::FULL.alpha).then_some(best))
        }
        Method::Mtdf(step) => mtdf((found.value, step), &mut found.passes, root),
    };
    found.nodes = search.nodes;
    found.is_exact = result.is_ok() && !search.met_horizon;
    match result {
        Ok(best) => (Some(best), true),
        Err(best) => (best, false),
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

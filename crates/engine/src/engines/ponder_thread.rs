//! A classical search on the opponent's time: what it finds out of his replies stays in its table.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use banyan_games::Move;
use banyan_knowledge::Digest;
use banyan_search::Searchable;
use banyan_search::classical::{Memory, Problem, Watch, search};
use banyan_search::endgame::Board;
use banyan_search::midgame;

use super::{Classical, Engines};

/// A search that goes on until it is ended or dropped.
#[derive(Debug)]
pub(crate) struct PonderThread {
    stop: Arc<AtomicBool>,
    /// Gives back what it was lent.
    thread: Option<JoinHandle<Lent>>,
}

/// The memory of a search.
#[derive(Debug)]
enum Lent {
    /// Of a classical one, with the evaluation that it is of.
    Classical(Digest, Memory),
    /// Of the one by tables over patterns.
    Midgame(midgame::Memory),
}

impl PonderThread {
    fn end(mut self) -> Option<Lent> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take()?.join().ok()
    }
}

impl Drop for PonderThread {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Engines {
    /// Begins to search a position whose game goes on, for at most `time_max`. Nothing where the engine
    /// is not a classical one, or the machine has no thread to give.
    pub(crate) fn ponder<G: Searchable>(
        &mut self,
        position: &G,
        time_max: Duration,
    ) -> Option<PonderThread> {
        let classical = self.choice.classical.clone()?;
        let stop = Arc::new(AtomicBool::new(false));
        let watch = Until { stop: stop.clone(), deadline: Instant::now() + time_max };
        let mut moves: Vec<Move> = Vec::new();
        position.candidates(&mut moves);
        let thread = match classical.searches_by_patterns(position) {
            Some(board) => self.ponder_by_patterns(board, moves, watch),
            None => self.ponder_by(&classical, (position, moves), watch),
        };
        Some(PonderThread { stop, thread: Some(thread?) })
    }

    fn ponder_by_patterns(
        &mut self,
        board: Board,
        moves: Vec<Move>,
        mut watch: Until,
    ) -> Option<JoinHandle<Lent>> {
        let mut memory = self.take_midgame();
        in_thread(move || {
            if !moves.is_empty() {
                let question = midgame::Question { board, moves: &moves, depth_max: u32::MAX };
                midgame::search(&mut memory, &question, &mut watch);
            }
            Lent::Midgame(memory)
        })
    }

    fn ponder_by<G: Searchable>(
        &mut self,
        classical: &Classical,
        (position, moves): (&G, Vec<Move>),
        mut watch: Until,
    ) -> Option<JoinHandle<Lent>> {
        let evaluation = classical.evaluation_at(position);
        let (method, horizon) = (classical.method, classical.horizon);
        let mut memory = self.take_memory(evaluation.digest());
        let position = position.clone();
        in_thread(move || {
            if !moves.is_empty() {
                let problem = Problem {
                    position: &position,
                    moves: &moves,
                    evaluation: &*evaluation,
                    method,
                    horizon,
                    depth_max: u32::MAX,
                };
                search(&mut memory, &problem, &mut watch);
            }
            Lent::Classical(evaluation.digest(), memory)
        })
    }

    /// Ends a search on the opponent's time, which takes some milliseconds, and keeps what it found out.
    pub(crate) fn end_pondering(&mut self, thread: PonderThread) {
        match thread.end() {
            Some(Lent::Classical(evaluation, memory)) => self.memory = Some((evaluation, memory)),
            Some(Lent::Midgame(memory)) => self.midgame = Some(memory),
            None => {}
        }
    }
}

fn in_thread(run: impl FnOnce() -> Lent + Send + 'static) -> Option<JoinHandle<Lent>> {
    std::thread::Builder::new().name("ponder".to_owned()).spawn(run).ok()
}

struct Until {
    stop: Arc<AtomicBool>,
    deadline: Instant,
}

impl Watch for Until {
    fn goes_on(&mut self, _: u64) -> bool {
        !self.stop.load(Ordering::Relaxed) && Instant::now() < self.deadline
    }
}

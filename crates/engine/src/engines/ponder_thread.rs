//! A classical search on the opponent's time: what it finds out of his replies stays in its table.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use banyan_games::Move;
use banyan_knowledge::Digest;
use banyan_search::Searchable;
use banyan_search::classical::{Memory, Problem, Watch, search};

use super::Engines;

/// A search that goes on until it is ended or dropped.
#[derive(Debug)]
pub(crate) struct PonderThread {
    stop: Arc<AtomicBool>,
    /// Gives back what it was lent, with the evaluation that it is of.
    thread: Option<JoinHandle<(Digest, Memory)>>,
}

impl PonderThread {
    fn end(mut self) -> Option<(Digest, Memory)> {
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
        let classical = self.choice.classical.as_ref()?;
        let evaluation = classical.evaluation_at(position);
        let (method, horizon) = (classical.method, classical.horizon);
        let mut memory = self.take_memory(evaluation.digest());
        let (position, stop) = (position.clone(), Arc::new(AtomicBool::new(false)));
        let mut watch = Until { stop: stop.clone(), deadline: Instant::now() + time_max };
        let run = move || {
            let mut moves: Vec<Move> = Vec::new();
            position.candidates(&mut moves);
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
            (evaluation.digest(), memory)
        };
        let thread = std::thread::Builder::new().name("ponder".to_owned()).spawn(run).ok()?;
        Some(PonderThread { stop, thread: Some(thread) })
    }

    /// Ends a search on the opponent's time, which takes some milliseconds, and keeps what it found out.
    pub(crate) fn end_pondering(&mut self, thread: PonderThread) {
        self.memory = thread.end();
    }
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

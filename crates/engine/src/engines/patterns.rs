//! The search of Othello by tables over patterns as an engine.

use banyan_search::Searchable;
use banyan_search::classical::{Found, Method};
use banyan_search::endgame::Board;
use banyan_search::midgame::{self, Memory, Question, search_helped};

use super::Engines;
use super::classical::{Explain, Watching, deeper};
use super::task::{Pulse, Task, ended, proof};
use crate::report::Report;

impl Engines {
    pub(super) fn take_midgame(&mut self) -> Memory {
        let bytes = self.table_bytes();
        self.midgame.take().unwrap_or_else(|| Memory::new(bytes))
    }

    pub(super) fn search_by_patterns<G: Searchable>(
        &mut self,
        board: Board,
        task: &Task<'_, G>,
        pulse: &mut Pulse<'_>,
    ) -> Report {
        let foreseen = self.recall(task.position, task.moves).filter(|it| task.allows(it));
        let mut memory = self.take_midgame();
        let explain =
            Explain { method: Method::AlphaBeta, moves: task.moves.len(), scale: midgame::scale() };
        let depth_max = task.limits.depth.unwrap_or(u32::MAX);
        let question = Question { board, moves: task.moves, depth_max };
        let first = Found::nothing(task.moves[0]);
        let mut watch = Watching { pulse, explain, found: first, alone_until: None };
        let helpers = self.helpers();
        let found = search_helped(&helpers, &mut memory, &question, &mut watch);
        let found = deeper(found, foreseen);
        let elapsed = watch.pulse.started.elapsed();
        self.midgame = Some(memory);
        let mut report = ended(explain.report(&found), elapsed);
        report.explanation.score = Some(midgame::hundredths(found.value));
        report.explanation.threads = helpers.searched();
        if found.is_exact {
            let proof = proof(found.value);
            report.candidates.iter_mut().for_each(|it| it.proof = proof);
        }
        report
    }
}

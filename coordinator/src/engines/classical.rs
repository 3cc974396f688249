//! Alpha-beta and MTD(f) as engines.

use std::time::Duration;

use banyan_games::Game;
use banyan_search::classical::{Found, Memory, Method, Question, Watch, is_decided, search};
use banyan_search::{Candidate, Proof};

use super::{Classical, Engines, Explanation, Module, Pulse, Task, ended, proof, report};
use crate::grower::Report;

/// The table takes this part of the memory, and never more than [`TABLE_BYTES_MAX`]: beyond that a
/// search of seconds gains nothing, and clearing it takes time.
const TABLE_SHARE: usize = 4;
const TABLE_BYTES_MAX: usize = 128 << 20;

impl Engines {
    pub(super) fn search<G: Game>(
        &mut self,
        classical: &Classical,
        task: &Task<'_, G>,
        pulse: &mut Pulse<'_>,
    ) -> Report {
        let bytes = (self.settings.table_bytes_max / TABLE_SHARE).min(TABLE_BYTES_MAX);
        let evaluation = &G::EVALUATIONS[classical.evaluation];
        let evaluation = &(evaluation.of_root)(task.position).unwrap_or(*evaluation);
        let memory = match &mut self.memory {
            Some((name, memory)) if *name == evaluation.name => memory,
            other => &mut other.insert((evaluation.name, Memory::new(bytes))).1,
        };
        let question = Question {
            position: task.position,
            moves: task.moves,
            evaluation,
            method: classical.method,
            horizon: classical.horizon,
            draft_max: u32::MAX,
        };
        let first = Found {
            best: task.moves[0],
            value: 0,
            line: vec![task.moves[0]],
            draft: 0,
            is_exact: false,
            nodes: 0,
            passes: 0,
        };
        let explain =
            Explain { method: classical.method, moves: task.moves.len(), scale: evaluation.scale };
        let mut watch = Watching { pulse, explain, found: first };
        let found = search(memory, &question, &mut watch);
        ended(explain.report(&found), watch.pulse.started.elapsed())
    }
}

struct Watching<'a, 'b> {
    pulse: &'a mut Pulse<'b>,
    explain: Explain,
    found: Found,
}

impl Watch for Watching<'_, '_> {
    fn goes_on(&mut self, nodes: u64) -> bool {
        let (explain, found) = (self.explain, &self.found);
        self.pulse.goes_on(nodes, |elapsed: Duration| Report {
            elapsed,
            ..explain.report(&Found { nodes, ..found.clone() })
        })
    }

    fn deepened(&mut self, found: &Found) {
        self.found = found.clone();
    }
}

/// What is needed to put a classical search's answer into the words of a report.
#[derive(Clone, Copy)]
struct Explain {
    method: Method,
    moves: usize,
    scale: f32,
}

impl Explain {
    fn report(self, found: &Found) -> Report {
        let module = match self.method {
            Method::AlphaBeta => Module::AlphaBeta,
            Method::Mtdf(_) => Module::Mtdf,
        };
        let known = is_decided(found.value);
        let candidate = Candidate {
            mv: found.best,
            visits: found.nodes,
            value: 1.0 / (1.0 + (-f64::from(found.value) / f64::from(self.scale)).exp()),
            prior: 1.0 / self.moves as f64,
            proof: if known { proof(found.value) } else { Proof::Open },
        };
        let explanation = Explanation {
            module,
            score: Some(found.value),
            draft: Some(found.draft),
            positions: found.nodes,
        };
        report(candidate, found.line.clone(), explanation)
    }
}

//! Alpha-beta and MTD(f) as engines.

use std::time::{Duration, Instant};

use banyan_jobs::Settlement;
use banyan_knowledge::Digest;
use banyan_search::Searchable;
use banyan_search::classical::{Found, Memory, Method, Problem, Watch, is_decided, search_helped};
use banyan_search::{Candidate, Proof};

use super::shared::Together;
use super::task::{Pulse, Task, ended, proof, report};
use super::{Classical, Engines};
use crate::report::{Ended, Explanation, Module, Report};

/// The table takes this part of the memory, and never more than [`TABLE_BYTES_MAX`]: beyond that a
/// search of seconds gains nothing, and clearing it takes time.
pub(super) const TABLE_SHARE: usize = 4;
pub(super) const TABLE_BYTES_MAX: usize = 128 << 20;

/// This process's threads begin, for so long or for this share of the time: that finds a value to begin with, and
/// what is found out sooner is not worth asking others.
const ALONE_TIME_MAX: Duration = Duration::from_millis(100);
const ALONE_TIME_SHARE: u32 = 10;

impl Engines {
    /// The memory of searches with this evaluation, or nothing yet.
    pub(super) fn take_memory(&mut self, evaluation: Digest) -> Memory {
        let kept = self.memory.take().filter(|(kept, _)| *kept == evaluation);
        let memory = kept.map_or_else(|| Memory::new(self.table_bytes()), |(_, memory)| memory);
        memory.resuming()
    }

    pub(super) fn table_bytes(&self) -> usize {
        (self.choice.table_bytes_max / TABLE_SHARE).min(TABLE_BYTES_MAX)
    }

    pub(super) fn search<G: Searchable>(
        &mut self,
        classical: &Classical,
        task: &Task<'_, G>,
        pulse: &mut Pulse<'_>,
    ) -> Report {
        let foreseen = self.recall(task.position, task.moves).filter(|it| task.allows(it));
        let evaluation = &*classical.evaluation_at(task.position);
        let helpers = self.helpers();
        let memory = self.take_memory(evaluation.digest());
        let memory = &mut self.memory.insert((evaluation.digest(), memory)).1;
        let problem = Problem {
            position: task.position,
            moves: task.moves,
            evaluation,
            method: classical.method,
            horizon: classical.horizon,
            depth_max: task.limits.depth.unwrap_or(u32::MAX),
        };
        let first = Found::nothing(task.moves[0]);
        let explain = Explain {
            method: classical.method,
            moves: task.moves.len(),
            scale: evaluation.scale(),
        };
        let sharing = self.shared.as_mut().filter(|_| classical.is_shareable);
        let enough = classical.enough(task.position);
        let sharing = sharing.filter(|shared| shared.is_worth_sharing(enough));
        let alone_until = sharing.is_some().then(|| {
            let share = task.limits.time.map(|time| time / ALONE_TIME_SHARE);
            Instant::now() + share.map_or(ALONE_TIME_MAX, |share| share.min(ALONE_TIME_MAX))
        });
        let is_shared = sharing.is_some();
        let began = Instant::now();
        let mut watch = Watching { pulse, explain, found: first, alone_until };
        let mut found = deeper(search_helped(&helpers, memory, &problem, &mut watch), foreseen);
        let mut settlement = Settlement::default();
        let Watching { pulse, .. } = watch;
        if let Some(shared) = sharing {
            let alone = began.elapsed().as_secs_f64().max(1e-3);
            let nodes_per_s = found.nodes as f64 / alone / f64::from(helpers.searched());
            let together = Together { shared, evaluation: classical.evaluation, nodes_per_s };
            let mut goes_on = |found: &Found| {
                pulse.goes_on(found.nodes, |elapsed| Report { elapsed, ..explain.report(found) })
            };
            (found, settlement) = together.deepen(task, found, &mut goes_on);
        }
        let mut report = ended(explain.report(&found), pulse.started.elapsed());
        report.ended = Some(Ended { settlement, digest: None });
        report.explanation.threads = if is_shared { 0 } else { helpers.searched() };
        report
    }
}

/// Prefers what was foreseen on the opponent's time where it is deeper than what was found since.
pub(super) fn deeper(found: Found, foreseen: Option<Found>) -> Found {
    match foreseen {
        Some(foreseen) if foreseen.depth > found.depth && !is_decided(found.value) => {
            Found { nodes: found.nodes, passes: found.passes, ..foreseen }
        }
        _ => found,
    }
}

pub(super) struct Watching<'a, 'b> {
    pub pulse: &'a mut Pulse<'b>,
    pub explain: Explain,
    pub found: Found,
    /// Others are asked from then on.
    pub alone_until: Option<Instant>,
}

impl Watch for Watching<'_, '_> {
    fn goes_on(&mut self, nodes: u64) -> bool {
        if self.alone_until.is_some_and(|until| Instant::now() >= until) {
            return false;
        }
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

/// All that puts a classical search's answer into the words of a report.
#[derive(Clone, Copy)]
pub(super) struct Explain {
    pub method: Method,
    pub moves: usize,
    pub scale: f32,
}

impl Explain {
    pub fn report(self, found: &Found) -> Report {
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
            depth: Some(found.depth),
            positions: found.nodes,
            passes: found.passes,
            threads: 0,
        };
        report(candidate, found.line.clone(), explanation)
    }
}

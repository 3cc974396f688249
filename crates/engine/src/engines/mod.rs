//! Engines that may decide a move beside the tree of playouts: an exact solver near the end of Othello, a
//! search for wins by threats in games of lines, and the classical searches where they are asked for.
//!
//! They run in the thread that asks, and keep the same limits as the tree. The solver asks the cluster's
//! workers where there are any (`shared`); the others use one core.

mod choice;

mod task;

mod classical;

mod patterns;

mod endgame;

mod until;

mod replies;

mod seat;

mod foreseen;

mod ponder_thread;

mod shared;

mod threats;

mod danger;

pub use choice::{Choice, Classical};
pub(crate) use danger::MOVES_MAX;
pub use ponder_thread::PonderThread;
pub use shared::{Enough, Outcome, Shared};
pub use task::{Left, Task, TaskOutcome};

use std::sync::Arc;

use banyan_jobs::{Claim, Lender};
use banyan_knowledge::Digest;
use banyan_search::Searchable;
use banyan_search::classical::Memory;
use banyan_search::endgame::Solver;
use banyan_search::midgame;

use crate::question::Limits;
use crate::report::Report;
use foreseen::Pondered;
use task::Pulse;
use threats::Threats;

/// The engines of one session, with what they remember from move to move.
#[derive(Debug)]
pub struct Engines {
    choice: Choice,
    /// Memory of searches with this evaluation.
    memory: Option<(Digest, Memory)>,
    /// Memory of the search of Othello by tables over patterns.
    midgame: Option<midgame::Memory>,
    solver: Option<Solver>,
    /// Nothing where there is no cluster of this process.
    shared: Option<Shared>,
    /// Results of the last search on the opponent's time.
    pondered: Pondered,
}

impl Engines {
    /// Engines that remember nothing yet, and may ask the workers of a cluster, by this claim.
    pub fn new(choice: Choice, cluster: Option<Arc<dyn Lender>>, claim: Claim) -> Engines {
        Engines {
            choice,
            memory: None,
            midgame: None,
            solver: None,
            shared: cluster.map(|cluster| Shared::new(cluster).claiming(claim)),
            pondered: Pondered::default(),
        }
    }

    /// Moves are chosen by this engine from now on, or by the tree.
    pub(crate) fn are_led_by(&mut self, classical: Option<Classical>) {
        self.choice.classical = classical;
    }

    /// Solves what can be solved, looks for threats, and searches by the classical engine if there is one.
    ///
    /// - `watch` sees a report about ten times a second.
    pub(crate) fn answer<G: Searchable>(
        &mut self,
        task: &Task<'_, G>,
        watch: &mut dyn FnMut(&Report),
    ) -> TaskOutcome {
        let mut pulse = Pulse::new(task.stop, watch);
        if let Some(report) = self.solve(task, &mut pulse) {
            return TaskOutcome::Decided(Box::new(report));
        }
        let rules = self.choice.threat_rules.as_deref();
        let threats = match self.choice.looks_for_threats {
            true => threats::look(task, rules, &mut pulse),
            false => Threats::Silent,
        };
        let moves = match threats {
            Threats::Decided(report) => return TaskOutcome::Decided(report),
            Threats::Narrowed(moves) => moves,
            Threats::Silent => task.moves.to_vec(),
        };
        let time = task.limits.time.map(|time| time.saturating_sub(pulse.started.elapsed()));
        let limits = Limits { time, ..task.limits };
        let leaves_it = |classical: &Classical| classical.is_implied && task.is_analysis;
        let task = Task { moves: &moves, limits, ..*task };
        match self.choice.classical.clone().filter(|classical| !leaves_it(classical)) {
            Some(classical) => {
                pulse.limit(limits);
                let report = match classical.searches_by_patterns(task.position) {
                    Some(board) => self.search_by_patterns(board, &task, &mut pulse),
                    None => self.search_safely(&classical, &task, &mut pulse),
                };
                TaskOutcome::Decided(Box::new(report))
            }
            None => self.leave_to_tree(&task, &mut pulse),
        }
    }
}

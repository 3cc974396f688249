//! Engines that may decide a move beside the tree of playouts: an exact solver near the end of Othello, a
//! search for wins by threats in games of lines, and the classical searches where they are asked for.
//!
//! They run in the thread that asks, with the help of as many as the process has (`helpers`), and keep the same limits
//! as the tree. Where workers are many they are asked (`shared`).

mod choice;

mod task;

mod classical;

mod patterns;

mod endgame;

mod until;

mod replies;

mod seat;

mod helpers;

mod foreseen;

mod ponder_thread;

mod shared;

mod threats;

mod danger;

pub use choice::{Choice, Classical};
pub(crate) use danger::MOVES_MAX;
pub use helpers::HelperThreads;
pub use ponder_thread::PonderThread;
pub use shared::{Enough, Outcome, Shared};
pub use task::{Left, Task, TaskOutcome};

use std::sync::Arc;

use banyan_games::Rules;
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

/// Part of the time that an only move gets, where the rest is there for later ones.
const ONLY_SHARE: f64 = 0.05;

/// The engines of one session, with what they remember from move to move.
#[derive(Debug)]
pub struct Engines {
    choice: Choice,
    /// Rules of the game that the rest is about.
    rules: Option<Rules>,
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
            rules: None,
            memory: None,
            midgame: None,
            solver: None,
            shared: cluster.map(|cluster| Shared::new(cluster).claiming(claim)),
            pondered: Pondered::default(),
        }
    }

    /// The threads that help the one that asks: all of this process's own but one. Idle work has a search for each of
    /// these threads, so that none helps.
    fn helpers(&self) -> HelperThreads {
        let shared = self.shared.as_ref().filter(|shared| !shared.is_idle());
        HelperThreads::of(shared.map_or(1, Shared::own_threads))
    }

    /// The next moves are by these rules, chosen by this engine or by the tree. What was remembered of a position by
    /// others says nothing: its hash knows of stones alone.
    pub(crate) fn begin(&mut self, rules: Rules, classical: Option<Classical>) {
        self.choice.classical = classical;
        if self.rules.as_ref() != Some(&rules) {
            (self.memory, self.midgame, self.solver) = (None, None, None);
            self.pondered = Pondered::default();
            self.rules = Some(rules);
        }
    }

    /// Solves what can be solved, looks for threats, and searches by the classical engine if there is one.
    ///
    /// - `watch` sees a report as often as the task says, and says whether it is enough to play by.
    pub(crate) fn answer<G: Searchable>(
        &mut self,
        task: &Task<'_, G>,
        watch: &mut dyn FnMut(&Report) -> bool,
    ) -> TaskOutcome {
        let mut pulse = Pulse::new(task.stop, task.interval, watch);
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
        // An only move is searched for what it is worth.
        let is_only = moves.len() == 1 && task.saves_time;
        let time = time.map(|time| if is_only { time.mul_f64(ONLY_SHARE) } else { time });
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use banyan_games::gomoku::{Gomoku, GomokuRules, Variant};
    use banyan_games::{Game as _, Record};
    use banyan_search::classical::{Horizon, Method};

    use super::*;

    /// By the game's first evaluation, to a depth.
    pub(super) fn alpha_beta() -> Classical {
        Classical {
            method: Method::AlphaBeta,
            horizon: Horizon::Depth,
            evaluation: 0,
            beam: None,
            model: None,
            is_shareable: false,
            is_implied: false,
        }
    }

    fn choice(classical: Option<Classical>) -> Choice {
        Choice {
            classical,
            looks_for_threats: false,
            threat_rules: None,
            zone_rules: None,
            table_bytes_max: 1 << 20,
        }
    }

    #[test]
    fn what_is_remembered_of_positions_by_other_rules_is_forgotten() {
        let rules = |variant| GomokuRules::new(9, 9, variant).expect("a size");
        let (classical, choice) = (alpha_beta(), choice(None));
        let mut engines = Engines::new(choice, None, Claim::default());
        let record = Record::<Gomoku>::new(&rules(Variant::Standard));
        let (position, stop, mut moves) = (record.position(), AtomicBool::new(false), Vec::new());
        position.legal_moves(&mut moves);
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let task = Task {
            record: &record,
            position,
            moves: &moves,
            is_analysis: false,
            limits,
            interval: Duration::from_millis(100),
            saves_time: false,
            stop: &stop,
        };
        engines.begin(rules(Variant::Standard).into(), Some(classical.clone()));
        let answered = engines.answer(&task, &mut |_| false);
        assert!(matches!(answered, TaskOutcome::Decided(_)) && engines.memory.is_some());
        engines.begin(rules(Variant::Standard).into(), Some(classical.clone()));
        assert!(engines.memory.is_some(), "the next move of the same game");
        engines.begin(rules(Variant::Renju).into(), Some(classical));
        assert!(engines.memory.is_none());
    }

    #[test]
    fn an_only_move_takes_little_of_the_time() {
        let rules = GomokuRules::new(9, 9, Variant::Standard).expect("a size");
        let choice = choice(Some(alpha_beta()));
        let mut engines = Engines::new(choice, None, Claim::default());
        let record = Record::<Gomoku>::new(&rules);
        let (stop, only) = (AtomicBool::new(false), [banyan_games::Move::point(40)]);
        let task = Task {
            record: &record,
            position: record.position(),
            moves: &only,
            is_analysis: false,
            limits: Limits { time: Some(Duration::from_secs(10)), ..Limits::default() },
            interval: Duration::from_millis(100),
            saves_time: true,
            stop: &stop,
        };
        let TaskOutcome::Decided(report) = engines.answer(&task, &mut |_| false) else {
            panic!("alpha-beta decides")
        };
        assert_eq!(report.pv.first(), Some(&only[0]));
        assert!(report.elapsed < Duration::from_secs(3), "{:?} of 10 s", report.elapsed);
    }
}

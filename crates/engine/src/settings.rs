//! Settings of a session's searches, whatever it is asked: fixed while it lives.

use std::fmt;
use std::sync::Arc;

use banyan_games::rng::mix;
use banyan_games::{Record, Rules};
use banyan_jobs::{Claim, Plan, Purpose};
use banyan_search::Searchable;
use banyan_search::{FinalMove, Parameters};

use crate::engines::{Choice, Classical};
use crate::opening::Opening;
use crate::question::Limits;
use crate::tuning::Tuning;

/// One of so many batches tells who held each point at the end, in games of territory; 0 in others.
pub const fn ownership_every<G: Searchable>() -> u64 {
    if G::TERRITORY { 2 } else { 0 }
}

/// Memory for a tree, unless told otherwise.
const TREE_BYTES: usize = 1 << 30;

/// Settings that depend on the rules of a game.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The tree's numbers.
    pub tuning: Tuning,
    /// The plan of all searches.
    pub plan: Plan,
    /// The engine that chooses moves in place of the tree.
    pub classical: Option<Classical>,
}

/// Settings by the rules of a game.
pub type Choose = dyn Fn(&Rules) -> Chosen + Send + Sync;

/// Chooses settings by the rules of a game: who judges, and who leads, depends on them.
#[derive(Clone)]
pub struct ByRules {
    /// The rules that a session begins with, for which the settings are as they are.
    pub first: Rules,
    /// What other rules have in their place.
    pub choose: Arc<Choose>,
}

impl fmt::Debug for ByRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByRules").field("first", &self.first).finish_non_exhaustive()
    }
}

/// Settings of a session's searches.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The tree's numbers.
    pub tuning: Tuning,
    /// What differs by other rules than those that the session begins with, where anything does.
    pub by_rules: Option<ByRules>,
    /// The plan that all its searches have in common; their seeds and bounds follow, see [`Settings::plan`].
    pub plan: Plan,
    /// Limits of a search, where a question does not say.
    pub limits: Limits,
    /// Hash the tree at the end of each search.
    pub digest: bool,
    /// Engines that may decide beside the tree.
    pub engines: Choice,
    /// Purpose of its searches, but for those on the opponent's time.
    pub purpose: Purpose,
    /// Asked before any search for a move, where there is one.
    pub book: Option<Opening>,
}

impl Settings {
    /// Everything as it is unless told otherwise: a search without a limit.
    pub fn of<G: Searchable>() -> Settings {
        let tuning = Tuning {
            parameters: Parameters::of(G::KIND),
            evaluator: None,
            seed: 1,
            tree_bytes_max: TREE_BYTES,
            final_move: FinalMove::Visits,
        };
        let engines = Choice {
            classical: None,
            looks_for_threats: true,
            threat_rules: None,
            zone_rules: None,
            table_bytes_max: TREE_BYTES,
        };
        Settings {
            tuning,
            by_rules: None,
            plan: Plan::of(G::POLICY),
            limits: Limits::default(),
            digest: false,
            engines,
            purpose: Purpose::Thinking,
            book: None,
        }
    }

    /// The same for games by these rules.
    pub fn under(&self, rules: &Rules) -> Settings {
        let mut settings = self.clone();
        if let Some(ByRules { first, choose }) = &self.by_rules
            && first != rules
        {
            let Chosen { tuning, plan, classical } = choose(rules);
            settings.tuning = Tuning { tree_bytes_max: self.tuning.tree_bytes_max, ..tuning };
            settings.plan = plan;
            settings.engines.classical = classical;
        }
        settings
    }

    /// The claim of its searches on a cluster.
    pub fn claim(&self) -> Claim {
        Claim { purpose: self.purpose, ..Claim::default() }
    }

    /// Plans the search of a game's position.
    pub fn plan<G: Searchable>(&self, record: &Record<G>, limits: Limits) -> Plan {
        Plan {
            seed: mix(self.tuning.seed ^ mix(record.plies().len() as u64)),
            playouts_max: limits.playouts,
            ownership_every: ownership_every::<G>(),
            ..self.plan
        }
    }
}

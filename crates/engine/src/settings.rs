//! How a session searches, whatever it is asked: fixed while it lives.

use banyan_games::Record;
use banyan_games::rng::mix;
use banyan_knowledge::Knowledge;
use banyan_knowledge::Policy;
use banyan_search::{FinalMove, Parameters};

use crate::engines::Choice;
use crate::growth::Plan;
use crate::question::Limits;
use crate::sizing::Sizing;
use crate::tuning::Tuning;

/// Of so many batches one tells who held each point at the end, in games of territory; 0 in others.
pub const fn ownership_every<G: Knowledge>() -> u64 {
    if G::TERRITORY { 2 } else { 0 }
}

/// Memory for a tree, unless told otherwise.
const TREE_BYTES: usize = 1 << 30;

/// How a session searches.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The tree's numbers.
    pub tuning: Tuning,
    /// How large batches are, and of which mode.
    pub sizing: Sizing,
    /// At most so many playouts in flight, where that was asked for.
    pub window: Option<u32>,
    /// Merge in the order of making.
    pub reproducible: bool,
    /// How playouts choose.
    pub policy: Policy,
    /// How long and how hard to think, where a question does not say.
    pub limits: Limits,
    /// Hash the tree at the end of each search.
    pub digest: bool,
    /// Who may decide beside the tree.
    pub engines: Choice,
}

impl Settings {
    /// Everything as it is unless told otherwise: a search without a limit.
    pub fn of<G: Knowledge>() -> Settings {
        let tuning = Tuning {
            parameters: Parameters::of(G::KIND),
            seed: 1,
            tree_bytes_max: TREE_BYTES,
            final_move: FinalMove::Visits,
        };
        let engines =
            Choice { classical: None, looks_for_threats: true, table_bytes_max: TREE_BYTES };
        Settings {
            tuning,
            sizing: Sizing::default(),
            window: None,
            reproducible: false,
            policy: G::POLICY,
            limits: Limits::default(),
            digest: false,
            engines,
        }
    }

    /// How a game's position is searched.
    pub fn plan<G: Knowledge>(&self, record: &Record<G>, limits: Limits) -> Plan {
        Plan {
            policy: self.policy,
            seed: mix(self.tuning.seed ^ mix(record.plies().len() as u64)),
            playouts_max: limits.playouts,
            sizing: self.sizing,
            window: self.window,
            in_order: self.reproducible,
            ownership_every: ownership_every::<G>(),
            replies: None,
        }
    }
}

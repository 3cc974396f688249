//! The nouns that coordinator and worker share, and the one verb: run a batch, get a tally.
//!
//! A [`Job`] says what to do with a leaf, an [`Answer`] what came of it; each is a sum type, so that none
//! carries what means nothing to it, and [`fit`] refuses an answer to another kind of job.
//!
//! No async, no I/O, no clock. Nothing here knows the wire: `banyan-proto` converts.
//!
//! Reading order: ids and limits, then what travels (`root`, `job`, `answer`, `message`, and a front end's
//! `plan` and `session`), then `run`
//! with what it does for each kind of job: `grow`, `judge` and `solve`; `lender` for what a search asks of a
//! cluster.

pub mod ids;

pub mod limits;

pub mod root;

pub mod job;

pub mod answer;

pub mod fit;

pub mod tolerance;

pub mod profile;

pub mod message;

pub mod sums;

pub mod plan;

pub mod session;

pub mod totals;

pub mod usage;

pub mod lender;

mod dropped;

pub mod workspace;

mod grow;
mod grow_judged;

mod spread;

mod judge;

mod solve;

pub mod run;

pub use answer::{Alone, Answer, Bound, Judged, Solved, Tally, Tried};
/// The part of roots and greetings that the models define.
pub use banyan_knowledge::evaluator::is_exact;
pub use banyan_knowledge::{Digest, Evaluators, Judgement, ModelDigest};
/// The parts of tallies and roots that the search defines.
pub use banyan_search::{Known, Parameters, ParametersError, Proof, Siblings, Subtree};
pub use banyan_selfplay::game::Thought;
pub use banyan_selfplay::{Depths, PlayedGame, Wanted, play};
pub use dropped::Dropped;
pub use fit::{Board, Misfit};
pub use ids::{Attempt, BatchId, Epoch, RootId, SessionId, WorkerId};
pub use job::{
    Batch, Bounds, Evaluate, Grow, INFINITE, Job, Label, Labelling, Play, Playouts, Practice,
    Practise, Solve, Sought, Spread, Trial,
};
pub use lender::{ClusterCapacity, Crew, Lender, Post, Settlement, ToSearch};
pub use message::{FromWorker, Lent, ModelFiles, ModelPart, ToWorker};
pub use plan::{Plan, PlanError, Sizing, Wish};
pub use profile::{GameSupport, Offer, Profile};
pub use root::{Growing, Root, RootError};
pub use run::Prepared;
pub use session::{Claim, Purpose};
pub use spread::{Part, Spreading};
pub use sums::{Scores, Sums};
pub use totals::Totals;
pub use usage::{Evaluated, Usage};
pub use workspace::{RunError, Workspace};

//! The room that a thread runs batches in, and why one could not be run.

use std::sync::Arc;

use banyan_games::Kind;
use banyan_knowledge::EvaluatorError;
use banyan_search::Tree;
use banyan_search::classical::Memory;
use banyan_search::endgame::Solver;

use crate::dropped::Dropped;
use crate::ids::{BatchId, RootId};
use crate::usage::Evaluated;

/// Reasons why a batch has no tally.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// A ply of the path is against the rules.
    #[error("batch {batch}: ply {ply} of its path, {mv}, is illegal")]
    IllegalPath {
        /// The batch.
        batch: BatchId,
        /// From 1.
        ply: usize,
        /// The move as text.
        mv: String,
    },
    /// The batch starts from another root.
    #[error("batch {batch} starts from root {named}, not from {held}")]
    OtherRoot {
        /// The batch.
        batch: BatchId,
        /// The root it names.
        named: RootId,
        /// The root it was run with.
        held: RootId,
    },
    /// Its leaf is to be judged, and its root names no evaluator, or one that is not here.
    #[error("batch {batch} asks for a judgement, and the evaluator of its root is not here")]
    NoEvaluator {
        /// The batch.
        batch: BatchId,
    },
    /// Its leaf could not be judged.
    #[error("batch {batch}: {why}")]
    Evaluator {
        /// The batch.
        batch: BatchId,
        /// Reason.
        why: EvaluatorError,
    },
    /// Nobody needs its answer any more.
    #[error("batch {batch} was dropped")]
    Dropped {
        /// The batch.
        batch: BatchId,
    },
    /// Its games could not be played.
    #[error("batch {batch}: no games of self-play: {why}")]
    Games {
        /// The batch.
        batch: BatchId,
        /// Reason, in words.
        why: String,
    },
    /// Its rule could not be tried.
    #[error("batch {batch}: no trial of a rule: {why}")]
    Trial {
        /// The batch.
        batch: BatchId,
        /// Reason, in words.
        why: String,
    },
    /// It asks what nobody here can answer.
    #[error("batch {batch}: {game} has no answer to its question")]
    NoSolver {
        /// The batch.
        batch: BatchId,
        /// The game.
        game: Kind,
    },
}

/// Room that a thread keeps from batch to batch. It changes no result.
#[derive(Debug, Default)]
pub struct Workspace {
    /// Private trees of earlier batches, whose memory is used again.
    pub(crate) trees: Vec<Tree>,
    /// For exact scores.
    pub(crate) solver: Option<Solver>,
    /// For values of alpha-beta.
    pub(crate) memory: Option<Memory>,
    pub(crate) evaluated: Evaluated,
    pub(crate) dropped: Arc<Dropped>,
}

impl Workspace {
    /// Room of a thread that runs no batch which is in `dropped`.
    pub fn new(dropped: Arc<Dropped>) -> Workspace {
        Workspace { dropped, ..Workspace::default() }
    }

    /// What was judged by batches in this room so far, but in games of self-play.
    pub fn evaluated(&self) -> Evaluated {
        self.evaluated
    }
}

//! Messages between coordinator and worker, over a socket or in process.

use std::collections::HashMap;
use std::sync::Arc;

use banyan_knowledge::ModelDigest;
use bytes::Bytes;

use crate::answer::Tally;
use crate::ids::{Attempt, BatchId, RootId};
use crate::job::Batch;
use crate::profile::{Offer, Profile};
use crate::root::Root;
use crate::usage::Usage;

/// A batch as it is lent to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lent {
    /// The batch; shared, since it may be lent again.
    pub batch: Arc<Batch>,
    /// Number of this lease of it.
    pub attempt: Attempt,
}

/// A part of a model's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelPart {
    /// The model.
    pub digest: ModelDigest,
    /// Place in the file at which it begins.
    pub offset: u64,
    /// Bytes of the whole file.
    pub total: u64,
    /// The part: at most [`crate::limits::MODEL_PART_BYTES_MAX`].
    pub bytes: Bytes,
}

/// Files of models by their digests.
pub type ModelFiles = HashMap<ModelDigest, Arc<[u8]>>;

/// From the coordinator.
#[derive(Clone, Debug, PartialEq)]
pub enum ToWorker {
    /// The hello was accepted.
    Welcome,
    /// The hello was not accepted, or the worker is put out; the text is for people.
    Refused(String),
    /// A position that batches will name.
    Root(Arc<Root>),
    /// Work.
    Lend(Vec<Lent>),
    /// These batches are not needed any more; no answer is expected.
    Drop(Vec<BatchId>),
    /// This root and all older ones of its session are dead, their batches with them.
    Forget(RootId),
    /// Answer with a pong of the same number, at once.
    Ping(u64),
    /// Positions are to be judged by this model: who has it not may ask for it.
    Need(ModelDigest),
    /// A part of a model that was asked for.
    Part(ModelPart),
    /// The worker's drain is noted: no batch follows this message.
    Released,
    /// The coordinator stops; come back later.
    Farewell,
}

/// From a worker.
#[derive(Clone, Debug, PartialEq)]
pub enum FromWorker {
    /// The first message of a connection.
    Hello(Profile),
    /// Finished work.
    Tallies(Vec<Tally>),
    /// A batch that could not be run; the text is for people.
    Failed(BatchId, String),
    /// To a ping of the same number.
    Pong {
        /// The ping's number.
        nonce: u64,
        /// What the worker has used so far.
        usage: Usage,
    },
    /// The part of this model from this byte on, please.
    Want(ModelDigest, u64),
    /// Evaluators that it judges by from now on.
    Offers(Vec<Offer>),
    /// A model that came and is not used; the text is for people.
    Unfit(ModelDigest, String),
    /// So many threads play out from now on: workers of a coordinator that works for another come and go.
    Threads(u32),
    /// No more work, please: the worker finishes what it holds and leaves.
    Draining,
}

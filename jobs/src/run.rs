//! The verb: run a batch, get its tally.

use std::fmt;
use std::sync::Arc;

use banyan_games::{Counts, Game, Move, Rng, with_game};

use crate::batch::Batch;
use crate::ids::{BatchId, RootId};
use crate::root::{Root, RootError};
use crate::tally::Tally;

/// Why a batch has no tally.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// A ply of the path is against the rules.
    #[error("batch {batch}: ply {ply} of its path, {mv}, is illegal")]
    IllegalPath {
        /// Which batch.
        batch: BatchId,
        /// From 1.
        ply: usize,
        /// The move as text.
        mv: String,
    },
    /// The batch starts from another root.
    #[error("batch {batch} starts from root {named}, not from {held}")]
    OtherRoot {
        /// Which batch.
        batch: BatchId,
        /// The root it names.
        named: RootId,
        /// The root it was run with.
        held: RootId,
    },
}

/// A root made ready to run batches from; cheap to clone and shared by threads.
#[derive(Clone)]
pub struct Prepared {
    id: RootId,
    runner: Arc<dyn Runner>,
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Prepared {
    /// Plays a root's plies once, for all its batches.
    ///
    /// # Errors
    /// [`RootError`] when the root is no position.
    pub fn new(root: &Root) -> Result<Prepared, RootError> {
        let runner: Arc<dyn Runner> = with_game!(&root.rules, G, rules => {
            Arc::new(Ready(root.position::<G>(rules)?))
        });
        Ok(Prepared { id: root.id, runner })
    }

    /// Which root this is.
    pub fn id(&self) -> RootId {
        self.id
    }

    /// Runs one batch. Pure: the same batch gives the same tally anywhere.
    ///
    /// # Errors
    /// [`RunError`] for a batch that does not fit this root.
    pub fn run(&self, batch: &Batch) -> Result<Tally, RunError> {
        if batch.root != self.id {
            let (named, held) = (batch.root, self.id);
            return Err(RunError::OtherRoot { batch: batch.id, named, held });
        }
        self.runner.run(batch)
    }
}

/// Hides which game a root is of.
trait Runner: Send + Sync {
    fn run(&self, batch: &Batch) -> Result<Tally, RunError>;
}

struct Ready<G>(G);

impl<G: Game> Runner for Ready<G> {
    fn run(&self, batch: &Batch) -> Result<Tally, RunError> {
        let mut leaf = self.0.clone();
        for (index, &mv) in batch.path.iter().enumerate() {
            if !leaf.is_legal(mv) {
                return Err(illegal::<G>(&leaf, batch, index, mv));
            }
            leaf.play(mv);
        }
        let mut counts = Counts::new(leaf.size().area(), batch.asked);
        let mut rng = Rng::from_seed(batch.seed);
        leaf.playouts(batch.policy, batch.playouts, &mut rng, &mut counts);
        Ok(Tally { batch: batch.id, counts })
    }
}

fn illegal<G: Game>(leaf: &G, batch: &Batch, index: usize, mv: Move) -> RunError {
    RunError::IllegalPath { batch: batch.id, ply: index + 1, mv: leaf.move_text(mv) }
}

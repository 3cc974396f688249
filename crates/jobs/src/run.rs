//! The verb: run a batch, get its tally.

use std::fmt;
use std::sync::Arc;

use banyan_games::{Counts, Kind, Leaf, Move, Rng, with_game};
use banyan_knowledge::{Knowledge, Policy};
use banyan_search::{Parameters, Tree, leaf};

use crate::batch::{Batch, Mode};
use crate::dropped::Dropped;
use crate::grow;
use crate::ids::{BatchId, RootId};
use crate::root::{Growing, Root, RootError};
use crate::solving;
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
    /// Nobody needs its answer any more.
    #[error("batch {batch} was dropped")]
    Dropped {
        /// Which batch.
        batch: BatchId,
    },
    /// It asks what nobody here can answer.
    #[error("batch {batch}: {game} has no answer to its question")]
    NoSolver {
        /// Which batch.
        batch: BatchId,
        /// Of which game.
        game: Kind,
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
            Arc::new(Ready { position: root.position::<G>(rules)?, growing: root.growing })
        });
        Ok(Prepared { id: root.id, runner })
    }

    /// Which root this is.
    pub fn id(&self) -> RootId {
        self.id
    }

    /// Runs batches of this root, playouts of flat ones side by side; one answer each, in order.
    ///
    /// Pure: the same batch gives the same tally anywhere, in any company.
    ///
    /// Each answer may be a [`RunError`], for a batch that does not fit this root or that was dropped.
    pub fn run_all(
        &self,
        batches: &[&Batch],
        space: &mut Workspace,
    ) -> Vec<Result<Tally, RunError>> {
        self.runner.run(self.id, batches, space)
    }

    /// Runs one batch, in room of its own.
    ///
    /// # Errors
    /// [`RunError`] for a batch that does not fit this root.
    pub fn run(&self, batch: &Batch) -> Result<Tally, RunError> {
        let mut answers = self.run_all(&[batch], &mut Workspace::default());
        answers.pop().expect("one answer for one batch")
    }
}

/// Room that a thread keeps from batch to batch. It changes no result.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(crate) tree: Option<Tree>,
    pub(crate) solving: solving::Space,
    pub(crate) dropped: Arc<Dropped>,
}

impl Workspace {
    /// Room of a thread that runs no batch which is in `dropped`.
    pub fn new(dropped: Arc<Dropped>) -> Workspace {
        Workspace { dropped, ..Workspace::default() }
    }
}

/// Hides which game a root is of.
trait Runner: Send + Sync {
    fn run(
        &self,
        root: RootId,
        batches: &[&Batch],
        space: &mut Workspace,
    ) -> Vec<Result<Tally, RunError>>;
}

struct Ready<G> {
    position: G,
    growing: Growing,
}

impl<G: Knowledge> Runner for Ready<G> {
    fn run(
        &self,
        root: RootId,
        batches: &[&Batch],
        space: &mut Workspace,
    ) -> Vec<Result<Tally, RunError>> {
        let mut answers: Vec<Result<Tally, RunError>> = Vec::with_capacity(batches.len());
        // Flat batches wait here for each other's company.
        let mut flat: Vec<Flat<G>> = Vec::new();
        for (index, &batch) in batches.iter().enumerate() {
            if space.dropped.contains(batch.id) {
                answers.push(Err(RunError::Dropped { batch: batch.id }));
                continue;
            }
            let leaf = match self.leaf(root, batch) {
                Ok(leaf) => leaf,
                Err(refused) => {
                    answers.push(Err(refused));
                    continue;
                }
            };
            let counts = Counts::new(leaf.size().area(), batch.asked);
            let tally = match &batch.mode {
                Mode::Flat => {
                    let rng = Rng::from_seed(batch.seed);
                    flat.push(Flat { index, leaf, rng, counts });
                    Tally::empty(batch.id)
                }
                Mode::Grown { floor, known } => {
                    grow::grow(&leaf, batch, (*floor, known), self.growing, space)
                }
                Mode::Solve(question) => {
                    let positions = (&self.position, &leaf);
                    let solved = solving::solve(positions, (batch, *question), space);
                    answers.push(solved);
                    continue;
                }
            };
            answers.push(Ok(tally));
        }
        play_out(batches, &mut flat, &self.growing.parameters);
        for Flat { index, counts, .. } in flat {
            answers[index] = Ok(Tally { counts, ..Tally::empty(batches[index].id) });
        }
        answers
    }
}

/// A flat batch that is ready to be played out.
struct Flat<G> {
    index: usize,
    leaf: G,
    rng: Rng,
    counts: Counts,
}

fn play_out<G: Knowledge>(batches: &[&Batch], flat: &mut [Flat<G>], parameters: &Parameters) {
    for policy in Policy::ALL {
        let mut leaves: Vec<Leaf<'_, G>> = flat
            .iter_mut()
            .filter(|flat| batches[flat.index].policy == policy)
            .map(|Flat { index, leaf, rng, counts }| Leaf {
                position: &*leaf,
                playouts: batches[*index].playouts,
                rng,
                counts,
            })
            .collect();
        leaf::play_out(parameters, policy, &mut leaves);
    }
}

impl<G: Knowledge> Ready<G> {
    fn leaf(&self, root: RootId, batch: &Batch) -> Result<G, RunError> {
        if batch.root != root {
            return Err(RunError::OtherRoot { batch: batch.id, named: batch.root, held: root });
        }
        let mut leaf = self.position.clone();
        for (index, &mv) in batch.path.iter().enumerate() {
            if !leaf.is_legal(mv) {
                return Err(illegal::<G>(&leaf, batch, index, mv));
            }
            leaf.play(mv);
        }
        Ok(leaf)
    }
}

fn illegal<G: Knowledge>(leaf: &G, batch: &Batch, index: usize, mv: Move) -> RunError {
    RunError::IllegalPath { batch: batch.id, ply: index + 1, mv: leaf.move_text(mv) }
}

//! A subtree batch that is spread over many threads: its private tree is grown by parts, subtree batches
//! themselves.
//!
//! A state machine: parts come out, their answers go in, in the same order. Whoever drives it, a thread that
//! runs one part after the other or a coordinator that lends them out, the same tree comes of it.
//!
//! # Source
//! Hierarchical manager and worker (Foster 1995, *Designing and Building Parallel Programs*, 2.5).

use std::collections::VecDeque;
use std::fmt;

use banyan_games::{Counts, Move, Outcome, Rng};
use banyan_search::{Descent, Path, Proof, Searchable, Tree, Word};

use crate::answer::Answer;
use crate::grow::imported;
use crate::job::{Grow, Job, Playouts, Spread};
use crate::root::Growing;
use crate::workspace::Workspace;

/// A part is at most so small a share of the tree: what is in flight is not known to who descends.
const TREE_SHARE: u64 = 16;

/// The smallest part, playouts: a round of private trees.
const PLAYOUTS_MIN: u64 = 16;

/// A batch whose tree is grown by parts, whatever its game.
pub trait Spreading: fmt::Debug + Send {
    /// The next part; nothing while as many as may be are in flight, or all are made.
    fn next(&mut self) -> Option<Part>;

    /// Takes the answer to the oldest part in flight.
    ///
    /// The answer is one that [`crate::fit::check`] finds fit.
    fn merge(&mut self, answer: &Answer);

    /// Tells whether all parts are answered.
    fn is_complete(&self) -> bool;

    /// Answers the batch, once it is complete; gives the room of its tree back.
    fn end(self: Box<Self>, space: &mut Workspace) -> Answer;
}

/// A part of a spread batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The plies from the batch's leaf to the part's.
    pub path: Vec<Move>,
    /// A subtree batch that is not spread.
    pub job: Job,
}

/// The private tree of a batch that is spread.
pub(crate) struct Spreader<G> {
    leaf: G,
    tree: Tree,
    playouts: Playouts,
    floor: u32,
    spread: Spread,
    /// Parts in flight, oldest first.
    flights: VecDeque<Flight>,
    /// Playouts to come.
    left: u32,
    /// Seeds of parts follow from the batch's.
    rng: Rng,
    /// Sums of all playouts so far, seen from the batch's leaf.
    total: Counts,
}

struct Flight {
    path: Path,
    playouts: u32,
}

impl<G> fmt::Debug for Spreader<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_flight = self.flights.len();
        f.debug_struct("Spreader")
            .field("left", &self.left)
            .field("in_flight", &in_flight)
            .finish_non_exhaustive()
    }
}

impl<G: Searchable> Spreader<G> {
    /// A tree that holds what is known.
    pub(crate) fn new(
        leaf: G,
        (job, spread): (&Grow, Spread),
        growing: Growing,
        space: &mut Workspace,
    ) -> Spreader<G> {
        let &Grow { playouts, floor, .. } = job;
        let tree = imported(&leaf, &job.known, growing, space);
        let total = Counts::new(leaf.size().area(), playouts.asked);
        let (rng, flights) = (Rng::from_seed(playouts.seed), VecDeque::new());
        Spreader { leaf, tree, playouts, floor, spread, flights, left: playouts.count, rng, total }
    }

    /// Playouts of the next part.
    fn part_playouts(&self) -> u32 {
        let share = self.tree.visits(self.tree.root()) / TREE_SHARE;
        let most = self.left.min(self.spread.playouts);
        share.max(PLAYOUTS_MIN).min(u64::from(most)) as u32
    }

    /// Tells whether a part of the same leaf would judge what another one judges already.
    fn is_taken(&self, path: &Path) -> bool {
        self.tree.is_all_judged() && self.tree.is_awaited(path)
    }

    fn part(&mut self, path: Path, count: u32) -> Part {
        let playouts = Playouts { count, seed: self.rng.bits(), ..self.playouts };
        let leaf = *path.last().expect("a path holds the root");
        // What the tree knows is its own word: parts are believed here, and checked by who asked for the batch.
        let (grow, _) = Grow::below(&self.tree, leaf, playouts);
        let moves = path[1..].iter().map(|&node| self.tree.move_into(node)).collect();
        self.tree.add_virtual_loss(&path, count);
        self.left -= count;
        self.flights.push_back(Flight { path, playouts: count });
        Part { path: moves, job: Job::Subtree(grow) }
    }

    fn count_ended(&mut self, path: &Path, outcome: Outcome) {
        self.tree.merge_outcome(path, outcome);
        if let Some(&last) = path.last() {
            self.tree.prove(path, Proof::of(outcome, self.tree.mover(last)));
        }
        self.left -= 1;
        self.total.add(outcome, path.len() as u32 - 1);
    }

    /// Adds a part's sums to the batch's. The moves to the part's leaf count as played, which only the tree
    /// knows.
    fn add_to_total(&mut self, counts: &Counts, path: &Path) {
        let mut amaf = self.total.amaf.take();
        self.total.merge(counts);
        self.total.plies += (path.len() as u64 - 1) * u64::from(counts.playouts());
        if let Some(amaf) = &mut amaf {
            self.tree.add_later_to(amaf);
        }
        self.total.amaf = amaf;
    }
}

impl<G: Searchable> Spreading for Spreader<G> {
    fn next(&mut self) -> Option<Part> {
        let mut count = self.part_playouts();
        while self.left > 0 && self.flights.len() < self.spread.parts as usize {
            let visits_min = u64::from(count) * u64::from(self.tree.parameters().subtree_leaf);
            let mut position = self.leaf.clone();
            match self.tree.descend(&mut position, visits_min) {
                Descent::Ended(path, outcome) => {
                    self.count_ended(&path, outcome);
                    count = self.part_playouts();
                }
                Descent::Leaf(path) if !self.is_taken(&path) => {
                    return Some(self.part(path, count));
                }
                // Smaller parts have leaves further down.
                Descent::Leaf(_) if u64::from(count) > PLAYOUTS_MIN => count /= 2,
                Descent::Leaf(_) => return None,
            }
        }
        None
    }

    fn merge(&mut self, answer: &Answer) {
        let Some(Flight { path, playouts }) = self.flights.pop_front() else { return };
        self.tree.remove_virtual_loss(&path, playouts);
        let Answer::Subtree(counts, grown) = answer else { return };
        let fresh = path.last().is_some_and(|&leaf| !self.tree.is_expanded(leaf));
        match self.tree.is_all_judged() {
            true => self.tree.merge_judged_sum(&path, counts.playouts(), grown.leaf_judged),
            false => self.tree.merge(&path, counts),
        }
        self.add_to_total(counts, &path);
        self.tree.merge_subtree(&path, grown, fresh, Word::Own);
    }

    fn is_complete(&self) -> bool {
        self.left == 0 && self.flights.is_empty()
    }

    fn end(self: Box<Self>, space: &mut Workspace) -> Answer {
        let groups_max = Grow::groups_max(self.tree.is_all_judged());
        let grown = self.tree.grown(u64::from(self.floor), groups_max);
        space.trees.push(self.tree);
        Answer::Subtree(self.total, Box::new(grown))
    }
}

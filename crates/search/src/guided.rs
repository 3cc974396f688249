//! A search by an evaluator alone, in one thread: walk to a leaf, have it judged, merge.
//!
//! What self-play and tests are made of. Many games that are searched side by side may ask their evaluator
//! about all their leaves at once: [`Guided::walk`], then [`Guided::merge`].

use banyan_games::{Move, Outcome};
use banyan_knowledge::{Evaluator, EvaluatorError, Judgement, Query};

use crate::parameters::Parameters;
use crate::searchable::Searchable;
use crate::tree::descend::Descent;
use crate::tree::proof::Proof;
use crate::tree::{NodeId, Path, Tree};

/// Memory for the nodes of one tree, bytes.
const BYTES_MAX: usize = 64 << 20;

/// A position being searched.
#[derive(Clone, Debug)]
pub struct Guided<G> {
    /// The tree grown so far.
    pub tree: Tree,
    position: G,
}

/// A leaf that waits for its judgement.
#[derive(Clone, Debug)]
pub struct Waiting<G> {
    /// The position to be judged.
    pub leaf: G,
    path: Path,
}

/// The numbers of a search by an evaluator alone.
pub fn parameters<G: Searchable>() -> Parameters {
    Parameters { lambda: 1.0, puct: true, ..Parameters::of(G::KIND) }
}

impl<G: Searchable> Guided<G> {
    /// A search of a position that nothing is known of.
    ///
    /// - `parameters`: those of [`parameters`], or others in which evaluations are all that counts.
    /// - `seed`: of the order of children, which decides between equals.
    pub fn new(position: G, parameters: Parameters, seed: u64) -> Guided<G> {
        let parameters = Parameters { lambda: 1.0, ..parameters };
        let tree = Tree::new(parameters, seed, BYTES_MAX, !position.side_to_move());
        Guided { tree, position }
    }

    /// The position that is searched.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// Plays a move, and keeps what is known below it.
    pub fn play(&mut self, mv: Move) {
        self.position.play(mv);
        if self.tree.advance(mv) {
            self.tree.complete_root(&self.position);
        } else {
            let parameters = *self.tree.parameters();
            self.tree.reset(parameters, 0, !self.position.side_to_move());
        }
    }

    /// Walks to a leaf; where a game ended, it is counted, and nothing waits.
    ///
    /// - `first`: the child of the root to go through; without, the tree chooses.
    pub fn walk(&mut self, first: Option<NodeId>) -> Option<Waiting<G>> {
        if self.tree.is_full() {
            self.tree.compact(std::iter::empty());
        }
        let mut leaf = self.position.clone();
        let descent = match first {
            Some(first) => self.tree.descend_through(first, &mut leaf, 0),
            None => self.tree.descend(&mut leaf, 0),
        };
        match descent {
            Descent::Leaf(path) => Some(Waiting { leaf, path }),
            Descent::Ended(path, outcome) => {
                self.count_ended(&path, outcome);
                None
            }
        }
    }

    /// Adds the judgement of a leaf that this search walked to.
    pub fn merge(&mut self, waiting: &Waiting<G>, judgement: &Judgement) {
        self.tree.merge_judgement(&waiting.path, judgement);
        // No other path is kept: one leaf waits at a time.
        self.tree.complete_along(waiting.path.clone(), |_| {});
    }

    /// Searches until the root has so many visits, those it had before with them.
    ///
    /// # Errors
    /// Whatever the evaluator says when it cannot judge.
    pub fn search(
        &mut self,
        evaluator: &dyn Evaluator<G>,
        visits: u64,
    ) -> Result<(), EvaluatorError> {
        let mut judgements = Vec::new();
        while self.tree.visits(self.tree.root()) < visits && !self.is_decided() {
            let Some(waiting) = self.walk(None) else { continue };
            evaluator.evaluate(&[Query::of(&waiting.leaf)], &mut judgements)?;
            self.merge(&waiting, &judgements[0]);
        }
        Ok(())
    }

    /// Tells whether it is proven how the game ends: further visits say nothing.
    pub fn is_decided(&self) -> bool {
        self.tree.proof(self.tree.root()) != Proof::Open
    }

    fn count_ended(&mut self, path: &Path, outcome: Outcome) {
        self.tree.merge_outcome(path, outcome);
        if let Some(&last) = path.last() {
            self.tree.prove(path, Proof::of(outcome, self.tree.mover(last)));
        }
        self.tree.complete_along(path.clone(), |_| {});
    }
}

//! Subtree batches: a private tree under the leaf, one playout a descent.
//!
//! A round walks to some leaves one after the other, each under the virtual losses of those before,
//! then plays all of them out side by side, and merges them in order. Nothing of it depends on time.

use banyan_games::{Counts, Leaf, Outcome, Rng};
use banyan_knowledge::Policy;
use banyan_search::Searchable;
use banyan_search::{Descent, Known, Parameters, Path, Proof, Tree, leaf};

use crate::answer::Answer;
use crate::job::{Grow, Playouts};
use crate::limits;
use crate::root::Growing;
use crate::workspace::Workspace;

/// Leaves in flight at once: they fill two groups of lanes of Go's playouts. A part of the meaning of
/// a batch: another number gives other tallies.
const LEAVES_A_ROUND: usize = 16;

/// Grows a tree under `leaf` by a batch's playouts and reports what it counted.
pub(crate) fn grow<G: Searchable>(
    leaf: &G,
    Grow { playouts, floor, known, .. }: &Grow,
    growing: Growing,
    space: &mut Workspace,
) -> Answer {
    let mut tree = imported(leaf, known, growing, space);
    let mut round = Round::new(leaf, *playouts);
    let mut left = playouts.count;
    while left > 0 {
        left -= round.descend(&mut tree, leaf, left);
        round.play_out(playouts.policy, tree.parameters());
        round.merge(&mut tree);
    }
    let grown = tree.grown(u64::from(*floor), Grow::groups_max(false));
    space.trees.push(tree);
    Answer::Subtree(round.total, Box::new(grown))
}

/// A tree of the thread with nothing in it but what is known.
pub(crate) fn imported<G: Searchable>(
    leaf: &G,
    known: &Known,
    growing: Growing,
    space: &mut Workspace,
) -> Tree {
    let Growing { parameters, seed, .. } = growing;
    let mover = !leaf.side_to_move();
    let new = || Tree::new(parameters, seed, limits::PRIVATE_TREE_BYTES_MAX, mover);
    let mut tree = space.trees.pop().unwrap_or_else(new);
    tree.reset(parameters, seed, mover);
    tree.import_subtree(known);
    // The leaf is worth a tree, or it would not be here.
    tree.expand_root(leaf);
    tree
}

/// Proves the outcome of a leaf, where it was met before and a short search can: one that is met once may never
/// matter.
fn proven<G: Searchable>(tree: &Tree, path: &Path, position: &G) -> Option<Outcome> {
    let nodes_max = u64::from(tree.parameters().proof_nodes);
    let is_met_again = path.last().is_some_and(|&leaf| tree.visits(leaf) > 0);
    (nodes_max > 0 && is_met_again).then(|| position.proven(nodes_max)).flatten()
}

/// The leaves that are walked to before any of them is played out.
struct Round<G> {
    walks: Vec<Walk<G>>,
    /// Number of them in use.
    used: usize,
    /// Seeds of playouts follow from the batch's.
    rng: Rng,
    /// Sums of all playouts so far, seen from the batch's leaf.
    total: Counts,
}

/// One walk and its playout; kept from round to round for its room.
struct Walk<G> {
    position: G,
    path: Path,
    rng: Rng,
    counts: Counts,
}

impl<G: Searchable> Round<G> {
    fn new(leaf: &G, playouts: Playouts) -> Round<G> {
        let counts = Counts::new(leaf.size().area(), playouts.asked);
        let walk = |_| Walk {
            position: leaf.clone(),
            path: Path::new(),
            rng: Rng::from_seed(0),
            counts: counts.clone(),
        };
        let walks = (0..LEAVES_A_ROUND).map(walk).collect();
        Round { walks, used: 0, rng: Rng::from_seed(playouts.seed), total: counts.clone() }
    }

    /// Walks to leaves until the round is full or `left` playouts are made; returns how many.
    ///
    /// A walk that meets the end of a game counts as its own playout, on the spot.
    fn descend(&mut self, tree: &mut Tree, root: &G, left: u32) -> u32 {
        self.used = 0;
        let wanted = left.min(LEAVES_A_ROUND as u32);
        for _ in 0..wanted {
            let walk = &mut self.walks[self.used];
            walk.position.clone_from(root);
            match tree.descend(&mut walk.position, 0) {
                Descent::Leaf(path) => {
                    if let Some(outcome) = proven(tree, &path, &walk.position) {
                        self.count_ended(tree, &path, outcome);
                        continue;
                    }
                    tree.add_virtual_loss(&path, 1);
                    walk.path = path;
                    walk.rng = Rng::from_seed(self.rng.bits());
                    walk.counts.clear();
                    self.used += 1;
                }
                Descent::Ended(path, outcome) => self.count_ended(tree, &path, outcome),
            }
        }
        wanted
    }

    fn count_ended(&mut self, tree: &mut Tree, path: &Path, outcome: Outcome) {
        tree.merge_outcome(path, outcome);
        if let Some(&last) = path.last() {
            tree.prove(path, Proof::of(outcome, tree.mover(last)));
        }
        self.total.add(outcome, path.len() as u32 - 1);
    }

    fn play_out(&mut self, policy: Policy, parameters: &Parameters) {
        let leaf = |walk| {
            let Walk { position, rng, counts, .. }: &mut Walk<G> = walk;
            Leaf { position: &*position, playouts: 1, rng, counts }
        };
        let mut leaves: Vec<Leaf<'_, G>> = self.walks[..self.used].iter_mut().map(leaf).collect();
        leaf::play_out(parameters, policy, &mut leaves);
    }

    fn merge(&mut self, tree: &mut Tree) {
        for walk in &self.walks[..self.used] {
            tree.remove_virtual_loss(&walk.path, 1);
            tree.merge(&walk.path, &walk.counts);
            // The walk's own moves count as played, which only the tree knows.
            let mut amaf = self.total.amaf.take();
            self.total.merge(&walk.counts);
            self.total.plies += walk.path.len() as u64 - 1;
            if let Some(amaf) = &mut amaf {
                tree.add_later_to(amaf);
            }
            self.total.amaf = amaf;
        }
    }
}

//! Taking counts back out that were merged and turned out to be lies.
//!
//! What was added is subtracted, so that sums are what they would have been; where the lies led descents
//! cannot be undone. Sums never go below nothing: a node that was folded and grew again has less than
//! was merged once.

use banyan_games::{Counts, Move};

use super::merge::half_wins;
use super::subtree::Subtree;
use super::{Amaf, Children, Judged, NodeId, Path, Prior, Proof, Tree};

impl Tree {
    /// The nodes that `moves` lead through from the root, as far as they are there, the root first.
    pub fn path_of(&self, moves: &[Move]) -> Path {
        let mut path = vec![self.root];
        for &mv in moves {
            let Some(next) = path.last().and_then(|&node| self.child(node, mv)) else { break };
            path.push(next);
        }
        path
    }

    /// Takes back what [`Tree::merge`] added along a path.
    ///
    /// `fresh`: whether the last node had no children then, so that none was credited.
    pub fn unmerge(&mut self, path: &Path, counts: &Counts, fresh: bool) {
        let half_wins = half_wins(counts);
        for &node in path {
            let mover = self.mover(node);
            self.subtract(node, u64::from(counts.playouts()), half_wins[mover.index()]);
        }
        self.owners.take_back(counts);
        let Some(amaf) = &counts.amaf else { return };
        let mut later = std::mem::take(&mut self.later);
        later.fill(amaf);
        for (from_leaf, &node) in path.iter().rev().enumerate() {
            if from_leaf > 0 || !fresh {
                for child in self.children(node) {
                    let lies = later.of(self.mover(child), self.move_into(child));
                    self.nodes.amaf[child.index()] = self.nodes.amaf[child.index()].without(lies);
                }
            }
            let mover = self.mover(node);
            let all = Amaf::new(counts.playouts(), half_wins[mover.index()] as u32);
            later.put_first(mover, self.move_into(node), all);
        }
        self.later = later;
    }

    /// Takes back what [`Tree::merge_subtree`] added below the last node of a path, proofs with it: of what
    /// was proven above, too, nobody knows any more whether it is true.
    pub fn unmerge_subtree(&mut self, path: &Path, subtree: &Subtree, fresh: bool) {
        let Some(&leaf) = path.last() else { return };
        let mut places: Vec<Option<NodeId>> = Vec::with_capacity(subtree.children());
        for siblings in &subtree.groups {
            let parent = match siblings.parent {
                None => Some(leaf),
                Some(child) => places.get(child as usize).copied().flatten(),
            };
            let with_amaf = fresh || siblings.parent.is_some();
            // Priors that may be lies are asked for again.
            if let Some(parent) = parent
                && subtree.priors[places.len()] != Prior::UNSET.0
                && self.has_priors_that_travel(parent)
            {
                self.clear_priors(parent);
            }
            for at in places.len()..places.len() + usize::from(siblings.children) {
                let child = parent.and_then(|parent| self.child(parent, subtree.moves[at]));
                if let Some(child) = child {
                    self.subtract_grown(child, subtree, at);
                    if with_amaf {
                        let lies = Amaf::new(subtree.amaf_visits[at], subtree.amaf_half_wins[at]);
                        self.nodes.amaf[child.index()] =
                            self.nodes.amaf[child.index()].without(lies);
                    }
                }
                places.push(child);
            }
        }
        self.fold_the_unvisited(path, &places);
        if subtree.proofs.iter().any(|&proof| proof != Proof::Open) {
            path.iter().for_each(|&node| self.clear_proof(node));
        }
    }

    /// Makes a node a leaf again where its children, too, are a peer's word and nobody else has been there since.
    fn fold_the_unvisited(&mut self, path: &Path, places: &[Option<NodeId>]) {
        for &parent in path.last().into_iter().chain(places.iter().flatten()) {
            let at = parent.index();
            let is_visited = self.children(parent).any(|child| {
                self.nodes.visits[child.index()] > 0 || self.nodes.unobserved[child.index()] > 0
            });
            if self.nodes.flags[at].is_listed() && !is_visited {
                self.nodes.child_count[at] = Children::NONE;
                self.nodes.flags[at] = self.nodes.flags[at].with_list(false);
            }
        }
    }

    fn subtract_grown(&mut self, child: NodeId, subtree: &Subtree, at: usize) {
        let (visits, half_wins) = (subtree.visits[at], subtree.half_wins[at]);
        self.subtract(child, u64::from(visits), u64::from(half_wins));
        if self.is_all_judged() {
            let lies = Judged::new(visits, subtree.judged[at]);
            self.nodes.judged[child.index()] = self.nodes.judged[child.index()].without(lies);
        }
        if subtree.proofs[at] != Proof::Open {
            self.clear_proof(child);
        }
    }

    fn subtract(&mut self, node: NodeId, visits: u64, half_wins: u64) {
        let at = node.index();
        self.nodes.visits[at] = self.nodes.visits[at].saturating_sub(visits);
        let left = self.nodes.half_wins[at].saturating_sub(half_wins);
        self.nodes.half_wins[at] = left.min(2 * self.nodes.visits[at]);
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::counts::Asked;
    use banyan_games::gomoku::{Gomoku, GomokuRules};
    use banyan_games::{Color, Game, Kind, Rng};

    use super::*;
    use crate::{Descent, Parameters, Word};

    fn start() -> (Gomoku, Tree) {
        let rules = GomokuRules::new(7, 7, Default::default()).expect("a size of Gomoku");
        let position = Gomoku::new(&rules);
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        let mut tree = Tree::new(Parameters::of(Kind::Gomoku), 7, 1 << 20, Color::White);
        tree.allow_at_root(Color::Black, &moves);
        (position, tree)
    }

    fn play_out(leaf: &Gomoku, playouts: u32, seed: u64) -> Counts {
        let mut counts = Counts::new(49, Asked { amaf: true, ownership: false });
        leaf.playouts(playouts, &mut Rng::from_seed(seed), &mut counts);
        counts
    }

    /// One batch of a sequential search; nothing where a game ended.
    fn step(tree: &mut Tree, position: &Gomoku, seed: u64) -> Option<(Path, Counts, bool)> {
        let mut leaf = position.clone();
        let Descent::Leaf(path) = tree.descend(&mut leaf, 0) else { return None };
        let counts = play_out(&leaf, 4, seed);
        let fresh = path.last().is_some_and(|&leaf| !tree.is_expanded(leaf));
        tree.merge(&path, &counts);
        Some((path, counts, fresh))
    }

    #[test]
    fn what_is_merged_and_unmerged_leaves_the_tree_as_it_was() {
        let (position, mut tree) = start();
        for seed in 0..300 {
            let before = tree.digest();
            if let Some((path, counts, fresh)) = step(&mut tree.clone(), &position, seed) {
                // Expansion on the way down stays: compare with a tree that has walked as well.
                let mut walked = tree.clone();
                let _ = walked.descend(&mut position.clone(), 0);
                let expected = walked.digest();
                walked.merge(&path, &counts);
                assert_ne!(walked.digest(), expected);
                let moves: Vec<Move> =
                    path[1..].iter().map(|&node| walked.move_into(node)).collect();
                assert_eq!(walked.path_of(&moves), path);
                walked.unmerge(&path, &counts, fresh);
                assert_eq!(walked.digest(), expected, "batch {seed}, {path:?}");
            }
            assert_eq!(tree.digest(), before);
            step(&mut tree, &position, seed);
        }
    }

    #[test]
    fn a_subtree_that_is_unmerged_leaves_no_count_and_no_proof() {
        let (position, mut tree) = start();
        (0..300).for_each(|seed| drop(step(&mut tree, &position, seed)));
        let leaf = tree.child(tree.root(), Move(24)).expect("a candidate");
        let mut below = position.clone();
        below.play(Move(24));
        let mut private = Tree::new(*tree.parameters(), 7, 1 << 20, Color::Black);
        private.expand_root(&below);
        (0..300).for_each(|seed| drop(step(&mut private, &below, seed)));
        let mut lie = private.grown(2, 16);
        assert!(lie.groups.len() > 1, "deeper than one ply");
        lie.proofs[0] = Proof::Loss;
        let path = vec![tree.root(), leaf];
        let fresh = !tree.is_expanded(leaf);
        let sums = |tree: &Tree| {
            let all = (0..tree.nodes() as u32).map(NodeId);
            let of = |node: NodeId| {
                let at = node.index();
                (
                    tree.nodes.visits[at],
                    tree.nodes.half_wins[at],
                    tree.nodes.amaf[at],
                    tree.proof(node),
                )
            };
            all.map(of).collect::<Vec<_>>()
        };
        let before = sums(&tree);
        tree.merge_subtree(&path, &lie, fresh, Word::Peer);
        assert_ne!(sums(&tree)[..before.len()], before);
        tree.unmerge_subtree(&path, &lie, fresh);
        let after = sums(&tree);
        assert_eq!(after[..before.len()], before);
        let nothing = (0, 0, Amaf::default(), Proof::Open);
        assert!(after[before.len()..].iter().all(|&sums| sums == nothing));
    }

    #[test]
    fn what_was_folded_meanwhile_never_goes_below_nothing() {
        let (position, mut tree) = start();
        let (path, counts, fresh) = step(&mut tree, &position, 1).expect("hardly begun");
        let mut twice = counts.clone();
        twice.merge(&counts);
        tree.unmerge(&path, &twice, fresh);
        tree.unmerge(&path, &twice, false);
        assert!(path.iter().all(|&node| tree.visits(node) == 0 && tree.value(node) == 0.5));
    }
}

//! Likely children alone: where a network judges, most moves of a large board will never be tried.
//!
//! A judgement names a chance for each move, and of 362 moves some dozens have nearly all of it. The others are left
//! out of the node's children until it has so many visits that the selection might turn to one, or until all that it
//! has are proven: then it is completed. They come without a judgement of their own, with less of a prior than any
//! that was kept, and the rules are asked about each before it is believed. The root is never without one of its
//! moves.

use std::ops::Range;

use banyan_games::Move;
use banyan_knowledge::Chance;

use super::{Children, Flags, NodeId, Path, Prior, Proof, Tree};
use crate::Searchable;

/// An exploration term that a difference of values hides, in value units: a child whose term is smaller is not tried.
const HIDDEN: f64 = 0.05;

impl Tree {
    /// Tells whether children may be left out at all.
    fn leaves_out(&self) -> bool {
        self.parameters.puct_least > 0.0 && self.parameters.puct && self.is_all_judged()
    }

    /// Takes a fresh node's children out that have less than the least chance, and their chances with them.
    pub(super) fn leave_out_unlikely(&mut self, node: NodeId, chances: &mut Vec<f32>) {
        let first = self.nodes.first_child[node.index()] as usize;
        let range = first..first + chances.len();
        let is_fresh = |at: usize| self.nodes.visits[at] == 0 && self.nodes.unobserved[at] == 0;
        let is_whole = node == self.root && !self.is_part;
        if is_whole || !self.leaves_out() || !range.clone().all(is_fresh) {
            return;
        }
        let least = self.parameters.puct_least * chances.iter().sum::<f32>();
        let likely: Vec<usize> = (0..chances.len()).filter(|&at| chances[at] >= least).collect();
        if likely.is_empty() || likely.len() == chances.len() {
            return;
        }
        for (to, &from) in likely.iter().enumerate() {
            chances[to] = chances[from];
            self.nodes.moves[first + to] = self.nodes.moves[first + from];
            self.nodes.flags[first + to] = self.nodes.flags[first + from];
        }
        chances.truncate(likely.len());
        self.nodes.child_count[node.index()] = Children::all(likely.len()).with_partial(true);
        if range.end == self.nodes.len() {
            self.nodes.resize(first + likely.len());
        }
    }

    /// Tells whether children of a node were left out.
    pub(super) fn is_partial(&self, node: NodeId) -> bool {
        self.nodes.child_count[node.index()].is_partial()
    }

    pub(super) fn set_partial(&mut self, node: NodeId, partial: bool) {
        let children = &mut self.nodes.child_count[node.index()];
        *children = children.with_partial(partial);
    }

    /// The prior of a child that was left out: less than any that was kept.
    fn unlikely(&self) -> Prior {
        Prior::of_chance(Chance::of(self.parameters.puct_least / 2.0))
    }

    /// Notes that a private tree, which had a node judged, left out those of its children that have no prior yet: the
    /// node may have had all of them before.
    pub(super) fn note_left_out(&mut self, node: NodeId) {
        let is_set = |child: NodeId| self.nodes.priors[child.index()].is_set();
        if self.is_partial(node) || !self.leaves_out() || !self.children(node).any(is_set) {
            return;
        }
        let prior = self.unlikely();
        for child in self.children(node) {
            let own = &mut self.nodes.priors[child.index()];
            *own = if own.is_set() { *own } else { prior };
        }
    }

    /// Visits from which on a node has all children.
    fn complete_visits(&self) -> u64 {
        (HIDDEN / f64::from(self.parameters.puct_least)).powi(2) as u64
    }

    /// Gives nodes of a path the children that were left out of them, where these are due. Whoever keeps other paths
    /// is told of each node that is elsewhere then.
    pub fn complete_along(&mut self, mut path: Path, mut tell: impl FnMut(&Moved)) {
        while let Some(node) = self.incomplete(&path) {
            let moved = self.complete(node);
            moved.keep(&mut path);
            tell(&moved);
        }
    }

    /// Gives a new root all moves of its position, where some were left out; who holds it to the game so far does so
    /// by [`Tree::allow_at_root`].
    pub fn complete_root<G: Searchable>(&mut self, position: &G) {
        if self.is_partial(self.root) {
            self.allow_at_root(position.side_to_move(), &self.moves_of(position));
        }
    }

    /// The first node of a path that should have the children that were left out of it.
    fn incomplete(&self, path: &Path) -> Option<NodeId> {
        let found = path.iter().find(|&&node| self.wants_all_children(node));
        found.copied().filter(|_| !self.is_full())
    }

    fn wants_all_children(&self, node: NodeId) -> bool {
        let is_decided = |child: NodeId| {
            self.proof(child) != Proof::Open || self.nodes.flags[child.index()].is_banned()
        };
        self.is_partial(node)
            && (self.visits(node) >= self.complete_visits() || self.children(node).all(is_decided))
    }

    /// Gives a node a child for every other point of the board and the pass, and moves those that it has to the end
    /// of the arena. Paths have to follow.
    pub(super) fn complete(&mut self, node: NodeId) -> Moved {
        let before: Vec<NodeId> = self.children(node).collect();
        let (from, to) = (self.nodes.first_child[node.index()], self.nodes() as u32);
        for &child in &before {
            let copy = self.nodes.duplicate(child);
            // What is in flight follows to the copy.
            self.nodes.unobserved[copy.index()] =
                std::mem::take(&mut self.nodes.unobserved[child.index()]);
        }
        let side = before.first().map_or(self.mover(node), |&child| self.mover(child));
        let is_there = |mv: &Move| before.iter().any(|&child| self.move_into(child) == *mv);
        let all = (0..self.area).map(Move).chain([Move::PASS]);
        let more: Vec<Move> = all.filter(|mv| !is_there(mv)).collect();
        let first = self.nodes.append(&more, Flags::of_mover(side).with_doubt(true)) as usize;
        let prior = self.unlikely();
        self.nodes.priors[first..].fill(prior);
        self.nodes.first_child[node.index()] = to;
        self.nodes.child_count[node.index()] = Children::all(before.len() + more.len());
        Moved { from: from..from + before.len() as u32, to }
    }
}

/// Nodes that are elsewhere now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    from: Range<u32>,
    /// Where the first of them is.
    to: u32,
}

impl Moved {
    /// Keeps a path pointing at its nodes.
    pub fn keep(&self, path: &mut Path) {
        let moved = path.iter_mut().filter(|node| self.from.contains(&node.0));
        moved.for_each(|node| node.0 = node.0 - self.from.start + self.to);
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::{Color, Game, Kind};
    use banyan_knowledge::Judgement;

    use super::super::tests::candidates;
    use super::*;
    use crate::{Descent, Parameters, Word};

    const LEAST: f32 = 0.01;

    fn tree(puct_least: f32) -> Tree {
        let parameters =
            Parameters { lambda: 1.0, puct: true, puct_least, ..Parameters::of(Kind::Go) };
        Tree::new(parameters, 7, 1 << 24, Color::White)
    }

    fn start() -> Go {
        Go::new(&GoRules::new(9, 15).expect("a size of Go"))
    }

    /// A judgement by which the first nine points have a tenth each, and all others little.
    fn judgement() -> Judgement {
        let chance = |point| Chance::of(if point < 9 { 0.1 } else { 0.001 });
        Judgement { value: 16_384, policy: (0..=81).map(chance).collect(), ..Judgement::default() }
    }

    /// Grows a tree, of whose nodes none is completed.
    fn grow(tree: &mut Tree, position: &Go, evaluations: usize) {
        for _ in 0..evaluations {
            match tree.descend(&mut position.clone(), 0) {
                Descent::Leaf(path) => tree.merge_judgement(&path, &judgement()),
                Descent::Ended(path, outcome) => tree.merge_outcome(&path, outcome),
            }
        }
    }

    /// The root's child with the most visits.
    fn visited(tree: &Tree) -> NodeId {
        let children = tree.children(tree.root);
        children.max_by_key(|&child| tree.visits(child)).expect("a child")
    }

    #[test]
    fn the_root_has_every_move_and_what_is_below_the_likely_ones() {
        let mut tree = tree(LEAST);
        tree.expand_root(&start());
        grow(&mut tree, &start(), 200);
        assert_eq!((tree.children(tree.root).count(), tree.is_partial(tree.root)), (82, false));
        let below = tree.children(tree.root).filter(|&child| tree.has_policy(child));
        let below: Vec<NodeId> = below.collect();
        assert!(below.len() >= 9);
        for node in below {
            assert!(tree.is_partial(node));
            let likely: Vec<Move> = tree.children(node).map(|it| tree.move_into(it)).collect();
            assert!(likely.len() < 9 && likely.iter().all(|mv| mv.0 < 9), "{likely:?}");
        }
        // Memory, too: what was left out is given back where nothing stands behind it.
        assert!(tree.nodes() < 83 + 200 * 9, "{}", tree.nodes());
    }

    #[test]
    fn zero_leaves_out_none() {
        let mut tree = tree(0.0);
        grow(&mut tree, &start(), 50);
        assert!((0..tree.nodes() as u32).all(|node| !tree.is_partial(NodeId(node))));
    }

    #[test]
    fn a_node_with_many_visits_is_completed_and_paths_follow() {
        let mut tree = tree(LEAST);
        tree.expand_root(&start());
        grow(&mut tree, &start(), 300);
        let node = visited(&tree);
        assert!(tree.visits(node) >= tree.complete_visits());
        let Descent::Leaf(mut path) = tree.descend_through(node, &mut start(), 0) else {
            panic!("a leaf")
        };
        tree.add_virtual_loss(&path, 1);
        let of = |tree: &Tree, path: &Path| -> Vec<_> {
            path.iter().map(|&node| (tree.move_into(node), tree.visits(node))).collect()
        };
        let below = |tree: &Tree| -> Vec<_> {
            let children = tree.children(node);
            children.map(|child| (tree.move_into(child), tree.visits(child))).collect()
        };
        let (before, kept) = (of(&tree, &path), below(&tree));
        assert_eq!(tree.incomplete(&path), Some(node));
        tree.complete(node).keep(&mut path);
        assert_eq!(of(&tree, &path), before);
        assert!(tree.children(node).any(|child| path.contains(&child)));
        assert_eq!(tree.incomplete(&path), None);
        let now = below(&tree);
        assert_eq!(now[..kept.len()], kept);
        let mut moves: Vec<u16> = now.iter().map(|(mv, _)| mv.0).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!((now.len(), moves.len()), (82, 82), "each once, the occupied point too");
        tree.remove_virtual_loss(&path, 1);
        assert!(path.iter().all(|&node| tree.unobserved(node) == 0));
        assert_eq!(tree.unobserved_total(), 0);
    }

    #[test]
    fn what_a_private_tree_left_out_of_a_leaf_that_has_all_children_is_unlikely_there_too() {
        // The first point of the board is an unlikely one.
        let corner = |point| Chance::of(if (1..9).contains(&point) { 0.12 } else { 0.0005 });
        let judged = Judgement {
            value: 16_384,
            policy: (0..=81).map(corner).collect(),
            ..Judgement::default()
        };
        let mut tree = tree(LEAST);
        tree.expand_root(&start());
        let leaf = tree.child(tree.root, Move(40)).expect("a point");
        let mut position = start();
        let Descent::Leaf(path) = tree.descend_through(leaf, &mut position, 0) else {
            panic!("nothing has ended")
        };
        assert_eq!(tree.children(leaf).count(), 81);
        let (known, word) = tree.known(leaf, 2, 16);
        let mut part = Tree::new(*tree.parameters(), 7, 1 << 24, Color::Black);
        part.import_subtree(&known);
        part.expand_root(&position);
        for _ in 0..16 {
            match part.descend(&mut position.clone(), 0) {
                Descent::Leaf(path) => part.merge_judgement(&path, &judged),
                Descent::Ended(path, outcome) => part.merge_outcome(&path, outcome),
            }
        }
        let grown = part.grown(2, 16);
        assert!(grown.groups[0].is_partial);
        tree.merge_judged_sum(&path, 16, grown.leaf_judged);
        tree.merge_subtree(&path, &grown, true, word);
        assert!(tree.has_policy(leaf), "nobody asks for its judgement again");
        for child in tree.children(leaf) {
            let share = tree.nodes.priors[child.index()].chance().share();
            let is_likely = (1..9).contains(&tree.move_into(child).0);
            assert_eq!(share > LEAST, is_likely, "{:?}: {share}", tree.move_into(child));
            assert!(tree.nodes.priors[child.index()].is_set());
        }
    }

    #[test]
    fn a_leaf_of_a_private_tree_to_be_gets_no_children_before_it_is_judged() {
        let mut tree = tree(LEAST);
        tree.expand_root(&start());
        let leaf = tree.child(tree.root, Move(40)).expect("a point");
        let descent = tree.descend_through(leaf, &mut start(), 32);
        assert!(matches!(descent, Descent::Leaf(_)) && !tree.is_expanded(leaf));
    }

    #[test]
    fn the_rules_are_asked_about_what_was_left_out() {
        let mut tree = tree(LEAST);
        tree.expand_root(&start());
        grow(&mut tree, &start(), 300);
        let node = visited(&tree);
        tree.complete(node);
        let mut position = start();
        position.play(tree.move_into(node));
        let occupied = tree.child(node, tree.move_into(node)).expect("a point of the board");
        // Nothing else is left to try.
        for child in tree.children(node).filter(|&child| child != occupied) {
            tree.nodes.flags[child.index()] = tree.nodes.flags[child.index()].with_ban(true);
        }
        assert_eq!(tree.select(node), occupied);
        assert!(!tree.check_legality(node, occupied, &position));
    }

    #[test]
    fn what_was_left_out_may_be_better_than_all_that_is_proven() {
        let mut tree = tree(LEAST);
        tree.expand_root(&start());
        grow(&mut tree, &start(), 15);
        let node = visited(&tree);
        assert!(tree.visits(node) < tree.complete_visits());
        let path = vec![tree.root, node];
        assert_eq!(tree.incomplete(&path), None);
        for child in tree.children(node) {
            tree.prove(&vec![tree.root, node, child], Proof::Loss);
        }
        assert_eq!((tree.proof(node), tree.incomplete(&path)), (Proof::Open, Some(node)));
        tree.complete(node);
        for child in tree.children(node) {
            tree.prove(&vec![tree.root, node, child], Proof::Loss);
        }
        assert_eq!(tree.proof(node), Proof::Win, "all of them lose");
    }

    #[test]
    fn a_tree_that_was_kept_completes_its_nodes_as_well() {
        let mut kept = tree(LEAST);
        kept.expand_root(&start());
        grow(&mut kept, &start(), 300);
        let mut tree = tree(LEAST).with_image(kept.image(), &start()).expect("its own");
        let node = visited(&tree);
        let path = vec![tree.root, node];
        // Before any descent: what was in flight comes home first.
        assert_eq!(tree.incomplete(&path), Some(node));
        tree.complete(node);
        assert_eq!(tree.children(node).count(), 82);
    }

    #[test]
    fn whether_children_were_left_out_travels() {
        let mut tree = tree(LEAST);
        grow(&mut tree, &start(), 200);
        let leaf = tree.children(tree.root).find(|&child| tree.is_partial(child)).expect("a node");
        let (known, _) = tree.known(leaf, 2, 16);
        assert!(known.subtree.groups[0].is_partial);
        let mut part = Tree::new(*tree.parameters(), 7, 1 << 24, Color::Black);
        part.import_subtree(&known);
        assert!(part.is_partial(part.root));
        let mut position = start();
        position.play(tree.move_into(leaf));
        grow(&mut part, &position, 20);
        let grown = part.grown(2, 16);
        assert!(grown.groups.len() > 1 && grown.groups.iter().all(|it| it.is_partial));
        let mut merged = Tree::new(*tree.parameters(), 7, 1 << 24, Color::White);
        merged.allow_at_root(Color::Black, &candidates(&start()));
        let leaf = merged.child(merged.root, tree.move_into(leaf)).expect("allowed");
        merged.merge_subtree(&vec![merged.root, leaf], &grown, true, Word::Own);
        assert!(merged.is_partial(leaf));
        assert_eq!(merged.children(leaf).count(), usize::from(grown.groups[0].children));
    }

    #[test]
    fn a_new_root_has_every_move_again() {
        let mut tree = tree(LEAST);
        grow(&mut tree, &start(), 200);
        let child = tree.children(tree.root).find(|&child| tree.is_partial(child)).expect("a node");
        let mut position = start();
        let mv = tree.move_into(child);
        position.play(mv);
        assert!(tree.advance(mv));
        tree.complete_root(&position);
        assert!(!tree.is_partial(tree.root));
        let is_allowed = |child: &NodeId| !tree.nodes.flags[child.index()].is_banned();
        let allowed = tree.children(tree.root).filter(is_allowed);
        assert_eq!(allowed.count(), candidates(&position).len());
        // Nobody has to wait until it is judged again.
        assert!(tree.has_policy(tree.root));
        grow(&mut tree, &position, 10);
    }
}

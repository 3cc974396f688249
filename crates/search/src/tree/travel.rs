//! Parts of trees that travel: what is known below a leaf is exported and imported as the beginning of a
//! private tree elsewhere; what that tree counted since comes back and is merged below the leaf.
//!
//! What is merged may come from a peer that errs or lies: its moves are believed only when a descent
//! has asked the rules (`Tree::check_legality`).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use banyan_games::{Color, Move, Size};
use banyan_knowledge::Knowledge;
use banyan_knowledge::evaluator::VALUE_ONE;

use super::subtree::{Imported, Known, Siblings, Subtree, Sums};
use super::{Amaf, Children, Flags, Judged, NodeId, Path, Prior, Proof, Tree};

/// Nodes of a subtree that travels, count; the last group may go beyond. Sixteen groups of 19x19 have fewer.
const TRAVELLING_MAX: usize = 16 * (Size::AREA_MAX + 1);

/// Word that something rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// This process's.
    Own,
    /// A peer's, which may err or lie.
    Peer,
}

impl Tree {
    /// Tells what is known below `leaf`: at most `groups_max` groups of siblings, those of its most visited
    /// descendants, none with fewer than `floor` visits but its own. And whose word that is: what follows from a
    /// peer's is no better.
    ///
    /// Its visits must fit 32 bits.
    pub fn known(&self, leaf: NodeId, floor: u64, groups_max: usize) -> (Known, Word) {
        let visits = self.visits(leaf) as u32;
        let mut word = Word::Own;
        let mut subtree = self.cut(leaf, floor, groups_max, |node| {
            let flags = self.nodes.flags[node.index()];
            if flags.is_claimed() || flags.is_listed() {
                word = Word::Peer;
            }
            self.sums(node)
        });
        if self.nodes.flags[leaf.index()].is_listed() {
            word = Word::Peer;
        }
        subtree.leaf_judged = self.for_black(leaf, self.sums(leaf).judged);
        (Known { visits, subtree }, word)
    }

    /// A sum of evaluations through a node, seen from Black.
    fn for_black(&self, node: NodeId, judged: Judged) -> u64 {
        match self.mover(node) {
            Color::Black => judged.sum(),
            Color::White => u64::from(judged.count()) * u64::from(VALUE_ONE) - judged.sum(),
        }
    }

    /// Begins with what is known of a leaf, which is this tree's root and has nothing yet.
    pub fn import_subtree(&mut self, known: &Known) {
        self.is_part = true;
        if self.is_all_judged() {
            self.merge_judged_sum(&vec![self.root], known.visits, known.subtree.leaf_judged);
        } else {
            let (root, visits) = (self.root.index(), u64::from(known.visits));
            self.nodes.visits[root] = visits;
            self.nodes.half_wins[root] = self.half_wins_by_children(visits, &known.subtree);
        }
        self.merge_subtree(&vec![self.root], &known.subtree, true, Word::Own);
        let imported = (0..self.nodes() as u32).map(|node| self.sums(NodeId(node))).collect();
        self.imported = Imported(imported);
    }

    /// Half wins of the root for so many visits, as its children's are; half of them where nothing is known of these.
    fn half_wins_by_children(&self, visits: u64, known: &Subtree) -> u64 {
        let Some(top) = known.groups.first() else { return visits };
        let children = usize::from(top.children);
        let sum = |counts: &[u32]| counts.iter().take(children).map(|&it| u64::from(it)).sum();
        let (below, won): (u64, u64) = (sum(&known.visits), sum(&known.half_wins));
        let won =
            if top.side == self.mover(self.root) { won } else { (2 * below).saturating_sub(won) };
        (visits * won).checked_div(below).unwrap_or(visits)
    }

    /// Counts since the tree was imported: at most `groups_max` groups of siblings, those of the
    /// nodes that had most of it, none with fewer than `floor` visits but the root's.
    pub fn grown(&self, floor: u64, groups_max: usize) -> Subtree {
        let since = |node: NodeId| {
            let before = self.imported.0.get(node.index()).copied().unwrap_or_default();
            self.sums(node).since(before)
        };
        let mut subtree = self.cut(self.root, floor, groups_max, since);
        subtree.leaf_judged = self.for_black(self.root, since(self.root).judged);
        subtree
    }

    /// Groups of siblings below `top` by the visits that `sums` gives, parents before children.
    fn cut(
        &self,
        top: NodeId,
        floor: u64,
        groups_max: usize,
        mut sums: impl FnMut(NodeId) -> Sums,
    ) -> Subtree {
        let mut subtree = Subtree::default();
        // Most visits first; of equals, whoever was met first.
        let mut left = BinaryHeap::from([(u64::MAX, Reverse(0), top)]);
        while let Some((_, Reverse(met), node)) = left.pop() {
            let mut children = self.children(node).peekable();
            let Some(&first) = children.peek() else { continue };
            if subtree.groups.len() == groups_max || subtree.children() > TRAVELLING_MAX {
                break;
            }
            let parent = (node != top).then(|| met - 1);
            let children_of = self.nodes.child_count[node.index()];
            subtree.groups.push(Siblings {
                parent,
                side: self.mover(first),
                children: children_of.count(),
                is_partial: children_of.is_partial(),
            });
            let with_priors = self.has_priors_that_travel(node);
            for child in children {
                let counted = sums(child);
                let prior =
                    if with_priors { self.nodes.priors[child.index()] } else { Prior::UNSET };
                subtree.push(self.move_into(child), counted, self.proof(child), prior);
                if counted.visits >= floor && self.is_expanded(child) {
                    left.push((counted.visits, Reverse(subtree.children() as u32), child));
                }
            }
        }
        subtree
    }

    fn sums(&self, node: NodeId) -> Sums {
        let at = node.index();
        Sums {
            visits: self.nodes.visits[at],
            half_wins: self.nodes.half_wins[at],
            amaf: self.nodes.amaf[at],
            // Beside playouts judgements stay where they were asked for.
            judged: if self.is_all_judged() { self.nodes.judged[at] } else { Judged::NONE },
        }
    }

    /// Adds a subtree's counts below the leaf of `path`, whose own counts are merged already.
    ///
    /// `fresh`: whether the leaf had no children when its counts were merged; if it had, the merge
    /// has credited their AMAF tallies. Groups that find no room are left out.
    ///
    /// `word`: whose it is that what the subtree says is proven, and which children there are.
    pub fn merge_subtree(&mut self, path: &Path, subtree: &Subtree, fresh: bool, word: Word) {
        let Some(&leaf) = path.last() else { return };
        // Where each child of the subtree stands in this tree.
        let mut places: Vec<Option<NodeId>> = Vec::with_capacity(subtree.children());
        for siblings in &subtree.groups {
            let range = places.len()..places.len() + usize::from(siblings.children);
            let parent = match siblings.parent {
                None => Some(leaf),
                Some(child) => places.get(child as usize).copied().flatten(),
            };
            let moves = &subtree.moves[range.clone()];
            let Some(parent) =
                parent.filter(|&parent| self.expand_for(parent, siblings, moves, word))
            else {
                places.extend(range.map(|_| None));
                continue;
            };
            let with_amaf = fresh || siblings.parent.is_some();
            for (index, at) in range.enumerate() {
                let child = self.child_near(parent, index, moves[index]);
                if let Some(child) = child {
                    self.add_grown(child, subtree, at, with_amaf);
                    let decides = path.len() == 1 && siblings.parent.is_none();
                    self.take_proof(child, subtree.proofs[at], word, decides);
                }
                places.push(child);
            }
            if siblings.is_partial {
                self.note_left_out(parent);
            }
        }
        self.prove_path(path);
    }

    /// Tells whether a node has children to add to; it gets them where it has none and there is room.
    fn expand_for(
        &mut self,
        node: NodeId,
        siblings: &Siblings,
        moves: &[Move],
        word: Word,
    ) -> bool {
        if self.is_expanded(node) {
            return true;
        }
        if self.is_full() || self.proof(node) != Proof::Open {
            return false;
        }
        self.add_children(node, siblings.side, moves);
        self.set_partial(node, siblings.is_partial);
        let flags = &mut self.nodes.flags[node.index()];
        *flags = flags.with_list(word == Word::Peer);
        for child in self.children(node) {
            self.nodes.flags[child.index()] = self.nodes.flags[child.index()].with_doubt(true);
        }
        true
    }

    /// The child for a move, looked for first where it stands in a tree of the same seed.
    fn child_near(&self, node: NodeId, index: usize, mv: Move) -> Option<NodeId> {
        let likely = NodeId(self.nodes.first_child[node.index()] + index as u32);
        let is_child = index < usize::from(self.nodes.child_count[node.index()].count());
        if is_child && self.move_into(likely) == mv { Some(likely) } else { self.child(node, mv) }
    }

    fn add_grown(&mut self, child: NodeId, subtree: &Subtree, from: usize, with_amaf: bool) {
        let at = child.index();
        self.nodes.visits[at] += u64::from(subtree.visits[from]);
        self.nodes.half_wins[at] += u64::from(subtree.half_wins[from]);
        if with_amaf {
            let more = Amaf::new(subtree.amaf_visits[from], subtree.amaf_half_wins[from]);
            self.nodes.amaf[at] = self.nodes.amaf[at].plus(more);
        }
        if self.is_all_judged() {
            let more = Judged::new(subtree.visits[from], subtree.judged[from]);
            self.nodes.judged[at] = self.nodes.judged[at].plus(more);
        }
        if !self.nodes.priors[at].is_set() {
            self.nodes.priors[at] = Prior(subtree.priors[from]);
        }
    }

    /// Takes what is said to be proven of a child; of one that `decides` at the root a peer's word is only
    /// noted.
    fn take_proof(&mut self, child: NodeId, proof: Proof, word: Word, decides: bool) {
        match word {
            _ if proof == Proof::Open => {}
            Word::Own if self.proof(child) == Proof::Open => self.set_proof(child, proof),
            Word::Own => {}
            Word::Peer if decides => self.note_claim(child),
            Word::Peer => self.set_claim(child, proof),
        }
    }

    /// Tells whether the rules allow the move into a child that was merged; from then on it is believed.
    ///
    /// A child that they do not allow is banned, and a node of which none is left becomes a leaf.
    pub(super) fn check_legality<G: Knowledge>(
        &mut self,
        node: NodeId,
        child: NodeId,
        position: &G,
    ) -> bool {
        let at = child.index();
        let is_side = self.mover(child) == position.side_to_move();
        if is_side && position.is_legal(self.move_into(child)) {
            self.nodes.flags[at] = self.nodes.flags[at].with_doubt(false);
            return true;
        }
        self.nodes.flags[at] = Flags::with_ban(self.nodes.flags[at].with_doubt(false), true);
        if self.children(node).all(|child| self.nodes.flags[child.index()].is_banned()) {
            self.nodes.child_count[node.index()] = Children::NONE;
        }
        false
    }
}

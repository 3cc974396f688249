//! Claims: what peers say is proven, and how this process makes sure of it before it decides anything.
//!
//! A child of the root that claims would decide stays open and is marked. [`Tree::claim`] then says which
//! node has to be looked into for it, whoever searches does so, and [`Tree::settle`] takes in what was
//! found. So on until no claim is left that the child's proof rests on; a claim that nobody could confirm
//! is dropped, and what followed from it.

use banyan_games::Move;

use super::{Children, NodeId, Path, Proof, Tree};
use crate::Searchable;

impl Tree {
    /// The way to a node on whose claim it rests that a child of the root would be decided.
    pub fn claim(&self) -> Option<Path> {
        let is_marked = |child: &NodeId| {
            let flags = self.nodes.flags[child.index()];
            flags.is_claimed() && !flags.is_banned()
        };
        let child = self.children(self.root).find(is_marked)?;
        let mut path = vec![self.root, child];
        let mut node = child;
        while let Some(next) = self.conclusion(node).and_then(|it| it.claimed) {
            path.push(next);
            node = next;
        }
        Some(path)
    }

    /// Looks over a peer's list of the children of a path's last node, whose `position` is given, if it is
    /// that list alone on which a claim rests. With one that is whole the node is concluded from its
    /// children; where moves are missing it has no children from now on. Returns whether there was such a
    /// list.
    pub fn check_list<G: Searchable>(&mut self, path: &Path, position: &G) -> bool {
        let Some((&node, above)) = path.split_last() else { return false };
        if !self.nodes.flags[node.index()].is_listed() || self.conclusion(node).is_none() {
            return false;
        }
        let mut own = self.ordered_moves_of(path, position);
        let mut listed: Vec<Move> =
            self.children(node).map(|child| self.move_into(child)).collect();
        own.sort_unstable();
        listed.sort_unstable();
        let side = position.side_to_move();
        let is_whole = own == listed && self.children(node).all(|child| self.mover(child) == side);
        let flags = &mut self.nodes.flags[node.index()];
        *flags = flags.with_list(false);
        if is_whole {
            self.prove_path(path);
        } else {
            self.nodes.child_count[node.index()] = Children::NONE;
            self.clear_proof(node);
            self.drop_conclusions(above);
        }
        true
    }

    /// Takes in what this process found of the last node of a path that [`Tree::claim`] gave, for the
    /// player who moved into it; nothing found drops the claim.
    pub fn settle(&mut self, path: &Path, found: Proof) {
        let Some((&node, above)) = path.split_last().filter(|(_, above)| !above.is_empty()) else {
            return;
        };
        self.set_proof(node, found);
        if found == Proof::Open {
            self.drop_conclusions(above);
        } else {
            self.prove_path(above);
        }
    }

    /// Drops what was concluded from a claim that is no more, the nearest first.
    pub(super) fn drop_conclusions(&mut self, path: &[NodeId]) {
        for &node in path.iter().rev() {
            let flags = self.nodes.flags[node.index()];
            if !flags.is_claimed() || self.conclusion(node).is_some() {
                return;
            }
            self.clear_proof(node);
        }
    }

    /// Opens the root's children whose proofs rest on claims: what decides at the root is asked for again.
    pub(super) fn open_claims_at_root(&mut self) {
        for child in self.children(self.root) {
            let flags = &mut self.nodes.flags[child.index()];
            if flags.is_claimed() {
                *flags = flags.with_proof(Proof::Open);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::gomoku::{Gomoku, GomokuRules};
    use banyan_games::{Color, Counts, Game, Kind};

    use super::*;
    use crate::{Parameters, Siblings, Subtree, Word};

    /// A root of one move, to point 24, which a peer said something about.
    struct Told {
        tree: Tree,
        leaf: NodeId,
        position: Gomoku,
        replies: Vec<Move>,
    }

    fn told(of: impl Fn(usize) -> Proof, left_out: usize, word: Word) -> Told {
        let rules = GomokuRules::new(7, 7, Default::default()).expect("a size of Gomoku");
        let mut position = Gomoku::new(&rules);
        let mut tree = Tree::new(Parameters::of(Kind::Gomoku), 7, 1 << 20, Color::White);
        tree.allow_at_root(Color::Black, &[Move(24)]);
        let leaf = tree.child(tree.root(), Move(24)).expect("allowed");
        position.play(Move(24));
        let path = vec![tree.root(), leaf];
        tree.merge(&path, &Counts { wins: 100, ..Counts::default() });
        let mut replies = tree.ordered_moves_of(&path, &position);
        replies.truncate(replies.len() - left_out);
        let count = replies.len();
        let subtree = Subtree {
            groups: vec![Siblings {
                parent: None,
                side: Color::White,
                children: count as u16,
                is_partial: false,
            }],
            moves: replies.clone(),
            visits: vec![1; count],
            half_wins: vec![0; count],
            amaf_visits: vec![0; count],
            amaf_half_wins: vec![0; count],
            proofs: (0..count).map(of).collect(),
            priors: vec![0; count],
            judged: vec![0; count],
            leaf_judged: 0,
        };
        tree.merge_subtree(&path, &subtree, true, word);
        Told { tree, leaf, position, replies }
    }

    #[test]
    fn a_peers_word_decides_nothing_at_the_root_and_ones_own_does() {
        let own = told(|_| Proof::Loss, 0, Word::Own).tree;
        assert_eq!(own.proof(own.root()), Proof::Loss, "of White, who moved into the root");
        let Told { tree, leaf, .. } = told(|_| Proof::Loss, 0, Word::Peer);
        assert_eq!((tree.proof(leaf), tree.proof(tree.root())), (Proof::Open, Proof::Open));
        assert!(tree.claim().is_some_and(|path| path.len() == 3), "it says what to look into");
        let own = told(|at| if at == 3 { Proof::Win } else { Proof::Open }, 0, Word::Own).tree;
        assert_eq!(own.proof(own.root()), Proof::Win);
        let peers = told(|at| if at == 3 { Proof::Win } else { Proof::Open }, 0, Word::Peer).tree;
        assert_eq!(peers.proof(peers.root()), Proof::Open);
    }

    #[test]
    fn what_this_process_has_made_sure_of_decides() {
        let Told { mut tree, leaf, position, replies } = told(|_| Proof::Loss, 0, Word::Peer);
        for _ in &replies {
            let path = tree.claim().expect("more to look into");
            assert_eq!((path[1], path.len()), (leaf, 3));
            assert_eq!(tree.proof(tree.root()), Proof::Open);
            tree.settle(&path, Proof::Loss);
        }
        // That there are no other replies is a claim, too.
        let path = tree.claim().expect("the list itself");
        assert_eq!(path, [tree.root(), leaf]);
        assert!(tree.check_list(&path, &position));
        assert_eq!((tree.proof(leaf), tree.proof(tree.root())), (Proof::Win, Proof::Loss));
        assert_eq!(tree.claim(), None);
    }

    #[test]
    fn what_cannot_be_confirmed_is_dropped_with_what_followed_from_it() {
        let Told { mut tree, leaf, .. } = told(|_| Proof::Loss, 0, Word::Peer);
        let path = tree.claim().expect("something to look into");
        tree.settle(&path, Proof::Open);
        assert_eq!(tree.claim(), None);
        assert_eq!((tree.proof(leaf), tree.proof(tree.root())), (Proof::Open, Proof::Open));
        // What was found may be the very opposite.
        let Told { mut tree, .. } = told(|_| Proof::Loss, 0, Word::Peer);
        let path = tree.claim().expect("something to look into");
        tree.settle(&path, Proof::Win);
        assert_eq!(tree.proof(tree.root()), Proof::Win, "White has a reply that wins");
    }

    #[test]
    fn a_list_that_leaves_moves_out_proves_nothing() {
        let Told { mut tree, leaf, position, replies } = told(|_| Proof::Loss, 1, Word::Peer);
        for _ in &replies {
            let path = tree.claim().expect("more to look into");
            tree.settle(&path, Proof::Loss);
        }
        let path = tree.claim().expect("the list itself");
        assert!(tree.check_list(&path, &position));
        assert_eq!((tree.proof(leaf), tree.claim()), (Proof::Open, None));
        assert!(!tree.is_expanded(leaf), "it will get all of them");
    }

    #[test]
    fn what_is_claimed_of_a_reply_is_asked_for_again_when_that_is_a_move_of_the_root() {
        let Told { mut tree, replies, .. } =
            told(|at| if at == 0 { Proof::Loss } else { Proof::Open }, 0, Word::Peer);
        assert!(tree.advance(Move(24)));
        tree.allow_at_root(Color::White, &replies);
        let claimed = tree.child(tree.root(), replies[0]).expect("a reply");
        assert_eq!(tree.proof(claimed), Proof::Open);
        assert_eq!(tree.claim(), Some(vec![tree.root(), claimed]));
    }

    #[test]
    fn a_move_whose_replies_a_peer_listed_may_be_left_out_and_come_again() {
        let mut tree = told(|_| Proof::Open, 0, Word::Peer).tree;
        let is_banned = |tree: &Tree| {
            let child = tree.child(tree.root(), Move(24)).expect("it was allowed");
            tree.nodes.flags[child.index()].is_banned()
        };
        for (moves, banned) in [(&[Move(25)][..], true), (&[Move(24), Move(25)], false)] {
            tree.allow_at_root(Color::Black, moves);
            assert_eq!(is_banned(&tree), banned);
        }
    }

    #[test]
    fn a_root_whose_replies_a_peer_listed_is_lost_when_all_of_the_games_are() {
        let Told { mut tree, replies, .. } = told(|_| Proof::Loss, 0, Word::Peer);
        assert!(tree.advance(Move(24)));
        tree.allow_at_root(Color::White, &replies);
        for _ in &replies {
            let path = tree.claim().expect("more to look into");
            assert_eq!(tree.proof(tree.root()), Proof::Open);
            tree.settle(&path, Proof::Loss);
        }
        assert_eq!(tree.proof(tree.root()), Proof::Win, "of Black, who moved into the root");
    }
}

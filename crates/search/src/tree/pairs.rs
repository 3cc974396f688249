//! Turns of two plies whose order does not matter: a pair of stones has one place in the tree.
//!
//! A first stone stands among its siblings in some order. Below it is left out as second stone whatever
//! stands before it among them: that pair is met there. What only became a candidate by the first stone
//! is no sibling and is kept, and so is what the root does not allow.
//!
//! No pair is lost: where the children allowed at the root change, what lay below first stones is
//! forgotten; where the root moves into a turn, its pairs come to it from wherever they were.

use banyan_games::{Color, Move, Size};

use super::{Amaf, Children, Flags, NodeId, Prior, Tree};

/// Some points of a board.
#[derive(Clone, Debug)]
struct Points([u64; Size::AREA_MAX.div_ceil(64)]);

impl Points {
    fn of(moves: impl Iterator<Item = Move>) -> Points {
        let mut points = Points([0; Size::AREA_MAX.div_ceil(64)]);
        // A pass, or what a liar sent, is no point and is never left out.
        for point in moves.filter_map(Move::index) {
            if let Some(word) = points.0.get_mut(point / 64) {
                *word |= 1 << (point % 64);
            }
        }
        points
    }

    fn has(&self, mv: Move) -> bool {
        let word = |point: usize| self.0.get(point / 64).map(|word| word >> (point % 64) & 1);
        mv.index().and_then(word) == Some(1)
    }
}

impl Tree {
    /// Tells whether a ply of `side` below a node is the second of its turn, and pairs are met once.
    pub(super) fn is_within_turn(&self, node: NodeId, side: Color) -> bool {
        self.parameters.turn_transpositions && self.mover(node) == side
    }

    /// Takes out of the second stones after `first`, a child of `parent`, those whose pair is met below
    /// another child.
    pub(super) fn leave_out_pairs(&self, parent: NodeId, first: NodeId, moves: &mut Vec<Move>) {
        let before = self.children(parent).take_while(|&child| child != first);
        let before = before.filter(|child| !self.nodes.flags[child.index()].is_banned());
        let before = Points::of(before.map(|child| self.move_into(child)));
        moves.retain(|&mv| !before.has(mv));
    }

    /// Prunes a first stone of which every pair is met elsewhere.
    pub(super) fn prune(&mut self, node: NodeId) {
        self.nodes.flags[node.index()] = self.nodes.flags[node.index()].pruned();
    }

    /// Forgets what lies below the root's children from the `changed`-th on, where they are first
    /// stones: which pairs they hold follows from what is allowed before them.
    pub(super) fn forget_pairs(&mut self, changed: usize) {
        for child in self.children(self.root).skip(changed) {
            let second = self.children(child).next();
            if second.is_some_and(|second| self.is_within_turn(child, self.mover(second))) {
                self.nodes.child_count[child.index()] = Children::NONE;
                self.set_asked(child, false);
                self.clear_proof(child);
            }
        }
    }

    /// Gives the root, a first stone under `before`, the pairs that were met below its siblings, with all
    /// that was counted there.
    pub(super) fn adopt_pairs(&mut self, before: NodeId) {
        let root = self.root;
        let Some(second) = self.children(root).next() else { return };
        let side = self.mover(second);
        if !self.is_within_turn(root, side) {
            return;
        }
        let own = Points::of(self.children(root).map(|child| self.move_into(child)));
        let mv = self.move_into(root);
        let (mut moves, mut pairs) = (Vec::new(), Vec::new());
        for first in self.children(before).filter(|&first| first != root) {
            let pair = self.child(first, mv).filter(|&pair| self.mover(pair) == side);
            if let Some(pair) = pair.filter(|_| !own.has(self.move_into(first))) {
                moves.push(self.move_into(first));
                pairs.push(pair);
            }
        }
        let count = usize::from(self.nodes.child_count[root.index()].count());
        self.add_siblings(root, side, &moves);
        let adopted: Vec<NodeId> = self.children(root).skip(count).collect();
        for (child, pair) in adopted.into_iter().zip(pairs) {
            self.adopt(child, pair);
        }
    }

    /// Makes a child of the root what `pair`, the same position, is elsewhere.
    fn adopt(&mut self, child: NodeId, pair: NodeId) {
        let (to, from) = (child.index(), pair.index());
        let (visits, half_wins) = (self.nodes.visits[from], self.nodes.half_wins[from]);
        let judged = self.nodes.judged[from];
        self.nodes.visits[to] = visits;
        self.nodes.half_wins[to] = half_wins;
        self.nodes.judged[to] = judged;
        // Its AMAF tally was of another move; its own playouts are what is known of this one.
        let is_small = visits < 1 << 30;
        self.nodes.amaf[to] =
            if is_small { Amaf::new(visits as u32, half_wins as u32) } else { Amaf::default() };
        self.nodes.implicit_values[to] = self.nodes.implicit_values[from];
        self.nodes.first_child[to] = self.nodes.first_child[from];
        self.nodes.child_count[to] = self.nodes.child_count[from];
        self.nodes.flags[to] = Flags::with_ban(self.nodes.flags[from], false);
        let root = self.root.index();
        self.nodes.visits[root] += visits;
        self.nodes.half_wins[root] += half_wins;
        self.nodes.judged[root] = self.nodes.judged[root].plus(judged);
    }

    /// Moves a node's children to the end of the arena and gives it more. Nothing may be in flight.
    pub(super) fn add_siblings(&mut self, node: NodeId, side: Color, more: &[Move]) {
        if more.is_empty() {
            return;
        }
        let first = self.nodes() as u32;
        self.children(node).for_each(|child| {
            self.nodes.duplicate(child);
        });
        self.nodes.append(more, Flags::of_mover(side));
        self.nodes.first_child[node.index()] = first;
        self.nodes.child_count[node.index()] = Children::all(self.nodes() - first as usize);
        // Priors of siblings are set together.
        self.nodes.priors[first as usize..].fill(Prior::UNSET);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use banyan_games::connect6::{Connect6, Connect6Rules};
    use banyan_games::{Game, Kind, Rng};

    use super::*;
    use crate::tree::tests::{grow, tree_of};
    use crate::{Descent, Known, Parameters, Proof, Word};
    use banyan_knowledge::Judgement;

    /// A position in which a turn begins, after so many random turns.
    fn position(turns: u32, rng: &mut Rng) -> Connect6 {
        let mut position = Connect6::new(&Connect6Rules::new(9).expect("a size"));
        for _ in 0..1 + 2 * turns {
            let moves = candidates(&position);
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.below(moves.len() as u32) as usize]);
        }
        position
    }

    fn candidates(position: &Connect6) -> Vec<Move> {
        let mut moves = Vec::new();
        position.candidates(&mut moves);
        moves
    }

    /// Counts how often each pair of stones is a place to go to below the root.
    fn met(tree: &Tree) -> BTreeMap<(Move, Move), u32> {
        let mut met = BTreeMap::new();
        let open = |node: &NodeId| !tree.nodes.flags[node.index()].is_banned();
        for first in tree.children(tree.root()).filter(open) {
            for second in tree.children(first).filter(open) {
                let (a, b) = (tree.move_into(first), tree.move_into(second));
                *met.entry((a.min(b), a.max(b))).or_default() += 1;
            }
        }
        met
    }

    /// Every pair whose first stone is one of these.
    fn pairs(position: &Connect6, firsts: &[Move]) -> BTreeMap<(Move, Move), u32> {
        let mut pairs = BTreeMap::new();
        for &a in firsts {
            let mut after = position.clone();
            after.play(a);
            let seconds = if after.outcome().is_none() { candidates(&after) } else { vec![] };
            pairs.extend(seconds.into_iter().map(|b| ((a.min(b), a.max(b)), 1)));
        }
        pairs
    }

    /// Gives every child of the root its children.
    fn expand_all(tree: &mut Tree, position: &Connect6) {
        for child in tree.children(tree.root()) {
            let mut after = position.clone();
            after.play(tree.move_into(child));
            if !tree.is_expanded(child) {
                tree.expand(&[tree.root(), child], &after);
            }
        }
    }

    #[test]
    fn every_pair_is_met_exactly_once() {
        let mut rng = Rng::from_seed(3);
        for round in 0..40 {
            let position = position(round % 6, &mut rng);
            let mut tree = tree_of(&position, 1 << 24);
            expand_all(&mut tree, &position);
            assert_eq!(met(&tree), pairs(&position, &candidates(&position)), "round {round}");
        }
    }

    #[test]
    fn without_the_rule_the_two_orders_of_a_pair_are_two_lines() {
        let position = position(1, &mut Rng::from_seed(3));
        let mut tree = tree_of(&position, 1 << 24);
        tree.parameters.turn_transpositions = false;
        expand_all(&mut tree, &position);
        let twice = met(&tree).into_values().filter(|&times| times == 2).count();
        let siblings = candidates(&position).len();
        assert_eq!(twice, siblings * (siblings - 1) / 2);
    }

    #[test]
    fn of_a_narrowed_root_every_pair_that_is_left_is_met_once() {
        let mut rng = Rng::from_seed(4);
        for round in 0..40 {
            let position = position(round % 6, &mut rng);
            let all = candidates(&position);
            let mut tree = tree_of(&position, 1 << 24);
            // Allowed before and not now, not before and now, and narrowed twice.
            for keep in [2, 3, 1, 4] {
                let some: Vec<Move> =
                    all.iter().copied().filter(|_| rng.below(keep) == 0).collect();
                tree.allow_at_root(position.side_to_move(), &some);
                grow(&mut tree, &position, 30, 1);
                expand_all(&mut tree, &position);
                assert_eq!(met(&tree), pairs(&position, &some), "round {round}, one in {keep}");
            }
        }
    }

    #[test]
    fn what_is_allowed_once_more_changes_nothing() {
        let mut rng = Rng::from_seed(4);
        let mut pruned = 0;
        for round in 0..40 {
            let position = position(18 + round % 6, &mut rng);
            let all = candidates(&position);
            // A first stone that wins has no second one.
            let wins = |&mv: &Move| {
                let mut after = position.clone();
                after.play(mv);
                after.outcome().is_some()
            };
            if all.len() < 3 || all.iter().any(wins) {
                continue;
            }
            let mut tree = tree_of(&position, 1 << 24);
            expand_all(&mut tree, &position);
            let banned = |tree: &Tree| -> Vec<bool> {
                let flags = tree.children(tree.root()).map(|it| tree.nodes.flags[it.index()]);
                flags.map(Flags::is_banned).collect()
            };
            let (digest, before) = (tree.digest(), banned(&tree));
            pruned += before.iter().filter(|&&it| it).count();
            tree.allow_at_root(position.side_to_move(), &all);
            assert_eq!((tree.digest(), banned(&tree)), (digest, before), "round {round}");
            // With another first stone gone the pairs are met where they were left out.
            tree.allow_at_root(position.side_to_move(), &all[1..]);
            expand_all(&mut tree, &position);
            assert_eq!(met(&tree), pairs(&position, &all[1..]), "round {round}");
        }
        assert!(pruned > 0, "no first stone was met elsewhere with every pair");
    }

    #[test]
    fn a_root_within_a_turn_has_every_second_stone_and_what_was_counted_of_it() {
        let mut rng = Rng::from_seed(5);
        for round in 0..10 {
            let position = position(1 + round % 3, &mut rng);
            let mut tree = tree_of(&position, 1 << 24);
            grow(&mut tree, &position, 3_000, 1);
            let before = tree.clone();
            // The first stone that came late in the order: most of its pairs are met elsewhere.
            let first = before
                .children(before.root())
                .rfind(|&child| before.is_expanded(child))
                .expect("one that was played out");
            let mv = before.move_into(first);
            assert!(tree.advance(mv));
            let mut after = position.clone();
            after.play(mv);
            tree.allow_at_root(after.side_to_move(), &candidates(&after));
            let mut carried = 0;
            for second in tree.children(tree.root()) {
                let other = before.child(before.root(), tree.move_into(second));
                let pair = other.and_then(|other| before.child(other, mv));
                let own = before.child(first, tree.move_into(second));
                let visits = pair.or(own).map_or(0, |node| before.visits(node));
                assert_eq!(tree.visits(second), visits, "round {round}");
                carried += u64::from(pair.is_some());
            }
            assert!(carried > 10, "round {round}: {carried}");
            let mut moves: Vec<Move> =
                tree.children(tree.root()).map(|child| tree.move_into(child)).collect();
            moves.sort();
            assert_eq!(moves, candidates(&after));
            let image = tree.image();
            let fresh =
                Tree::new(Parameters::of(Kind::Connect6), 7, 1 << 24, !after.side_to_move());
            let again = fresh.with_image(image, &after).expect("a tree that the rules allow");
            assert_eq!(again.digest(), tree.digest());
        }
    }

    #[test]
    fn second_stones_that_were_judged_elsewhere_keep_what_they_were_judged() {
        let position = position(1, &mut Rng::from_seed(7));
        let parameters = Parameters { lambda: 1.0, puct: true, ..Parameters::of(Kind::Connect6) };
        let mut tree = Tree::new(parameters, 7, 1 << 24, !position.side_to_move());
        tree.allow_at_root(position.side_to_move(), &candidates(&position));
        for nth in 0..4_000 {
            if let Descent::Leaf(path) = tree.descend(&mut position.clone(), 0) {
                let value = 10_000 + nth * 31 % 10_000;
                tree.merge_judgement(&path, &Judgement { value, ..Judgement::default() });
            }
        }
        let before = tree.clone();
        let visited = |child: &NodeId| before.is_expanded(*child);
        let first = before.children(before.root()).rfind(visited).expect("one that was judged");
        let mv = before.move_into(first);
        assert!(tree.advance(mv));
        let mut carried = 0;
        for second in tree.children(tree.root()) {
            let other = before.child(before.root(), tree.move_into(second)).filter(|&o| o != first);
            let Some(pair) = other.and_then(|other| before.child(other, mv)) else { continue };
            let (now, then) = (second.index(), pair.index());
            assert_eq!(tree.nodes.judged[now], before.nodes.judged[then]);
            carried += u64::from(tree.nodes.judged[now].count());
        }
        assert!(carried > 0, "no pair was judged below another stone");
        let all = tree.nodes.judged[tree.root().index()];
        assert_eq!(u64::from(all.count()), tree.visits(tree.root()));
        let below: u64 =
            tree.children(tree.root()).map(|it| tree.nodes.judged[it.index()].sum()).sum();
        assert!(below <= all.sum(), "{below} of {}", all.sum());
    }

    #[test]
    fn a_private_tree_below_a_first_stone_keeps_to_the_pairs_that_are_left_for_it() {
        let position = position(1, &mut Rng::from_seed(6));
        let mut tree = tree_of(&position, 1 << 24);
        tree.nodes.visits[tree.root.index()] = 1;
        for _ in 0..30 {
            let mut leaf = position.clone();
            // A node without visits is where a subtree batch begins.
            let path = match tree.descend(&mut leaf, 1) {
                crate::Descent::Leaf(path) => path,
                crate::Descent::Ended(..) => continue,
            };
            let node = *path.last().expect("a leaf");
            if path.len() == 2 {
                let mut private = Tree::new(tree.parameters, 7, 1 << 22, tree.mover(node));
                let (known, _): (Known, _) = tree.known(node, 0, 4);
                assert_eq!(known.subtree.groups.len(), 1, "the siblings travel");
                private.import_subtree(&known);
                private.expand_root(&leaf);
                grow(&mut private, &leaf, 20, 1);
                let fresh = !tree.is_expanded(node);
                tree.merge_subtree(&path, &private.grown(1, 8), fresh, Word::Own);
            }
            tree.nodes.visits[tree.root.index()] += 1;
            tree.nodes.visits[node.index()] += 1;
        }
        expand_all(&mut tree, &position);
        assert_eq!(met(&tree), pairs(&position, &candidates(&position)));
    }

    #[test]
    fn the_last_first_stone_without_a_pair_of_its_own_is_pruned() {
        // Two empty points are left: one pair.
        let mut position = Connect6::new(&Connect6Rules::new(6).expect("a size"));
        let stones: Vec<(Color, Move)> = (0..34)
            .map(|point| {
                let is_black = (point / 6 + point % 6 / 2) % 2 == 0;
                (if is_black { Color::Black } else { Color::White }, Move::point(point))
            })
            .collect();
        position.set_up(&stones, Color::Black).expect("no six in a row");
        let mut tree = tree_of(&position, 1 << 20);
        grow(&mut tree, &position, 20, 1);
        assert_eq!(met(&tree).len(), 1);
        let open = |node: &NodeId| !tree.nodes.flags[node.index()].is_banned();
        assert_eq!(tree.children(tree.root()).filter(open).count(), 1);
        assert_eq!(tree.proof(tree.root()), Proof::Draw);
    }
}

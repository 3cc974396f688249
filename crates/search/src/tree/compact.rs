//! Making room: dead branches go, and under pressure the least visited subtrees are folded.

use super::{Children, NodeId, Path, Tree};

/// An expansion is refused when fewer free nodes than this are left: one child for each point of the
/// largest board, and a pass.
const ROOM_MIN: usize = banyan_games::Size::AREA_MAX + 1;

impl Tree {
    /// Tells whether the next expansion might pass the cap on memory.
    pub fn is_full(&self) -> bool {
        self.nodes() + ROOM_MIN > self.nodes_max
    }

    /// Copies the living nodes into fresh arrays, at most half as many as the cap allows, and keeps
    /// `paths` pointing at them.
    ///
    /// Children of nodes with too few visits are folded: the node keeps its counts and becomes a leaf.
    /// A path through a folded node ends there.
    pub fn compact<'a>(&mut self, paths: impl Iterator<Item = &'a mut Path>) {
        let floor = self.fold_floor(self.nodes_max / 2);
        let old = self.emptied();
        let mut moved_to = vec![None; old.nodes()];
        let new_root = self.copy_node(&old, old.root);
        self.root = new_root;
        moved_to[old.root.index()] = Some(new_root);
        let mut left = vec![(old.root, new_root)];
        while let Some((from, to)) = left.pop() {
            if old.visits(from) < floor && from != old.root {
                // Children that grow again have to be judged again.
                self.set_asked(to, false);
                continue;
            }
            self.nodes.first_child[to.index()] = self.nodes.len() as u32;
            self.nodes.child_count[to.index()] = old.nodes.child_count[from.index()];
            for child in old.children(from) {
                let copy = self.copy_node(&old, child);
                moved_to[child.index()] = Some(copy);
                left.push((child, copy));
            }
        }
        for path in paths {
            let kept: Path = path.iter().map_while(|node| moved_to[node.index()]).collect();
            *path = kept;
        }
    }

    /// The smallest number of visits, a power of two, with which the expanded nodes that have as many
    /// hold at most `nodes_kept` children together.
    fn fold_floor(&self, nodes_kept: usize) -> u64 {
        let mut children_by_log = [0usize; 65];
        let mut left = vec![self.root];
        while let Some(node) = left.pop() {
            let log = (64 - self.visits(node).leading_zeros()) as usize;
            children_by_log[log] += usize::from(self.nodes.child_count[node.index()].count());
            left.extend(self.children(node).filter(|&child| self.is_expanded(child)));
        }
        let mut kept = 0;
        for log in (1..=64).rev() {
            kept += children_by_log[log];
            if kept > nodes_kept {
                return 1u64.checked_shl(log as u32).unwrap_or(u64::MAX);
            }
        }
        0
    }

    /// Takes the arrays out, leaving empty ones.
    fn emptied(&mut self) -> Tree {
        let mut empty = Tree::new(self.parameters, self.seed, 0, self.mover(self.root));
        empty.nodes_max = self.nodes_max;
        empty.owners = std::mem::take(&mut self.owners);
        empty.vital = std::mem::take(&mut self.vital);
        empty.zone_rules = self.zone_rules.take();
        (empty.area, empty.is_part) = (self.area, self.is_part);
        empty.nodes.clear();
        std::mem::replace(self, empty)
    }

    fn copy_node(&mut self, old: &Tree, node: NodeId) -> NodeId {
        let copy = self.nodes.copy_from(&old.nodes, node);
        self.nodes.first_child[copy.index()] = 0;
        self.nodes.child_count[copy.index()] = Children::NONE;
        copy
    }
}

//! A tree as plain numbers, to be kept in a file and taken up again.
//!
//! Taking one up trusts nothing: whatever the numbers are, the tree is one that grows without harm, or
//! it is refused.

use std::ops::Range;

use banyan_games::Size;
use banyan_knowledge::Knowledge;
use banyan_knowledge::evaluator::VALUE_ONE;

use super::owners::Owners;
use super::{Judged, NodeId, Nodes, Path, Tree};

/// Every node's numbers, but for what is in flight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Number of the root's node.
    pub root: u32,
    /// Owners of points at the end of playouts.
    pub owners: Owners,
    /// The nodes, those of dead branches with them.
    pub nodes: Nodes,
}

/// Reasons why numbers are no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// A list is longer or shorter than the first.
    #[error("the lists of the tree's nodes are not of one length")]
    Lengths,
    /// Sums of owners that cannot be.
    #[error("{0}")]
    Owners(&'static str),
    /// Too many nodes, or none.
    #[error("{0} nodes: expected 1 to {max}", max = u32::MAX)]
    Nodes(usize),
    /// The root is no node.
    #[error("the root is node {root} of {nodes}")]
    Root {
        /// Number of the node that it is said to be.
        root: u32,
        /// Nodes, count.
        nodes: usize,
    },
    /// Children beyond the last node, or more than a board has points.
    #[error("node {node} has {count} children from node {first} on, of {nodes} nodes")]
    Children {
        /// The parent.
        node: u32,
        /// The first child.
        first: u32,
        /// Children, count.
        count: u16,
        /// Nodes, count.
        nodes: usize,
    },
    /// A node that two nodes have for a child, or that is its own ancestor.
    #[error("node {0} is the child of two nodes, or the root")]
    Shared(u32),
    /// More than it can be.
    #[error("node {node}: {what} {found}, at most {max}")]
    Sum {
        /// Number of the node.
        node: u32,
        /// The part of it.
        what: &'static str,
        /// The amount.
        found: u64,
        /// The most that it can be.
        max: u64,
    },
    /// None of a node's children may be chosen.
    #[error("every child of node {0} is banned")]
    NoChoice(u32),
    /// A move against the rules that no descent would ask about.
    #[error("the move into node {node}, {mv}, is illegal")]
    Illegal {
        /// Number of the node.
        node: u32,
        /// Its move as text.
        mv: String,
    },
    /// Deeper than any game.
    #[error("a node lies more than {max} plies below the root", max = DEPTH_MAX)]
    Deep,
}

/// So many playouts are never reached, and twice as many still fit every sum.
const VISITS_MAX: u64 = 1 << 60;

/// An AMAF sum is halved long before; see [`super::merge`].
const AMAF_MAX: u64 = 3 << 30;

/// Plies from the root: positions of so many fit into memory, and no game lasts so long.
const DEPTH_MAX: usize = 1 << 16;

const CHILDREN_MAX: usize = Size::AREA_MAX + 1;

impl Image {
    /// The judgement of the last node of a path will not come: it may be asked for again.
    pub fn forget_asking(&mut self, path: &Path) {
        if let Some(flags) = path.last().and_then(|node| self.nodes.flags.get_mut(node.index())) {
            *flags = flags.with_asked(false);
        }
    }
}

impl Tree {
    /// A copy of every node, those of dead branches with them, without what is in flight.
    pub fn image(&self) -> Image {
        Image { root: self.root.0, owners: self.owners.clone(), nodes: self.nodes.image() }
    }

    /// Takes a tree up again under the root's `position`: this tree's settings, the image's nodes.
    ///
    /// An image of more nodes than the cap allows is folded by the next descents.
    ///
    /// # Errors
    /// [`ImageError`] when the numbers are no tree that this position's rules allow.
    pub fn with_image<G: Knowledge>(self, image: Image, position: &G) -> Result<Tree, ImageError> {
        if !image.nodes.is_even() {
            return Err(ImageError::Lengths);
        }
        let nodes = image.nodes.len();
        if nodes == 0 || nodes > u32::MAX as usize {
            return Err(ImageError::Nodes(nodes));
        }
        if image.root as usize >= nodes {
            return Err(ImageError::Root { root: image.root, nodes });
        }
        if let Some(flaw) = image.owners.flaw() {
            return Err(ImageError::Owners(flaw));
        }
        let root = NodeId(image.root);
        let area = position.size().area() as u16;
        let nodes = Nodes::of_image(image.nodes);
        let tree = Tree { root, owners: image.owners, nodes, area, ..self };
        Inspection::of(&tree).inspect(position)?;
        Ok(tree)
    }
}

/// A walk through every living node.
struct Inspection<'a> {
    tree: &'a Tree,
    seen: Vec<bool>,
}

/// A node whose children are being looked at.
struct Open<G> {
    children: Range<u32>,
    /// Position in which its children's moves are played; nothing below a move that no descent has asked about.
    position: Option<G>,
}

impl<'a> Inspection<'a> {
    fn of(tree: &'a Tree) -> Inspection<'a> {
        Inspection { tree, seen: vec![false; tree.nodes()] }
    }

    fn inspect<G: Knowledge>(mut self, position: &G) -> Result<(), ImageError> {
        let root = self.tree.root;
        self.meet(root)?;
        let mut path =
            vec![Open { children: self.children(root)?, position: Some(position.clone()) }];
        while let Some(open) = path.last_mut() {
            let Some(child) = open.children.next().map(NodeId) else {
                path.pop();
                continue;
            };
            self.meet(child)?;
            let position = self.play(child, open.position.as_ref())?;
            if self.tree.is_expanded(child) {
                let children = self.children(child)?;
                if path.len() >= DEPTH_MAX {
                    return Err(ImageError::Deep);
                }
                path.push(Open { children, position });
            }
        }
        Ok(())
    }

    /// A node is met once, and its own numbers make sense.
    fn meet(&mut self, node: NodeId) -> Result<(), ImageError> {
        let at = node.index();
        if std::mem::replace(&mut self.seen[at], true) {
            return Err(ImageError::Shared(node.0));
        }
        let (visits, amaf) = (self.tree.nodes.visits[at], self.tree.nodes.amaf[at]);
        let judged = self.tree.nodes.judged[at];
        let limits = [
            ("visits", visits, VISITS_MAX),
            ("half wins", self.tree.nodes.half_wins[at], 2 * visits.min(VISITS_MAX)),
            ("AMAF visits", amaf.visits().into(), AMAF_MAX),
            ("AMAF half wins", amaf.half_wins().into(), AMAF_MAX),
            ("evaluations", judged.count().into(), Judged::COUNT_MAX.into()),
            ("sum of evaluations", judged.sum(), u64::from(judged.count()) * u64::from(VALUE_ONE)),
        ];
        for (what, found, max) in limits {
            if found > max {
                return Err(ImageError::Sum { node: node.0, what, found, max });
            }
        }
        Ok(())
    }

    /// A node's children stand within the arena, had no more visits than it, and one can be chosen.
    fn children(&self, node: NodeId) -> Result<Range<u32>, ImageError> {
        let (first, count) = (
            self.tree.nodes.first_child[node.index()],
            self.tree.nodes.child_count[node.index()].count(),
        );
        let nodes = self.tree.nodes();
        let last = first as usize + usize::from(count);
        if count == 0 {
            return Ok(0..0);
        }
        if last > nodes || usize::from(count) > CHILDREN_MAX {
            return Err(ImageError::Children { node: node.0, first, count, nodes });
        }
        let range = first as usize..last;
        let found = self.tree.nodes.visits[range.clone()]
            .iter()
            .fold(0, |sum: u64, &n| sum.saturating_add(n));
        let max = self.tree.visits(node);
        if found > max {
            return Err(ImageError::Sum {
                node: node.0,
                what: "visits of its children",
                found,
                max,
            });
        }
        // What is banned at the root is decided anew by each search.
        if node != self.tree.root && self.tree.nodes.flags[range].iter().all(|f| f.is_banned()) {
            return Err(ImageError::NoChoice(node.0));
        }
        Ok(first..last as u32)
    }

    /// The position after a child's move.
    ///
    /// A move that a descent will ask the rules about may be anything, and so may one that they
    /// refused; nothing below either can have been asked about.
    fn play<G: Knowledge>(
        &self,
        child: NodeId,
        position: Option<&G>,
    ) -> Result<Option<G>, ImageError> {
        let (mv, flags) = (self.tree.move_into(child), self.tree.nodes.flags[child.index()]);
        if flags.is_doubtful() {
            return Ok(None);
        }
        let is_legal = position.is_some_and(|position| {
            self.tree.mover(child) == position.side_to_move() && position.is_legal(mv)
        });
        match position {
            Some(position) if is_legal => {
                // Only what has children is worth a position.
                let next = self.tree.is_expanded(child).then(|| {
                    let mut next = position.clone();
                    next.play(mv);
                    next
                });
                Ok(next)
            }
            Some(_) if flags.is_banned() => Ok(None),
            _ => Err(ImageError::Illegal { node: child.0, mv: format!("{}", mv.0) }),
        }
    }
}

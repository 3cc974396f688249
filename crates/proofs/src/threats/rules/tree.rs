//! Rules by their stones: a tree whose branches ask for one more stone, and whose nodes ask at once for all that
//! the rules below have in common.
//!
//! Each rule is in it with each of its images and each of its stones at the root, so that a position is looked up
//! around the last stone.

use std::ops::Range;

use super::{Cell, Content, Place, Rule, SYMMETRIES, image};

/// A rule in one image, with one of its stones at the anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Its number.
    pub rule: u32,
    symmetry: u8,
    /// The stone at the anchor, in the image.
    stone: Place,
}

impl Leaf {
    /// Returns where a place of the rule lies, with its stone on `anchor`.
    pub fn place(self, anchor: Place, place: Place) -> Place {
        let (row, column) = image(self.symmetry, place);
        (anchor.0 + row - self.stone.0, anchor.1 + column - self.stone.1)
    }
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// Points that all rules below ask for, and no node above.
    cells: Range<u32>,
    /// Rules of which nothing else is asked.
    leaves: Range<u32>,
    /// By the stone that is asked for next.
    branches: Range<u32>,
}

/// The tree; its root is the first node.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    cells: Vec<Cell>,
    leaves: Vec<Leaf>,
    branches: Vec<(Place, u32)>,
}

/// A rule on its way down the tree: what is still asked, ascending by distance.
struct Falling {
    leaf: Leaf,
    cells: Vec<Cell>,
}

impl Falling {
    /// The stone that is asked for next.
    fn next_stone(&self) -> Option<Place> {
        let mut stones = self.cells.iter().filter(|cell| cell.content == Content::Own);
        stones.next().map(|cell| cell.place)
    }
}

/// Near points are asked for first.
fn order(cell: &Cell) -> (u8, Cell) {
    let (row, column) = cell.place;
    (row.unsigned_abs().max(column.unsigned_abs()), *cell)
}

impl Tree {
    pub fn of(rules: &[Rule]) -> Tree {
        let mut tree = Tree::default();
        let all = rules.iter().enumerate().flat_map(|(number, rule)| anchored(number as u32, rule));
        tree.grow(all.collect());
        tree
    }

    /// A rule whose points fit with its stone on `anchor`, and that `holds`.
    pub fn find(
        &self,
        anchor: Place,
        fits: &impl Fn(Cell) -> bool,
        holds: &impl Fn(Leaf) -> bool,
    ) -> Option<Leaf> {
        self.descend(self.nodes.first()?, anchor, fits, holds)
    }

    fn descend(
        &self,
        node: &Node,
        anchor: Place,
        fits: &impl Fn(Cell) -> bool,
        holds: &impl Fn(Leaf) -> bool,
    ) -> Option<Leaf> {
        let at = |place: Place| (anchor.0 + place.0, anchor.1 + place.1);
        let cells = &self.cells[usize_range(&node.cells)];
        if !cells.iter().all(|cell| fits(Cell { place: at(cell.place), ..*cell })) {
            return None;
        }
        let leaves = &self.leaves[usize_range(&node.leaves)];
        if let Some(&leaf) = leaves.iter().find(|&&leaf| holds(leaf)) {
            return Some(leaf);
        }
        let branches = self.branches[usize_range(&node.branches)].iter();
        let is_there = |place| fits(Cell { place: at(place), content: Content::Own });
        branches
            .filter(|&&(place, _)| is_there(place))
            .find_map(|&(_, below)| self.descend(&self.nodes[below as usize], anchor, fits, holds))
    }

    /// Adds a node for these rules, with all below it; returns its number.
    fn grow(&mut self, mut falling: Vec<Falling>) -> u32 {
        let number = self.nodes.len();
        self.nodes.push(Node::default());
        let common = take_common(&mut falling);
        let cells = extended(&mut self.cells, common);
        let done = falling.iter().filter(|it| it.cells.is_empty()).map(|it| it.leaf);
        let leaves = extended(&mut self.leaves, done);
        falling.retain(|it| !it.cells.is_empty());
        // Those that lack no stone, but empty points, come last, each below a branch of its own.
        falling.sort_by_key(|it| (it.next_stone().is_none(), it.next_stone()));
        let mut below = Vec::new();
        while let Some(last) = falling.last() {
            let stone = last.next_stone();
            let first = match stone {
                None => falling.len() - 1,
                Some(_) => falling
                    .partition_point(|it| it.next_stone().is_some() && it.next_stone() < stone),
            };
            let same = falling.split_off(first);
            // The anchor's stone is always there.
            below.push((stone.unwrap_or((0, 0)), self.grow(same)));
        }
        let branches = extended(&mut self.branches, below);
        self.nodes[number] = Node { cells, leaves, branches };
        number as u32
    }
}

/// Appends to a list, and says where.
fn extended<T>(list: &mut Vec<T>, more: impl IntoIterator<Item = T>) -> Range<u32> {
    let begin = list.len() as u32;
    list.extend(more);
    begin..list.len() as u32
}

fn usize_range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Takes what all ask for from each.
fn take_common(falling: &mut [Falling]) -> Vec<Cell> {
    let Some((first, others)) = falling.split_first() else { return Vec::new() };
    let mut common = first.cells.clone();
    for other in others {
        common.retain(|cell| other.cells.binary_search_by_key(&order(cell), order).is_ok());
        if common.is_empty() {
            return common;
        }
    }
    for it in falling {
        it.cells.retain(|cell| common.binary_search_by_key(&order(cell), order).is_err());
    }
    common
}

/// A rule in each of its images with each of its stones at the anchor.
fn anchored(number: u32, rule: &Rule) -> Vec<Falling> {
    let mut all: Vec<Falling> = Vec::new();
    for symmetry in 0..SYMMETRIES {
        for own in rule.cells.iter().filter(|cell| cell.content == Content::Own) {
            let stone = image(symmetry, own.place);
            let leaf = Leaf { rule: number, symmetry, stone };
            let relative = |cell: &Cell| Cell { place: leaf.place((0, 0), cell.place), ..*cell };
            let mut cells: Vec<Cell> = rule.cells.iter().map(relative).collect();
            cells.sort_by_key(order);
            // Images of what is symmetric are the same.
            if all.iter().all(|it| it.cells != cells) {
                all.push(Falling { leaf, cells });
            }
        }
    }
    all
}

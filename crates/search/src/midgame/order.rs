//! The order in which moves are tried.

use arrayvec::ArrayVec;

use crate::endgame::Node;

/// A move, the position after it, and how early it is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub node: Node,
    /// The point, 0 to 63.
    pub at: u8,
    /// Least comes first.
    pub cost: i32,
}

/// More moves than any position has.
const MOVES_MAX: usize = 33;

/// The children of a position, in no order yet.
pub(super) type Children = ArrayVec<Child, MOVES_MAX>;

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Parts of a disc that each reply of the opponent costs, those to corners twice.
const REPLY: i32 = 16;

/// The children of a position, none with a cost yet but `known`, which is the first.
pub(super) fn children(node: &Node, mut moves: u64, known: u8) -> Children {
    let mut children = Children::new();
    while moves != 0 {
        let at = moves & moves.wrapping_neg();
        moves ^= at;
        let point = at.trailing_zeros() as u8;
        let cost = if point == known { i32::MIN } else { 0 };
        children.push(Child { node: node.after(at), at: point, cost });
    }
    children
}

impl Child {
    /// The cost of the opponent's replies, on the scale of values.
    #[inline]
    pub fn replies(&self) -> i32 {
        let replies = self.node.board.moves();
        REPLY * (replies.count_ones() + (replies & CORNERS).count_ones()) as i32
    }
}

/// Takes the first of the children that are left, from place `from` on.
#[inline]
pub(super) fn next(children: &mut Children, from: usize) -> Child {
    let best = (from..children.len()).min_by_key(|&place| children[place].cost).unwrap_or(from);
    children.swap(from, best);
    children[from]
}

//! The order in which the solver tries moves.

use arrayvec::ArrayVec;
use banyan_knowledge::othello::learned::{self, DISC};

use super::board::{Board, in_odd_quarters};
use super::node::Node;
use crate::bounds::{Bounds, INFINITE};

/// A move and the board after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub board: Board,
    /// The point, 0 to 63.
    pub at: u8,
    /// Least comes first.
    cost: i32,
}

/// More moves than any position has.
const MOVES_MAX: usize = 33;

/// The children of a board, in no order yet.
pub(super) type Children = ArrayVec<Child, MOVES_MAX>;

/// From so many empties on children are ordered by a small search with an evaluation.
const EMPTIES_TO_EVALUATE: u32 = 13;

/// From so many on that search looks one ply further, and from so many two.
const EMPTIES_TO_LOOK: [u32; 2] = [17, 21];

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// All moves of `board` and what they cost, by how well they promise; `known` is the first.
pub(super) fn children(board: Board, mut moves: u64, known: u8) -> Children {
    let empties = board.empties();
    let odd = in_odd_quarters(empties);
    let left = empties.count_ones();
    let mut children = Children::new();
    while moves != 0 {
        let at = moves & moves.wrapping_neg();
        moves ^= at;
        let Some(next) = board.after(at) else { continue };
        let point = at.trailing_zeros() as u8;
        let cost = match left {
            _ if point == known => i32::MIN,
            EMPTIES_TO_EVALUATE.. => by_evaluation(next, left) + quick(next, at, odd),
            _ => quick(next, at, odd),
        };
        children.push(Child { board: next, at: point, cost });
    }
    children
}

/// Few replies, corners twice; odd quarters; corners before other points.
#[inline(always)]
fn quick(next: Board, at: u64, odd: u64) -> i32 {
    let replies = next.moves();
    let replies = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
    let corner = i32::from(at & CORNERS != 0);
    let odd = i32::from(at & odd != 0);
    16 * replies - 24 * corner - 4 * odd
}

/// The value to the opponent by the tables over patterns, on the scale of [`quick`].
fn by_evaluation(next: Board, left: u32) -> i32 {
    let plies = EMPTIES_TO_LOOK.iter().filter(|&&from| left >= from).count() as u32;
    let value = look(&Node::of(next), Bounds::FULL, plies);
    PARTS_OF_A_DISC * value / DISC
}

/// Worth of a disc on the scale of [`quick`].
const PARTS_OF_A_DISC: i32 = 9;

/// A small alpha-beta search.
fn look(node: &Node, bounds: Bounds, plies: u32) -> i32 {
    let mut moves = node.board.moves();
    if moves == 0 {
        let passed = node.passed();
        return match passed.board.moves() {
            0 => node.score(),
            _ => -look(&passed, bounds.turned(), plies),
        };
    }
    if plies == 0 {
        return node.value(learned::tables());
    }
    let mut best = -INFINITE;
    while moves != 0 && best < bounds.beta {
        let at = moves & moves.wrapping_neg();
        moves ^= at;
        let value = match plies {
            1 => node.value_of_move(learned::tables(), at),
            _ => -look(&node.after(at), bounds.above(best).turned(), plies - 1),
        };
        best = best.max(value);
    }
    best
}

/// Takes the first of the children that are left, from place `from` on.
#[inline]
pub(super) fn next(children: &mut Children, from: usize) -> Child {
    let best = (from..children.len()).min_by_key(|&place| children[place].cost).unwrap_or(from);
    children.swap(from, best);
    children[from]
}

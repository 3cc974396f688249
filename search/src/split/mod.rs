//! The top plies of a minimax search, whose leaves are searched elsewhere, many at a time.
//!
//! The value is found by questions of one kind: is it at least so much? Each is passed down to the
//! leaves. Whoever answers says by how much it is so or not, and what is known of a leaf stays known for
//! the next question. No clock, no threads: questions out, answers in.
//!
//! Which leaf is asked about first decides how much is asked in vain. Where one good move is enough the
//! others wait for the first, and are asked about only when there is nothing better to do. Where every
//! move must be refuted the first goes ahead alone, since what is wrong shows there; then none waits for
//! another.
//!
//! # Source
//! S7 for MTD(f); Feldmann 1993 ("young brothers wait") for the order.

#[cfg(test)]
mod tests;

use std::ops::Range;

use banyan_games::{Game, Move};

/// What stands below the top.
pub trait Below<G: Game> {
    /// Values are at least so far apart.
    const UNIT: i32;
    /// No value is beyond this, either way.
    const MAX: i32;

    /// The worth of a finished game for the side to move; nothing while it goes on.
    fn finished(&self, position: &G) -> Option<i32>;

    /// Appends the moves, the most promising first. There is one at least while the game goes on.
    fn ranked(&self, position: &G, moves: &mut Vec<Move>);

    /// Whether a position so many plies from the root is given away as it is.
    fn is_small(&self, position: &G, plies: usize) -> bool;
}

/// A leaf of a [`Split`], for as long as that lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leaf(usize);

/// Is the leaf worth at least so much to its side to move?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Names the leaf in the answer.
    pub leaf: Leaf,
    /// The plies from the root to it.
    pub path: Vec<Move>,
    /// What is asked.
    pub at_least: i32,
}

/// What a search says of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is worth so much or more.
    AtLeast(i32),
    /// It is worth so much or less.
    AtMost(i32),
    /// It gave up.
    Unknown,
}

/// Questions may be asked so far ahead of what is known: a question costs 1 for each brother on its way
/// that should have been waited for. (Measured: 1 leaves 16 solvers idle, 8 is no better than 3.)
const AHEAD_MAX: u32 = 3;

/// The shared top of a search.
#[derive(Clone, Debug)]
pub struct Split<G, B> {
    below: B,
    /// The root first, the children of a node side by side.
    nodes: Vec<Node<G>>,
    /// What is asked of the root now.
    at_least: i32,
    /// Whether yes is expected.
    expects_yes: bool,
}

#[derive(Clone, Debug)]
struct Node<G> {
    position: G,
    mv: Move,
    parent: usize,
    plies: usize,
    children: Range<usize>,
    /// For the side to move here.
    lower: i32,
    upper: i32,
    /// Whether an answer is on its way.
    is_asked: bool,
}

impl<G: Game, B: Below<G>> Split<G, B> {
    /// The search of a position whose game goes on.
    ///
    /// - `moves`: those to choose from, at least one, each legal.
    /// - `guess`: what the value may be; the nearer, the fewer questions.
    pub fn new(position: &G, moves: &[Move], below: B, guess: i32) -> Split<G, B> {
        let root = Node {
            position: position.clone(),
            mv: Move::PASS,
            parent: 0,
            plies: 0,
            children: 0..0,
            lower: -B::MAX,
            upper: B::MAX,
            is_asked: false,
        };
        let at_least = guess.clamp(B::UNIT - B::MAX, B::MAX);
        let mut split = Split { below, nodes: vec![root], at_least, expects_yes: true };
        split.expand(0, moves);
        split
    }

    /// What is known of the value at the root: at least the first, at most the second. Equal when it is
    /// found.
    pub fn bounds(&self) -> (i32, i32) {
        (self.nodes[0].lower, self.nodes[0].upper)
    }

    /// Whether the value is found.
    pub fn is_solved(&self) -> bool {
        self.nodes[0].lower >= self.nodes[0].upper
    }

    /// The next question, if there is one worth asking before anything is answered.
    pub fn ask(&mut self) -> Option<Question> {
        self.choose_question();
        while !self.is_solved() {
            let mut open = (0..=AHEAD_MAX)
                .filter_map(|ahead| self.open_leaf(0, (self.at_least, self.expects_yes), ahead));
            let (leaf, at_least) = open.next()?;
            let node = &self.nodes[leaf];
            if self.below.is_small(&node.position, node.plies) {
                self.nodes[leaf].is_asked = true;
                return Some(Question { leaf: Leaf(leaf), path: self.path(leaf), at_least });
            }
            self.expand_all(leaf);
            self.choose_question();
        }
        None
    }

    /// Takes an answer in. A leaf that nobody could solve is looked into move by move.
    pub fn answer(&mut self, Leaf(at): Leaf, bound: Bound) {
        let Some(node) = self.nodes.get_mut(at) else { return };
        node.is_asked = false;
        match bound {
            Bound::AtLeast(value) => node.lower = node.lower.max(value.min(node.upper)),
            Bound::AtMost(value) => node.upper = node.upper.min(value.max(node.lower)),
            Bound::Unknown if node.children.is_empty() => return self.expand_all(at),
            Bound::Unknown => return,
        }
        if at > 0 {
            self.update(self.nodes[at].parent);
        }
    }

    /// Whether it still matters what a leaf that was asked about is worth.
    pub fn matters(&self, Leaf(at): Leaf) -> bool {
        let mut steps = Vec::new();
        let mut node = at;
        while node > 0 {
            steps.push(node);
            node = self.nodes[node].parent;
        }
        let mut asked = self.at_least;
        for &step in steps.iter().rev() {
            if !self.nodes[node].is_open(asked) {
                return false;
            }
            asked = self.asked_of(node, step, asked);
            node = step;
        }
        self.nodes[node].is_open(asked)
    }

    /// The move that is worth most for certain, if anything is known of any.
    pub fn best(&self) -> Option<Move> {
        let worth = |&child: &usize| self.seen_from(0, child).0;
        let known = self.nodes[0].children.clone().rev().filter(|child| worth(child) > -B::MAX);
        known.max_by_key(worth).map(|child| self.nodes[child].mv)
    }

    /// Once the value is found: best play as far as it was looked into here, the position where it
    /// ends, and what that is worth to its side to move.
    pub fn line(&self) -> (Vec<Move>, &G, i32) {
        let (mut at, mut line, mut worth) = (0, Vec::new(), self.nodes[0].lower);
        loop {
            let mut children = self.nodes[at].children.clone();
            let Some(child) = children.find(|&child| self.seen_from(at, child).0 >= worth) else {
                return (line, &self.nodes[at].position, worth);
            };
            line.push(self.nodes[child].mv);
            worth = if self.is_same_side(at, child) { worth } else { -worth };
            at = child;
        }
    }

    /// When what was asked of the root is known, the next question: just beyond what was found.
    fn choose_question(&mut self) {
        let Node { lower, upper, .. } = self.nodes[0];
        if lower >= self.at_least {
            (self.at_least, self.expects_yes) = (lower + B::UNIT, false);
        } else if upper < self.at_least {
            (self.at_least, self.expects_yes) = (upper, true);
        }
    }

    /// A leaf that decides something about whether the node is worth `asked`, and what is asked of it.
    fn open_leaf(
        &self,
        at: usize,
        (asked, expects_yes): (i32, bool),
        mut ahead: u32,
    ) -> Option<(usize, i32)> {
        let node = &self.nodes[at];
        if node.children.is_empty() {
            return (!node.is_asked).then_some((at, asked));
        }
        for child in node.children.clone() {
            let below = self.asked_of(at, child, asked);
            if !self.nodes[child].is_open(below) {
                continue;
            }
            let expected = expects_yes == self.is_same_side(at, child);
            if let Some(found) = self.open_leaf(child, (below, expected), ahead) {
                return Some(found);
            }
            if expects_yes || child == node.children.start {
                ahead = ahead.checked_sub(1)?;
            }
        }
        None
    }

    fn is_same_side(&self, at: usize, child: usize) -> bool {
        self.nodes[at].position.side_to_move() == self.nodes[child].position.side_to_move()
    }

    /// What must be asked of a child, where `asked` is asked of its parent. A yes of a child of the
    /// other side is a no.
    fn asked_of(&self, at: usize, child: usize, asked: i32) -> i32 {
        if self.is_same_side(at, child) { asked } else { 1 - asked }
    }

    /// A child's bounds as its parent sees them.
    fn seen_from(&self, at: usize, child: usize) -> (i32, i32) {
        let Node { lower, upper, .. } = self.nodes[child];
        if self.is_same_side(at, child) { (lower, upper) } else { (-upper, -lower) }
    }

    fn expand_all(&mut self, at: usize) {
        let mut moves = Vec::new();
        self.below.ranked(&self.nodes[at].position, &mut moves);
        self.expand(at, &moves);
    }

    fn expand(&mut self, at: usize, moves: &[Move]) {
        let first = self.nodes.len();
        for &mv in moves {
            let mut position = self.nodes[at].position.clone();
            position.play(mv);
            let worth = self.below.finished(&position);
            self.nodes.push(Node {
                mv,
                parent: at,
                plies: self.nodes[at].plies + 1,
                children: 0..0,
                lower: worth.unwrap_or(-B::MAX),
                upper: worth.unwrap_or(B::MAX),
                is_asked: false,
                position,
            });
        }
        self.nodes[at].children = first..self.nodes.len();
        self.update(at);
    }

    /// What the children's bounds say of a node, and so on up to the root.
    fn update(&mut self, mut at: usize) {
        loop {
            let children = self.nodes[at].children.clone().map(|child| self.seen_from(at, child));
            let (mut lower, mut upper) = (-B::MAX, -B::MAX);
            for (child_lower, child_upper) in children {
                (lower, upper) = (lower.max(child_lower), upper.max(child_upper));
            }
            let node = &mut self.nodes[at];
            node.lower = node.lower.max(lower);
            node.upper = node.upper.min(upper).max(node.lower);
            if at == 0 {
                return;
            }
            at = node.parent;
        }
    }

    fn path(&self, mut at: usize) -> Vec<Move> {
        let mut path = Vec::new();
        while at > 0 {
            path.push(self.nodes[at].mv);
            at = self.nodes[at].parent;
        }
        path.reverse();
        path
    }
}

impl<G> Node<G> {
    /// Whether it is not known if it is worth `asked`.
    fn is_open(&self, asked: i32) -> bool {
        self.lower < asked && asked <= self.upper
    }
}

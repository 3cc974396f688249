//! The top plies of a minimax search, whose leaves are searched elsewhere, many at a time.
//!
//! A question about the root is passed down to the leaves: what is it worth, within a window? Whoever
//! answers says what it is or by how much it is beyond, and what is known of a leaf stays known. No
//! clock, no threads: questions out, answers in. There are two ways of asking.
//!
//! - **Closing in**, MTD(f): is it at least so much? and again, just beyond what was found. For values
//!   that are few.
//! - **Scouting**, principal variation search: the first move is asked what it is worth, the others
//!   whether they are better. For values that are many.
//!
//! Which leaf is asked about first decides how much is asked in vain. Where one good move is enough the
//! others wait for the first, and are asked about only when there is nothing better to do. Where every
//! move must be refuted the first goes ahead alone, since what is wrong shows there; then none waits for
//! another. Who scouts before the first move has its answer takes the guess for it.
//!
//! Moves that stand late in a good order may be asked about less deep first ([`Below::late`]). Such an answer
//! counts where it speaks against the move; where it speaks for it, all is asked again in full.
//!
//! # Source
//! S7 for MTD(f); Marsland & Campbell 1982 for principal variation search; Feldmann 1993 ("young brothers
//! wait") for the order.

#[cfg(test)]
mod tests;

use std::ops::Range;

use banyan_games::{Game, Move};

use crate::classical::Window;

/// What stands below the top.
pub trait Below<G: Game> {
    /// Values are at least so far apart.
    const UNIT: i32;
    /// No value is beyond this, either way.
    const MAX: i32;

    /// The worth of a finished game for the side to move; nothing while it goes on.
    fn finished(&self, position: &G) -> Option<i32>;

    /// Appends the moves, the most promising first. There is one at least while the game goes on.
    fn ranked(&mut self, position: &G, moves: &mut Vec<Move>);

    /// Whether a position so many plies from the root is given away as it is.
    fn is_small(&self, position: &G, plies: usize) -> bool;

    /// By how many plies less deep the move at this place of the order is asked about first, in a position
    /// so many plies from the root.
    fn late(&self, place: usize, plies: usize) -> u32 {
        let _ = (place, plies);
        0
    }
}

/// A leaf of a [`Split`], for as long as that lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leaf(usize);

/// What is a leaf worth to its side to move?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Names the leaf in the answer.
    pub leaf: Leaf,
    /// The plies from the root to it.
    pub path: Vec<Move>,
    /// What matters of it: a value within, or on which side of it.
    pub window: Window,
    /// So many plies less deep than others is deep enough.
    pub less: u32,
}

/// What a search says of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is worth so much, which is within the window.
    Exact(i32),
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
    /// What the root may be worth.
    guess: i32,
    asking: Asking,
}

/// What is asked of the root.
#[derive(Clone, Copy, Debug)]
enum Asking {
    /// Whether it is worth at least so much, and whether yes is expected.
    AtLeast(i32, bool),
    /// What it is worth.
    Value,
}

/// What is asked of a node.
#[derive(Clone, Copy, Debug)]
struct Asked {
    window: Window,
    /// Whether a window of nothing is expected to be too low.
    expects_yes: bool,
    /// What the node may be worth to its side to move.
    guess: i32,
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
    /// By so many plies less deep is asked what stands below, because of this move's place.
    less: u32,
    /// Whether an answer is on its way, and by how much less deep it is.
    is_asked: bool,
    asked_less: u32,
}

impl<G: Game, B: Below<G>> Split<G, B> {
    /// The search of a position whose game goes on, by closing in.
    ///
    /// - `moves`: those to choose from, at least one, each legal.
    /// - `guess`: what the value may be; the nearer, the fewer questions.
    pub fn closing_in(position: &G, moves: &[Move], below: B, guess: i32) -> Split<G, B> {
        let guess = guess.clamp(B::UNIT - B::MAX, B::MAX);
        Split::new(position, moves, below, (guess, Asking::AtLeast(guess, true)))
    }

    /// The search of a position whose game goes on, by scouting. The first of `moves` is what the others
    /// are compared with.
    ///
    /// - `moves`, `guess`: as in [`Split::closing_in`].
    pub fn scouting(position: &G, moves: &[Move], below: B, guess: i32) -> Split<G, B> {
        Split::new(position, moves, below, (guess, Asking::Value))
    }

    fn new(position: &G, moves: &[Move], below: B, (guess, asking): (i32, Asking)) -> Split<G, B> {
        let root = Node {
            position: position.clone(),
            mv: Move::PASS,
            parent: 0,
            plies: 0,
            children: 0..0,
            lower: -B::MAX,
            upper: B::MAX,
            less: 0,
            is_asked: false,
            asked_less: 0,
        };
        let mut split = Split { below, nodes: vec![root], guess, asking };
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
        while !self.is_solved() {
            let asked = self.asked_of_root();
            let (leaf, window) =
                (0..=AHEAD_MAX).find_map(|ahead| self.open_leaf(0, asked, ahead))?;
            let node = &self.nodes[leaf];
            if self.below.is_small(&node.position, node.plies) {
                let less = self.less(leaf);
                (self.nodes[leaf].is_asked, self.nodes[leaf].asked_less) = (true, less);
                return Some(Question { leaf: Leaf(leaf), path: self.path(leaf), window, less });
            }
            self.expand_all(leaf);
        }
        None
    }

    /// Takes an answer in. A leaf that nobody could solve is looked into move by move.
    pub fn answer(&mut self, Leaf(at): Leaf, bound: Bound) {
        let less = self.less(at);
        let Some(node) = self.nodes.get_mut(at) else { return };
        node.is_asked = false;
        if node.asked_less > less {
            return;
        }
        let (lower, upper) = match bound {
            Bound::Exact(value) => (value, value),
            Bound::AtLeast(value) => (value, node.upper),
            Bound::AtMost(value) => (node.lower, value),
            Bound::Unknown if node.children.is_empty() => return self.expand_all(at),
            Bound::Unknown => return,
        };
        node.lower = node.lower.max(lower.min(node.upper));
        node.upper = node.upper.min(upper.max(node.lower));
        self.update(at);
    }

    /// Notes that nobody is looking for a leaf's worth any more. It will be asked about again when it
    /// matters.
    pub fn take_back(&mut self, Leaf(at): Leaf) {
        if let Some(node) = self.nodes.get_mut(at) {
            node.is_asked = false;
        }
    }

    /// Whether it still matters what a leaf that was asked about is worth.
    pub fn matters(&mut self, Leaf(at): Leaf) -> bool {
        if self.nodes[at].asked_less > self.less(at) {
            return false;
        }
        let mut steps = Vec::new();
        let mut node = at;
        while node > 0 {
            steps.push(node);
            node = self.nodes[node].parent;
        }
        let mut window = self.asked_of_root().window;
        for &step in steps.iter().rev() {
            if !self.nodes[node].is_open(window) {
                return false;
            }
            let alpha = window.alpha.max(self.best_lower(node));
            window = self.window_of(node, step, Window { alpha, ..window });
            node = step;
        }
        self.nodes[node].is_open(window)
    }

    /// The move that is worth most for certain, if anything is known of any.
    pub fn best(&self) -> Option<Move> {
        let worth = |&child: &usize| self.seen_from(0, child).0;
        let known = self.nodes[0].children.clone().rev().filter(|child| worth(child) > -B::MAX);
        known.max_by_key(worth).map(|child| self.nodes[child].mv)
    }

    /// A move at the root that is known to be worth more than `other` can be, and what at least.
    pub fn better_than(&self, other: Move) -> Option<(Move, i32)> {
        let children = self.nodes[0].children.clone();
        let beaten = children.clone().find(|&child| self.nodes[child].mv == other)?;
        let (_, most) = self.seen_from(0, beaten);
        let worth = |&child: &usize| self.seen_from(0, child).0;
        let best = children.rev().max_by_key(worth).filter(|child| worth(child) > most)?;
        Some((self.nodes[best].mv, worth(&best)))
    }

    /// The best move known of each position that was looked into, by its hash.
    pub fn best_moves(&self) -> impl Iterator<Item = (u64, Move)> {
        (0..self.nodes.len()).filter_map(|at| {
            // What is too good for the other side, or else what was shown to be bad the least.
            let worth = |&child: &usize| self.seen_from(at, child);
            let best = self.nodes[at].children.clone().rev().max_by_key(worth)?;
            Some((self.nodes[at].position.hash(), self.nodes[best].mv))
        })
    }

    /// What stands below, for another search.
    pub fn into_below(self) -> B {
        self.below
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
    fn asked_of_root(&mut self) -> Asked {
        let Node { lower, upper, .. } = self.nodes[0];
        if let Asking::AtLeast(at_least, _) = self.asking {
            if lower >= at_least {
                self.asking = Asking::AtLeast(lower + B::UNIT, false);
            } else if upper < at_least {
                self.asking = Asking::AtLeast(upper, true);
            }
        }
        let guess = self.guess;
        match self.asking {
            Asking::AtLeast(at_least, expects_yes) => {
                Asked { window: Window::below(at_least), expects_yes, guess }
            }
            Asking::Value => {
                let window = Window { alpha: -B::MAX, beta: B::MAX };
                Asked { window, expects_yes: false, guess }
            }
        }
    }

    /// A leaf that decides something of what is asked of the node, and what is asked of it.
    fn open_leaf(&self, at: usize, asked: Asked, mut ahead: u32) -> Option<(usize, Window)> {
        let Node { children, is_asked, .. } = &self.nodes[at];
        if children.is_empty() {
            return (!is_asked).then_some((at, asked.window));
        }
        let (first, of_others) = match asked.window {
            Window { alpha, beta } if alpha + 1 < beta => self.principal(at, asked),
            _ => (Some((children.start, asked)), asked),
        };
        let head = first.map(|(child, _)| child);
        let others = children.clone().filter(|&child| Some(child) != head);
        let others = others.map(|child| (child, of_others));
        for (child, of_child) in first.into_iter().chain(others) {
            let below = self.asked_of(at, child, of_child);
            if !self.nodes[child].is_open(below.window) {
                continue;
            }
            if let Some(found) = self.open_leaf(child, below, ahead) {
                return Some(found);
            }
            if asked.expects_yes || Some(child) == head {
                ahead = ahead.checked_sub(1)?;
            }
        }
        None
    }

    /// Of a node that is asked what it is worth: the child that the others are compared with, what is
    /// asked of it, and what is asked of the others. That child is one known to be worth as much as any
    /// and maybe more; while nothing is known, the first.
    fn principal(
        &self,
        at: usize,
        Asked { window, guess, .. }: Asked,
    ) -> (Option<(usize, Asked)>, Asked) {
        let best = window.alpha.max(self.best_lower(at));
        let is_known = best > window.alpha;
        let mut children = self.nodes[at].children.clone();
        let principal = children.find(|&child| {
            let (lower, upper) = self.seen_from(at, child);
            upper > best && (!is_known || lower == best)
        });
        let alpha = if is_known { best } else { guess.clamp(window.alpha, window.beta - 2) };
        let scout = Asked { window: Window::below(alpha + 1), expects_yes: false, guess };
        let value = Asked { window: Window { alpha: best, ..window }, ..scout };
        (principal.map(|child| (child, value)), scout)
    }

    /// The most that a move is known to be worth, for the side to move at the node.
    fn best_lower(&self, at: usize) -> i32 {
        let lower = self.nodes[at].children.clone().map(|child| self.seen_from(at, child).0);
        lower.max().unwrap_or(-B::MAX)
    }

    fn is_same_side(&self, at: usize, child: usize) -> bool {
        self.nodes[at].position.side_to_move() == self.nodes[child].position.side_to_move()
    }

    /// What matters of a child, where `window` matters of its parent.
    fn window_of(&self, at: usize, child: usize, window: Window) -> Window {
        if self.is_same_side(at, child) { window } else { window.turned() }
    }

    /// What is asked of a child for its parent's sake.
    fn asked_of(&self, at: usize, child: usize, asked: Asked) -> Asked {
        let Asked { window, expects_yes, guess } = asked;
        let is_same_side = self.is_same_side(at, child);
        Asked {
            window: self.window_of(at, child, window),
            expects_yes: expects_yes == is_same_side,
            guess: if is_same_side { guess } else { -guess },
        }
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
        let plies = self.nodes[at].plies;
        for (place, &mv) in moves.iter().enumerate() {
            let mut position = self.nodes[at].position.clone();
            position.play(mv);
            let worth = self.below.finished(&position);
            let less = worth.map_or_else(|| self.below.late(place, plies), |_| 0);
            self.nodes.push(Node {
                mv,
                parent: at,
                plies: plies + 1,
                children: 0..0,
                lower: worth.unwrap_or(-B::MAX),
                upper: worth.unwrap_or(B::MAX),
                less,
                is_asked: false,
                asked_less: 0,
                position,
            });
        }
        self.nodes[at].children = first..self.nodes.len();
        self.update(at);
    }

    /// What the children's bounds say of a node, and so on up to the root.
    fn update(&mut self, mut at: usize) {
        loop {
            if !self.nodes[at].children.is_empty() {
                let children = self.nodes[at].children.clone();
                let children = children.map(|child| self.seen_from(at, child));
                let (mut lower, mut upper) = (-B::MAX, -B::MAX);
                for (child_lower, child_upper) in children {
                    (lower, upper) = (lower.max(child_lower), upper.max(child_upper));
                }
                let node = &mut self.nodes[at];
                node.lower = node.lower.max(lower);
                node.upper = node.upper.min(upper).max(node.lower);
            }
            if at == 0 {
                return;
            }
            let Node { parent, less, .. } = self.nodes[at];
            if less > 0 && self.seen_from(parent, at).0 > -B::MAX {
                self.ask_in_full(at);
            }
            at = parent;
        }
    }

    /// A move of a late place is not as bad as was thought: what was found less deep does not count.
    fn ask_in_full(&mut self, at: usize) {
        self.nodes[at].less = 0;
        let mut forgotten = vec![at];
        while let Some(at) = forgotten.pop() {
            forgotten.extend(self.nodes[at].children.clone());
            let worth = self.below.finished(&self.nodes[at].position);
            let node = &mut self.nodes[at];
            node.lower = worth.unwrap_or(-B::MAX);
            node.upper = worth.unwrap_or(B::MAX);
        }
        // What was concluded from it on the way to the root is found again from what is left.
        let mut above = at;
        while above > 0 {
            above = self.nodes[above].parent;
            (self.nodes[above].lower, self.nodes[above].upper) = (-B::MAX, B::MAX);
        }
    }

    /// By how many plies less deep is asked about a node.
    fn less(&self, mut at: usize) -> u32 {
        let mut less = 0;
        while let Some(node) = self.nodes.get(at).filter(|_| at > 0) {
            less += node.less;
            at = node.parent;
        }
        less
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
    /// Whether something is not known of what matters.
    fn is_open(&self, Window { alpha, beta }: Window) -> bool {
        self.lower < self.upper && self.lower < beta && alpha < self.upper
    }
}

//! Depth-first proof-number search: proves that one side can force its goal, or that it cannot.
//!
//! Works on an AND/OR tree: where the prover moves one move that works is enough, where the refuter
//! moves every one must. No evaluation, no depth: the search goes where a proof looks shortest, and stops
//! when it is found or its nodes are used up.
//!
//! # Source
//! Allis 1994 for proof numbers; Nagai 2002 for the depth-first form with a table (df-pn); Pawlewicz &
//! Lew 2007 for the slack in thresholds (1 + ε); Ueda, Hashimoto, Hashimoto & Iida 2008 for the largest number in
//! place of the sum (weak proof-number search).

mod and_or;

mod numbers;

mod proof;

mod table;

use banyan_games::Move;

pub use and_or::{AndOr, Estimate, Player, Replies, Verdict};
use numbers::{INFINITE, Numbers};
pub use proof::{ProofTree, Proved};
use table::{Entry, Table};

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Nothing when the nodes were used up.
    pub verdict: Option<Verdict>,
    /// The line of best play as far as it is known, the first move first; a loser resists longest.
    pub line: Vec<Move>,
    /// Positions looked into, count.
    pub nodes: u64,
}

/// Searches `root` with at most `nodes_max` positions and a table of at most `table_bytes` bytes.
pub fn solve<P: AndOr>(root: &P, nodes_max: u64, table_bytes: usize) -> Solution {
    solve_while(root, table_bytes, &mut |nodes| nodes < nodes_max)
}

/// Searches `root` for as long as `goes_on`, which is asked at every position with how many there were
/// so far, says so.
pub fn solve_while<P: AndOr>(
    root: &P,
    table_bytes: usize,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> Solution {
    let table = Table::new(table_bytes);
    let mut search = Search { table, nodes: 0, goes_on, is_over: false, path: Vec::new() };
    let numbers = search.look_into(root, Numbers { phi: INFINITE, delta: INFINITE });
    let verdict = numbers.verdict(root.to_move());
    let line = if verdict.is_some() { search.line(root) } else { Vec::new() };
    Solution { verdict, line, nodes: search.nodes }
}

/// Searches `root` as [`solve`] does, and hands out the proof; nothing where there is no verdict, or the proof
/// has more than `positions_max` positions.
pub fn prove<P: AndOr>(
    root: &P,
    (nodes_max, table_bytes): (u64, usize),
    positions_max: usize,
) -> Option<Proved> {
    let table = Table::new(table_bytes);
    let goes_on = &mut |nodes| nodes < nodes_max;
    let mut search = Search { table, nodes: 0, goes_on, is_over: false, path: Vec::new() };
    let numbers = search.look_into(root, Numbers { phi: INFINITE, delta: INFINITE });
    let verdict = numbers.verdict(root.to_move())?;
    let mut left = positions_max;
    let nodes = search.nodes;
    let tree = search.proof(root, verdict, &mut left)?;
    Some(Proved { verdict, tree, nodes })
}

/// Plies of a line; beyond, the search gives up on it.
const PLIES_MAX: usize = 512;

struct Search<'a> {
    table: Table,
    nodes: u64,
    goes_on: &'a mut dyn FnMut(u64) -> bool,
    /// Tells whether it has been told to stop.
    is_over: bool,
    /// Hashes of the positions from the root to here.
    path: Vec<u64>,
}

/// A position after one move, and what is known of it, as its parent's opponent sees it.
struct Child<P> {
    mv: Move,
    position: P,
    hash: u64,
    numbers: Numbers,
}

impl Search<'_> {
    /// Looks into a position until its numbers pass `limits` or it is solved; returns them.
    ///
    /// The numbers are those of the player to move there.
    fn look_into<P: AndOr>(&mut self, position: &P, limits: Numbers) -> Numbers {
        self.nodes += 1;
        let hash = position.hash();
        if let Some(verdict) = position.verdict() {
            return self.keep(hash, Numbers::of(verdict, position.to_move()), 1);
        }
        // The root is searched, so that there is a line; what was looked into before is no rule's.
        if !self.path.is_empty()
            && self.table.get(hash).is_none()
            && let Some(verdict) = position.known()
        {
            return self.keep(hash, Numbers::of(verdict, position.to_move()), 1);
        }
        let begun = self.nodes;
        self.path.push(hash);
        let mut children = self.children(position);
        let numbers = loop {
            let numbers = weighed(&children, P::REPLIES);
            let passed = numbers.phi >= limits.phi || numbers.delta >= limits.delta;
            if passed || self.is_used_up() {
                break numbers;
            }
            let (best, second) = most_promising(&children);
            let child_limits = Numbers {
                phi: limits
                    .delta
                    .saturating_sub(numbers.delta)
                    .saturating_add(children[best].numbers.phi),
                delta: limits.phi.min(with_slack(second)),
            };
            let child = &children[best].position;
            let found = self.look_into(child, child_limits.seen_from(position, child));
            self.refresh(position, &mut children, best, found);
        };
        self.path.pop();
        let numbers = self.keep(hash, numbers, self.nodes - begun + 1);
        if let Some(verdict) = numbers.verdict(position.to_move()) {
            position.solved(verdict, self.table.get(hash).map_or(0, |entry| entry.work));
        }
        numbers
    }

    /// The proof of a verdict that is in the table, or is found again; takes its positions from `left`.
    fn proof<P: AndOr>(
        &mut self,
        position: &P,
        verdict: Verdict,
        left: &mut usize,
    ) -> Option<ProofTree> {
        *left = left.checked_sub(1)?;
        if let Some(plain) = position.verdict().or_else(|| position.known()) {
            return (plain == verdict).then(ProofTree::default);
        }
        let hash = position.hash();
        if self.path.contains(&hash) {
            return (position.repetition() == verdict).then(ProofTree::default);
        }
        self.path.push(hash);
        let mut children = self.children(position);
        let wins = (position.to_move() == Player::Prover) == (verdict == Verdict::Proven);
        if wins {
            children.retain(|child| child.numbers.delta == 0);
            children.sort_by_key(|child| self.table.get(child.hash).map_or(0, |it| it.work));
        }
        let mut proof = ProofTree::default();
        for child in &children {
            if !child.numbers.is_solved() {
                self.look_into(&child.position, Numbers { phi: INFINITE, delta: INFINITE });
            }
            match self.proof(&child.position, verdict, left) {
                Some(below) => proof.moves.push((child.mv, below)),
                None if wins => continue,
                None => break,
            }
            if wins {
                break;
            }
        }
        self.path.pop();
        let is_whole = if wins { !proof.is_empty() } else { proof.moves.len() == children.len() };
        is_whole.then_some(proof)
    }

    fn is_used_up(&mut self) -> bool {
        self.is_over |= !(self.goes_on)(self.nodes);
        self.is_over || self.path.len() >= PLIES_MAX
    }

    fn children<P: AndOr>(&self, position: &P) -> Vec<Child<P>> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let child = |mv| {
            let mut next = position.clone();
            next.play(mv);
            let hash = next.hash();
            let numbers = self.known(&next, hash).seen_from(position, &next);
            Child { mv, position: next, hash, numbers }
        };
        moves.into_iter().map(child).collect()
    }

    fn known<P: AndOr>(&self, position: &P, hash: u64) -> Numbers {
        if self.path.contains(&hash) {
            return Numbers::of(position.repetition(), position.to_move());
        }
        let unknown = || Numbers::estimated(position.estimate(), position.to_move());
        self.table.get(hash).map_or_else(unknown, |entry| entry.numbers)
    }

    /// The best child has new numbers; others may have got some on the way, by another order of moves.
    fn refresh<P: AndOr>(
        &self,
        parent: &P,
        children: &mut [Child<P>],
        best: usize,
        found: Numbers,
    ) {
        for (index, child) in children.iter_mut().enumerate() {
            let numbers = if index == best {
                Some(found)
            } else if !child.numbers.is_solved() && !self.path.contains(&child.hash) {
                self.table.get(child.hash).map(|it| it.numbers)
            } else {
                None
            };
            if let Some(numbers) = numbers {
                child.numbers = numbers.seen_from(parent, &child.position);
            }
        }
    }

    fn keep(&mut self, hash: u64, numbers: Numbers, work: u64) -> Numbers {
        self.table.put(Entry { hash, numbers, work: work.min(u64::from(u32::MAX)) as u32 });
        numbers
    }

    /// Follows solved positions from the root: who wins takes a move that wins, who loses the one that
    /// took most work to refute.
    fn line<P: AndOr>(&mut self, root: &P) -> Vec<Move> {
        let (mut position, mut line, mut seen) = (root.clone(), Vec::new(), Vec::new());
        while position.verdict().is_none() && line.len() < PLIES_MAX {
            seen.push(position.hash());
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let next = |mv: &Move| {
                let mut next = position.clone();
                next.play(*mv);
                next
            };
            let rank = |mv: &Move| {
                let next = next(mv);
                let hash = next.hash();
                let entry = self.table.get(hash).filter(|_| !seen.contains(&hash));
                // A child that is lost for the other side is won for who moves into it.
                let won = |numbers: Numbers| numbers.seen_from(&position, &next).delta == 0;
                entry.map_or((false, 0), |it| (won(it.numbers), it.work))
            };
            let wins = moves.iter().filter(|mv| rank(mv).0).min_by_key(|mv| rank(mv).1);
            let best = wins.or_else(|| moves.iter().max_by_key(|mv| rank(mv).1));
            let Some(&mv) = best.filter(|mv| rank(mv).1 > 0) else { break };
            position = next(&mv);
            line.push(mv);
        }
        while line.last().is_some_and(|mv| mv.is_pass()) {
            line.pop();
        }
        line
    }
}

/// The numbers of a position whose children are known so far: the easiest of them is the player's own
/// way, all of them together are the other's.
fn weighed<P>(children: &[Child<P>], replies: Replies) -> Numbers {
    let phi = children.iter().map(|child| child.numbers.delta).min().unwrap_or(INFINITE);
    let all = children.iter().map(|child| child.numbers.phi);
    let delta = match replies {
        Replies::Sum => all.fold(0, u32::saturating_add),
        Replies::Hardest => {
            let others = all.clone().filter(|&phi| phi > 0).skip(1).count();
            all.max().unwrap_or(0).saturating_add(others as u32)
        }
    };
    Numbers { phi, delta: delta.min(INFINITE) }
}

/// The child that is easiest for the player to move here, and how easy the next best is.
fn most_promising<P>(children: &[Child<P>]) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, INFINITE, INFINITE);
    for (index, child) in children.iter().enumerate() {
        let delta = child.numbers.delta;
        if delta < least {
            (best, second, least) = (index, least, delta);
        } else if delta < second {
            second = delta;
        }
    }
    (best, second)
}

/// A child is looked into until it is somewhat worse than the next best, not only until it is as bad:
/// otherwise two that are alike are left and taken up again all the time.
fn with_slack(second: u32) -> u32 {
    (second.saturating_add(second / 4).saturating_add(1)).min(INFINITE)
}

#[cfg(test)]
mod tests;

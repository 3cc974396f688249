//! A shared search finds what plain minimax finds, whoever answers in whatever order.

use std::collections::{HashSet, VecDeque};

use banyan_games::connect6::{Connect6, Connect6Rules};
use banyan_games::{Game, Move, Rng};

use super::{Below, Bound, ParallelAlphaBeta, Subproblem};
use crate::bounds::Bounds;

/// A game tree cut off at a depth, with values by hash.
#[derive(Clone, Copy, Debug)]
struct Hashed {
    /// Leaves that are asked about stand at this ply, and the values of the tree at `depth`.
    ask_at: usize,
    depth: usize,
    /// Tells whether all moves but the first of a position are late.
    is_late: bool,
}

/// Few moves of a position, so that a tree of some plies is small.
const WIDTH: usize = 4;

impl Hashed {
    fn moves(position: &Connect6) -> Vec<Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let start = position.hash() as usize % moves.len();
        moves.rotate_left(start);
        moves.truncate(1 + position.hash() as usize % WIDTH);
        moves
    }

    /// Plain minimax; Connect6 has plies after which the same side moves on.
    fn minimax(&self, position: &Connect6, plies: usize) -> i32 {
        if plies == self.depth {
            return (position.hash() >> 32) as i32 % (Hashed::MAX + 1);
        }
        let side = position.side_to_move();
        let value = |mv| {
            let mut next = position.clone();
            next.play(mv);
            let value = self.minimax(&next, plies + 1);
            if next.side_to_move() == side { value } else { -value }
        };
        Hashed::moves(position).into_iter().map(value).max().expect("a move")
    }
}

impl Below<Connect6> for Hashed {
    const UNIT: i32 = 1;
    const MAX: i32 = 50;

    fn finished(&self, _: &Connect6) -> Option<i32> {
        None
    }

    fn ranked(&mut self, position: &Connect6, moves: &mut Vec<Move>) {
        moves.extend(Hashed::moves(position));
    }

    fn is_small(&self, _: &Connect6, plies: usize) -> bool {
        plies >= self.ask_at
    }

    /// A number by which a subproblem tells which of its plies are late.
    fn late(&self, place: usize, plies: usize) -> u32 {
        u32::from(self.is_late && place > 0) << plies
    }
}

/// A made-up worker: what it says of a position, true but as loose as chance will have it.
fn answer(truth: i32, Bounds { alpha, beta }: Bounds, rng: &mut Rng) -> Bound {
    let between =
        |low: i32, high: i32, rng: &mut Rng| low + rng.below((high - low + 1) as u32) as i32;
    if truth >= beta {
        Bound::AtLeast(between(beta, truth, rng))
    } else if truth <= alpha {
        Bound::AtMost(between(truth, alpha, rng))
    } else {
        Bound::Exact(truth)
    }
}

/// An answer by less depth, to a subproblem that needs no more: that the last of the late moves on the way
/// is as good as can be.
fn in_favour_of_the_late(root: &Connect6, subproblem: &Subproblem) -> Bound {
    let late = subproblem.less.ilog2() as usize;
    let mut position = root.clone();
    subproblem.path[..late].iter().for_each(|&mv| position.play(mv));
    match position.side_to_move() == leaf(root, subproblem).side_to_move() {
        true => Bound::AtLeast(subproblem.bounds.beta),
        false => Bound::AtMost(subproblem.bounds.alpha),
    }
}

fn start(seed: u64) -> Connect6 {
    let mut position = Connect6::new(&Connect6Rules::new(7).expect("fits"));
    let mut rng = Rng::from_seed(seed);
    for _ in 0..1 + rng.below(5) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        position.play(moves[rng.below(moves.len() as u32) as usize]);
    }
    position
}

fn leaf(root: &Connect6, subproblem: &Subproblem) -> Connect6 {
    let mut position = root.clone();
    subproblem.path.iter().for_each(|&mv| position.play(mv));
    position
}

type New = fn(&Connect6, &[Move], Hashed, i32) -> ParallelAlphaBeta<Connect6, Hashed>;

const WAYS: [New; 2] = [ParallelAlphaBeta::closing_in, ParallelAlphaBeta::scouting];

/// Searches with so many subproblems on the way at once; returns the number of answers it took.
fn search(new: New, seed: u64, (in_flight, is_late): (usize, bool)) -> usize {
    let root = start(seed);
    let below = Hashed { ask_at: 3, depth: 5, is_late };
    let truth = below.minimax(&root, 0);
    let mut rng = Rng::from_seed(seed ^ 77);
    let guess = rng.below(40) as i32 - 20;
    let mut parallel = new(&root, &Hashed::moves(&root), below, guess);
    let moves = Hashed::moves(&root);
    let worth = |mv| {
        let mut child = root.clone();
        child.play(mv);
        let value = below.minimax(&child, 1);
        if child.side_to_move() == root.side_to_move() { value } else { -value }
    };
    let (mut asked, mut answers, mut told) = (VecDeque::<Subproblem>::new(), 0, HashSet::new());
    while !parallel.is_solved() {
        while asked.len() < in_flight
            && let Some(subproblem) = parallel.ask()
        {
            asked.push_back(subproblem);
        }
        let next = rng.below(asked.len() as u32) as usize;
        let subproblem = asked.remove(next).expect("something is asked while nothing is known");
        answers += 1;
        let position = leaf(&root, &subproblem);
        let is_at_last = subproblem.path.len() == below.depth;
        let truth = below.minimax(&position, subproblem.path.len());
        let bound = match rng.below(8) {
            0 if !is_at_last => Bound::Unknown,
            1..4 if subproblem.less > 0 => in_favour_of_the_late(&root, &subproblem),
            _ => answer(truth, subproblem.bounds, &mut rng),
        };
        parallel.answer(subproblem.leaf, bound);
        told.insert(subproblem.leaf);
        if let Some((better, least, leaves)) = parallel.better_than(moves[0]) {
            assert!(!leaves.is_empty() && leaves.iter().all(|leaf| told.contains(leaf)));
            assert!(worth(better) >= least && least > worth(moves[0]), "seed {seed}");
        }
        // What is useless is taken back; the value must come out all the same.
        asked.retain(|subproblem| {
            let matters = parallel.matters(subproblem.leaf);
            if !matters {
                parallel.take_back(subproblem.leaf);
            }
            matters
        });
    }
    assert_eq!(parallel.bounds(), (truth, truth), "seed {seed}, {in_flight} at once");
    let (line, end, worth) = parallel.line();
    let mut position = root.clone();
    line.iter().for_each(|&mv| position.play(mv));
    assert_eq!(position.hash(), end.hash());
    let is_same_side = root.side_to_move() == end.side_to_move();
    assert_eq!(worth, if is_same_side { truth } else { -truth }, "best play keeps the value");
    assert_eq!(worth, below.minimax(end, line.len()));
    answers
}

#[test]
fn whoever_answers_in_whatever_order_the_value_is_that_of_minimax() {
    for seed in 0..400 {
        for in_flight in [1, 2, 7, 100] {
            for new in WAYS {
                search(new, seed, (in_flight, false));
            }
        }
    }
}

#[test]
fn a_late_move_that_looks_good_is_asked_about_in_full() {
    for seed in 0..400 {
        for in_flight in [1, 2, 7, 100] {
            for new in WAYS {
                search(new, seed, (in_flight, true));
            }
        }
    }
}

/// Two moves, the second late: what speaks against it counts at once.
#[test]
fn a_late_move_that_looks_bad_is_asked_about_once() {
    let root = start(3);
    let below = Hashed { ask_at: 1, depth: 2, is_late: true };
    let moves: Vec<Move> = (10..12).map(Move::point).collect();
    let mut parallel = ParallelAlphaBeta::scouting(&root, &moves, below, 0);
    let mut less = Vec::new();
    while let Some(subproblem) = parallel.ask() {
        less.push(subproblem.less);
        let is_same_side = leaf(&root, &subproblem).side_to_move() == root.side_to_move();
        let bound = match subproblem.path == moves[..1] {
            true => Bound::Exact(if is_same_side { 7 } else { -7 }),
            false if is_same_side => Bound::AtMost(-9),
            false => Bound::AtLeast(9),
        };
        parallel.answer(subproblem.leaf, bound);
        if less.len() > 9 {
            break;
        }
    }
    assert_eq!(parallel.bounds(), (7, 7));
    assert_eq!(less, [0, 1]);
}

#[test]
fn few_subproblems_are_asked_in_vain_when_a_few_are_on_the_way() {
    for new in WAYS {
        let total =
            |in_flight| (0..200).map(|seed| search(new, seed, (in_flight, false))).sum::<usize>();
        let (alone, four) = (total(1), total(4));
        assert!(four < alone * 3 / 2, "{four} answers by four, {alone} by one");
    }
}

#[test]
fn what_a_bound_decides_no_longer_matters() {
    let root = start(3);
    let below = Hashed { ask_at: 1, depth: 2, is_late: false };
    let moves: Vec<Move> = (10..13).map(Move::point).collect();
    let mut parallel = ParallelAlphaBeta::closing_in(&root, &moves, below, 0);
    let subproblems: Vec<_> = std::iter::from_fn(|| parallel.ask()).collect();
    assert_eq!(subproblems.len(), 3, "the first move, and two ahead of its answer");
    assert!(subproblems.iter().all(|subproblem| parallel.matters(subproblem.leaf)));
    let enough = match subproblems[0].bounds.beta {
        0 => Bound::AtLeast(Hashed::MAX),
        _ => Bound::AtMost(-Hashed::MAX),
    };
    parallel.answer(subproblems[0].leaf, enough);
    assert!(parallel.is_solved() && !parallel.matters(subproblems[1].leaf));
    // A late answer does no harm.
    parallel.answer(subproblems[1].leaf, Bound::AtMost(-Hashed::MAX));
    assert_eq!(parallel.bounds(), (Hashed::MAX, Hashed::MAX));
}

//! The top plies of a classical search that many share.

use std::collections::HashMap;
use std::sync::Arc;

use banyan_games::Move;
use banyan_knowledge::{Evaluation, Knowledge, Ranked};

use super::alpha_beta::reduction;
use super::memory::Memory;
use super::probe::{Probe, probe};
use super::value::{View, finished, stones};
use crate::bounds::{Bounds, INFINITE};
use crate::parallel::{Below, Bound, ParallelAlphaBeta};

/// The plies down to which positions are looked into, and how their moves are ordered.
#[derive(Debug)]
pub struct Top<G: 'static> {
    evaluation: Arc<dyn Evaluation<G>>,
    /// Positions so many plies from the root are given away.
    plies: usize,
    /// Depth of the search of which this is the top.
    depth: u32,
    /// The best moves of earlier searches, by the position's hash: one entry a position of their tops.
    known: HashMap<u64, Move>,
    memory: Memory,
}

/// Few moves are ordered by searches of so many plies, many by what they lead to at once: that must cost
/// far less than a leaf's search.
const ORDER_PLIES: u32 = 3;
const FEW: usize = 16;

const ORDER_TABLE_BYTES: usize = 1 << 18;

impl<G: Knowledge> Top<G> {
    /// A top of so many plies, above 0.
    pub fn new(evaluation: Arc<dyn Evaluation<G>>, plies: usize) -> Top<G> {
        let memory = Memory::new(ORDER_TABLE_BYTES);
        Top { evaluation, plies, depth: 0, known: HashMap::new(), memory }
    }

    /// The top of the next search, which begins with what this one found.
    pub fn after(parallel: ParallelAlphaBeta<G, Top<G>>) -> Top<G> {
        let known = parallel.best_moves().collect();
        Top { known, ..parallel.into_below() }
    }

    /// The same for a search so deep.
    pub fn to_depth(self, depth: u32) -> Top<G> {
        Top { depth, ..self }
    }

    /// Puts the most promising moves first: the best of an earlier search, then by their ranks where these
    /// are trusted, else by what a short look says.
    pub fn sort(&mut self, position: &G, moves: &mut [Move]) {
        let known = self.known.get(&position.hash()).copied();
        if self.evaluation.late_moves().is_some() {
            let mut ranked: Vec<Ranked> = moves.iter().map(|&mv| Ranked::new(mv)).collect();
            self.evaluation.rank(position, &mut ranked);
            ranked.sort_by_key(|it| (Some(it.mv) != known, std::cmp::Reverse(it.rank)));
            moves.iter_mut().zip(ranked).for_each(|(mv, ranked)| *mv = ranked.mv);
            return;
        }
        let plies = if moves.len() <= FEW { ORDER_PLIES } else { 1 };
        moves.sort_by_cached_key(|&mv| {
            (Some(mv) != known, std::cmp::Reverse(self.value(position, mv, plies)))
        });
    }

    /// Worth of a move to the side that plays it, after a look of so many plies.
    fn value(&mut self, position: &G, mv: Move, plies: u32) -> i32 {
        let mut child = position.clone();
        child.play(mv);
        let asked = Probe {
            position: &child,
            evaluation: &*self.evaluation,
            depth: plies - 1,
            bounds: Bounds::FULL,
        };
        let value = match probe(&mut self.memory, &asked, &mut |_| true) {
            Some((Bound::Exact(value) | Bound::AtLeast(value) | Bound::AtMost(value), _)) => value,
            Some((Bound::Unknown, _)) | None => 0,
        };
        View::of(position.side_to_move(), child.side_to_move()).value(value)
    }
}

impl<G: Knowledge> Below<G> for Top<G> {
    const UNIT: i32 = 1;
    const MAX: i32 = INFINITE;

    fn finished(&self, position: &G) -> Option<i32> {
        let outcome = position.outcome()?;
        Some(finished(outcome, stones(position), position.side_to_move()))
    }

    fn ranked(&mut self, position: &G, moves: &mut Vec<Move>) {
        position.candidates(moves);
        self.sort(position, moves);
    }

    fn is_small(&self, _: &G, plies: usize) -> bool {
        plies >= self.plies
    }

    fn late(&self, place: usize, plies: usize) -> u32 {
        let late_moves = self.evaluation.late_moves();
        late_moves.map_or(0, |it| reduction(it, place, self.depth.saturating_sub(plies as u32)))
    }
}

//! Rules that a search uses, and examples that it writes down for rules to be learned from.

use std::cell::RefCell;

use arrayvec::ArrayVec;
use banyan_games::line::{Stones, Windows};
use banyan_games::{Color, Move, Size};
use rustc_hash::FxHashMap;

use super::rules::{Guarded, Rules, has_time};

/// Rules that a search uses, and where it writes down what it proves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Learned<'r> {
    /// Rules that it may use.
    pub rules: Option<&'r Rules>,
    /// Collector of proofs.
    pub lessons: Option<&'r Lessons>,
}

/// The last two stones of the attacker: a rule that holds now and did not before has one of them, as a rule.
#[derive(Clone, Debug, Default)]
pub(super) struct Last(ArrayVec<Move, 2>);

impl Last {
    /// Forgets the older one.
    pub fn add(&mut self, mv: Move) {
        if self.0.is_full() {
            self.0.remove(0);
        }
        self.0.push(mv);
    }

    /// Both, or as many as there are.
    pub fn stones(&self) -> &[Move] {
        &self.0
    }
}

/// A position that was won by threats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The stones.
    pub stones: Stones,
    /// The board.
    pub size: Size,
    /// Side that was to move, and wins.
    pub attacker: Color,
    /// Positions that the proof took, count.
    pub work: u32,
}

impl Example {
    /// The stones of a side.
    pub fn points(&self, color: Color) -> impl Iterator<Item = (Color, Move)> {
        let (rows, size) = (&self.stones[color.index()], self.size);
        let width = usize::from(size.width);
        let is_there = move |at: &usize| rows[at / width] >> (at % width) & 1 == 1;
        (0..size.area()).filter(is_there).map(move |at| (color, Move::point(at)))
    }
}

/// Collects what a search proves.
#[derive(Debug)]
pub struct Lessons {
    /// Positions that a proof took, at least.
    work_min: u32,
    /// By the hash of the stones.
    found: RefCell<FxHashMap<u64, Example>>,
}

impl Lessons {
    /// Collects proofs that took at least `work_min` positions: cheaper ones are not worth a look-up.
    pub fn new(work_min: u32) -> Lessons {
        Lessons { work_min, found: RefCell::default() }
    }

    /// Takes note of a win of `attacker`, who is to move.
    pub(super) fn note<R: Guarded>(&self, windows: &Windows<R>, attacker: Color, work: u32) {
        // Where no rule is met, none is learned.
        if work >= self.work_min && has_time(windows, attacker) {
            let (stones, size) = (*windows.stones(), windows.size());
            let example = Example { stones, size, attacker, work };
            self.found.borrow_mut().insert(windows.hash(), example);
        }
    }

    /// Takes note of what another collector, of the same least work, collected after this one.
    pub fn join(&self, later: Lessons) {
        self.found.borrow_mut().extend(later.found.into_inner());
    }

    /// Returns what was collected, the cheapest proofs first: they ask for least.
    pub fn into_examples(self) -> Vec<Example> {
        let mut found: Vec<(u64, Example)> = self.found.into_inner().into_iter().collect();
        found.sort_by_key(|(hash, example)| (example.work, *hash));
        found.into_iter().map(|(_, example)| example).collect()
    }
}

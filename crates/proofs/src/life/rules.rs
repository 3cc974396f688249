//! Rules about local fights: what becomes of a chain in a zone of this shape, wherever it lies.
//!
//! A rule is a proof that was made once: where its shape matches, its verdict holds, whatever stands elsewhere.
//! Shapes are found by a hash of their parts that is the same for all eight symmetries and both colours, and
//! compared part by part.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use banyan_games::go::Fight;
use banyan_games::go::shape::{Part, Shape, Turn};

use crate::proof_number::Verdict;
use crate::usage::Usage;

/// Empty points of a zone that rules are about, at most: larger ones are seldom met again.
pub const EMPTY_MAX: u32 = 12;

/// A known verdict on a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// A zone as it was met, and up to [`LAYOUTS_MAX`] others that have the same parts.
    pub layouts: Vec<Shape>,
    /// Proven where the chain is taken.
    pub verdict: Verdict,
    /// Positions that were looked into to prove it, count: what a match saves.
    pub work: u32,
}

/// Zones that are kept for a rule, count.
pub const LAYOUTS_MAX: usize = 4;

impl Rule {
    /// The zone that it was first met in.
    ///
    /// # Panics
    /// Panics on a rule without a zone.
    pub fn shape(&self) -> &Shape {
        self.layouts.first().expect("a rule is about a zone")
    }

    /// Keeps another zone of the same parts, as long as there is room.
    fn add(&mut self, zone: Shape) {
        if self.layouts.len() < LAYOUTS_MAX && !self.layouts.contains(&zone) {
            self.layouts.push(zone);
        }
    }
}

/// Rules, found by shape.
#[derive(Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    /// The parts of each rule's shape.
    parts: Vec<Vec<Part>>,
    by_key: HashMap<u64, u32>,
    usage: Usage,
}

/// The same rules in the same order, however often they were met.
impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.rules == other.rules
    }
}

impl Rules {
    /// These rules; of two about one shape the first counts.
    pub fn new(rules: Vec<Rule>) -> Rules {
        let usage = Usage::of(rules.len());
        let mut by_key = HashMap::new();
        for (number, rule) in rules.iter().enumerate() {
            by_key.entry(rule.shape().key()).or_insert(number as u32);
        }
        let parts = rules.iter().map(|rule| rule.shape().parts()).collect();
        Rules { rules, parts, by_key, usage }
    }

    /// The rules in their order.
    pub fn all(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns how often each rule was met so far, in their order.
    pub fn hits(&self) -> Vec<u64> {
        self.usage.hits()
    }

    /// Returns how often a shape was looked up so far.
    pub fn asked(&self) -> u64 {
        self.usage.asked()
    }

    /// The number of a rule that holds for a shape: one about its parts and turn; or about the same with the
    /// other side winning kos, where who fails although he wins them, or succeeds although he does not.
    pub fn matching(&self, shape: &Shape) -> Option<usize> {
        let own = shape.turn;
        let other = Turn { defender_wins_kos: !own.defender_wins_kos, ..own };
        let parted = shape.parted();
        let about = |turn: Turn| {
            let number = *self.by_key.get(&parted.key(turn))? as usize;
            let is_same = self.rules[number].shape().turn == turn;
            (is_same && self.parts[number] == parted.parts()).then_some(number)
        };
        about(own).or_else(|| {
            let number = about(other)?;
            let is_dead = self.rules[number].verdict == Verdict::Proven;
            (is_dead == other.defender_wins_kos).then_some(number)
        })
    }

    /// Returns the verdict of a rule on a fight.
    pub fn verdict(&self, fight: &Fight) -> Option<Verdict> {
        let shape = fight.shape(EMPTY_MAX)?;
        let number = self.usage.count(self.matching(&shape))?;
        Some(self.rules[number].verdict)
    }
}

/// Collects what a search proves of shapes.
#[derive(Debug)]
pub struct Lessons {
    /// Positions that a proof took, at least.
    work_min: u32,
    /// By the shape's key.
    found: RefCell<HashMap<u64, Rule>>,
    /// Keys of shapes that were decided both ways: by repetitions on the way to them.
    doubtful: RefCell<HashSet<u64>>,
}

impl Lessons {
    /// Collects proofs that took at least `work_min` positions: cheaper ones are not worth a look-up.
    pub fn new(work_min: u32) -> Lessons {
        Lessons { work_min, found: RefCell::default(), doubtful: RefCell::default() }
    }

    /// Takes note of a fight that was decided.
    pub fn note(&self, fight: &Fight, verdict: Verdict, work: u32) {
        if work < self.work_min {
            return;
        }
        let Some(shape) = fight.shape(EMPTY_MAX) else { return };
        let mut found = self.found.borrow_mut();
        let empty = || Rule { layouts: Vec::new(), verdict, work };
        let rule = found.entry(shape.key()).or_insert_with(empty);
        if rule.verdict != verdict {
            self.doubtful.borrow_mut().insert(shape.key());
        }
        rule.add(shape);
        rule.work = rule.work.max(work);
    }

    /// Takes note of what another collector, of the same least work, collected after this one.
    pub fn join(&self, later: Lessons) {
        let (mut found, mut doubtful) = (self.found.borrow_mut(), self.doubtful.borrow_mut());
        doubtful.extend(later.doubtful.into_inner());
        for (key, later) in later.found.into_inner() {
            let Rule { layouts, verdict, work } = later;
            let rule = found.entry(key).or_insert(Rule { layouts: Vec::new(), verdict, work });
            if rule.verdict != verdict {
                doubtful.insert(key);
            }
            for shape in layouts {
                rule.add(shape);
            }
            rule.work = rule.work.max(work);
        }
    }

    /// Returns what was collected, the dearest first. Each is a guess as long as nobody has proven it alone: what a
    /// search finds on one line may rest on a repetition.
    pub fn into_rules(self) -> Vec<Rule> {
        let doubtful = self.doubtful.into_inner();
        let found = self.found.into_inner().into_iter();
        let mut rules: Vec<(u64, Rule)> = found.filter(|it| !doubtful.contains(&it.0)).collect();
        rules.sort_by_key(|(key, rule)| (std::cmp::Reverse(rule.work), *key));
        rules.into_iter().map(|(_, rule)| rule).collect()
    }
}

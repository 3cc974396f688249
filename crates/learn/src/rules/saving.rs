//! Savings by rules: the same questions with and without them.

use std::fmt;
use std::time::{Duration, Instant};

use serde::Serialize;

/// Figures of one way to search.
#[derive(Clone, Debug)]
pub struct Figures<V> {
    /// Verdicts, one for each question; nothing where the search gave up.
    pub verdicts: Vec<Option<V>>,
    /// Positions looked into for each question.
    pub positions: Vec<u64>,
    /// Wall time of each question.
    pub times: Vec<Duration>,
}

/// Asks all questions; a search answers with a verdict and the positions it took.
pub fn measured<Q, V>(questions: &[Q], search: impl Fn(&Q) -> (Option<V>, u64)) -> Figures<V> {
    let mut figures = Figures { verdicts: Vec::new(), positions: Vec::new(), times: Vec::new() };
    for question in questions {
        let begun = Instant::now();
        let (verdict, positions) = search(question);
        figures.verdicts.push(verdict);
        figures.positions.push(positions);
        figures.times.push(begun.elapsed());
    }
    figures
}

/// Changes that rules make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Questions decided with and without rules, count.
    pub decided: usize,
    /// Verdicts on these that rules changed, count: none may.
    pub changed: usize,
    /// Questions decided with rules alone, count.
    pub gained: usize,
    /// Questions decided without rules alone, count.
    pub lost: usize,
    /// Positions without and with rules on questions that both decide.
    pub positions: [u64; 2],
    /// The time of the same.
    pub times: [Duration; 2],
}

/// Compares the search without rules and with them.
pub fn compare<V: PartialEq>(off: &Figures<V>, on: &Figures<V>) -> Comparison {
    let mut found = Comparison {
        decided: 0,
        changed: 0,
        gained: 0,
        lost: 0,
        positions: [0; 2],
        times: [Duration::ZERO; 2],
    };
    for at in 0..off.verdicts.len() {
        match (&off.verdicts[at], &on.verdicts[at]) {
            (None, None) => {}
            (None, _) => found.gained += 1,
            (_, None) => found.lost += 1,
            (Some(one), Some(other)) => {
                found.decided += 1;
                found.changed += usize::from(one != other);
                found.positions[0] += off.positions[at];
                found.positions[1] += on.positions[at];
                found.times[0] += off.times[at];
                found.times[1] += on.times[at];
            }
        }
    }
    found
}

/// Use of rules in a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// Rules, count.
    pub rules: usize,
    /// Rules that were met, count.
    pub met: usize,
    /// Look-ups, count.
    pub look_ups: u64,
    /// Microseconds that one takes.
    pub microseconds: f64,
}

impl Use {
    /// Use of rules that were met so often each.
    pub fn new(hits: &[u64], look_ups: u64, microseconds: f64) -> Use {
        let met = hits.iter().filter(|&&hits| hits > 0).count();
        Use { rules: hits.len(), met, look_ups, microseconds }
    }
}

/// The answer of `banyan rules measure`.
#[derive(Debug, Serialize)]
pub struct Saving {
    questions: usize,
    decided: usize,
    changed: usize,
    gained: usize,
    lost: usize,
    positions_off: u64,
    positions_on: u64,
    seconds_off: f64,
    seconds_on: f64,
    rules: usize,
    rules_met: usize,
    look_ups: u64,
    microseconds_a_look_up: f64,
}

impl Saving {
    /// Saving in a measurement without rules and with them.
    pub fn new<V: PartialEq>(off: &Figures<V>, on: &Figures<V>, used: Use) -> Saving {
        let found = compare(off, on);
        Saving {
            questions: off.verdicts.len(),
            decided: found.decided,
            changed: found.changed,
            gained: found.gained,
            lost: found.lost,
            positions_off: found.positions[0],
            positions_on: found.positions[1],
            seconds_off: found.times[0].as_secs_f64(),
            seconds_on: found.times[1].as_secs_f64(),
            rules: used.rules,
            rules_met: used.met,
            look_ups: used.look_ups,
            microseconds_a_look_up: used.microseconds,
        }
    }
}

impl fmt::Display for Saving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * (1.0 - self.positions_on as f64 / self.positions_off.max(1) as f64);
        write!(
            f,
            "{} questions, {} decided both ways, {} verdicts changed, {} more decided, {} fewer\n\
             positions {} without rules, {} with: {share:.1} % fewer\n\
             seconds {:.2} without, {:.2} with\n\
             {} rules, {} of them met; {} look-ups, {:.2} µs each",
            self.questions,
            self.decided,
            self.changed,
            self.gained,
            self.lost,
            self.positions_off,
            self.positions_on,
            self.seconds_off,
            self.seconds_on,
            self.rules,
            self.rules_met,
            self.look_ups,
            self.microseconds_a_look_up,
        )
    }
}

//! The table of a predictor: what makes the shares of visits that searches gave to their moves likeliest.
//!
//! The odds of a move are the exponential of the sum of its features' logits; the loss is the cross
//! entropy between the shares of a search and those of the odds, and a penalty on large logits, which
//! keeps what was seldom seen small. Found by stochastic gradient descent.

use std::collections::HashMap;
use std::fmt;
use std::io::Write;

use banyan_games::Rng;
use banyan_knowledge::go::Feature;

use crate::adagrad::Weight;

/// A position that was searched.
pub(super) struct Lesson {
    /// Features of each candidate that speak for or against it.
    pub(super) features: Vec<Vec<Feature>>,
    /// Shares of the visits, one for each candidate; together 1.
    pub(super) shares: Vec<f32>,
}

/// Settings of the learning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// Passes over all lessons.
    pub(super) rounds: u32,
    /// Step of the first gradient of each feature.
    pub(super) rate: f64,
    /// Weight of the penalty: a half of the square of each logit, once a round.
    pub(super) penalty: f64,
    /// Shapes of stones that were seen less often are left out.
    pub(super) seen_min: u32,
}

/// A feature and its logit.
#[derive(Clone, Debug)]
struct Line {
    feature: Feature,
    logit: Weight,
    seen: u32,
}

/// Quality of a table's forecasts of positions that it was not learned from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Report {
    /// Mean cross entropy, in nats.
    pub(super) loss: f64,
    /// Share of positions whose most visited move has the largest odds.
    pub(super) hits: f64,
    /// Share of the visits that the three moves of the largest odds got.
    pub(super) top_three: f64,
}

/// A lesson by the numbers of lines.
struct Numbered {
    lines: Vec<Vec<u32>>,
    shares: Vec<f32>,
}

/// A table that is being learned.
pub(super) struct Predictor {
    lines: Vec<Line>,
    numbers: HashMap<Feature, u32>,
}

impl Predictor {
    /// Learns a table.
    pub(super) fn learn(lessons: &[Lesson], course: Course) -> Predictor {
        let mut predictor = Predictor::seen(lessons, course.seen_min);
        let mut lessons: Vec<Numbered> = lessons.iter().map(|of| predictor.number(of)).collect();
        let mut rng = Rng::from_seed(1);
        for _ in 0..course.rounds {
            for index in (1..lessons.len()).rev() {
                lessons.swap(index, rng.below(index as u32 + 1) as usize);
            }
            for lesson in &lessons {
                predictor.step(lesson, course);
            }
        }
        predictor
    }

    /// A table of what was seen often enough, all logits 0.
    fn seen(lessons: &[Lesson], seen_min: u32) -> Predictor {
        let mut seen: HashMap<Feature, u32> = HashMap::new();
        let all = lessons.iter().flat_map(|lesson| lesson.features.iter().flatten());
        all.for_each(|&feature| *seen.entry(feature).or_default() += 1);
        let line = |(feature, seen)| Line { feature, logit: Weight::default(), seen };
        let is_kept = |&(feature, seen): &(Feature, u32)| !feature.is_shape() || seen >= seen_min;
        let mut lines: Vec<Line> = seen.into_iter().filter(is_kept).map(line).collect();
        lines.sort_by_key(|line| line.feature);
        let numbers = lines.iter().enumerate().map(|(at, line)| (line.feature, at as u32));
        Predictor { numbers: numbers.collect(), lines }
    }

    fn number(&self, lesson: &Lesson) -> Numbered {
        let known = |features: &Vec<Feature>| {
            features.iter().filter_map(|feature| self.numbers.get(feature).copied()).collect()
        };
        let lines = lesson.features.iter().map(known).collect();
        Numbered { lines, shares: lesson.shares.clone() }
    }

    /// The share of each candidate by its odds.
    fn foretell(&self, lesson: &Numbered) -> Vec<f32> {
        let logit = |&at: &u32| self.lines[at as usize].logit.at as f32;
        let logit = |lines: &Vec<u32>| lines.iter().map(logit).sum();
        let logits: Vec<f32> = lesson.lines.iter().map(logit).collect();
        let best = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let odds: Vec<f32> = logits.into_iter().map(|logit| (logit - best).exp()).collect();
        let sum: f32 = odds.iter().sum();
        odds.into_iter().map(|odds| odds / sum).collect()
    }

    fn step(&mut self, lesson: &Numbered, course: Course) {
        let foretold = self.foretell(lesson);
        for ((lines, share), foretold) in lesson.lines.iter().zip(&lesson.shares).zip(foretold) {
            for &at in lines {
                let line = &mut self.lines[at as usize];
                let penalty = course.penalty * line.logit.at / f64::from(line.seen);
                line.logit.step(f64::from(foretold - share) + penalty, course.rate);
            }
        }
    }

    /// Reports how well it foretells these.
    pub(super) fn report(&self, lessons: &[Lesson]) -> Report {
        let mut report = Report::default();
        for lesson in lessons {
            report.add(lesson, &self.foretell(&self.number(lesson)), lessons.len());
        }
        report
    }

    /// Number of features that it knows.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Writes the table in the order of kinds.
    pub(super) fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        for line in &self.lines {
            writeln!(out, "{} {:.2}", line.feature, line.logit.at)?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cross entropy {:.3}, {:.1} % of the most visited moves, {:.1} % of all visits among three",
            self.loss,
            100.0 * self.hits,
            100.0 * self.top_three
        )
    }
}

impl Report {
    /// Adds one of `count` positions.
    fn add(&mut self, lesson: &Lesson, foretold: &[f32], count: usize) {
        let loss: f32 =
            lesson.shares.iter().zip(foretold).map(|(s, f)| -s * f.max(1e-9).ln()).sum();
        let mut order: Vec<usize> = (0..foretold.len()).collect();
        order.sort_by(|&a, &b| foretold[b].total_cmp(&foretold[a]));
        let best = lesson.shares.iter().copied().fold(0.0, f32::max);
        let is_hit = order.first().is_some_and(|&first| lesson.shares[first] == best);
        let top: f32 = order.iter().take(3).map(|&at| lesson.shares[at]).sum();
        let one = 1.0 / count as f64;
        self.loss += f64::from(loss) * one;
        self.hits += f64::from(u8::from(is_hit)) * one;
        self.top_three += f64::from(top) * one;
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::go::{Go, GoRules};
    use banyan_games::{Game, Move};

    use super::*;
    use banyan_knowledge::go::features;

    /// Searches of one position: the taken stone got three visits of four, the corner the fourth.
    fn lessons() -> Vec<Lesson> {
        let mut position = Go::new(&GoRules::new(9, 15).expect("a size of Go"));
        [1, 0, 80].into_iter().for_each(|point| position.play(Move::point(point)));
        let features = features(&position, &[Move::point(9), Move::point(72)]);
        let lesson = || Lesson { features: features.clone(), shares: vec![0.75, 0.25] };
        (0..50).map(|_| lesson()).collect()
    }

    #[test]
    fn the_shares_of_searches_are_learned_but_for_the_penalty() {
        let course = Course { rounds: 20, rate: 0.1, penalty: 0.01, seen_min: 1 };
        let lessons = lessons();
        let predictor = Predictor::learn(&lessons, course);
        let foretold = predictor.foretell(&predictor.number(&lessons[0]));
        assert!((foretold[0] - 0.75).abs() < 0.02, "{foretold:?}");
        let report = predictor.report(&lessons);
        assert_eq!((report.hits.round(), report.top_three.round()), (1.0, 1.0));
        // The entropy of one in four.
        assert!((report.loss - 0.562).abs() < 0.005, "{report}");
        let heavy = Course { penalty: 1000.0, ..course };
        let held = Predictor::learn(&lessons, heavy);
        let foretold = held.foretell(&held.number(&lessons[0]));
        assert!((0.5..0.7).contains(&foretold[0]), "{foretold:?}");
    }

    #[test]
    fn shapes_that_were_seldom_seen_are_left_out_and_nothing_else() {
        let course = Course { rounds: 1, rate: 0.1, penalty: 1.0, seen_min: 101 };
        let predictor = Predictor::learn(&lessons(), course);
        assert!(predictor.len() > 0);
        assert!(predictor.lines.iter().all(|line| !line.feature.is_shape()));
        let mut text = Vec::new();
        predictor.write(&mut text).expect("memory takes everything");
        assert_eq!(String::from_utf8(text).expect("text").lines().count(), predictor.len());
    }
}

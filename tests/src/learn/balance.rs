//! The weights whose playouts come nearest to the values of positions.
//!
//! A good playout need not play good moves: the mistakes of both sides have to balance. So each weight goes
//! down the slope of the squared distance between a position's value and the mean of its playouts.
//!
//! # Source
//! Silver and Tesauro 2009, policy gradient simulation balancing; Huang, Coulom and Lin 2010 for Go 9x9.

use std::io::Write;
use std::ops::Range;

use anyhow::bail;
use banyan_games::go::{Go, Lesson, Trait};
use banyan_games::{Color, Rng};

use super::positions::Valued;
use super::{Balance, table};

/// Positions whose slopes are followed together.
const BATCH: usize = 16;

/// One position in so many is kept back.
const KEPT_BACK: usize = 10;

/// Playouts of a position that is kept back.
const PLAYOUTS_KEPT_BACK: u32 = 200;

/// Surroundings whose weight differs from 1 by less (of the natural logarithm) are not written.
const CHANGE_MIN: f64 = 0.05;

/// A table that is learned, by natural logarithms of weights.
struct Balancing {
    logs: Vec<f64>,
    /// The same as weights.
    weights: Vec<f64>,
    /// What may change: all but what is held.
    learned: Vec<Trait>,
    /// Sums of `logs` over the steps of the last round.
    sums: Vec<f64>,
    steps: u32,
}

/// Learns, and writes how it goes as remarks, then the table.
pub(super) fn balance(
    balance: &Balance,
    positions: Vec<Valued>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut rng = Rng::from_seed(balance.seed);
    let (mut kept_back, mut lessons) = (Vec::new(), Vec::new());
    for (index, position) in positions.into_iter().enumerate() {
        if index.is_multiple_of(KEPT_BACK) { &mut kept_back } else { &mut lessons }.push(position);
    }
    let mut table = Balancing::new(&balance.hold)?;
    let (learning, kept) = (lessons.len(), kept_back.len());
    writeln!(
        out,
        "% Learned from {learning} positions, {kept} more kept back for the errors below."
    )?;
    let mut report = |table: &Balancing, what: &str| {
        let error = table.error(&kept_back, balance.threads);
        writeln!(out, "% mean squared error {what}: {error:.5}")
    };
    report(&table, "before")?;
    for round in 0..balance.rounds {
        shuffle(&mut lessons, &mut rng);
        (table.sums, table.steps) = (vec![0.0; Trait::COUNT], 0);
        for (index, batch) in lessons.chunks(BATCH).enumerate() {
            let done = f64::from(round) + (index * BATCH) as f64 / lessons.len() as f64;
            let step = balance.step * 0.1_f64.powf(done / f64::from(balance.rounds));
            table.step(batch, step, (balance, rng.bits()));
        }
        report(&table, &format!("after round {}", round + 1))?;
    }
    table.average();
    report(&table, "by the mean of the last round")?;
    table.write(out)
}

fn shuffle(positions: &mut [Valued], rng: &mut Rng) {
    for index in (1..positions.len()).rev() {
        positions.swap(index, rng.below(index as u32 + 1) as usize);
    }
}

/// Runs `work` on shares of `positions`, one a thread, and returns what each made of its share.
fn share<T: Send>(
    positions: &[Valued],
    threads: u32,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let size = positions.len().div_ceil(threads as usize).max(1);
    std::thread::scope(|scope| {
        let starts = (0..positions.len()).step_by(size);
        let ranges = starts.map(|start| start..(start + size).min(positions.len()));
        let work = &work;
        let running: Vec<_> = ranges.map(|range| scope.spawn(move || work(range))).collect();
        running.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

/// Black's share of a playout's win.
fn result(position: &Go, weights: &[f64], rng: &mut Rng, lesson: &mut Lesson) -> f64 {
    match lesson.play(position, weights, rng).winner() {
        Some(Color::Black) => 1.0,
        Some(Color::White) => 0.0,
        None => 0.5,
    }
}

impl Balancing {
    fn new(held: &[String]) -> anyhow::Result<Balancing> {
        let factors: Vec<String> =
            Trait::all().filter(|of| of.class() > 0).map(|of| of.to_string()).collect();
        if let Some(unknown) = held.iter().find(|name| !factors.contains(name)) {
            bail!("'{unknown}' is no factor: expected one of {}", factors.join(", "));
        }
        let is_learned = |of: &Trait| of.class() == 0 || !held.contains(&of.to_string());
        let mut weights = vec![1.0; Trait::COUNT];
        Trait::all().for_each(|of| weights[of.index()] = of.weight().max(*of.weights().start()));
        let logs = weights.iter().map(|weight| weight.ln()).collect();
        let (learned, sums) = (Trait::all().filter(is_learned).collect(), vec![0.0; Trait::COUNT]);
        Ok(Balancing { logs, weights, learned, sums, steps: 0 })
    }

    /// Follows the mean slope of some positions.
    fn step(&mut self, batch: &[Valued], step: f64, (balance, seed): (&Balance, u64)) {
        let slopes = share(batch, balance.threads, |range| {
            let mut slopes = Vec::new();
            for index in range {
                let mut rng = Rng::from_seed(seed ^ (index as u64) << 32);
                self.add_slopes(&batch[index], balance.playouts, &mut rng, &mut slopes);
            }
            slopes
        });
        let mut changes = vec![0.0; Trait::COUNT];
        for (of, slope) in slopes.into_iter().flatten() {
            changes[of.index()] += step * slope / batch.len() as f64;
        }
        for of in &self.learned {
            let bounds = of.weights();
            let log = self.logs[of.index()] + changes[of.index()];
            self.logs[of.index()] = log.clamp(bounds.start().ln(), bounds.end().ln());
            self.weights[of.index()] = self.logs[of.index()].exp();
        }
        self.sums.iter_mut().zip(&self.logs).for_each(|(sum, log)| *sum += log);
        self.steps += 1;
    }

    /// Adds by how much each weight should grow to bring this position's playouts to its value.
    ///
    /// Two halves of the playouts: the distance that one shows times the slopes of the other, both ways,
    /// since the product of two independent means is unbiased.
    fn add_slopes(
        &self,
        of: &Valued,
        playouts: u32,
        rng: &mut Rng,
        slopes: &mut Vec<(Trait, f64)>,
    ) {
        let mut halves = [(); 2].map(|()| {
            let mut lesson = Lesson::default();
            let played = (0..playouts / 2).map(|_| {
                let result = result(&of.position, &self.weights, rng, &mut lesson);
                (result, std::mem::take(&mut lesson.slopes))
            });
            played.collect::<Vec<_>>()
        });
        let mean = |half: &[(f64, Vec<_>)]| {
            half.iter().map(|(result, _)| result).sum::<f64>() / half.len() as f64
        };
        let means = [mean(&halves[0]), mean(&halves[1])];
        for (half, other) in [(0, 1), (1, 0)] {
            let distance = of.value - means[other];
            let count = halves[half].len() as f64;
            for (result, own) in halves[half].drain(..) {
                // The other half's mean is a baseline: it takes nothing away but noise.
                let weight = distance * (result - means[other]) / (2.0 * count);
                slopes.extend(own.into_iter().map(|(of, slope)| (of, weight * slope)));
            }
        }
    }

    /// The mean squared distance between values and means of playouts, what chance alone makes taken off.
    fn error(&self, positions: &[Valued], threads: u32) -> f64 {
        let errors = share(positions, threads, |range| {
            let mut lesson = Lesson::default();
            let error = |index: usize| {
                let Valued { position, value } = &positions[index];
                let mut rng = Rng::from_seed(index as u64);
                let count = f64::from(PLAYOUTS_KEPT_BACK);
                let results = (0..PLAYOUTS_KEPT_BACK)
                    .map(|_| result(position, &self.weights, &mut rng, &mut lesson));
                let mean = results.sum::<f64>() / count;
                (value - mean).powi(2) - mean * (1.0 - mean) / (count - 1.0)
            };
            range.map(error).sum::<f64>()
        });
        errors.iter().sum::<f64>() / positions.len().max(1) as f64
    }

    /// Puts the mean of the last round's steps in place of where the last of them led.
    fn average(&mut self) {
        let steps = f64::from(self.steps.max(1));
        for (index, sum) in self.sums.iter().enumerate() {
            self.logs[index] = sum / steps;
            self.weights[index] = self.logs[index].exp();
        }
    }

    fn write(&self, out: &mut impl Write) -> anyhow::Result<()> {
        // What the table does not name weighs 1; eyes, which weigh nothing, cannot be learned.
        let is_named = |of: &Trait| {
            let is_surrounding = of.class() == 0;
            let is_learned = of.weight() > 0.0 && self.logs[of.index()].abs() >= CHANGE_MIN;
            !is_surrounding || is_learned
        };
        table::write(Trait::all().filter(is_named).map(|of| (of, self.weights[of.index()])), out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Arguments, run};
    use clap::Parser as _;

    fn learn(words: &[&str]) -> String {
        let arguments = [&["banyan-learn"], words].concat();
        let mut out = Vec::new();
        run(&Arguments::parse_from(arguments), &mut out).expect("it learns");
        String::from_utf8(out).expect("text")
    }

    fn errors(table: &str) -> Vec<f64> {
        let words = table
            .lines()
            .filter(|line| line.contains("squared error"))
            .map(|line| line.rsplit(' ').next().expect("a figure").parse().expect("a number"));
        words.collect()
    }

    /// Games of the lab, their positions, and a table: each command reads what the one before wrote.
    #[test]
    fn games_become_positions_and_these_a_table_that_is_nearer_to_their_values() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("it can be written");
            path.to_str().expect("a plain name").to_owned()
        };
        let quick = "playouts=60 policy=heavy batch=1 window=1";
        let games = file("games", &learn(&["play", "--games", "2", "--settings", quick]));
        let searched = learn(&["value", &games, "--settings", quick, "--every", "10"]);
        assert!(searched.lines().count() > 4, "{searched}");
        // Black wins them all, as no playout of the table would have it.
        let won: String = searched.lines().fold(String::new(), |won, line| {
            let (_, position) = line.split_once(' ').expect("a value first");
            won + "1.0 " + position + "\n"
        });
        let positions = file("positions", &won.repeat(4));
        let words = "--rounds 6 --playouts 16 --step 100 --threads 2 --hold capture-one";
        let words: Vec<&str> =
            ["balance", &positions].into_iter().chain(words.split(' ')).collect();
        let table = learn(&words);
        let errors = errors(&table);
        assert_eq!(errors.len(), 8, "{table}");
        assert!(errors[7] < 0.9 * errors[0], "{errors:?}");
        let weight = |name: &str| {
            let line = table.lines().find(|line| line.starts_with(name)).expect("every factor");
            let weight = line.rsplit(' ').next().expect("a weight");
            weight.parse::<f64>().expect("a number")
        };
        let of =
            |name: &str| Trait::all().find(|of| of.to_string() == name).expect("a factor").weight();
        assert!((weight("capture-one ") - of("capture-one")).abs() < 0.001, "it is held");
        assert!((weight("atari-last ") / of("atari-last")).ln().abs() > 0.01, "it is not");
        assert_eq!(table, learn(&words), "the same seed learns the same");
    }

    #[test]
    fn a_factor_that_is_held_must_be_one() {
        let error = Balancing::new(&["luck".to_owned()]).err().expect("there is no luck");
        assert!(error.to_string().contains("'luck' is no factor: expected one of capture-one"));
    }

    #[test]
    fn what_is_no_position_is_refused_by_what_is_wrong_with_it() {
        use crate::learn::positions::read;
        for (line, wrong) in [
            ("0.5", "no position"),
            ("much 9 A1", "'much' is no value"),
            ("1.5 9 A1", "1.5 is no value"),
            ("0.5 99 A1", "99"),
            ("0.5 9 A1 A1", "A1"),
        ] {
            let error = read(line).err().expect(line);
            assert!(format!("{error:#}").contains(wrong), "{line}: {error:#}");
        }
    }
}

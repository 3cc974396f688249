//! A soak: one coordinator plays game after game while its workers are killed, frozen, drained and
//! started, and at the end every lease is accounted for and no memory has been lost.
//!
//! - [`chaos`]: what happens to the workers.
//! - here: the games, the samples, and the verdict.

mod chaos;

use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;

use crate::processes::{PATIENCE, Process, binary, free_address};
use crate::runner::engine::Engine;
use crate::scrape;
use chaos::{Chaos, Done};

/// A game that nobody ends is broken off.
const PLIES_MAX: u32 = 200;

/// No command takes longer, whatever happens to workers: the time of a move, and what finds a frozen one.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(10);

/// Memory may be so much larger in the last third of the samples than in the one before it.
const GROWTH_MAX: f64 = 1.15;

/// Options of a soak.
#[derive(Clone, Debug, Parser)]
#[command(name = "banyan-soak")]
pub struct Arguments {
    /// How long, seconds.
    #[arg(long, default_value_t = 1800)]
    pub seconds: u64,
    /// Workers that come and go; one more stays.
    #[arg(long, default_value_t = 4)]
    pub workers: usize,
    /// Seed of what happens to them.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Options of the coordinator, `--game` among them.
    #[arg(long, default_value = "--size 9 --threads 0 --time 0.3s --tree-memory 64MiB")]
    pub options: String,
}

/// Memory at one time, MiB resident.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Since the beginning.
    pub at: Duration,
    /// The coordinator.
    pub coordinator: f64,
    /// The worker that stays.
    pub worker: f64,
}

/// The outcome of a soak.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Memory over time.
    pub samples: Vec<Sample>,
    /// Games that ended, and moves.
    pub games: u32,
    /// Moves of all games.
    pub moves: u32,
    /// The longest that a command took.
    pub slowest: Duration,
    /// Faults that happened to workers.
    pub done: Done,
    /// The coordinator's last metrics.
    pub metrics: std::collections::BTreeMap<String, f64>,
}

impl Arguments {
    /// Soaks, and writes how it stands now and then.
    ///
    /// # Errors
    /// When nothing can be written.
    pub fn run(&self, out: &mut impl Write) -> std::io::Result<Outcome> {
        let (address, metrics) = (free_address(), free_address());
        let program = binary("banyan");
        let options = &self.options;
        let doors = format!("--listen {address} --metrics {metrics}");
        let command = format!("{} gtp {options} {doors} --resign 0", program.display());
        let mut engine = Engine::start(&command).expect("our own engine starts");
        let steady = Process::worker(&address, "steady");
        steady.wait_for_log("working for");
        let stop = AtomicBool::new(false);
        let coordinator = engine.id();
        let mut outcome = Outcome::default();
        std::thread::scope(|scope| -> std::io::Result<()> {
            let games = scope.spawn(|| play(&mut engine, &stop));
            let mut chaos = Chaos::new(&address, self.workers, self.seed);
            let began = Instant::now();
            let between = Duration::from_secs_f64(self.seconds as f64 / 60.0);
            while began.elapsed().as_secs() < self.seconds && !games.is_finished() {
                chaos.go_on(between);
                let [coordinator, worker] = [coordinator, steady.id()].map(resident);
                let sample = Sample { at: began.elapsed(), coordinator, worker };
                writeln!(out, "{sample}; {}", chaos.done)?;
                out.flush()?;
                outcome.samples.push(sample);
            }
            stop.store(true, Ordering::Relaxed);
            outcome.done = chaos.done;
            (outcome.games, outcome.moves, outcome.slowest) = games.join().expect("games go on");
            Ok(())
        })?;
        // The last search is closed, and the view published, within a tick.
        let text =
            scrape::wait_for(&metrics, |name, value| name == "banyan_searches" && value == 0.0);
        outcome.metrics = scrape::samples(&text);
        engine.quit();
        writeln!(out, "{outcome}")?;
        Ok(outcome)
    }
}

/// Plays until told to stop; returns games, moves, and the longest that a command took.
fn play(engine: &mut Engine, stop: &AtomicBool) -> (u32, u32, Duration) {
    let (mut games, mut moves, mut slowest) = (0, 0, Duration::ZERO);
    let mut ask = |command: &str| {
        let started = Instant::now();
        let answer = engine.ask(command, PATIENCE).unwrap_or_else(|error| panic!("{error}"));
        slowest = slowest.max(started.elapsed());
        answer.trim().to_lowercase()
    };
    while !stop.load(Ordering::Relaxed) {
        ask("clear_board");
        for _ in 0..PLIES_MAX {
            // Sides do not alternate in every game, and not every game ends with passes.
            let Some(side) = side_to_move(&ask("showboard")) else { break };
            let is_given_up = ask(&format!("genmove {side}")) == "resign";
            moves += 1;
            if is_given_up || stop.load(Ordering::Relaxed) {
                break;
            }
        }
        games += 1;
    }
    (games, moves, slowest)
}

/// The side to move, by the last words of a board that was shown, in small letters; none where the game is over.
fn side_to_move(board: &str) -> Option<char> {
    let sides = [("black to move", 'b'), ("white to move", 'w')];
    sides.into_iter().find(|(words, _)| board.ends_with(words)).map(|(_, letter)| letter)
}

/// Memory of a process, MiB.
fn resident(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}

impl Outcome {
    /// Complaints; none when all is well.
    pub fn complaints(&self) -> Vec<String> {
        let metric = |name: &str| self.metrics.get(name).copied().unwrap_or(f64::NAN);
        let ended = |end: &str| metric(&format!("banyan_leases_ended_total{{end=\"{end}\"}}"));
        let ends: f64 = ["answered", "lost", "dead"].map(ended).iter().sum();
        let leases = metric("banyan_leases_total");
        let mut wrong = Vec::new();
        if leases != ends {
            wrong.push(format!("{leases} leases were lent, and {ends} ended"));
        }
        if metric("banyan_workers_quarantined") != 0.0 {
            wrong.push("an honest worker was put out".to_owned());
        }
        if self.slowest > ANSWER_TIME_MAX {
            wrong.push(format!("a command took {:?}", self.slowest));
        }
        for (name, of) in [("coordinator", coordinator as fn(&Sample) -> f64), ("worker", worker)] {
            if let Some((before, after)) = self.memory(of).filter(|(a, b)| *b > a * GROWTH_MAX) {
                wrong.push(format!("the {name} grew from {before:.0} to {after:.0} MiB"));
            }
        }
        wrong
    }

    /// Medians of the middle and of the last third of the samples.
    fn memory(&self, of: fn(&Sample) -> f64) -> Option<(f64, f64)> {
        let third = self.samples.len() / 3;
        let median = |samples: &[Sample]| {
            let mut values: Vec<f64> = samples.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied()
        };
        let rest = self.samples.get(third..)?;
        Some((median(rest.get(..third)?)?, median(rest.get(third..)?)?))
    }
}

fn coordinator(sample: &Sample) -> f64 {
    sample.coordinator
}

fn worker(sample: &Sample) -> f64 {
    sample.worker
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sample { at, coordinator, worker } = self;
        let seconds = at.as_secs();
        write!(f, "{seconds:>5} s: coordinator {coordinator:.1} MiB, worker {worker:.1} MiB")
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, moves, slowest) = (self.games, self.moves, self.slowest.as_secs_f64());
        writeln!(
            f,
            "{games} games, {moves} moves, the slowest command {slowest:.2} s; {}",
            self.done
        )?;
        let batches = ["lease", "batch", "tallies", "audit", "playouts"];
        let of_batches =
            |name: &str| batches.iter().any(|part| name.starts_with(&format!("banyan_{part}")));
        for (name, value) in self.metrics.iter().filter(|(name, _)| of_batches(name)) {
            writeln!(f, "{name} {value}")?;
        }
        let complaints = self.complaints();
        if complaints.is_empty() {
            return write!(f, "every lease is accounted for, and memory is flat");
        }
        write!(f, "WRONG: {}", complaints.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use banyan_games::connect6::{Connect6, Connect6Rules};
    use banyan_games::{Move, Record};
    use banyan_records::diagram;

    use super::*;

    #[test]
    fn whoever_is_to_move_moves_and_nobody_once_a_game_is_over() {
        let rules = Connect6Rules::new(19).expect("a size");
        let mut record = Record::<Connect6>::new(&rules);
        let mut sides = Vec::new();
        // Black's six in the first row, White's in every other point of the second.
        for point in [0, 19, 21, 1, 2, 23, 25, 3, 4, 27, 29, 5] {
            sides.push(side_to_move(&diagram::text(&record).to_lowercase()));
            record.play(Move::point(point)).expect("a free point");
        }
        assert_eq!(sides, "bwwbbwwbbwwb".chars().map(Some).collect::<Vec<_>>());
        assert_eq!(side_to_move(&diagram::text(&record).to_lowercase()), None);
    }
}

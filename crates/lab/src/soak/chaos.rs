//! Faults that happen to the workers of a soak: one thing every second or two, drawn from a seed.

use std::fmt;
use std::time::{Duration, Instant};

use banyan_games::Rng;
use rustix::process::Signal;

use crate::processes::Process;

/// Between two events, milliseconds.
const PAUSE_MS: std::ops::Range<u32> = 300..2_500;

/// A frozen worker thaws after so long, milliseconds: sometimes before it is missed, sometimes after.
const FROZEN_MS: std::ops::Range<u32> = 200..5_000;

/// Events so far, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Workers started.
    pub joined: u32,
    /// Workers killed.
    pub killed: u32,
    /// Workers stopped, and let go on later.
    pub frozen: u32,
    /// Workers told to drain.
    pub drained: u32,
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Done { joined, killed, frozen, drained } = self;
        write!(f, "{joined} joined, {killed} killed, {frozen} frozen, {drained} drained")
    }
}

struct Victim {
    process: Process,
    thaws: Option<Instant>,
}

/// Workers and what happens to them next.
pub(super) struct Chaos {
    address: String,
    workers_max: usize,
    rng: Rng,
    workers: Vec<Victim>,
    /// Told to drain; waited for at the end.
    leaving: Vec<Process>,
    pub(super) done: Done,
}

impl Chaos {
    pub(super) fn new(address: &str, workers_max: usize, seed: u64) -> Chaos {
        Chaos {
            address: address.to_owned(),
            workers_max,
            rng: Rng::from_seed(seed),
            workers: Vec::new(),
            leaving: Vec::new(),
            done: Done::default(),
        }
    }

    /// Goes on for so long.
    pub(super) fn go_on(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while Instant::now() < deadline {
            self.happen();
            let pause = self.draw(PAUSE_MS);
            std::thread::sleep(pause.min(deadline.saturating_duration_since(Instant::now())));
            self.thaw();
            self.leaving.retain_mut(|worker| !worker.has_ended());
        }
    }

    fn draw(&mut self, ms: std::ops::Range<u32>) -> Duration {
        let more = self.rng.below(ms.end - ms.start);
        Duration::from_millis(u64::from(ms.start + more))
    }

    fn happen(&mut self) {
        let full = self.workers.len() >= self.workers_max;
        let event = if self.workers.is_empty() { 0 } else { self.rng.below(5) };
        match event {
            0 | 1 if !full => {
                let name = format!("worker-{}", self.done.joined);
                let process = Process::worker(&self.address, &name);
                self.workers.push(Victim { process, thaws: None });
                self.done.joined += 1;
            }
            2 => {
                let lasting = self.draw(FROZEN_MS);
                let victim = self.pick();
                if self.workers[victim].thaws.is_none() {
                    self.workers[victim].process.signal(Signal::STOP);
                    self.workers[victim].thaws = Some(Instant::now() + lasting);
                    self.done.frozen += 1;
                }
            }
            3 => {
                let victim = self.pick();
                let mut victim = self.workers.swap_remove(victim);
                victim.process.signal(Signal::TERM);
                if victim.thaws.take().is_some() {
                    victim.process.signal(Signal::CONT);
                }
                self.leaving.push(victim.process);
                self.done.drained += 1;
            }
            _ => {
                let victim = self.pick();
                self.workers.swap_remove(victim).process.signal(Signal::KILL);
                self.done.killed += 1;
            }
        }
    }

    fn pick(&mut self) -> usize {
        self.rng.below(self.workers.len() as u32) as usize
    }

    fn thaw(&mut self) {
        for victim in &mut self.workers {
            if victim.thaws.is_some_and(|at| at <= Instant::now()) {
                victim.process.signal(Signal::CONT);
                victim.thaws = None;
            }
        }
    }
}

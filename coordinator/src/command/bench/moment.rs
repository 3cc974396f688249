//! The figures of a cluster at one moment: two of them and their difference are a measurement.

use std::time::{Duration, Instant};

use banyan_jobs::WorkerId;

use crate::cluster::Link;
use crate::view;

/// Nodes and processor time at one moment.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    /// When.
    pub at: Instant,
    /// Every worker that is or was there.
    pub nodes: Vec<(WorkerId, view::Node)>,
    /// Work of all cores of this machine so far; nothing where the system does not say.
    pub machine: Option<Machine>,
    /// Processor time of this process.
    pub process: Duration,
    /// Processor time of the search thread.
    pub search: Duration,
    /// Processor time of the cluster's thread.
    pub cluster: Duration,
}

/// Time of all cores of a machine, in the system's ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Machine {
    busy: u64,
    idle: u64,
}

impl Machine {
    fn now() -> Option<Machine> {
        Machine::read(&std::fs::read_to_string("/proc/stat").ok()?)
    }

    /// From the first line of `/proc/stat`: user, nice, system, idle, waiting for a disk, and then
    /// more kinds of busy time.
    fn read(text: &str) -> Option<Machine> {
        let line = text.lines().next()?.strip_prefix("cpu ")?;
        let ticks: Vec<u64> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let [user, nice, system, idle, waiting, interrupts, soft, stolen, ..] = ticks[..] else {
            return None;
        };
        let busy = user + nice + system + interrupts + soft + stolen;
        Some(Machine { busy, idle: idle + waiting })
    }

    /// The share of time, 0 to 1, that its cores were busy since `before`.
    pub(super) fn busy_since(&self, before: &Machine) -> f64 {
        let busy = self.busy.saturating_sub(before.busy) as f64;
        let idle = self.idle.saturating_sub(before.idle) as f64;
        busy / (busy + idle).max(1.0)
    }
}

impl Moment {
    pub(super) fn now(link: &Link) -> Moment {
        let nodes = link.view().nodes();
        let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Moment {
            at: Instant::now(),
            nodes,
            machine: Machine::now(),
            process: Duration::new(used.tv_sec as u64, used.tv_nsec as u32),
            search: link.busy().search.read(),
            cluster: link.busy().cluster.read(),
        }
    }

    pub(super) fn node(&self, id: WorkerId) -> Option<&view::Node> {
        self.nodes.iter().find(|&&(other, _)| other == id).map(|(_, node)| node)
    }

    /// Time between `before` and this.
    pub(super) fn since(&self, before: &Moment) -> Duration {
        self.at.saturating_duration_since(before.at)
    }

    /// How busy the cores of this machine were since `before`, 0 to 1: with all that runs on it, where
    /// the system says so, and by this process.
    pub(super) fn cores_busy(&self, before: &Moment, cores: f64) -> (f64, f64) {
        let used = self.process.saturating_sub(before.process).as_secs_f64();
        let process = used / self.since(before).as_secs_f64().max(1e-9) / cores;
        let machine = self.machine.zip(before.machine).map(|(now, then)| now.busy_since(&then));
        (machine.unwrap_or(process).max(process), process)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_as_busy_as_its_first_line_says() {
        let then = Machine::read("cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 1 2 3").expect("a line");
        let now = Machine::read("cpu  160 5 60 815 55 1 2 2 0 0\n").expect("a line");
        assert_eq!(now.busy_since(&then), 0.8);
        assert_eq!(now.busy_since(&now), 0.0);
        assert_eq!(Machine::read("cpu  1 2 3"), None);
        assert_eq!(Machine::read(""), None);
    }
}

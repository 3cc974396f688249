//! Work of the machine under a process: how busy its cores are.

use std::time::Duration;

/// Time of all cores of a machine, in the system's ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    busy: u64,
    idle: u64,
}

impl Machine {
    /// As it stands; nothing where the system does not say.
    pub fn now() -> Option<Machine> {
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
    pub fn busy_since(&self, before: &Machine) -> f64 {
        let busy = self.busy.saturating_sub(before.busy) as f64;
        let idle = self.idle.saturating_sub(before.idle) as f64;
        busy / (busy + idle).max(1.0)
    }
}

/// Processor time of this process so far.
pub fn process_time() -> Duration {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(used.tv_sec as u64, used.tv_nsec as u32)
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

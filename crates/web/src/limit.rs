//! The bottleneck of a cluster, in words: a pure function of what was measured.

use std::fmt;

/// A thread or a worker that is busy for this share of the time has no more to give: the rest is lost
/// between two pieces of work.
const BUSY: f64 = 0.9;

/// A round trip longer than this takes more than any message waits for company, milliseconds.
const FAR_MS: f64 = 10.0;

/// Load of the parts of a cluster, each a share of the time, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// The thread that owns the tree.
    pub search: f64,
    /// The thread of scheduler and messages.
    pub cluster: f64,
    /// All threads that play out, on all machines.
    pub workers: f64,
    /// All cores of this machine, by whatever runs on it.
    pub cores: f64,
    /// The same, by this process alone.
    pub process: f64,
    /// Playouts that the tree allows in flight at the end.
    pub tree_window: f64,
    /// Playouts that the workers were given room for at the end.
    pub workers_window: f64,
    /// The median round trip of the farthest worker, milliseconds.
    pub round_trip_ms: f64,
}

/// A bottleneck of a cluster. The texts are for people, and say what would help.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Every worker is at work all the time.
    Workers(f64),
    /// One thread grows the tree, and it has no time left.
    Search(f64),
    /// One thread carries all messages, and it has no time left.
    Cluster(f64),
    /// This machine has no core to spare: how busy, and by this process alone.
    Cores(f64, f64),
    /// The tree is too young to have more in flight.
    TreeWindow(f64, f64),
    /// Workers wait for messages that are on their way.
    Network(f64, f64),
    /// Made-up workers, or the cores that they share with the coordinator, whose busier thread has time left.
    MadeUp(f64),
    /// Nothing that was measured.
    Unknown(f64),
}

impl Limit {
    /// The first of these that is exhausted: a thread that no second core can help, then the workers,
    /// which is how it should be, then this machine; else what leaves all of them waiting.
    pub fn of(load: &Load) -> Limit {
        match *load {
            Load { search, cluster, .. } if search.max(cluster) >= BUSY => {
                Limit::of_coordinator(search, cluster)
            }
            Load { workers, .. } if workers >= BUSY => Limit::Workers(workers),
            Load { cores, process, .. } if cores >= BUSY => Limit::Cores(cores, process),
            Load { tree_window, workers_window, .. } if tree_window < workers_window => {
                Limit::TreeWindow(tree_window, workers_window)
            }
            Load { round_trip_ms, workers, .. } if round_trip_ms >= FAR_MS => {
                Limit::Network(round_trip_ms, workers)
            }
            Load { workers, .. } => Limit::Unknown(workers),
        }
    }

    /// The same where workers are made up.
    pub fn of_made_up(search: f64, cluster: f64) -> Limit {
        let busy = search.max(cluster);
        if busy < BUSY { Limit::MadeUp(busy) } else { Limit::of_coordinator(search, cluster) }
    }

    /// The busier of the coordinator's two threads.
    fn of_coordinator(search: f64, cluster: f64) -> Limit {
        if search >= cluster { Limit::Search(search) } else { Limit::Cluster(cluster) }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| (100.0 * share).round();
        match *self {
            Limit::Search(busy) => write!(
                f,
                "the coordinator's search thread: busy {} %; larger batches (--batch) or subtrees (--mode subtree) \
                 would help",
                percent(busy)
            ),
            Limit::Cluster(busy) => write!(
                f,
                "the coordinator's cluster thread: busy {} % with messages; larger batches (--batch) \
                 or subtrees (--mode subtree) would help",
                percent(busy)
            ),
            Limit::Workers(busy) => write!(
                f,
                "the workers: they are busy {} % of the time; more of them would add",
                percent(busy)
            ),
            Limit::Cores(busy, process) => write!(
                f,
                "the cores of this machine: busy {} % of the time, {} % by this process; workers on \
                 other machines would add",
                percent(busy),
                percent(process)
            ),
            Limit::TreeWindow(tree, workers) => write!(
                f,
                "the tree's window: {tree:.0} playouts may be in flight, the workers have room for \
                 {workers:.0}; it grows with the tree, up to --window where that is given: search longer"
            ),
            Limit::Network(ms, busy) => write!(
                f,
                "the network: a round trip of {ms:.0} ms, and the workers are busy only {} % of the \
                 time",
                percent(busy)
            ),
            Limit::MadeUp(busy) => write!(
                f,
                "the made-up workers, the cores that they share, or the tree's window: the busier of the coordinator's \
                 threads is busy {} % of the time",
                percent(busy)
            ),
            Limit::Unknown(busy) => write!(
                f,
                "nothing that was measured: the workers are busy {} % of the time; something else \
                 may run on their machines",
                percent(busy)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cluster in which nothing is exhausted.
    const EASY: Load = Load {
        search: 0.3,
        cluster: 0.2,
        workers: 0.6,
        cores: 0.5,
        process: 0.4,
        tree_window: 5_000.0,
        workers_window: 1_000.0,
        round_trip_ms: 0.2,
    };

    #[test]
    fn each_part_is_the_limit_when_it_alone_is_exhausted() {
        for (load, words) in [
            (Load { workers: 0.98, ..EASY }, "the workers: they are busy 98 %"),
            (Load { search: 0.97, ..EASY }, "the coordinator's search thread: busy 97 %"),
            (Load { cluster: 0.95, ..EASY }, "the coordinator's cluster thread: busy 95 %"),
            (
                Load { cores: 0.99, ..EASY },
                "the cores of this machine: busy 99 % of the time, 40 %",
            ),
            (Load { tree_window: 400.0, ..EASY }, "the tree's window: 400 playouts"),
            (Load { round_trip_ms: 80.0, ..EASY }, "the network: a round trip of 80 ms"),
            (EASY, "nothing that was measured: the workers are busy 60 %"),
        ] {
            let limit = Limit::of(&load).to_string();
            assert!(limit.starts_with(words), "{load:?}: {limit}");
        }
    }

    #[test]
    fn made_up_workers_are_the_limit_of_a_coordinator_with_time_left() {
        assert_eq!(Limit::of_made_up(0.06, 0.02), Limit::MadeUp(0.06));
        assert_eq!(Limit::of_made_up(0.5, 0.95), Limit::Cluster(0.95));
        assert!(Limit::MadeUp(0.06).to_string().contains("threads is busy 6 % of the time"));
    }

    #[test]
    fn a_thread_that_no_core_can_help_comes_before_the_workers_and_these_before_the_cores() {
        let all = Load { search: 0.96, cluster: 0.93, workers: 0.95, cores: 0.97, ..EASY };
        assert_eq!(Limit::of(&all), Limit::Search(0.96));
        assert_eq!(Limit::of(&Load { cluster: 0.99, ..all }), Limit::Cluster(0.99));
        let threads_idle = Load { search: 0.2, cluster: 0.1, ..all };
        assert_eq!(Limit::of(&threads_idle), Limit::Workers(0.95));
        let workers_wait = Load { workers: 0.5, ..threads_idle };
        assert_eq!(Limit::of(&workers_wait), Limit::Cores(0.97, 0.4));
    }
}

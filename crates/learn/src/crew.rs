//! Threads that share work whose parts have nothing to do with each other.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use banyan_games::Rng;
use banyan_games::rng::mix;

use crate::meter::Meter;

/// Threads that share work.
#[derive(Clone, Copy, Debug)]
pub struct Crew {
    /// Number of threads, above 0.
    pub threads: NonZeroUsize,
}

impl Crew {
    /// So many threads, else one for each core.
    pub fn of(threads: Option<NonZeroUsize>) -> Crew {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Crew { threads: threads.unwrap_or_else(cores) }
    }

    /// Results of `one` for each item, in their order. Each draws from a generator of its own, so that the number
    /// of threads changes nothing.
    ///
    /// - `done`: where each item that is done is counted.
    pub fn map<T: Sync, R: Send>(
        self,
        items: &[T],
        seed: u64,
        done: &Meter,
        one: impl Fn(&T, &mut Rng) -> R + Sync,
    ) -> Vec<R> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut made = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(at) else { return made };
                let mut rng = Rng::from_seed(mix(seed ^ mix(at as u64)));
                made.push((at, one(item, &mut rng)));
                done.add(1);
            }
        };
        let mut made: Vec<(usize, R)> = thread::scope(|scope| {
            let threads: Vec<_> =
                (1..self.threads.get().min(items.len())).map(|_| scope.spawn(work)).collect();
            let mut made = work();
            for thread in threads {
                made.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            made
        });
        made.sort_unstable_by_key(|&(at, _)| at);
        made.into_iter().map(|(_, result)| result).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let items: Vec<u64> = (0..50).collect();
        let made = |threads| {
            let crew = Crew::of(NonZeroUsize::new(threads));
            let done = Meter::silent();
            let made = crew.map(&items, 7, &done, |&item, rng| (item, rng.bits()));
            assert_eq!(done.done(), 50);
            made
        };
        let alone = made(1);
        assert_eq!(alone.iter().map(|&(item, _)| item).collect::<Vec<_>>(), items);
        assert_eq!(made(3), alone);
        assert_eq!(made(100), alone);
    }
}

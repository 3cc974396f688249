//! Threads of this machine that help with one search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;

use banyan_search::Helpers;

/// So many threads, begun where a search asks for help and ended with what it asks for.
#[derive(Debug)]
pub struct HelperThreads {
    count: usize,
    were_asked: AtomicBool,
}

impl HelperThreads {
    /// The helpers of a thread that searches, where so many may search together.
    pub fn of(threads: u32) -> HelperThreads {
        let count = threads.saturating_sub(1) as usize;
        HelperThreads { count, were_asked: AtomicBool::new(false) }
    }

    /// The threads that may search together, the one that asks among them.
    pub fn together(&self) -> u32 {
        self.count as u32 + 1
    }

    /// The threads that have searched, the one that asks among them.
    pub fn searched(&self) -> u32 {
        if self.were_asked.load(Ordering::Relaxed) { self.together() } else { 1 }
    }
}

impl Helpers for HelperThreads {
    fn count(&self) -> usize {
        self.count
    }

    /// Where the machine has fewer threads to give, fewer help.
    fn run(&self, own: &mut dyn FnMut(), help: &(dyn Fn(usize) + Sync)) {
        self.were_asked.store(true, Ordering::Relaxed);
        std::thread::scope(|scope| {
            for number in 0..self.count {
                let thread = Builder::new().name(format!("helper-{number}"));
                if thread.spawn_scoped(scope, move || help(number)).is_err() {
                    break;
                }
            }
            own();
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn own_work_and_that_of_each_helper_is_done_at_the_same_time() {
        let (met, numbers) = (AtomicUsize::new(0), AtomicUsize::new(0));
        // Whoever comes waits for all others.
        let meet = || {
            met.fetch_add(1, Ordering::SeqCst);
            while met.load(Ordering::SeqCst) < 4 {
                std::thread::yield_now();
            }
        };
        let help = |number: usize| {
            numbers.fetch_add(1 << number, Ordering::SeqCst);
            meet();
        };
        let helpers = HelperThreads::of(4);
        assert_eq!((helpers.count(), helpers.searched()), (3, 1));
        helpers.run(&mut || meet(), &help);
        assert_eq!((met.load(Ordering::SeqCst), numbers.load(Ordering::SeqCst)), (4, 0b111));
        assert_eq!(helpers.searched(), 4);
    }

    #[test]
    fn a_process_without_threads_of_its_own_searches_with_the_one_that_asks() {
        assert_eq!([0, 1, 2].map(|threads| HelperThreads::of(threads).count()), [0, 0, 1]);
    }
}

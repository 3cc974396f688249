//! The threads that search beside the one that asks.

use std::fmt::Debug;

/// Threads that search beside the one that asks.
pub trait Helpers: Debug + Sync {
    /// So many.
    fn count(&self) -> usize;

    /// Runs `own` in the thread that asks and meanwhile `help`, with each number below the count, in threads of
    /// their own; returns once all of them have ended.
    fn run(&self, own: &mut dyn FnMut(), help: &(dyn Fn(usize) + Sync));
}

/// Nobody: a search by the thread that asks alone, which is the same each time.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHelpers;

impl Helpers for NoHelpers {
    fn count(&self) -> usize {
        0
    }

    fn run(&self, own: &mut dyn FnMut(), _: &(dyn Fn(usize) + Sync)) {
        own();
    }
}

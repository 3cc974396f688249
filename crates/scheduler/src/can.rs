//! The kinds of work that a worker can be lent of a session.

use banyan_jobs::Job;

/// Kinds of jobs that a worker can do for a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Can {
    /// Play out, and solve.
    pub(super) play: bool,
    /// Judge by the session's evaluator.
    pub(super) judge: bool,
}

impl Can {
    /// Tells whether it can do anything.
    pub(super) fn any(self) -> bool {
        self.play || self.judge
    }

    /// Tells whether it can do this.
    pub(super) fn does(self, job: &Job) -> bool {
        [self.play, self.judge][queue(job)]
    }
}

/// In which queue a batch waits.
pub(super) fn queue(job: &Job) -> usize {
    usize::from(job.is_judged())
}

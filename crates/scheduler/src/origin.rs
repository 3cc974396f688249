//! Place of a worker, which decides whether its word is taken.

/// Place of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Threads of this process: what they count is believed, and others are audited by it.
    Local,
    /// A thread of this process that answers for want of anybody better: believed, and no measure of others.
    StandIn,
    /// Behind a socket: its tallies are audited.
    Remote,
    /// Behind a socket, at an address from where a liar came: it is on probation for longer.
    Suspect,
}

impl Origin {
    /// Tells whether it is in this process.
    pub fn is_here(self) -> bool {
        matches!(self, Origin::Local | Origin::StandIn)
    }
}

//! Where a worker is, which decides whether its word is taken.

/// Where a worker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Threads of this process: what they count is believed, and others are audited by it.
    Local,
    /// Behind a socket: its tallies are audited.
    Remote,
    /// Behind a socket, at an address from where a liar came: it is on probation for longer.
    Suspect,
}

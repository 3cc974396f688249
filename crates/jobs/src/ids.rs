//! Names of things, each a type of its own so that none can be taken for another.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($number:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub $number);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

id! {
    /// A batch: its session in the upper 24 bits, then its number in the session, from 0, in the order
    /// of making.
    BatchId(u64)
}
id! {
    /// One connection of a worker. A worker that reconnects gets a new one.
    WorkerId(u64)
}
id! {
    /// One game or analysis being searched.
    SessionId(u32)
}
id! {
    /// A generation of a session's root; batches of older ones are dead.
    Epoch(u32)
}
id! {
    /// The n-th lease of the same batch, from 1.
    Attempt(u32)
}

impl BatchId {
    const NUMBER_BITS: u32 = 40;

    /// The `number`-th batch of a session. A session never makes 2^40 of them: a month at 400,000 a
    /// second.
    pub fn new(session: SessionId, number: u64) -> BatchId {
        debug_assert!(number >> Self::NUMBER_BITS == 0 && session.0 >> 24 == 0);
        BatchId((u64::from(session.0) << Self::NUMBER_BITS) | number)
    }

    /// The session that made it. Any bits give an answer.
    pub fn session(self) -> SessionId {
        SessionId((self.0 >> Self::NUMBER_BITS) as u32)
    }

    /// Its number in the session.
    pub fn number(self) -> u64 {
        self.0 & ((1 << Self::NUMBER_BITS) - 1)
    }
}

/// A root position: which session's, and which generation of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RootId {
    /// The session.
    pub session: SessionId,
    /// The generation.
    pub epoch: Epoch,
}

impl fmt::Display for RootId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.session, self.epoch)
    }
}
